// Is a typed text one move, or a position to start from? Only its shape is looked at.
export function looksLikeMove(game: "connect4" | "checkers", text: string): boolean {
  return game === "connect4" ? /^[1-9a-z]$/i.test(text) : /^\d{1,2}(\s*[-x]\s*\d{1,2})+$/i.test(text);
}
