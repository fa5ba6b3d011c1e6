// One step of a lesson: read, try, see what comes of it, go on.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { dropMove, NOTHING_PLAYABLE, type Playable } from "../lib/pick";
import { formatRoute, type GameName, type LearnRoute } from "../lib/route";
import { columnOf } from "../lib/words";
import { Asking } from "../training/asking.svelte";
import { Replay } from "../boards/replay.svelte";
import type { Training } from "../training/keys";
import type { LessonView, StepHint, StepVerdict, StepView } from "../wire";

export type LessonStage = "loading" | "reading" | "asking" | "wrong" | "right" | "shown";

export class OpenLesson extends Asking implements Training {
  readonly replay = new Replay();
  lesson = $state.raw<LessonView | null>(null);
  view = $state.raw<StepView | null>(null);
  verdict = $state.raw<StepVerdict | null>(null);
  stage = $state<LessonStage>("loading");
  hinted = $state.raw<StepHint | null>(null);
  missing = $state("");
  turned = $state(false); // seen from the other side

  readonly isOpen = $derived(this.stage === "asking");
  readonly isClosed = $derived(this.stage === "wrong" || this.stage === "shown" || this.stage === "right");
  readonly playable = $derived.by<Playable>(() => {
    const { view } = this;
    if (!this.isOpen || !view) return NOTHING_PLAYABLE;
    return { legal: view.legal, must_capture: view.legal.some((move) => move.captures.length > 0) };
  });

  private game: GameName = "connect4";
  private name = "";
  private number = 1;

  async open(route: LearnRoute): Promise<void> {
    Object.assign(this, { game: route.game, name: route.lesson });
    try {
      await app.askAbout();
      await app.visit();
      this.lesson = await api.lesson(route.game, route.lesson);
      await this.load(route.step ?? this.lesson.lesson.at);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "gone") this.problem = error.message;
      else this.missing = error.message;
    }
  }

  private async load(step: number): Promise<void> {
    this.number = step;
    const view = await api.lessonStep(this.game, this.name, step);
    Object.assign(this, { view, verdict: null, hinted: null, problem: "" });
    app.rename({ kind: "learn", game: this.game, lesson: this.name, step });
    this.putBack();
  }

  private putBack(): void {
    const { view } = this;
    if (!view) return;
    this.replay.put(view.position, view.marks);
    this.verdict = null;
    this.stage = view.task ? "asking" : "reading";
  }

  get total(): number {
    return this.lesson?.steps.length ?? 0;
  }

  get isFlipped(): boolean {
    return (this.game === "checkers" && this.view?.position.side === 0) !== this.turned;
  }

  goTo(step: number): Promise<void> {
    return this.ask(() => this.load(step));
  }

  tryMove(move: string): Promise<void> {
    return this.ask(async () => {
      if (!this.isOpen) return;
      const verdict = await api.answerStep(this.game, this.name, this.number, move);
      this.hinted = null;
      this.tell(verdict, verdict.is_right ? "right" : "wrong");
      if (verdict.is_right) void this.countSteps();
    });
  }

  /** The step counts as done now; if the server does not say so, nothing is lost. */
  private async countSteps(): Promise<void> {
    this.lesson = await api.lesson(this.game, this.name).catch(() => this.lesson);
  }

  /** The buttons answer while the moves are played. */
  private tell(verdict: StepVerdict, stage: LessonStage): void {
    Object.assign(this, { verdict, stage });
    void this.replay.play(verdict.line, verdict.marks);
  }

  drop(name: string): void {
    if (this.game !== "connect4" || !this.view) return;
    if (this.isClosed) return this.again();
    const { width } = this.view.position;
    const column = columnOf(name, width);
    const move = column === null ? undefined : dropMove(this.playable.legal, width, column);
    if (move) void this.tryMove(move.text);
  }

  hint(): void {
    if (!this.isOpen) return;
    void this.ask(async () => {
      const step = Math.min(3, (this.hinted?.step ?? 0) + 1);
      this.hinted = await api.hintStep(this.game, this.name, this.number, step);
    });
  }

  answer(): void {
    if (!this.view?.task || this.stage === "right") return;
    void this.ask(async () => {
      if (this.stage !== "asking") this.putBack();
      this.hinted = null;
      this.tell(await api.solutionOfStep(this.game, this.name, this.number), "shown");
    });
  }

  again(): void {
    if (this.isClosed) this.putBack();
  }

  repeat(): void {
    if (this.verdict) void this.replay.again();
  }

  next(): void {
    void this.ask(async () => {
      if (!this.view) return;
      this.lesson = await api.readStep(this.game, this.name, this.number);
      if (this.number < this.total) return this.load(this.number + 1);
      const { following } = this.lesson;
      app.go(
        following
          ? formatRoute({ kind: "learn", game: following.game, lesson: following.name, step: null })
          : at("/learn"),
      );
    });
  }

  step(by: 1 | -1): void {
    const to = this.number + by;
    if (to >= 1 && to <= this.total) void this.goTo(to);
  }

  flip(): void {
    this.turned = !this.turned;
  }

  leave(): void {
    if (this.hinted) this.hinted = null;
    else app.go(at("/learn"));
  }
}
