// The drawing of the ladder: a log scale that starts at 1, so that no technique looks better than it is.
import { formatCount } from "../lib/words";
import type { Rung } from "../wire";

export const AXIS_LEFT = 150;
const AXIS_WIDTH = 454;

export interface Scale {
  powers: number; // the axis ends at ten to this power
  x: (count: number) => number;
}

export function scaleOf(rungs: readonly Rung[]): Scale {
  const most = Math.max(10, ...rungs.map((rung) => rung.nodes));
  const powers = Math.ceil(Math.log10(most));
  return { powers, x: (count) => AXIS_LEFT + (AXIS_WIDTH * Math.log10(Math.max(1, count))) / powers };
}

/** 1, 10, ... 1 million, as printed under the axis. */
export function powerName(power: number): string {
  if (power >= 6) return `${10 ** (power - 6)} million`;
  return formatCount(10 ** power);
}

/** Milliseconds as readable text. */
export function duration(timeMs: number): string {
  if (timeMs < 10) return `${timeMs.toFixed(1)} ms`;
  return timeMs < 1000 ? `${Math.round(timeMs)} ms` : `${(timeMs / 1000).toFixed(1)} s`;
}
