// Where cells are drawn. Cell numbers are the server's (see wire.py); a flipped board is seen from the other side.
export interface Point {
  x: number;
  y: number;
}

export const DISC_CELL = 90;
const DISC_MARGIN = 16;
const DISC_FOOT = 40;

export interface DiscBoard {
  width: number;
  height: number;
  flipped: boolean;
}

export function discBoardSize(board: { width: number; height: number }): { width: number; height: number } {
  return {
    width: DISC_CELL * board.width + 2 * DISC_MARGIN,
    height: DISC_CELL * board.height + DISC_MARGIN + DISC_FOOT,
  };
}

/** Width divided by height of a drawn board. */
export function boardRatio(game: "connect4" | "checkers", board: { width: number; height: number }): number {
  const { width, height } = discBoardSize(board);
  return game === "checkers" ? 1 : width / height;
}

export function columnX(board: DiscBoard, column: number): number {
  const shown = board.flipped ? board.width - 1 - column : column;
  return DISC_MARGIN + DISC_CELL * (shown + 0.5);
}

export function discCentre(board: DiscBoard, cell: number): Point {
  const row = Math.floor(cell / board.width);
  return { x: columnX(board, cell % board.width), y: DISC_MARGIN + DISC_CELL * (row + 0.5) };
}

/** The column under a point of the drawing; the margins belong to the outer columns. */
export function columnAt(board: DiscBoard, x: number): number {
  const shown = Math.floor((x - DISC_MARGIN) / DISC_CELL);
  const column = Math.min(board.width - 1, Math.max(0, shown));
  return board.flipped ? board.width - 1 - column : column;
}

export const SQUARE = 74;
export const SQUARES: readonly number[] = Array.from({ length: 32 }, (_, i) => i + 1);

export interface Place {
  row: number;
  column: number;
}

/** Row 0 is the top of the drawing. Square 1 is in row 0 at column 1 when the board is not flipped. */
export function placeOf(square: number, flipped: boolean): Place {
  const row = (square - 1) >> 2;
  const column = 2 * ((square - 1) & 3) + (row % 2 === 0 ? 1 : 0);
  return flipped ? { row: 7 - row, column: 7 - column } : { row, column };
}

export function squareCorner(square: number, flipped: boolean): Point {
  const { row, column } = placeOf(square, flipped);
  return { x: column * SQUARE, y: row * SQUARE };
}

export function squareCentre(square: number, flipped: boolean): Point {
  const corner = squareCorner(square, flipped);
  return { x: corner.x + SQUARE / 2, y: corner.y + SQUARE / 2 };
}

/** The playing square under a point of the drawing, or null on a light square or outside. */
export function squareAt(point: Point, flipped: boolean): number | null {
  const shownRow = Math.floor(point.y / SQUARE);
  const shownColumn = Math.floor(point.x / SQUARE);
  if (shownRow < 0 || shownRow > 7 || shownColumn < 0 || shownColumn > 7) return null;
  const row = flipped ? 7 - shownRow : shownRow;
  const column = flipped ? 7 - shownColumn : shownColumn;
  if ((row + column) % 2 === 0) return null;
  return row * 4 + (column >> 1) + 1;
}

export type Direction = "left" | "right" | "up" | "down";

/** The cell that an arrow key leads to, as seen; the cursor stops at the edge. */
export function stepDisc(board: DiscBoard, cell: number, direction: Direction): number {
  const row = Math.floor(cell / board.width);
  const column = cell % board.width;
  const right = (direction === "right") !== board.flipped ? 1 : -1;
  if (direction === "left" || direction === "right") {
    return row * board.width + clamp(column + right, board.width);
  }
  return clamp(row + (direction === "down" ? 1 : -1), board.height) * board.width + column;
}

/** The same on the 32 playing squares: sideways to the next one of the row, up and down to the nearest. */
export function stepSquare(square: number, direction: Direction, flipped: boolean): number {
  const forward = (direction === "right" || direction === "down") !== flipped ? 1 : -1;
  const row = (square - 1) >> 2;
  const index = (square - 1) & 3;
  if (direction === "left" || direction === "right") return row * 4 + clamp(index + forward, 4) + 1;
  return clamp(row + forward, 8) * 4 + index + 1;
}

/** Client coordinates in the drawing's own units. */
export function toDrawing(svg: SVGSVGElement, clientX: number, clientY: number): Point {
  const box = svg.getBoundingClientRect();
  const view = svg.viewBox.baseVal;
  return {
    x: ((clientX - box.left) / box.width) * view.width,
    y: ((clientY - box.top) / box.height) * view.height,
  };
}

function clamp(value: number, size: number): number {
  return Math.min(size - 1, Math.max(0, value));
}
