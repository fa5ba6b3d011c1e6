// Numbers and moves in words.
import type { GameView, Opinion, SeatView } from "../wire";
import type { Settings } from "../lib/settings";

const THIN = "\u202f";
const MINUS = "\u2212";

/** 18344 as "18 344". */
export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** For text that changes while one reads: 1204 as "1 204", 1234567 as "1.2 M". */
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

/** Minutes and seconds; tenths when it matters. */
export function formatClock(leftMs: number): string {
  const left = Math.max(0, leftMs);
  const minutes = Math.floor(left / 60_000);
  const seconds = (left % 60_000) / 1000;
  if (left < 20_000) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(seconds)).padStart(2, "0")}`;
}

export function formatLabel(label: string): string {
  return label.replace("-", MINUS);
}

/** 22x15x8 as it is, or as 22x8. */
export function formatMove(text: string, notation: Settings["notation"]): string {
  if (notation === "whole") return text;
  const squares = text.split("x");
  return squares.length > 2 ? `${squares[0]}x${squares.at(-1)}` : text;
}

/** "Yellow, column 2." or "White, 22x15." */
export function moveSentence(game: GameView["game"], sideName: string, move: string): string {
  return game === "connect4" ? `${sideName}, column ${move}.` : `${sideName}, ${move}.`;
}

/** "I looked at 1 204 positions in 3 ms, depth 6." */
export function countSentence(opinion: Opinion): string {
  const depth = opinion.depth > 0 ? `, depth ${opinion.depth}` : "";
  const noun = opinion.nodes === 1 ? "position" : "positions";
  return `I looked at ${formatCount(opinion.nodes)} ${noun} in ${formatTime(opinion.time_ms)}${depth}.`;
}

/** "I expect your 7, then my 7.", or what the player has to say for itself. */
export function remarkSentence(opinion: Opinion, other: SeatView): string {
  if (opinion.remark) return opinion.remark;
  const line = opinion.lines.find((candidate) => candidate.move === opinion.played);
  const [, reply, next] = line?.moves ?? [];
  if (!reply) return "";
  const whose = other.kind === "human" ? "your" : `${other.title}\u2019s`;
  return next ? `I expect ${whose} ${reply}, then my ${next}.` : `I expect ${whose} ${reply}.`;
}

/** A hint's last step names the line it expects: that goes under the reason, or the banner would grow. */
export function splitHint(sentence: string): [string, string] {
  const [reason = "", line] = sentence.split("; expects ");
  return line ? [`${reason}.`, `Expects ${line}`] : [reason, ""];
}

/** "depth 9, 1.2 M positions" */
export function thinkingSentence(opinion: Opinion): string {
  const positions = `${formatAbout(opinion.nodes)} positions`;
  return opinion.depth > 0 ? `depth ${opinion.depth}, ${positions}` : positions;
}

/** "Yellow, level 3"; a human who is called by the side is just that. */
export function seatSentence(seat: SeatView): string {
  if (seat.title === seat.side_name) return "Human";
  return seat.level === null ? seat.side_name : `${seat.side_name}, level ${seat.level}`;
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
