// Moves that went wrong, and the way from one to the next.
import type { JudgedMoveView } from "../wire";

/** A blunder, or unless only those are meant, a mistake. */
export function isWrong(move: Pick<JudgedMoveView, "grade">, isGrave: boolean): boolean {
  return move.grade === "blunder" || (!isGrave && move.grade === "mistake");
}

/** The next one after a ply; past the last it begins again. */
export function nextWrong(
  moves: readonly JudgedMoveView[],
  ply: number,
  isGrave: boolean,
): JudgedMoveView | null {
  const wrong = moves.filter((move) => isWrong(move, isGrave));
  return wrong.find((move) => move.ply > ply) ?? wrong[0] ?? null;
}
