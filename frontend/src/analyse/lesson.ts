// Learning from mistakes: each one becomes an exercise with a hidden answer. No DOM, no server.
import type { AnswerView, JudgedMoveView, PositionView, PuzzleView, Study, StudyNode } from "../wire";
import { isWrong } from "./wrong";

/** A position in which there was a better move. */
export interface Exercise {
  key: string;
  ask: string; // "You played column 1. Find a better move."
  about: string; // where it comes from
  position: PositionView;
  last: StudyNode | null; // the move that led there
  answers: AnswerView[]; // every legal move
  line: string[]; // the line to show, best move first
  told: string; // what was wrong with the move that was played
  source: { id: string; ply: number };
  replaces: number; // the move of that game in whose place it is, from 1
}

export type Stage = "asking" | "wrong" | "right" | "shown" | "over";
export type Result = "first" | "later" | "shown" | "skipped";

export interface Lesson {
  exercises: Exercise[];
  at: number;
  stage: Stage;
  tried: AnswerView | null; // the last move that was tried
  tries: number;
  results: Result[];
}

export function newLesson(exercises: Exercise[]): Lesson {
  const stage = exercises.length > 0 ? "asking" : "over";
  return { exercises, at: 0, stage, tried: null, tries: 0, results: [] };
}

export function exerciseOf(lesson: Lesson): Exercise | null {
  return lesson.stage === "over" ? null : (lesson.exercises[lesson.at] ?? null);
}

/** Can moves be tried now? After a wrong one, yes. */
export function isOpen(lesson: Lesson): boolean {
  return lesson.stage === "asking" || lesson.stage === "wrong";
}

/** Every move that keeps the result is right, not only the best one; the server says which they are. */
export function attempt(lesson: Lesson, move: string): Lesson {
  const tried = exerciseOf(lesson)?.answers.find((answer) => answer.move === move);
  if (!isOpen(lesson) || !tried) return lesson;
  return { ...lesson, stage: tried.is_good ? "right" : "wrong", tried, tries: lesson.tries + 1 };
}

export function reveal(lesson: Lesson): Lesson {
  return isOpen(lesson) ? { ...lesson, stage: "shown" } : lesson;
}

export function next(lesson: Lesson): Lesson {
  if (lesson.stage === "over") return lesson;
  const results = [...lesson.results, resultOf(lesson)];
  const at = lesson.at + 1;
  const stage = at < lesson.exercises.length ? "asking" : "over";
  return { ...lesson, at, stage, tried: null, tries: 0, results };
}

function resultOf(lesson: Lesson): Result {
  if (lesson.stage === "right") return lesson.tries === 1 ? "first" : "later";
  return lesson.stage === "shown" ? "shown" : "skipped";
}

/** "2 of 3 found, 1 at the first try." */
export function summaryOf(lesson: Lesson): string {
  const count = (...results: Result[]) => lesson.results.filter((result) => results.includes(result)).length;
  const [found, first, all] = [count("first", "later"), count("first"), lesson.results.length];
  if (all === 0) return "There is nothing to learn here.";
  if (found === 0) return `None of ${all} found. Try again: now you know them.`;
  if (first === all) return all === 1 ? "Found at once." : `All ${all} found at the first try.`;
  return `${found} of ${all} found, ${first} at the first try.`;
}

/** "2, 3 or 6": all right answers. */
export function rightMoves(exercise: Exercise): string[] {
  return exercise.answers.filter((answer) => answer.is_good).map((answer) => answer.move);
}

/** "column 7", "11-15" */
function named(game: Study["game"], move: string): string {
  return game === "connect4" ? `column ${move}` : move;
}

/** The mistakes of one side, or of both, as a lesson. `line` is the main line, from the start. */
export function mistakesOf(
  study: Study,
  line: readonly StudyNode[],
  moves: readonly JudgedMoveView[],
  side: 0 | 1 | null,
): Exercise[] {
  const wrong = moves.filter((move) => isWrong(move, false) && (side === null || move.side === side));
  return wrong.flatMap((move) => {
    const before = line[move.ply - 1];
    if (!before || move.answers.length === 0) return [];
    const who = study.seats[move.side] ?? "";
    return {
      key: `${study.id} ${move.ply}`,
      ask: `${who} played ${named(study.game, move.move)}. Find a better move.`,
      about: `Move ${move.ply} of ${line.length - 1}`,
      position: { ...study.start, text: before.text, board: before.board, side: before.turn },
      last: before.move === null ? null : before,
      answers: move.answers,
      line: move.line,
      told: `${who} played ${named(study.game, move.move)}. ${move.sentence}`,
      source: { id: study.id, ply: move.ply },
      replaces: move.ply,
    };
  });
}

export function exerciseFrom(puzzle: PuzzleView): Exercise {
  return {
    key: `${puzzle.source} ${puzzle.ply}`,
    ask: puzzle.goal,
    about: `${puzzle.title}, after ${puzzle.ply} moves`,
    position: puzzle.position,
    last: null,
    answers: puzzle.answers,
    line: puzzle.line,
    told: `In the game ${named(puzzle.game, puzzle.played)} was played.`,
    source: { id: puzzle.source, ply: puzzle.ply },
    replaces: puzzle.ply + 1,
  };
}
