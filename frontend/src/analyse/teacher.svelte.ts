// A lesson on the board: exercises one after the other, from a review or from all the person's games.
import { api, ApiError } from "../api";
import { Poll } from "../lib/poll";
import { NOTHING_PLAYABLE, type Playable } from "../lib/pick";
import type { GameName } from "../lib/route";
import { columnName } from "../lib/words";
import { Replay } from "../boards/replay.svelte";
import type { PuzzleRun } from "../wire";
import {
  attempt,
  exerciseFrom,
  exerciseOf,
  isOpen,
  newLesson,
  next,
  reveal,
  type Exercise,
  type Lesson,
} from "./lesson";

const ASK_EVERY_MS = 400;

export class Teacher {
  lesson = $state.raw<Lesson | null>(null);
  title = $state("");
  game = $state<GameName>("connect4");
  /** Set during the search for puzzles. */
  search = $state.raw<PuzzleRun | null>(null);
  problem = $state("");
  playable = $state.raw<Playable>(NOTHING_PLAYABLE);

  /** The position of the exercise, or what a wrong move leads to. */
  readonly replay = new Replay();
  /** Why the last move is wrong, as far as it is known. */
  why = $state("");

  readonly exercise = $derived(this.lesson && exerciseOf(this.lesson));
  readonly isOpen = $derived(this.lesson !== null && isOpen(this.lesson));
  readonly isOn = $derived(this.lesson !== null || this.search !== null || this.problem !== "");
  /** The move marked on the board: the right one that was tried, or the answer. */
  readonly marked = $derived.by(() => {
    const { lesson, exercise } = this;
    if (!lesson || isOpen(lesson)) return null;
    const text = lesson.stage === "shown" ? exercise?.line[0] : lesson.tried?.move;
    return this.playable.legal.find((move) => move.text === text) ?? null;
  });

  private readonly poll = new Poll<PuzzleRun>(ASK_EVERY_MS, {
    again: ({ id }) => api.puzzleRun(id),
    stop: ({ id }) => api.stopPuzzles(id),
  });

  begin(title: string, game: GameName, exercises: Exercise[]): void {
    this.leave();
    Object.assign(this, { title, game });
    this.set(newLesson(exercises));
  }

  /** Start with puzzles from the library. */
  async puzzles(game: GameName): Promise<void> {
    this.leave();
    Object.assign(this, { title: "Puzzles from your games", game });
    try {
      const run = await this.poll.follow(
        () => api.puzzles({ game }),
        (answer) => (this.search = answer),
      );
      if (run) this.usePuzzles(run);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.search = null;
      this.problem = error.message;
    }
  }

  /** Stop the search, and start with the puzzles found. */
  async enough(): Promise<void> {
    if (this.search) await api.stopPuzzles(this.search.id).catch(() => undefined);
  }

  private usePuzzles(run: PuzzleRun): void {
    this.search = null;
    if (run.puzzles.length === 0) {
      this.problem = run.message;
      return;
    }
    this.set(newLesson(run.puzzles.map(exerciseFrom)));
  }

  try(move: string): void {
    if (!this.lesson) return;
    this.putBack();
    this.lesson = attempt(this.lesson, move);
    if (this.lesson.stage === "wrong") void this.refute(move);
  }

  /** Play on the board what a wrong move leads to. Without an answer its sentence has to do. */
  private async refute(move: string): Promise<void> {
    const { exercise, lesson } = this;
    if (!exercise) return;
    const found = await api.refute(exercise.source.id, exercise.replaces, move).catch(() => null);
    if (!found || this.lesson !== lesson) return;
    this.why = found.sentence;
    await this.replay.play(found.line, found.marks);
  }

  /** Is what a wrong move leads to on the board? */
  get isRefuted(): boolean {
    return (this.replay.scene?.last ?? null) !== null;
  }

  /** Back to the position of the exercise. */
  putBack(): void {
    this.why = "";
    if (this.exercise) this.replay.put(this.exercise.position);
  }

  /** Find a move by its end squares; the board may not know its path yet. */
  tryEnds(from: number | null, to: number): void {
    const squares = (text: string) => text.split(/[-x]/).map(Number);
    const meant = (this.exercise?.answers ?? []).filter(({ move }) =>
      from === null ? move === columnName(to) : squares(move)[0] === from && squares(move).at(-1) === to,
    );
    if (meant[0] && meant.length === 1) this.try(meant[0].move);
  }

  reveal(): void {
    this.putBack();
    if (this.lesson) this.lesson = reveal(this.lesson);
  }

  next(): void {
    if (this.lesson) this.set(next(this.lesson));
  }

  again(): void {
    if (this.lesson) this.set(newLesson(this.lesson.exercises));
  }

  leave(): void {
    void this.poll.leave();
    Object.assign(this, { lesson: null, search: null, problem: "", playable: NOTHING_PLAYABLE });
  }

  private set(lesson: Lesson): void {
    this.lesson = lesson;
    this.playable = NOTHING_PLAYABLE;
    const exercise = exerciseOf(lesson);
    this.putBack();
    if (exercise) void this.readMoves(exercise);
  }

  /** The page knows no rules: the server sends the legal moves. */
  private async readMoves(exercise: Exercise): Promise<void> {
    const { text, width, height } = exercise.position;
    const size = this.game === "connect4" ? { width, height } : {};
    const answer = await api.readPosition({ game: this.game, ...size, text }).catch(() => null);
    if (answer && this.exercise === exercise) this.playable = answer;
  }
}
