// What classes and tournaments have in common: small boards of games, and points.
import type { Tile } from "../wire";

export function gameTitle(game: Tile["game"]): string {
  return game === "connect4" ? "Connect Four" : "Checkers";
}

/** "4", "2½": points are halves. */
export function formatPoints(points: number): string {
  const whole = Math.floor(points);
  return points === whole ? String(whole) : `${whole || ""}½`;
}

export function winnerOf(tile: Tile): 0 | 1 | null {
  if (!tile.is_over) return null;
  const side = tile.names.findIndex((name) => tile.sentence === `${name} wins`);
  return side === 0 || side === 1 ? side : null;
}
