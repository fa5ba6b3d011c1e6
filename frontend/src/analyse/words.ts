// Column scores, grades and places of the analysis board, in words.
import {
  columnLabel,
  columnName,
  knownWords,
  moveSentence,
  noScore,
  scoreWords,
  type ScoreWords,
} from "../lib/words";
import type { AnalysisView, JudgedMoveView, OpinionLine, Study, StudyNode } from "../wire";

export interface ColumnScore extends ScoreWords {
  name: string;
  isBest: boolean;
  label: string; // for screen readers
}

/** One entry for each column, from the left as drawn. */
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
    const score = line ? scoreWords(line) : isFull ? noScore("full") : noScore("none");
    const isBest = line !== undefined && best !== undefined && score.isProof && isAsGood(line, best);
    return { ...score, name, isBest, label: columnLabel(name, score) };
  });
  return flipped ? scores.reverse() : scores;
}

/** A win in the same number of moves, or a draw like the best one. */
function isAsGood(line: OpinionLine, best: OpinionLine): boolean {
  return line.verdict === best.verdict && line.ends_in === best.ends_in && line.known_by !== "search";
}

/** The class of a line's chip: filled for a proof, dashed for an estimate. */
export function chipKind(line: OpinionLine, isBest: boolean): string {
  if (line.known_by === "search") return "est";
  const kind = line.verdict === "unclear" ? "draw" : line.verdict;
  return isBest ? `${kind} best` : kind;
}

/** The class of a glyph by its grade. */
export function glyphKind(grade: JudgedMoveView["grade"]): "blunder" | "bad" | "slight" | "good" {
  if (grade === "blunder") return "blunder";
  if (grade === "mistake") return "bad";
  return grade === "inaccuracy" ? "slight" : "good";
}

/** The common numeric glyphs of PDN. */
export function glyphOf(number: number): string {
  return ["", "!", "?", "!!", "??", "!?", "?!"][number] ?? "";
}

/** For the live region: "Red, column 1. Yellow wins in 7, solved." */
export function placeSentence(
  game: Study["game"],
  sides: readonly string[],
  node: StudyNode,
  view: AnalysisView | null,
): string {
  const move = node.move === null ? "The start." : moveSentence(game, sides[node.side ?? 0] ?? "", node.move);
  if (node.outcome) return `${move} ${node.outcome.sentence}`;
  if (view?.position.text !== node.text || view.known_by === "search")
    return `${move} ${sides[node.turn]} to move.`;
  return `${move} ${view.sentence}, ${knownWords(view)}.`;
}
