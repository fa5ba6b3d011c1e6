// Scores and grades in words.
import { columnName } from "../boards/geometry";
import { moveSentence } from "../play/words";
import type { AnalysisView, JudgedMove, OpinionLine, Study, StudyNode } from "../wire";

const MINUS = "\u2212";

/** A score in two short lines, with its sign: "+ win" and "in 7". */
export interface ScoreWords {
  kind: "win" | "draw" | "loss" | "none" | "full";
  sign: string;
  words: string;
  more: string;
  isProof: boolean;
}

export interface ColumnScore extends ScoreWords {
  name: string;
  isBest: boolean;
  label: string; // for those who do not see it
}

const SIGNS = { win: "+", draw: "=", loss: MINUS } as const;

/** One for each column of the board, as it is drawn from the left. */
export function columnScores(
  view: AnalysisView | null,
  columns: number,
  board: string,
  flipped: boolean,
): ColumnScore[] {
  const best = view?.lines[0];
  const scores = Array.from({ length: columns }, (_, column) => {
    const name = columnName(column);
    const line = view?.lines.find((candidate) => candidate.move === name);
    const isFull = (board[column] ?? ".") !== ".";
    const score = line ? scoreWords(line) : isFull ? word("full") : word("none");
    const isBest = line !== undefined && best !== undefined && score.isProof && isAsGood(line, best);
    return { ...score, name, isBest, label: columnLabel(name, score) };
  });
  return flipped ? scores.reverse() : scores;
}

/** A win in as many moves, or a draw like the best one. */
function isAsGood(line: OpinionLine, best: OpinionLine): boolean {
  return line.verdict === best.verdict && line.ends_in === best.ends_in && line.known_by !== "search";
}

function word(kind: "full" | "none"): ScoreWords {
  return { kind, sign: "", words: kind === "full" ? "full" : "\u00a0", more: "", isProof: false };
}

export function scoreWords(line: OpinionLine): ScoreWords {
  const isProof = line.known_by !== "search";
  if (line.verdict === "unclear") return { ...word("none"), words: isProof ? line.label : "…" };
  const more = line.ends_in === null || line.verdict === "draw" ? "" : `in ${line.ends_in}`;
  return { kind: line.verdict, sign: SIGNS[line.verdict], words: line.verdict, more, isProof };
}

function columnLabel(name: string, { kind, words, more, isProof }: ScoreWords): string {
  if (kind === "full") return `Column ${name}: full`;
  if (kind === "none") return `Column ${name}: not known yet`;
  return `Column ${name}: ${words}${more && ` ${more}`}${isProof ? ", solved" : ", estimated"}`;
}

/** The class of a line's chip: filled when it is proved, dashed when it is believed. */
export function chipKind(line: OpinionLine, isBest: boolean): string {
  if (line.known_by === "search") return "est";
  const kind = line.verdict === "unclear" ? "draw" : line.verdict;
  return isBest ? `${kind} best` : kind;
}

/** Glyphs by their grade: blunders loudest. */
export function glyphKind(grade: JudgedMove["grade"]): "blunder" | "bad" | "slight" | "good" {
  if (grade === "blunder") return "blunder";
  if (grade === "mistake") return "bad";
  return grade === "inaccuracy" ? "slight" : "good";
}

/** PDN's numbered glyphs, as far as they are common. */
export function glyphOf(number: number): string {
  return ["", "!", "?", "!!", "??", "!?", "?!"][number] ?? "";
}

export const GRADES: Record<JudgedMove["grade"], string> = {
  best: "best move",
  good: "good move",
  inaccuracy: "inaccuracy",
  mistake: "mistake",
  blunder: "blunder",
  forced: "only move",
  unknown: "not judged",
};

/** The seal of a proof. */
export function knownWords(view: Pick<AnalysisView, "known_by">): string {
  return { solved: "solved", book: "solved, book", table: "endgame table", search: "estimate" }[
    view.known_by
  ];
}

/** For the live region: "Red, column 1. Yellow wins in 7, solved." */
export function placeSentence(study: Study, node: StudyNode, view: AnalysisView | null): string {
  const sides = study.game === "connect4" ? ["Red", "Yellow"] : ["Black", "White"];
  const move =
    node.move === null ? "The start." : moveSentence(study.game, sides[node.side ?? 0] ?? "", node.move);
  if (node.outcome) return `${move} ${node.outcome.sentence}`;
  if (view?.position.text !== node.text || view.known_by === "search")
    return `${move} ${sides[node.turn]} to move.`;
  return `${move} ${view.sentence}, ${knownWords(view)}.`;
}
