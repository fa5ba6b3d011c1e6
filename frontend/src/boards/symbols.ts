// The drawing of a piece, by the letter that the server uses for it.
const SYMBOLS: Record<string, string> = {
  "1": "red",
  "2": "yellow",
  b: "man-b",
  w: "man-w",
  B: "king-b",
  W: "king-w",
};

export function symbolOf(piece: string): string {
  return SYMBOLS[piece] ?? "";
}

/** The plain piece of a side. */
export function pieceOf(game: "connect4" | "checkers", side: 0 | 1): string {
  return game === "connect4" ? (side === 0 ? "1" : "2") : side === 0 ? "b" : "w";
}
