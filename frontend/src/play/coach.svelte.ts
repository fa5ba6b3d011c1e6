// The coach after a game: the one move that is worth another try.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { Poll } from "../lib/poll";
import { ANALYSIS, formatRoute } from "../lib/route";
import type { CoachView, GameView } from "../wire";
import { isMine } from "./seen";

const ASK_EVERY_MS = 200;
const NOTHING_TO_SAY: (CoachView["status"] | undefined)[] = ["failed", "stopped"];

export class Coach {
  view = $state.raw<CoachView | null>(null);

  private readonly poll = new Poll<CoachView>(ASK_EVERY_MS, { again: ({ id }) => api.coach(id) });
  /** Did the game end on this page? Then the focus goes to what can be done next. */
  hasJustEnded = $state(false);
  private asked = $state(""); // the game and its length, once the coach was asked
  private isUnderWay = false; // was the game seen before its end?

  /** Called when the game changes. Connect Four is reviewed in a moment; checkers waits until it is asked for. */
  attend(game: GameView | null, me: string): void {
    const key = game && canCoach(game, me) ? `${game.id} ${game.moves.length}` : "";
    if (game && !game.outcome) this.isUnderWay = true;
    if (key === this.asked) return;
    this.asked = key;
    this.view = null;
    this.hasJustEnded = key !== "" && this.isUnderWay;
    void this.poll.leave();
    if (key && game?.game === "connect4") void this.ask(game.id);
  }

  async ask(id: string): Promise<void> {
    try {
      await this.poll.follow(
        () => api.beginCoach(id),
        (view) => (this.view = view),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.view = null; // without its review there is nothing to say
    }
  }

  /** Is there a card with the coach's words? */
  get isThere(): boolean {
    return this.asked !== "" && !NOTHING_TO_SAY.includes(this.view?.status);
  }

  /** Is there a move to try again: a chance that was missed, or a faster win? */
  get canTry(): boolean {
    return this.view?.status === "done" && this.view.ply !== null;
  }

  /** The move that gave away what was certain. */
  get missedPly(): number | null {
    const { view } = this;
    return view?.kind === "miss" && view.known === "solved" ? view.ply : null;
  }

  tryIt(): void {
    const { view } = this;
    if (view?.ply && this.canTry) app.go(formatRoute({ ...ANALYSIS, id: view.id, again: view.ply }));
  }

  /** The game on the analysis board, at the move that the coach speaks of. */
  review(id: string): void {
    app.go(formatRoute({ ...ANALYSIS, id, ply: this.view?.ply ?? null }));
  }

  close(): void {
    void this.poll.leave();
  }
}

/** Is the game over, and did this person play in it? */
export function canCoach(game: GameView, me: string): boolean {
  const isPlayer = game.seats.some((seat) => seat.kind === "human" && (me === "" || isMine(seat, me)));
  return game.outcome !== null && !game.is_record && game.moves.length > 0 && isPlayer;
}
