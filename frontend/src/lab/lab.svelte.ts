// The lab as its visitor handles it: choices, experiments under way, and what came out of them.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import type { LabRoute } from "../lib/route";
import type { LabGame, LabInfo, LabRun, LadderView, PositionAnswer } from "../wire";
import { requestOf, routeOf, setupOf, toggled, type LabSetup, type TechniqueName } from "./setup";
import { Walk } from "./walk.svelte";

const ASK_EVERY_MS = 250;
const READ_AFTER_MS = 200;

export class Lab {
  info = $state.raw<LabInfo | null>(null);
  setup = $state<LabSetup | null>(null);
  answer = $state.raw<PositionAnswer | null>(null);
  problem = $state("");
  walks = $state.raw<Walk[]>([]);
  ladder = $state.raw<LadderView | null>(null);
  /** Set from the press until the last answer. */
  isRunning = $state(false);
  /** The experiments that the server has begun and not ended. */
  running = $state.raw<LabRun[]>([]);
  message = $state("");
  isShared = $state(false);

  private asked = 0;
  private generation = 0; // of experiments: answers to earlier ones are not wanted any more
  private timer: ReturnType<typeof setTimeout> | undefined;

  get offer(): LabGame | null {
    return this.info?.games.find((game) => game.game === this.setup?.game) ?? null;
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
    this.generation += 1;
    clearTimeout(this.timer);
    for (const walk of this.walks) walk.pause();
    for (const run of this.running) void api.stopRun(run.id).catch(() => undefined);
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

  /** A second search beside the first: plain minimax, or what differs from the first. */
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

  /** Play a move on the position: the server reads the moves again, one more than before. */
  async play(move: string): Promise<void> {
    const answer = this.answer;
    if (!this.setup || !answer?.position || !this.mayPlay) return;
    const moves = [...answer.moves, move];
    this.setup.text = moves.join(this.setup.game === "connect4" ? "" : " ");
    await this.guard(() => this.read());
  }

  /** Are the moves that led here known? Only then can one more be added. */
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

  async run(): Promise<void> {
    const setup = this.setup && $state.snapshot(this.setup);
    const position = this.answer?.position;
    if (!setup || !position || !this.canRun) return;
    const stopped = this.stop();
    const generation = ++this.generation;
    this.isRunning = true;
    await stopped;
    if (generation !== this.generation) return;
    app.rename(routeOf(setup));
    this.message = "";
    await this.guard(async () => {
      const searches = [setup.techniques, ...(setup.against ? [setup.against] : [])];
      const walks: Walk[] = [];
      for (const techniques of searches) {
        const run = await this.follow(
          await api.experiment(requestOf(setup, position, "trace", techniques)),
          generation,
        );
        if (!run) return;
        if (run.trace) walks.push(new Walk(run.trace));
      }
      for (const walk of this.walks) walk.pause();
      this.walks = walks;
      this.ladder = null;
      const begun = await api.experiment(requestOf(setup, position, "ladder", setup.techniques));
      await this.follow(begun, generation, (run) => (this.ladder = run.ladder));
    });
    if (generation === this.generation) this.isRunning = false;
  }

  async stop(): Promise<void> {
    const running = this.running;
    this.generation += 1;
    this.running = [];
    this.isRunning = false;
    await Promise.all(running.map((run) => api.stopRun(run.id).catch(() => undefined)));
  }

  /** Ask until it is over; null if nobody wants it any more, perhaps since before the server began it. */
  private async follow(
    begun: LabRun,
    generation: number,
    tell: (run: LabRun) => void = () => undefined,
  ): Promise<LabRun | null> {
    if (generation !== this.generation) void api.stopRun(begun.id).catch(() => undefined);
    let run = begun;
    while (generation === this.generation) {
      tell(run);
      if (run.status !== "waiting" && run.status !== "running") {
        this.running = [];
        if (run.message) this.message = run.message;
        return run;
      }
      this.running = [run];
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      if (generation !== this.generation) return null;
      run = await api.run(run.id);
    }
    return null;
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
