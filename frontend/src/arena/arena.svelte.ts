// The arena on the page: what the server offers, the tournament that is watched, and what is asked of the server.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { sleep } from "../lib/poll";
import { formatRoute } from "../lib/route";
import type { ArenaInfo, ArenaView, NewTournament } from "../wire";

const LIVE_MS = 700;
const RESTING_MS = 4_000; // another page may let it go on

export class Arena {
  info = $state.raw<ArenaInfo | null>(null);
  view = $state.raw<ArenaView | null>(null);
  link = $state<"opening" | "open" | "gone">("opening");
  problem = $state(""); // why the last command was refused
  missing = $state(""); // why there is no such tournament
  isBusy = $state(false);

  private isClosed = false;

  constructor(readonly id: string | null) {}

  /** Follow the tournament until the returned function is called. */
  open(): () => void {
    void this.follow();
    return () => (this.isClosed = true);
  }

  async begin(request: NewTournament): Promise<void> {
    await this.send(async () => {
      const view = await api.newTournament(request);
      app.go(formatRoute({ kind: "arena", id: view.id }));
    });
  }

  /** Pause, or go on. */
  async switchPause(): Promise<void> {
    const view = this.view;
    if (!view?.is_yours || view.status === "done" || this.isBusy) return;
    await this.send(async () => (this.view = await api.pauseTournament(view.id, view.status === "running")));
  }

  async stop(): Promise<void> {
    const view = this.view;
    if (view) await this.send(async () => (this.view = await api.stopTournament(view.id)));
  }

  async remove(): Promise<void> {
    const view = this.view;
    if (!view) return;
    await this.send(async () => {
      await api.deleteTournament(view.id);
      this.isClosed = true;
      app.go(formatRoute({ kind: "arena", id: null }));
    });
  }

  /** Send a command. False if it was refused: `problem` says why. */
  async send(call: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.problem = "";
    try {
      await call();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  private async follow(): Promise<void> {
    while (!this.isClosed && !this.missing) {
      await this.look();
      await sleep(this.view?.status === "running" || this.view?.now.length ? LIVE_MS : RESTING_MS);
    }
  }

  /** Ask once; what is known stays if the server does not answer. */
  private async look(): Promise<void> {
    try {
      if (this.id && (!document.hidden || !this.view)) this.take(await api.tournament(this.id));
      if (!this.info || !this.id) this.info = await api.arena();
      this.link = "open";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "unknown-run") {
        this.missing = error.message;
        this.info ??= await api.arena().catch(() => null);
      } else this.link = "gone";
    }
  }

  /** An answer that is older than what is shown is dropped. */
  private take(view: ArenaView): void {
    if (!this.view || view.revision >= this.view.revision) this.view = view;
  }
}
