// Words that lessons and puzzles share.
import type { GameName } from "../lib/route";
import { columnName } from "../lib/words";
import type { PlayedView } from "../wire";

const MOST_NAMED = 4;

/** "Red 6, Yellow 4.": the last moves of a line as they were played. */
export function lineSentence(sides: readonly string[], line: readonly PlayedView[]): string {
  if (line.length === 0) return "";
  const named = line.slice(-MOST_NAMED).map(({ side, move }) => `${sides[side]} ${move.text}`);
  return `${line.length > MOST_NAMED ? "\u2026 " : ""}${named.join(", ")}.`;
}

/** How a move is made, with a mouse or keys, and by touch. */
export function howTo(game: GameName, width: number): { more: string; moreByTouch: string } {
  if (game === "checkers")
    return { more: "Click a piece, then where it goes", moreByTouch: "Tap a piece, then where it goes" };
  const keys = `1\u2013${columnName(Math.min(width, 9) - 1)}`;
  return { more: `Click a column or press ${keys}`, moreByTouch: "Tap a column" };
}

/** "16 November" for "2026-11-16". */
export function dayWords(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  return day && !Number.isNaN(date.valueOf())
    ? date.toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
    : "";
}
