// Hints in three steps: where to look, what to move, the move and why.
import { api } from "../api";
import { NO_PICK } from "../lib/pick";
import type { State } from "./state";

const STEPS = 3;

export class Hints {
  /** True while a hint is requested. */
  private asking = $state.raw<AbortController | null>(null);
  private version = 0; // version of the game it is for

  constructor(
    private readonly state: State,
    private readonly complain: (error: unknown) => Promise<void>,
  ) {}

  get isAsking(): boolean {
    return this.asking !== null;
  }

  /** One more step. A press while a step is still requested does nothing, so that every step is seen. */
  async next(): Promise<void> {
    const { game, hint, ply } = this.state;
    const reached = hint?.step ?? 0;
    if (!game || ply !== null || this.asking || reached >= STEPS) return;
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

  private async find(id: string, version: number, step: number): Promise<void> {
    const asking = (this.asking = new AbortController());
    this.version = version;
    try {
      const answer = await api.hint(id, version, step, asking.signal);
      if (!asking.signal.aborted && answer.version === this.state.game?.version) this.state.hint = answer;
    } catch (error) {
      if (!asking.signal.aborted) await this.complain(error);
    } finally {
      this.asking = null;
    }
  }
}
