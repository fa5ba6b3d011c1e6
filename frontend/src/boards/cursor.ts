import type { Direction } from "./geometry";

const ARROWS: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export function arrowOf(event: KeyboardEvent): Direction | null {
  return (!event.ctrlKey && !event.metaKey && !event.altKey && ARROWS[event.key]) || null;
}
