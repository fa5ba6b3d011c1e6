// One part of the course: which step, which moment of the run, the answer to its question.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { formatRoute, type CourseRoute } from "../lib/route";
import { Asking } from "../training/asking.svelte";
import type { Prediction, RungStep, RungView } from "../wire";
import { pictureAt } from "./picture";

const USUAL_DEPTH = 4; // of the lab
export const SPEEDS = [1, 2, 4, 8, 16, 40, 100] as const; // lines a second

/** reading: a text waits. running: on the way to the next question. asking, answered: at it. end: the figures. */
export type CourseStage = "loading" | "reading" | "running" | "asking" | "answered" | "end";

export class OpenRung extends Asking {
  view = $state.raw<RungView | null>(null);
  number = $state(1); // the step, from 1
  moment = $state(0);
  stage = $state<CourseStage>("loading");
  verdict = $state.raw<Prediction | null>(null);
  isPlaying = $state(false);
  speed = $state(4);
  missing = $state("");

  readonly step = $derived<RungStep | null>(this.view?.steps[this.number - 1] ?? null);
  readonly now = $derived(this.view?.moments[this.moment] ?? null);
  readonly picture = $derived(this.view ? pictureAt(this.view, this.moment) : null);
  readonly score = $derived.by(() => {
    const rung = this.view?.rung;
    return rung && rung.asked > 0 ? `${rung.right} of ${rung.asked} right` : "";
  });

  private route = $state.raw<CourseRoute>({ kind: "course", rung: "", step: null });
  private timer: ReturnType<typeof setTimeout> | undefined;

  async open(route: CourseRoute): Promise<void> {
    this.route = route;
    try {
      await app.visit(); // progress belongs to a key
      this.view = await this.load();
      const { rung, steps } = this.view;
      const wanted = route.step ?? (rung.state === "done" ? 1 : rung.at);
      if (wanted > steps.length)
        this.missing = `${rung.title} has no step ${wanted}: it has ${steps.length}.`;
      else this.goTo(wanted);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "gone") this.problem = error.message;
      else this.missing = error.message;
    }
  }

  private load(): Promise<RungView> {
    const { rung, start } = this.route;
    return start
      ? api.monteCarlo({ game: start.game, position: start.position, ...start.size })
      : api.rung(rung);
  }

  /** From a position of the lab: without questions, and nothing of it is stored. */
  get isFree(): boolean {
    return this.route.start !== undefined;
  }

  /** Where it is left to: the lab as it was, or the list of all parts. */
  get homePath(): string {
    const { start } = this.route;
    if (!start) return at("/lab/course");
    if (app.lastLab?.startsWith(at("/lab?"))) return app.lastLab;
    const usual = { depth: USUAL_DEPTH, techniques: null, against: null, evaluation: null, weights: null };
    return formatRoute({ kind: "lab", ...start, ...usual, order: null });
  }

  pathOf(step: number): string {
    return formatRoute({ ...this.route, step });
  }

  close(): void {
    this.pause();
  }

  get total(): number {
    return this.view?.steps.length ?? 0;
  }

  get canPlay(): boolean {
    return this.stage === "running";
  }

  get canStep(): boolean {
    const target = this.step?.moment ?? 0;
    return this.moment < target || this.stage === "reading" || this.stage === "answered";
  }

  /** To a step, at the moment where it waits. */
  goTo(step: number): void {
    if (step < 1 || step > this.total) return;
    this.pause();
    this.number = step;
    this.verdict = null;
    this.moment = this.step?.moment ?? 0;
    this.remember();
    this.arrive();
  }

  private remember(): void {
    app.rename({ ...this.route, step: this.number });
  }

  private arrive(): void {
    this.pause();
    const kind = this.step?.kind;
    this.stage = kind === "question" ? "asking" : kind === "end" ? "end" : "reading";
    if (kind === "end") void this.read(this.number);
  }

  /** The answer to the question: only once the run has come to it. */
  answer(key: string): void {
    const { step, stage } = this;
    if (stage !== "asking" || !step?.options.some((option) => option.key === key)) return;
    void this.ask(async () => {
      const verdict = await api.predict(this.route.rung, step.number, key);
      this.moment = step.moment;
      this.verdict = verdict;
      this.stage = "answered";
      if (this.view) this.view = { ...this.view, rung: verdict.rung, steps: this.marked(step.number) };
    });
  }

  private marked(number: number): RungStep[] {
    return (this.view?.steps ?? []).map((step) =>
      step.number === number ? { ...step, is_done: true } : step,
    );
  }

  /** From a text or an answer to the next question; while it runs, straight to it; at the end, to the next part. */
  goOn(): void {
    if (this.stage === "running") return this.goTo(this.number);
    if (this.stage === "end") return app.go(this.nextPath);
    if (this.stage !== "reading" && this.stage !== "answered") return;
    this.begin();
    this.play();
  }

  private begin(): void {
    void this.read(this.number);
    this.number += 1;
    this.verdict = null;
    this.stage = "running";
    this.remember();
  }

  get nextPath(): string {
    const { following } = this.view ?? {};
    if (this.isFree) return this.homePath;
    return following ? formatRoute({ kind: "course", rung: following.name, step: 1 }) : at("/learn");
  }

  again(): void {
    void this.ask(async () => {
      if (!this.isFree) await api.takeRungAgain(this.route.rung);
      this.view = await this.load();
      this.goTo(1);
    });
  }

  // The run

  play(): void {
    if (!this.canPlay) return;
    this.isPlaying = true;
    this.tick();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  changeSpeed(by: 1 | -1): void {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.forward();
        if (this.isPlaying) this.tick();
      },
      1000 / (SPEEDS[this.speed] ?? 1),
    );
  }

  /** One line on or back. Back works while a question waits; on stops at the question. */
  move(by: 1 | -1): void {
    this.pause();
    if (by === 1) this.forward();
    else this.moment = Math.max(0, this.moment - 1);
  }

  private forward(): void {
    const target = this.step?.moment ?? 0;
    if (this.moment >= target && (this.stage === "reading" || this.stage === "answered")) this.begin();
    this.moment = Math.min(this.step?.moment ?? 0, this.moment + 1);
    if (this.stage === "running" && this.moment >= (this.step?.moment ?? 0)) this.arrive();
  }

  leave(): void {
    app.go(this.homePath);
  }

  private async read(step: number): Promise<void> {
    if (this.isFree) return;
    try {
      const rung = await api.readRungStep(this.route.rung, step);
      if (!this.view) return;
      const isRead = this.view.steps[step - 1]?.kind !== "question";
      this.view = { ...this.view, rung, steps: isRead ? this.marked(step) : this.view.steps };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
    }
  }
}
