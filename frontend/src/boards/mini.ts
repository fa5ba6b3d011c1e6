// Small boards that are only looked at: an empty board is two shapes, so that a page can show thirty.
import { discBoardSize, discCentre, SQUARES, squareCorner, SQUARE, type Point } from "./geometry";

const HOLE = 39;
const FOOT = 24; // a board without numbers needs less of its foot

export interface MiniSize {
  width: number;
  height: number;
}

export function miniSize(game: "connect4" | "checkers", board: MiniSize): MiniSize {
  if (game === "checkers") return { width: 8 * SQUARE, height: 8 * SQUARE };
  const { width, height } = discBoardSize(board);
  return { width, height: height - FOOT };
}

const holes = new Map<string, string>();

/** All holes of an empty Connect Four board as one path. */
export function holesOf(board: MiniSize): string {
  const key = `${board.width}x${board.height}`;
  const known = holes.get(key);
  if (known !== undefined) return known;
  const cells = Array.from({ length: board.width * board.height }, (_, cell) =>
    discCentre({ ...board, flipped: false }, cell),
  );
  const path = cells.map(hole).join("");
  holes.set(key, path);
  return path;
}

function hole({ x, y }: Point): string {
  return `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0z`;
}

/** All dark squares of a checkers board as one path. */
export const DARK_SQUARES = SQUARES.map((square) => {
  const { x, y } = squareCorner(square, false);
  return `M${x} ${y}h${SQUARE}v${SQUARE}h${-SQUARE}z`;
}).join("");
