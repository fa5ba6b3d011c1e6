// The engine's answer for the position on the board: requested at every step while the engine is on, and cached.
import { api, ApiError } from "../api";
import { Poll } from "../lib/poll";
import type { AnalysisRequest, AnalysisView } from "../wire";

const ASK_EVERY_MS = 250; // update the text at most four times a second
const ASK_AFTER_MS = 60; // do not analyse positions that a person only passes through
const TRY_AGAIN_MS = 2000;
const PASSING: ApiError["kind"][] = ["gone", "busy", "rate", "unknown-run"]; // errors after which to try again
const MOST_KEPT = 400;

export class Engine {
  /** The answer for the position on the board, or briefly for the one before it. */
  view = $state.raw<AnalysisView | null>(null);
  /** Does `view` belong to the position on the board? */
  isCurrent = $state(false);
  problem = $state("");

  private kept = new Map<string, AnalysisView>();
  private asked = ""; // the position on the board
  private readonly poll = new Poll<AnalysisView>(ASK_EVERY_MS, {
    again: ({ id }) => api.analysis(id),
    stop: ({ id }) => api.stopAnalysis(id),
  });
  private timer: ReturnType<typeof setTimeout> | undefined;

  look(request: AnalysisRequest): void {
    const key = keyOf(request);
    if (key === this.asked) return;
    this.leave();
    this.asked = key;
    const known = this.kept.get(key);
    if (known) return this.show(known);
    this.isCurrent = false;
    this.timer = setTimeout(() => void this.ask(request, key), ASK_AFTER_MS);
  }

  /** Stop asking and forget the position. */
  rest(): void {
    this.leave();
    this.view = null;
    this.isCurrent = false;
    this.problem = "";
  }

  /** Ask again, e.g. with more time. */
  again(request: AnalysisRequest): void {
    this.kept.delete(keyOf(request));
    this.asked = "";
    this.look(request);
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.asked = "";
    void this.poll.leave();
  }

  private show(view: AnalysisView): void {
    this.view = view;
    this.isCurrent = true;
    this.problem = view.status === "failed" ? view.message : "";
  }

  private async ask(request: AnalysisRequest, key: string): Promise<void> {
    try {
      const view = await this.poll.follow(
        () => api.analyse(request),
        (answer) => this.show(answer),
      );
      if (view) this.keep(key, view);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.fail(error, request);
    }
  }

  /** The server is gone or busy: show that, and try again later. */
  private fail(error: ApiError, request: AnalysisRequest): void {
    this.view = null;
    this.problem = error.message;
    if (!PASSING.includes(error.kind)) return;
    this.timer = setTimeout(() => this.again(request), TRY_AGAIN_MS);
  }

  private keep(key: string, view: AnalysisView): void {
    if (view.status !== "done") return;
    this.kept.set(key, view);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }
}

/** Connect Four gives every column, whatever the number of lines. */
function keyOf({ game, width, height, position, moves, lines }: AnalysisRequest): string {
  return [game, width, height, position, moves?.join(" "), game === "checkers" ? lines : ""].join("|");
}
