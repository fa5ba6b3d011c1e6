// Long work of the server: polled until it ends.
export interface Run {
  status: string;
}

export interface PollCalls<R extends Run> {
  again: (run: R) => Promise<R>;
  stop?: (run: R) => Promise<unknown>; // called for a run that is abandoned
}

export function isUnderWay(run: Run): boolean {
  return run.status === "waiting" || run.status === "running";
}

export function sleep(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs));
}

/** Follows one run at a time; a new one replaces the old one. */
export class Poll<R extends Run> {
  private current: R | null = null;
  private turn = 0;

  constructor(
    private readonly everyMs: number,
    private readonly calls: PollCalls<R>,
  ) {}

  /** Report each answer and return the last one. Null: the run was abandoned; then its errors are dropped too. */
  async follow(begin: () => Promise<R>, tell: (run: R) => void): Promise<R | null> {
    void this.leave();
    const turn = this.turn;
    try {
      let run = await begin();
      if (turn !== this.turn) void this.stop(run);
      while (turn === this.turn) {
        this.current = run;
        tell(run);
        if (!isUnderWay(run)) return run;
        await sleep(this.everyMs);
        if (turn === this.turn) run = await this.calls.again(run);
      }
    } catch (error) {
      if (turn === this.turn) {
        this.current = null; // the server may no longer have it, so there is nothing to stop
        throw error;
      }
    }
    return null;
  }

  /** Resolves when the server was asked to stop the run, if there was one. */
  async leave(): Promise<void> {
    this.turn += 1;
    const run = this.current;
    this.current = null;
    if (run) await this.stop(run);
  }

  private async stop(run: R): Promise<void> {
    if (isUnderWay(run)) await this.calls.stop?.(run).catch(() => undefined);
  }
}
