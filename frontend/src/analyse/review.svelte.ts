// The review of the game on the page: requested, polled, and looked up by move.
import { api, ApiError } from "../api";
import { isUnderWay, Poll } from "../lib/poll";
import type { GraphPoint, JudgedMoveView, ReviewView } from "../wire";
import type { Judged } from "./graph";
import { isWrong } from "./wrong";

const ASK_EVERY_MS = 300;

export class Review {
  view = $state.raw<ReviewView | null>(null);
  problem = $state("");

  readonly isRunning = $derived(this.view !== null && isUnderWay(this.view));
  readonly isDone = $derived(this.view?.status === "done");
  /** By the ply of the move. */
  readonly judged = $derived(new Map((this.view?.moves ?? []).map((move) => [move.ply, move])));
  readonly points = $derived((this.view?.graph ?? []).map((point) => judgedPoint(point, this.judged)));

  // the server waits with its answer: so it notices when the page is closed, and stops the review
  private readonly poll = new Poll<ReviewView>(0, { again: () => api.review(this.id, ASK_EVERY_MS) });
  private id = "";
  private subject = "";

  /** Load an existing review. `subject` changes with the game; then there may be none. */
  async open(id: string, subject: string): Promise<void> {
    if (subject === this.subject) return;
    Object.assign(this, { id, subject, view: null });
    await this.follow(() => api.review(id));
  }

  async begin(): Promise<void> {
    await this.follow(() => api.beginReview(this.id));
  }

  async stop(): Promise<void> {
    await this.follow(() => api.stopReview(this.id));
  }

  close(): void {
    void this.poll.leave();
  }

  private async follow(ask: () => Promise<ReviewView>): Promise<void> {
    this.problem = "";
    try {
      await this.poll.follow(ask, (view) => {
        this.view = view;
        this.problem = view.message;
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
    }
  }
}

function judgedPoint({ ply, gauge }: GraphPoint, judged: Map<number, JudgedMoveView>): Judged {
  const move = judged.get(ply);
  const glyph = move && isWrong(move, false) ? move.sign : "";
  return { ply, bar: gauge, glyph, isGrave: move?.grade === "blunder" };
}
