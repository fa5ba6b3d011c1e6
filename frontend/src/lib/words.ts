// Numbers, moves and scores in words, for every page.
import type { AnalysisView, GameView, OpinionLine } from "../wire";
import type { Settings } from "./settings";

const THIN = "\u202f";
const MINUS = "\u2212";

// Numbers

/** 18344 as "18 344". */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** For changing text: 1204 as "1 204", 1234567 as "1.2 M". */
export function formatAbout(count: number): string {
  if (count < 100_000) return formatCount(count);
  if (count < 1_000_000) return `${Math.round(count / 1000)} k`;
  if (count < 1_000_000_000) return `${(count / 1_000_000).toFixed(1)} M`;
  return `${(count / 1_000_000_000).toFixed(1)} G`;
}

export function formatTime(timeMs: number): string {
  if (timeMs < 1) return "under 1 ms";
  if (timeMs < 1000) return `${Math.round(timeMs)} ms`;
  return `${(timeMs / 1000).toFixed(1)} s`;
}

export function formatPace(timeMs: number): string {
  if (timeMs <= 0) return "turbo";
  return `${Number((timeMs / 1000).toPrecision(2))} s`;
}

/** Minutes and seconds; tenths when little time is left. */
export function formatClock(leftMs: number): string {
  const left = Math.max(0, leftMs);
  const minutes = Math.floor(left / 60_000);
  const seconds = (left % 60_000) / 1000;
  if (left < 20_000) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(seconds)).padStart(2, "0")}`;
}

// Moves

/** As printed under the board: 1-9, then a, b, ... */
export function columnName(column: number): string {
  return (column + 1).toString(36);
}

/** The column a key names, or null. */
export function columnOf(name: string, width: number): number | null {
  if (!/^[1-9a-z]$/.test(name)) return null;
  const column = parseInt(name, 36) - 1;
  return column < width ? column : null;
}

/** Is a typed text one move, rather than a position? Only its form is checked. */
export function looksLikeMove(game: "connect4" | "checkers", text: string): boolean {
  return game === "connect4" ? /^[1-9a-z]$/i.test(text) : /^\d{1,2}(\s*[-x]\s*\d{1,2})+$/i.test(text);
}

/** 22x15x8 unchanged, or as 22x8. */
export function formatMove(text: string, notation: Settings["notation"]): string {
  if (notation === "whole") return text;
  const squares = text.split("x");
  return squares.length > 2 ? `${squares[0]}x${squares.at(-1)}` : text;
}

/** "Yellow, column 2." or "White, 22x15." */
export function moveSentence(game: GameView["game"], sideName: string, move: string): string {
  return game === "connect4" ? `${sideName}, column ${move}.` : `${sideName}, ${move}.`;
}

/** "22x15 or 23x16", "5, 6 or 13" */
export function listWords(words: readonly string[]): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const PIECES: Record<string, string> = { b: "black man", B: "black king", w: "white man", W: "white king" };

export function pieceName(piece: string): string {
  return PIECES[piece] ?? "empty";
}

export function discName(disc: string, sides: readonly string[]): string {
  return disc === "1" ? `${sides[0]} disc` : disc === "2" ? `${sides[1]} disc` : "empty";
}

// Scores

/** "-0.35" with a proper minus sign. */
export function formatLabel(label: string): string {
  return label.replace("-", MINUS);
}

/** A score in two short lines, with its sign: "+ win" and "in 7". */
export interface ScoreWords {
  kind: "win" | "draw" | "loss" | "none" | "full";
  sign: string;
  words: string;
  more: string;
  isProof: boolean;
}

const SIGNS = { win: "+", draw: "=", loss: MINUS } as const;

/** Instead of a score: a full column, or one without a score yet. */
export function noScore(kind: "full" | "none"): ScoreWords {
  return { kind, sign: "", words: kind === "full" ? "full" : "\u00a0", more: "", isProof: false };
}

/** `ends_in` comes from the server and counts the winner's own moves. */
export function scoreWords(line: OpinionLine): ScoreWords {
  const isProof = line.known_by !== "search";
  if (line.verdict === "unclear") return { ...noScore("none"), words: isProof ? line.label : "…" };
  const more = line.ends_in === null || line.verdict === "draw" ? "" : `in ${line.ends_in}`;
  return { kind: line.verdict, sign: SIGNS[line.verdict], words: line.verdict, more, isProof };
}

/** For screen readers: "Column 4: win in 7, solved". */
export function columnLabel(name: string, { kind, words, more, isProof }: ScoreWords): string {
  if (kind === "full") return `Column ${name}: full`;
  if (kind === "none") return `Column ${name}: not known yet`;
  return `Column ${name}: ${words}${more && ` ${more}`}${isProof ? ", solved" : ", estimated"}`;
}

/** Over a column of the glass box two short lines fit: "+ win" and "in 5". */
export function barWords(line: OpinionLine): string[] {
  const { sign, words, more } = scoreWords(line);
  if (more) return [`${sign} ${words}`, more];
  return line.verdict === "draw" ? ["= draw"] : formatLabel(line.label).split(" ");
}

/** The mark of a proof. */
export function knownWords(view: Pick<AnalysisView, "known_by">): string {
  return { solved: "solved", book: "solved, book", table: "endgame table", search: "estimate" }[
    view.known_by
  ];
}
