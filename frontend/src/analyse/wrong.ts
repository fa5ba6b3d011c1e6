// Moves that went wrong, and the way from one to the next.
import type { JudgedMove } from "../wire";

/** A blunder, or unless only those are meant, a mistake. */
export function isWrong(move: Pick<JudgedMove, "grade">, isGrave: boolean): boolean {
  return move.grade === "blunder" || (!isGrave && move.grade === "mistake");
}

/** The next one after a ply; past the last it begins again. */
export function nextWrong(moves: readonly JudgedMove[], ply: number, isGrave: boolean): JudgedMove | null {
  const wrong = moves.filter((move) => isWrong(move, isGrave));
  return wrong.find((move) => move.ply > ply) ?? wrong[0] ?? null;
}
