// Mistakes of the game, and the step from one to the next.
import type { JudgedMoveView } from "../wire";

/** A blunder; or also a mistake, unless only blunders are wanted. */
export function isWrong(move: Pick<JudgedMoveView, "grade">, isGrave: boolean): boolean {
  return move.grade === "blunder" || (!isGrave && move.grade === "mistake");
}

/** The next one after a ply; after the last comes the first. */
export function nextWrong(
  moves: readonly JudgedMoveView[],
  ply: number,
  isGrave: boolean,
): JudgedMoveView | null {
  const wrong = moves.filter((move) => isWrong(move, isGrave));
  return wrong.find((move) => move.ply > ply) ?? wrong[0] ?? null;
}
