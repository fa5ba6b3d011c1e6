// The game on the page and its server: opens it, follows its events, sends commands, and says what went wrong.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import type { GameRoute, PlayRoute } from "../lib/route";
import { browserShelf } from "../lib/settings";
import type { Event, GameView } from "../wire";
import { firstDraft, requestOf } from "../setup/draft";
import { Link } from "./link";
import { knock } from "./sound";
import { adopt, browse, newState, receive, refuse, type State } from "./state";

const SHOW_EVERY_MS = 250; // thinking is text that changes at most four times a second

export class Connection {
  state = $state<State>(newState());
  /** Set when the game asked for does not exist. */
  missing = $state("");

  private sentVersion: number | null = null; // a move for it is on its way
  private link: Link | null = null;
  private thoughtAt = 0;
  private isOver = false; // this object is no longer on the page

  /** Go where the URL says: a game by its id, the visitor's unfinished one, or a new one. */
  async open(route: PlayRoute | GameRoute): Promise<void> {
    try {
      const view = route.kind === "game" ? await api.find(route.id) : await this.resumeOrBegin(route);
      if (this.isOver) return;
      this.follow(view);
      if (route.kind === "game") {
        this.state.flipped = route.flipped;
        if (route.ply !== null) browse(this.state, route.ply);
      } else if (route.position || view.moves.length > 0) {
        this.rename();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.isOver) return;
      if (error.kind === "gone") {
        this.state.link = "gone";
        setTimeout(() => this.isOver || void this.open(route), 1000);
      } else {
        this.missing = error.message;
      }
    }
  }

  close(): void {
    this.isOver = true;
    this.link?.close();
  }

  /** The tab came to the front, or the network is back. */
  hurry(): void {
    this.link?.hurry();
  }

  rename(): void {
    const { game, ply, flipped } = this.state;
    if (game && !this.isOver) app.rename({ kind: "game", id: game.id, ply, flipped });
  }

  private async resumeOrBegin(route: PlayRoute): Promise<GameView> {
    const isPlain = !route.position && !route.size && !route.seats;
    const last = isPlain ? browserShelf.read(`last.${route.game}`) : null;
    if (last) {
      const view = await api.find(last).catch(unlessGone);
      if (view && !view.outcome && view.seats.some((seat) => seat.kind === "human")) return view;
    }
    const about = await app.askAbout();
    const info = about.games.find((candidate) => candidate.game === route.game);
    if (!info) throw new Error(`no ${route.game} here`);
    const draft = firstDraft(info, about.time_ms);
    const request = {
      ...requestOf({ ...draft, ...route.size, seats: route.seats ?? draft.seats }),
      position: route.position,
    };
    const view = await api.newGame(request);
    this.remember(view);
    return view;
  }

  private follow(view: GameView): void {
    this.link?.close();
    adopt(this.state, view);
    this.link = new Link((handlers) => api.events(view.id, handlers), {
      received: (event) => this.received(event),
      changed: (isOpen) => {
        this.state.link = isOpen ? "open" : "gone";
      },
      revision: () => this.state.game?.revision ?? 0,
    });
  }

  protected received(event: Event): void {
    if (event.kind === "thinking") {
      const now = performance.now();
      if (now - this.thoughtAt < SHOW_EVERY_MS) return;
      this.thoughtAt = now;
    }
    if (event.kind === "error" && event.error.kind === "unknown-game") return this.lose(event.error.message);
    this.listening(() => receive(this.state, event));
  }

  /** A move that is new on the page is heard, once, whichever way it comes. */
  private listening(change: () => void): void {
    const moves = this.state.game?.moves.length ?? 0;
    change();
    if ((this.state.game?.moves.length ?? 0) > moves && app.settings.sound) knock();
  }

  /** The server is there, but has lost the game on the page: say so, or begin again if nothing was played. */
  private lose(message: string): void {
    this.link?.close();
    if (this.state.game?.moves.length) this.missing = message;
    else app.go(`/play/${this.state.game?.game ?? "connect4"}`);
  }

  protected remember(view: GameView): void {
    browserShelf.write(`last.${view.game}`, view.id);
  }

  protected say(message: string, detail: string): void {
    this.state.refusal = { message, detail, moves: [], tried: null };
  }

  /** Not one of the legal moves as it stands: the server names the move that is meant, or the rule against it. */
  protected async ask(move: string, tried: number | null): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    await this.guard(async () => {
      const answer = await api.whyNot(game.id, game.version, move);
      if (answer.move) return this.send(answer.move.text);
      refuse(this.state, answer, tried);
    });
  }

  protected async send(move: string): Promise<void> {
    const game = this.state.game;
    if (!game || this.isBusy()) return;
    this.sentVersion = game.version;
    await this.guard(async () => {
      const view = await api.play(game.id, game.version, move);
      this.listening(() => adopt(this.state, view));
      this.remember(view);
      this.rename();
    });
    if (this.sentVersion === game.version) this.sentVersion = null;
  }

  /** Is a move on its way? Its event may come before its answer, and then the next one may be made. */
  protected isBusy(): boolean {
    return this.sentVersion !== null && this.sentVersion === this.state.game?.version;
  }

  protected async command(call: (id: string, version: number) => Promise<GameView>): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    await this.guard(async () => {
      const view = await call(game.id, game.version);
      this.listening(() => adopt(this.state, view));
    });
  }

  protected async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      await this.complain(error);
    }
  }

  /** Every refusal ends on the page; a stale one only means that another tab, or the engine, was quicker. */
  protected async complain(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === "stale" && this.state.game) {
      const view = await api.game(this.state.game.id).catch(() => null);
      if (view) this.listening(() => adopt(this.state, view));
      this.say("The game has moved on.", "Look again, then choose.");
    } else if (error.view) {
      refuse(this.state, error.view, null);
    } else {
      this.say("The server did not answer.", "The game resumes by itself when it is back.");
    }
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof ApiError && error.kind !== "gone") return null;
  throw error;
}
