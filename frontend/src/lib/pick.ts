// Walking along the server's moves with taps: first square, last square. Squares between are asked for only when
// two paths share both ends, and then only where they part; tapping a move hop by hop works too.
import type { MoveView } from "../wire";

export interface Pick {
  origin: number | null;
  via: number[]; // the squares tapped after the origin
  end: number | null; // tapped, but several paths lead there
}

export type Tap =
  | { kind: "picked"; pick: Pick }
  | { kind: "move"; move: MoveView }
  | { kind: "tried"; from: number; to: number } // not a move; the server will say why
  | { kind: "nothing" };

/** The legal moves of a position; the server's answers have this form. */
export interface Playable {
  legal: MoveView[];
  must_capture: boolean;
}

export const NOTHING_PLAYABLE: Playable = { legal: [], must_capture: false };

export const NO_PICK: Pick = { origin: null, via: [], end: null };

export function tap(moves: readonly MoveView[], pick: Pick, square: number, isOwnPiece: boolean): Tap {
  if (pick.origin === null) return isOwnPiece ? start(square) : { kind: "nothing" };
  const open = candidates(moves, pick);
  const ending = pick.end === null ? open.filter((move) => move.path.at(-1) === square) : [];
  if (ending[0] && ending.length === 1) return { kind: "move", move: ending[0] };
  if (ending.length > 1) return { kind: "picked", pick: { ...pick, end: square } };
  const at = pick.end === null ? pick.via.length + 1 : parting(open);
  const passing = open.filter((move) => move.path[at] === square);
  if (passing[0]) return goOn(passing, { ...pick, via: passing[0].path.slice(1, at + 1) });
  if (square === pick.origin) return { kind: "picked", pick: NO_PICK };
  if (isOwnPiece) return start(square);
  return { kind: "tried", from: pick.origin, to: square };
}

/** The moves that fit the taps so far. */
export function candidates(moves: readonly MoveView[], pick: Pick): MoveView[] {
  const begun = [pick.origin, ...pick.via];
  return moves.filter(
    (move) =>
      begun.every((square, i) => move.path[i] === square) &&
      (pick.end === null || move.path.at(-1) === pick.end),
  );
}

/** The squares to tap next: ends, or the squares where the paths to one end differ. */
export function targets(moves: readonly MoveView[], pick: Pick): number[] {
  if (pick.origin === null) return [];
  const open = candidates(moves, pick);
  const at = pick.end === null ? -1 : parting(open);
  return unique(open.map((move) => move.path.at(at) ?? 0));
}

/** Squares that hold a piece with a move. */
export function origins(moves: readonly MoveView[]): number[] {
  return unique(moves.map((move) => move.path[0] ?? 0));
}

/** Does the piece on a square (1-32) belong to a side? */
export function isOwnPiece(board: string, square: number, side: 0 | 1): boolean {
  return board[square - 1]?.toLowerCase() === (side === 0 ? "b" : "w");
}

/** Connect Four: the cells in which discs would land, by column. */
export function landingCells(moves: readonly MoveView[], width: number): Record<number, number> {
  const cells = moves.flatMap((move) => move.path.slice(0, 1));
  return Object.fromEntries(cells.map((cell) => [cell % width, cell]));
}

/** Connect Four: the move that drops a disc into a column. */
export function dropMove(moves: readonly MoveView[], width: number, column: number): MoveView | undefined {
  return moves.find((move) => (move.path[0] ?? 0) % width === column);
}

/** The first place at which the paths differ. */
function parting(moves: readonly MoveView[]): number {
  let at = 0;
  while (
    moves.length > 0 &&
    moves.every((move) => at < move.path.length && move.path[at] === moves[0]?.path[at])
  )
    at += 1;
  return at;
}

function goOn(open: MoveView[], pick: Pick): Tap {
  if (pick.end !== null && open[0] && open.length === 1) return { kind: "move", move: open[0] };
  return { kind: "picked", pick };
}

function start(square: number): Tap {
  return { kind: "picked", pick: { origin: square, via: [], end: null } };
}

function unique(squares: number[]): number[] {
  return [...new Set(squares)];
}
