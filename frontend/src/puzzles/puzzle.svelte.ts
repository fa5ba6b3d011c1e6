// A puzzle on the board: several moves against the best defence, then the next one.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { dropMove, NOTHING_PLAYABLE, type Playable } from "../lib/pick";
import type { PuzzlesRoute } from "../lib/route";
import { columnOf } from "../lib/words";
import type { Training } from "../training/keys";
import { Asking } from "../training/asking.svelte";
import { Replay } from "../boards/replay.svelte";
import type { GradedView, MoveView, PlayedView, PuzzlesView, StepHint, TryVerdict } from "../wire";

const MOST_SEEN = 100;

export type PuzzleStage = "loading" | "asking" | "going" | "solved" | "missed" | "shown" | "none";

export class OpenPuzzle extends Asking implements Training {
  readonly replay = new Replay();
  puzzle = $state.raw<GradedView | null>(null);
  all = $state.raw<PuzzlesView | null>(null);
  verdict = $state.raw<TryVerdict | null>(null);
  stage = $state<PuzzleStage>("loading");
  hinted = $state.raw<StepHint | null>(null);
  theme = $state("");
  /** 1: harder than usual, -1: easier. */
  shift = $state(0);
  /** Why there is no puzzle, and the theme that has one. */
  none = $state({ sentence: "", theme: "" });
  missing = $state("");
  turned = $state(false);

  readonly isOpen = $derived(this.stage === "asking" || this.stage === "going");
  readonly isOver = $derived(["solved", "missed", "shown"].includes(this.stage));
  readonly playable = $derived.by<Playable>(() => {
    const legal: MoveView[] | undefined = this.stage === "going" ? this.verdict?.legal : this.puzzle?.legal;
    if (!this.isOpen || !legal) return NOTHING_PLAYABLE;
    return { legal, must_capture: legal.some((move) => move.captures.length > 0) };
  });
  /** All moves that were played so far. */
  line = $state.raw<PlayedView[]>([]);

  private moves: string[] = []; // of both sides, as the server wants them back
  private seen: string[] = []; // the puzzles of this visit, the latest last: they do not come again soon
  private route: PuzzlesRoute | null = null;

  async open(route: PuzzlesRoute): Promise<void> {
    this.route = route;
    this.theme = route.theme;
    this.problem = "";
    try {
      await app.askAbout();
      await app.visit();
      const [puzzle, all] = await Promise.all([this.first(route), api.allPuzzles(route.game)]);
      this.all = all;
      if (puzzle) this.put(puzzle);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "gone") this.problem = error.message;
      else this.missing = error.message;
    }
  }

  private first(route: PuzzlesRoute): Promise<GradedView | null> {
    if (route.id === "today") return api.todaysPuzzle(route.game);
    return route.id ? api.puzzle(route.id) : this.following();
  }

  private async following(): Promise<GradedView | null> {
    const game = this.route?.game ?? "connect4";
    const found = await api.nextPuzzle(game, this.theme, this.shift, this.seen);
    if (!found.puzzle) Object.assign(this, { none: found, stage: "none", puzzle: null, verdict: null });
    return found.puzzle;
  }

  private put(puzzle: GradedView): void {
    this.puzzle = puzzle;
    this.seen = [...this.seen.filter((id) => id !== puzzle.id), puzzle.id].slice(-MOST_SEEN);
    this.putBack();
  }

  private putBack(): void {
    if (!this.puzzle) return;
    this.replay.put(this.puzzle.position);
    this.moves = [];
    Object.assign(this, { verdict: null, hinted: null, line: [], stage: "asking" });
  }

  get isFlipped(): boolean {
    return (this.puzzle?.game === "checkers" && this.puzzle.position.side === 0) !== this.turned;
  }

  tryMove(move: string): Promise<void> {
    return this.ask(async () => {
      const { puzzle } = this;
      if (!this.isOpen || !puzzle) return;
      const verdict = await api.tryPuzzle(puzzle.id, [...this.moves, move]);
      this.moves = verdict.moves;
      this.tell(verdict, verdict.status);
    });
  }

  /** The buttons answer while the moves are played. */
  private tell(verdict: TryVerdict, stage: PuzzleStage): void {
    this.hinted = null;
    this.line = [...this.line, ...verdict.line];
    Object.assign(this, { verdict, stage });
    if (this.all) this.all = { ...this.all, run: verdict.run };
    void this.replay.play(verdict.line, verdict.marks);
  }

  drop(name: string): void {
    if (this.puzzle?.game !== "connect4") return;
    if (this.isOver) return this.again();
    const { width } = this.puzzle.position;
    const column = columnOf(name, width);
    const move = column === null ? undefined : dropMove(this.playable.legal, width, column);
    if (move) void this.tryMove(move.text);
  }

  hint(): void {
    const { puzzle } = this;
    if (!this.isOpen || !puzzle) return;
    void this.ask(async () => {
      const step = Math.min(3, (this.hinted?.step ?? 0) + 1);
      this.hinted = await api.hintPuzzle(puzzle.id, step, this.moves);
    });
  }

  answer(): void {
    const { puzzle } = this;
    if (!puzzle || this.stage === "solved" || this.stage === "shown") return;
    void this.ask(async () => {
      const verdict = await api.solvePuzzle(puzzle.id);
      this.putBack();
      this.tell(verdict, "shown");
    });
  }

  again(): void {
    if (this.isOver || this.stage === "going") this.putBack();
  }

  repeat(): void {
    if (this.verdict) void this.replay.again();
  }

  next(): void {
    void this.ask(async () => {
      const puzzle = await this.following();
      if (puzzle) this.put(puzzle);
      const { route, theme } = this;
      if (route && (route.id || route.theme !== theme)) app.rename({ ...route, id: "", theme });
      if (route) this.route = { ...route, id: "", theme };
    });
  }

  /** Another theme; "" is all of them. */
  choose(theme: string): void {
    this.theme = theme;
    this.next();
  }

  chooseShift(shift: number): void {
    this.shift = Math.max(-7, Math.min(7, shift));
    this.next();
  }

  step(by: 1 | -1): void {
    if (by === 1) this.next();
    else this.again();
  }

  flip(): void {
    this.turned = !this.turned;
  }

  leave(): void {
    if (this.hinted) this.hinted = null;
    else app.go(at("/learn"));
  }
}
