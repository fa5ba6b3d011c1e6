// The connection of the page's game: opens it, follows its events, sends commands, and reports errors.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { Link } from "../lib/link";
import type { GameRoute, PlayRoute, SitRoute } from "../lib/route";
import { browserShelf } from "../lib/settings";
import { firstDraft, requestOf } from "../setup/draft";
import type { Event, GameView } from "../wire";
import { roleOf } from "./seen";
import { knock } from "./sound";
import { adopt, browse, receive, refuse, say, type State } from "./state";

const SHOW_EVERY_MS = 250; // update the text at most four times a second

/** Callbacks for the rest of the page. */
export interface ConnectionHooks {
  sending(): void; // a move or a command is about to leave
  changed(): void; // an answer or an event was taken over
}

export class Connection {
  private sentVersion: number | null = null; // the version for which a move was sent
  private link: Link | null = null;
  private thoughtAt = 0;
  private isOver = false; // the page has dropped this object

  constructor(
    private readonly state: State,
    private readonly hooks: ConnectionHooks,
  ) {}

  /** Go where the URL says: a game by its id, the person's unfinished one, or a new one. */
  async open(route: PlayRoute | GameRoute | SitRoute): Promise<void> {
    try {
      const taken = route.kind === "sit" ? await this.sit(route) : null;
      const view = route.kind === "play" ? await this.resumeOrBegin(route) : await this.find(route.id);
      this.state.me = (app.me ?? (await app.visit())).id;
      if (this.isOver) return;
      adopt(this.state, view);
      if (this.link) this.state.link = "open";
      else this.follow(view.id); // a new game
      if (route.kind === "game") {
        this.state.flipped = route.flipped;
        if (route.ply !== null) browse(this.state, route.ply);
      } else if (route.kind === "sit") {
        if (taken?.view) refuse(this.state, taken.view, null);
        else this.remember(view);
        this.rename();
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
        this.state.missing = error.message;
      }
    }
  }

  /** Take the free seat. The reason if it is taken: then the person watches. */
  private async sit({ id, invitation }: SitRoute): Promise<ApiError | null> {
    try {
      if (!app.me) await app.visit();
      await api.sit(id, invitation);
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.kind === "not-yours") return error;
      throw error;
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
      const view = await this.find(last).catch(() => null);
      const isMine = view && roleOf(view, app.me?.id ?? "") === "player";
      if (isMine && !view.outcome && view.seats.some((seat) => seat.kind === "human")) return view;
      this.unfollow();
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

  /** Watch a game. Until it is on the page its events go to `first`. */
  private follow(id: string, first: (event: Event) => void = () => undefined): void {
    const isShown = () => this.state.game?.id === id;
    this.unfollow();
    this.link = new Link((handlers) => api.events(id, handlers), {
      received: (event) => (isShown() ? this.received(event) : first(event)),
      changed: (isOpen) => {
        if (isShown() || !isOpen) this.state.link = isOpen ? "open" : "gone";
      },
      revision: () => (isShown() ? (this.state.game?.revision ?? null) : null),
    });
  }

  private unfollow(): void {
    this.link?.close();
    this.link = null;
  }

  /**
   * A game that may be gone, by the socket that follows it from then on. Unlike a GET, this leaves no error in the
   * browser's console where there is no such game. While the server does not answer, the socket tries again.
   */
  private async find(id: string): Promise<GameView> {
    if (!app.me) await app.visit(); // it may give this person the game
    return new Promise((resolve, reject) => {
      this.follow(id, (event) => {
        if (event.kind === "state") resolve(event.game);
        if (event.kind !== "error") return;
        this.unfollow();
        reject(new ApiError(event.error));
      });
    });
  }

  private received(event: Event): void {
    if (event.kind === "thinking") {
      const now = performance.now();
      if (now - this.thoughtAt < SHOW_EVERY_MS) return;
      this.thoughtAt = now;
    }
    if (event.kind === "error" && event.error.kind === "unknown-game") return this.lose(event.error.message);
    this.takeOver(() => receive(this.state, event));
  }

  /** Play the sound of a new move once, whether it comes as an answer or an event. */
  private takeOver(change: () => void): void {
    const moves = this.state.game?.moves.length ?? 0;
    change();
    if ((this.state.game?.moves.length ?? 0) > moves && app.settings.sound) knock();
    this.hooks.changed();
  }

  /** The server has lost the game on the page: say so, or start again if nothing was played. */
  private lose(message: string): void {
    this.link?.close();
    if (app.isLeaving) return;
    if (this.state.game?.moves.length) this.state.missing = message;
    else app.go(at(`/play/${this.state.game?.game ?? "connect4"}`));
  }

  remember(view: GameView): void {
    browserShelf.write(`last.${view.game}`, view.id);
  }

  /** Not a legal move as given: ask the server for the move that is meant, or the rule that forbids it. */
  async ask(move: string, tried: number | null): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    await this.guard(async () => {
      const answer = await api.whyNot(game.id, game.version, move);
      if (answer.move) return this.send(answer.move.text);
      refuse(this.state, answer, tried);
    });
  }

  /** A piece without a move was picked: ask the server why. */
  async askAbout(square: number): Promise<void> {
    const { game } = this.state;
    if (!game) return;
    const answer = await api.whyNot(game.id, game.version, String(square)).catch(() => null);
    if (!answer || this.state.game?.version !== game.version || this.state.pick.origin !== square) return;
    this.state.stuck = { square, message: answer.message, detail: answer.detail };
  }

  async send(move: string): Promise<void> {
    const game = this.state.game;
    if (!game || this.isBusy()) return;
    this.hooks.sending();
    this.sentVersion = game.version;
    await this.guard(async () => {
      const view = await api.play(game.id, game.version, move);
      this.takeOver(() => adopt(this.state, view));
      this.remember(view);
      this.rename();
    });
    if (this.sentVersion === game.version) this.sentVersion = null;
  }

  /** Is a move being sent? Its event may come before its answer; then the next one may be made. */
  isBusy(): boolean {
    return this.sentVersion !== null && this.sentVersion === this.state.game?.version;
  }

  async command(call: (id: string, version: number) => Promise<GameView>): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    this.hooks.sending();
    await this.guard(async () => {
      const view = await call(game.id, game.version);
      this.takeOver(() => adopt(this.state, view));
    });
  }

  async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      await this.complain(error);
    }
  }

  /** Show every refusal; a stale one only means that another tab or the engine was faster. */
  async complain(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === "stale" && this.state.game) {
      const view = await api.game(this.state.game.id).catch(() => null);
      if (view) this.takeOver(() => adopt(this.state, view));
      say(this.state, "The game has moved on.", "Look again, then choose.");
    } else if (error.view) {
      refuse(this.state, error.view, null);
    } else {
      say(this.state, "The server did not answer.", "The game resumes automatically when it is back.");
    }
  }
}
