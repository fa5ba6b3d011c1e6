// The glass box: a bar for each move that a player has judged; hollow, because it is an estimate.
import { barWords, columnName } from "../lib/words";
import type { OpinionView, OpinionLine } from "../wire";

export interface ColumnBar {
  name: string;
  x: number; // centre
  y: number;
  height: number;
  kind: "win" | "loss" | "draw";
  words: string[]; // one or two lines
  wordsY: number;
  isBest: boolean;
  isPlayed: boolean;
  isJudged: boolean;
  isProof: boolean; // drawn solid
  isFull: boolean;
}

export const BARS = { width: 326, height: 164, zero: 70, reach: 38, least: 5, foot: 157 };

/** A bar per column; a column without a judgement (full, or not searched) has none. */
export function columnBars(opinion: OpinionView | null, columns: number, board = ""): ColumnBar[] {
  const slot = BARS.width / columns;
  return Array.from({ length: columns }, (_, column) => {
    const name = columnName(column);
    const line = opinion?.lines.find((candidate) => candidate.move === name);
    const isFull = !line && (board[column] ?? ".") !== ".";
    return { ...bar(line), name, x: slot * (column + 0.5), isFull, ...marks(opinion, name) };
  });
}

export function barKind(line: OpinionLine): ColumnBar["kind"] {
  if (line.verdict === "win" || line.verdict === "loss") return line.verdict;
  return line.bar > 0 ? "win" : line.bar < 0 ? "loss" : "draw";
}

function bar(
  line: OpinionLine | undefined,
): Pick<ColumnBar, "y" | "height" | "kind" | "words" | "wordsY" | "isJudged" | "isProof"> {
  if (!line)
    return { y: BARS.zero, height: 0, kind: "draw", words: [], wordsY: 0, isJudged: false, isProof: false };
  const kind = barKind(line);
  const height = Math.max(BARS.least, Math.abs(line.bar) * BARS.reach);
  const isDown = kind === "loss";
  const words = barWords(line);
  const wordsY = isDown ? BARS.zero + height + 15 : BARS.zero - height - 7 - 14 * (words.length - 1);
  const isProof = line.known_by !== "search";
  return { y: isDown ? BARS.zero : BARS.zero - height, height, kind, words, wordsY, isJudged: true, isProof };
}

function marks(opinion: OpinionView | null, name: string): { isBest: boolean; isPlayed: boolean } {
  return { isBest: opinion?.liked === name, isPlayed: opinion?.played === name };
}

/** For checkers: the best-liked moves, and always the one that was played. */
export function listedLines(opinion: OpinionView, most = 6): OpinionLine[] {
  const top = opinion.lines.slice(0, most);
  const played = opinion.lines.find((line) => line.move === opinion.played);
  if (!played || top.includes(played)) return top;
  return [...top.slice(0, most - 1), played];
}
