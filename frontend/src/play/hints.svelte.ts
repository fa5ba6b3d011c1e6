// Hints in three steps: where to look, what to move, the move and why.
import { api } from "../api";
import { NO_PICK } from "../lib/pick";
import type { State } from "./state";

const STEPS = 3;

export class Hints {
  /** True while a hint is requested. */
  private asking = $state.raw<AbortController | null>(null);
  private version = 0; // version of the game it is for
  private wanted = 0; // the step wanted

  constructor(
    private readonly state: State,
    private readonly complain: (error: unknown) => Promise<void>,
  ) {}

  get isAsking(): boolean {
    return this.asking !== null;
  }

  /** One more step. A press while the last one is still requested asks for the next as well. */
  async next(): Promise<void> {
    const { game, hint, ply } = this.state;
    if (!game || ply !== null) return;
    const reached = hint?.step ?? 0;
    this.wanted = Math.min(STEPS, Math.max(reached, this.asking ? this.wanted : 0) + 1);
    if (this.asking) return;
    Object.assign(this.state, { pick: NO_PICK, refusal: null });
    await this.find(game.id, game.version, reached + 1);
  }

  /** Drop the hint, because a move is being made. */
  stop(): void {
    this.asking?.abort();
  }

  /** Drop the hint if the game has changed. */
  keepUp(): void {
    if (this.state.game?.version !== this.version) this.stop();
  }

  private async find(id: string, version: number, first: number): Promise<void> {
    const asking = (this.asking = new AbortController());
    this.version = version;
    try {
      for (let step = first; step <= this.wanted; step += 1) {
        const answer = await api.hint(id, version, step, asking.signal);
        if (asking.signal.aborted || answer.version !== this.state.game?.version) return;
        this.state.hint = answer;
      }
    } catch (error) {
      if (!asking.signal.aborted) await this.complain(error);
    } finally {
      this.asking = null;
    }
  }
}
