// A board that is edited by hand. It may be impossible for a while: the server says what is wrong.
export type DiscTool = "1" | "2" | "turns" | "erase";
export type PieceTool = "b" | "B" | "w" | "W" | "erase";

export function emptyBoard(game: "connect4" | "checkers", width: number, height: number): string {
  return ".".repeat(game === "checkers" ? 32 : width * height);
}

/** Drop a disc into a column, or remove its top one; a full column stays as it is. */
export function editColumn(board: string, width: number, column: number, tool: DiscTool): string {
  const cells = cellsOf(board.length, width, column); // from the bottom
  const top = cells.findLastIndex((cell) => board[cell] !== ".");
  if (tool === "erase") {
    const cell = cells[top];
    return cell === undefined ? board : put(board, cell, ".");
  }
  const cell = cells[top + 1];
  if (cell === undefined) return board;
  return put(board, cell, tool === "turns" ? turn(board) : tool);
}

/** Put a piece on a square (1-32), or remove it; the same piece twice removes it too. */
export function editSquare(board: string, square: number, tool: PieceTool): string {
  const cell = square - 1;
  const piece = tool === "erase" || board[cell] === tool ? "." : tool;
  return put(board, cell, piece);
}

/** The disc to drop next if Red and Yellow take turns. */
function turn(board: string): "1" | "2" {
  return count(board, "1") <= count(board, "2") ? "1" : "2";
}

function count(board: string, disc: string): number {
  return board.split(disc).length - 1;
}

function cellsOf(size: number, width: number, column: number): number[] {
  const height = size / width;
  return Array.from({ length: height }, (_, fromBottom) => (height - 1 - fromBottom) * width + column);
}

function put(board: string, cell: number, piece: string): string {
  return board.slice(0, cell) + piece + board.slice(cell + 1);
}
