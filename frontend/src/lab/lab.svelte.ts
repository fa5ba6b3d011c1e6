// The state of the lab page: choices, experiments in progress, and their results.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { isUnderWay, Poll } from "../lib/poll";
import { formatRoute, type LabRoute } from "../lib/route";
import type { LabGame, LabInfo, LabRequest, LabRun, LadderView, PositionAnswer } from "../wire";
import { requestOf, routeOf, setupOf, toggled, type LabSetup, type TechniqueName } from "./setup";
import { Walk } from "./walk.svelte";

const ASK_EVERY_MS = 250;
const READ_AFTER_MS = 200;
const RUN_AFTER_MS = 500;
/** A search of at most this depth takes a moment only: it runs by itself when something is changed. */
export const CHEAP_DEPTH = 5;

export class Lab {
  info = $state.raw<LabInfo | null>(null);
  setup = $state<LabSetup | null>(null);
  answer = $state.raw<PositionAnswer | null>(null);
  problem = $state("");
  walks = $state.raw<Walk[]>([]);
  ladder = $state.raw<LadderView | null>(null);
  /** True from the press of Run until the last answer. */
  isRunning = $state(false);
  /** The experiments in progress on the server. */
  running = $state.raw<LabRun[]>([]);
  message = $state("");
  isShared = $state(false);
  /** The address of the choices that ran last; empty before the first run. */
  private ran = $state("");
  private rerun: ReturnType<typeof setTimeout> | undefined;

  private asked = 0;
  private presses = 0; // counts presses of Run and Stop: results of an earlier press are dropped
  private readonly poll = new Poll<LabRun>(ASK_EVERY_MS, {
    again: ({ id }) => api.run(id),
    stop: ({ id }) => api.stopRun(id),
  });
  private timer: ReturnType<typeof setTimeout> | undefined;

  get offer(): LabGame | null {
    return this.info?.games.find((game) => game.game === this.setup?.game) ?? null;
  }

  /** Has something been changed since the last run? */
  get isChanged(): boolean {
    return this.ran !== "" && this.setup !== null && this.ran !== formatRoute(routeOf(this.setup));
  }

  /** Something may have been changed: run again after a moment, if that is cheap. */
  noteChange(): void {
    clearTimeout(this.rerun);
    if (!this.isChanged || !this.setup || this.setup.depth > CHEAP_DEPTH) return;
    this.rerun = setTimeout(() => {
      if (this.isChanged && this.canRun) void this.run();
    }, RUN_AFTER_MS);
  }

  async open(route: LabRoute): Promise<void> {
    await this.guard(async () => {
      this.info ??= await api.lab();
      const offer = this.info.games.find((game) => game.game === route.game);
      if (!offer) return;
      this.setup = setupOf(route, offer, this.info.max_depth);
      await this.read();
      await this.run();
    });
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.rerun);
    for (const walk of this.walks) walk.pause();
    void this.stop();
  }

  // Choices

  async chooseGame(game: LabSetup["game"]): Promise<void> {
    if (game === this.setup?.game) return;
    const empty = { position: "", size: null, depth: null, techniques: null, against: null } as const;
    await this.open({ kind: "lab", game, ...empty, evaluation: null, weights: null, order: null });
  }

  toggle(name: TechniqueName, which: "techniques" | "against" = "techniques"): void {
    if (!this.setup || !this.offer) return;
    this.setup[which] = toggled(this.offer, this.setup[which] ?? [], name);
  }

  chooseEvaluation(name: string): void {
    if (this.setup) Object.assign(this.setup, { evaluation: name, weights: null });
  }

  setWeight(row: number, value: number, usual: number[]): void {
    if (!this.setup || !Number.isInteger(value)) return;
    const weights = [...(this.setup.weights ?? usual)];
    weights[row] = value;
    this.setup.weights = weights;
  }

  /** A second search beside the first: plain minimax, or something else if the first is that. */
  compare(isOn: boolean): void {
    if (this.setup) this.setup.against = isOn ? [] : null;
  }

  // The position

  write(text: string): void {
    if (!this.setup) return;
    this.setup.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.guard(() => this.read()), READ_AFTER_MS);
  }

  /** Play a move on the position: the server reads the moves with one more. */
  async play(move: string): Promise<void> {
    const answer = this.answer;
    if (!this.setup || !answer?.position || !this.mayPlay) return;
    const moves = [...answer.moves, move];
    this.setup.text = moves.join(this.setup.game === "connect4" ? "" : " ");
    await this.guard(() => this.read());
  }

  /** Are the moves to this position known? Only then can one be added. */
  get mayPlay(): boolean {
    const text = this.setup?.text.trim() ?? "";
    return text === "" || text === "start" || (this.answer?.moves.length ?? 0) > 0;
  }

  private async read(): Promise<void> {
    const setup = this.setup;
    if (!setup) return;
    const asked = ++this.asked;
    const answer = await api.readPosition({ game: setup.game, ...setup.size, text: setup.text });
    if (asked !== this.asked) return;
    this.answer = answer;
    this.problem = answer.problems[0] ?? "";
  }

  // Experiments

  get canRun(): boolean {
    return this.answer?.position != null && !this.answer.is_over && this.problem === "";
  }

  /** The address of a Monte Carlo run from this position; this page if there is no such position. */
  get monteCarloPath(): string {
    const { setup } = this;
    if (!setup) return "";
    const route = routeOf(setup);
    if (!this.canRun) return formatRoute(route);
    const { game, position, size } = route;
    return formatRoute({
      kind: "course",
      rung: "monte-carlo",
      step: null,
      start: { game, position, size },
    });
  }

  async run(): Promise<void> {
    const setup = this.setup && $state.snapshot(this.setup);
    const position = this.answer?.position;
    if (!setup || !position || !this.canRun) return;
    clearTimeout(this.rerun);
    this.ran = formatRoute(routeOf(setup));
    const stopped = this.stop();
    const press = this.presses;
    this.isRunning = true;
    await stopped;
    if (press !== this.presses) return;
    app.rename(routeOf(setup));
    this.message = "";
    await this.guard(async () => {
      const searches = [setup.techniques, ...(setup.against ? [setup.against] : [])];
      const walks: Walk[] = [];
      for (const techniques of searches) {
        const run = await this.follow(requestOf(setup, position, "trace", techniques));
        if (!run || press !== this.presses) return;
        if (run.trace) walks.push(new Walk(run.trace));
      }
      for (const walk of this.walks) walk.pause();
      this.walks = walks;
      const [one, other] = walks;
      if (one && other) Walk.lock(one, other);
      this.ladder = null;
      await this.follow(requestOf(setup, position, "ladder", setup.techniques), (run) => {
        this.ladder = run.ladder;
      });
    });
    if (press === this.presses) this.isRunning = false;
  }

  async stop(): Promise<void> {
    this.presses += 1;
    this.running = [];
    this.isRunning = false;
    await this.poll.leave();
  }

  /** Run an experiment to its end; null if it was stopped or replaced. */
  private follow(request: LabRequest, tell: (run: LabRun) => void = () => undefined): Promise<LabRun | null> {
    return this.poll.follow(
      () => api.experiment(request),
      (run) => {
        tell(run);
        this.running = isUnderWay(run) ? [run] : [];
        if (run.message) this.message = run.message;
      },
    );
  }

  async share(): Promise<void> {
    if (this.setup) app.rename(routeOf($state.snapshot(this.setup)));
    try {
      await navigator.clipboard.writeText(location.href);
      this.isShared = true;
      setTimeout(() => (this.isShared = false), 3000);
    } catch {
      this.message = `Copy this address: ${location.href}`;
    }
  }

  private async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.running = [];
      this.message = error.message;
    }
  }
}
