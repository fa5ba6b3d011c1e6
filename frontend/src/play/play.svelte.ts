// The one game on the page, composed of its state, its connection to the server and the hints: moves, commands,
// and what is open beside the board.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { dropMove, isOwnPiece, NO_PICK, tap, targets, type Pick } from "../lib/pick";
import { ANALYSIS, formatRoute, type GameRoute, type PlayRoute, type SitRoute } from "../lib/route";
import { columnName, formatPace } from "../lib/words";
import { Setup } from "../setup/setup.svelte";
import type { GameView, NewGame, PaceRequest, Said } from "../wire";
import { Coach } from "./coach.svelte";
import { Connection } from "./connection";
import { Hints } from "./hints.svelte";
import { stepTime } from "./pace";
import { friendOf, isAlone, isWaiting, roleOf } from "./seen";
import {
  browse,
  isEngineMatch,
  isFlipped,
  mayPlay,
  newState,
  say,
  shown,
  type Browse,
  type State,
} from "./state";

const LONG_THOUGHT_MS = 400;
const SURE_MS = 3000;
const BUBBLE_MS = 8000;
const TICK_MS = 1000;

export class Play {
  readonly state = $state<State>(newState());
  readonly hints = new Hints(this.state, (error) => this.connection.complain(error));
  readonly coach = new Coach();
  /** Which panel is open; at most one at a time. */
  panel = $state<"none" | "new" | "type" | "sheet" | "share" | "say">("none");
  setup = $state.raw<Setup | null>(null);
  openSeat = $state<0 | 1 | null>(null);
  /** Resigning takes two presses; this is set between them. */
  isResigning = $state(false);
  /** True when a search has lasted a while: then Move now and Stop are shown. */
  isLongThought = $state(false);
  /** The time for "away, 2 min"; it runs while somebody is away. */
  now = $state(Date.now());

  private readonly connection = new Connection(this.state, {
    sending: () => this.hints.stop(),
    changed: () => this.changed(),
  });
  private paceTimer: ReturnType<typeof setTimeout> | undefined;
  private wantedTime: number | null = null; // chosen on the slider; the server has not answered yet

  open(route: PlayRoute | GameRoute | SitRoute): Promise<void> {
    return this.connection.open(route);
  }

  close(): void {
    this.coach.close();
    this.connection.close();
  }

  /** The tab came to the front, or the network is back. */
  hurry(): void {
    this.connection.hurry();
  }

  async begin(request: NewGame): Promise<ApiError | null> {
    try {
      const view = await api.newGame(request);
      this.closeAll();
      this.connection.remember(view);
      app.go(at(`/game/${view.id}`));
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  // Moves

  dropIn(column: number): void {
    const game = this.state.game;
    if (!game || !this.turnIsOurs()) return;
    const move = dropMove(game.legal, game.position.width, column);
    void (move ? this.connection.send(move.text) : this.connection.ask(columnName(column), null));
  }

  tapSquare(square: number): void {
    const game = this.state.game;
    if (!game || !this.turnIsOurs()) return;
    const result = tap(game.legal, this.state.pick, square, this.isOwn(square));
    this.state.refusal = null;
    switch (result.kind) {
      case "picked":
        this.pick(result.pick);
        break;
      case "move":
        void this.connection.send(result.move.text);
        break;
      case "tried":
        void this.connection.ask(`${result.from}-${result.to}`, result.to);
        break;
      case "nothing":
        this.state.pick = NO_PICK;
    }
  }

  private pick(pick: Pick): void {
    this.state.pick = pick;
    if (pick.origin === null || this.state.stuck?.square === pick.origin) return;
    this.state.stuck = null;
    if (targets(this.state.game?.legal ?? [], pick).length === 0) void this.connection.askAbout(pick.origin);
  }

  isOwn(square: number): boolean {
    const position = this.state.game?.position;
    return position !== undefined && isOwnPiece(position.board, square, position.side);
  }

  /** A typed text: the server reads it. True if it was played. */
  async typeMove(text: string): Promise<boolean> {
    if (this.isOthersTurn()) return false;
    await this.connection.ask(text, null);
    return this.state.refusal === null;
  }

  letGo(): void {
    Object.assign(this.state, { pick: NO_PICK, refusal: null, hint: null });
  }

  // Commands

  takeback = () => this.change(async (id, version) => api.takeback(id, await this.hold(id, version)));
  redo = () => this.change((id, version) => api.redo(id, version));
  step = () => this.connection.command((id, version) => api.step(id, version));
  moveNow = () => this.unlessMoved((id, version) => api.moveNow(id, version));
  stop = () => this.unlessMoved((id, version) => api.stop(id, version));
  retry = () => this.connection.command((id, version) => api.retry(id, version));
  draw = (action: "offer" | "accept" | "decline" = "offer") =>
    this.connection.command((id, version) => api.draw(id, version, action));

  answerTakeback = (action: "agree" | "refuse") =>
    this.connection.command((id, version) => api.takeback(id, version, action));

  /** Send the other player one of the ready-made messages. */
  async say(message: number): Promise<void> {
    const { game } = this.state;
    if (this.panel === "say") this.panel = "none";
    if (!game) return;
    await this.connection.guard(async () => {
      this.state.said = await api.say(game.id, message);
    });
  }

  resign(): Promise<void> | void {
    if (this.isResigning) return this.connection.command((id, version) => api.resign(id, version));
    this.isResigning = true;
    setTimeout(() => (this.isResigning = false), SURE_MS);
  }

  seat(side: 0 | 1, player: string): Promise<void> {
    this.openSeat = null;
    const isRunning = this.isRunningMatch();
    return this.connection.command(async (id, version) => {
      const view = await api.seats(
        id,
        await this.hold(id, version),
        side === 0 ? { first: player } : { second: player },
      );
      return isRunning ? api.pace(id, { paused: false }) : view;
    });
  }

  pace(pace: PaceRequest): Promise<void> {
    return this.connection.command((id) => api.pace(id, pace));
  }

  /** The slider moves at once; the server is told when it has rested a moment. */
  setTime(timeMs: number): void {
    if (!this.state.game) return;
    this.state.game.time_ms = this.wantedTime = timeMs;
    if (!isEngineMatch(this.state.game)) say(this.state, `Thinking time: ${formatPace(timeMs)} per move`, "");
    clearTimeout(this.paceTimer);
    this.paceTimer = setTimeout(() => void this.sendTime(timeMs), 80);
  }

  private async sendTime(timeMs: number): Promise<void> {
    await this.pace({ time_ms: timeMs });
    if (this.wantedTime === timeMs) this.wantedTime = null;
  }

  /** Older answers and events do not move the slider back. */
  private keepTime(): void {
    if (this.state.game && this.wantedTime !== null) this.state.game.time_ms = this.wantedTime;
  }

  stepTime(direction: -1 | 1): void {
    if (this.state.game && this.isAlone) this.setTime(stepTime(this.state.game.time_ms, direction));
  }

  togglePause(): Promise<void> {
    return this.pace({ paused: !this.state.game?.paused });
  }

  async rematch(): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    if (game.rematch) return app.go(at(`/game/${game.rematch}`));
    await this.connection.guard(async () => {
      const next = await api.rematch(game.id, game.version);
      this.connection.remember(next);
      app.go(at(`/game/${next.id}`));
    });
  }

  /** What comes after a game: a rematch, or in a class the page of the class, where the teacher pairs. */
  again(): Promise<void> {
    return this.state.game?.in_class ? this.toClass() : this.rematch();
  }

  private async toClass(): Promise<void> {
    await this.connection.guard(async () => {
      const going = (await api.classes()).classes.filter(({ is_over }) => !is_over);
      app.go(at(going.length === 1 ? `/class/${going[0]?.code}` : "/class"));
    });
  }

  hint(): Promise<void> | void {
    if (!app.settings.quiet) return this.hints.next();
  }

  // Looking

  browse(to: Browse): void {
    browse(this.state, to);
    this.connection.rename();
  }

  flip(): void {
    this.state.flipped = !isFlipped(this.state);
    this.connection.rename();
  }

  /** Open the new-game panel, perhaps with a position that was typed. */
  async openNew(text = "", isForFriend = false): Promise<void> {
    if (!app.about) await app.askAbout(); // the players and sizes to choose from
    this.setup = new Setup(this, this.state.game, app.info(this.state.game?.game ?? "connect4"));
    this.panel = "new";
    this.openSeat = null;
    if (text) this.setup.paste(text);
    if (isForFriend) this.setup.chooseFriend(true);
  }

  closeAll(): void {
    this.panel = "none";
    this.setup = null;
    this.openSeat = null;
    this.letGo();
  }

  openTyping(): void {
    this.closeAll();
    this.panel = "type";
  }

  chooseAnother(): void {
    this.closeAll();
    this.openSeat = this.state.game?.failure?.side ?? this.state.game?.position.side ?? 0;
  }

  share(): void {
    this.closeAll();
    this.panel = "share";
  }

  /** A new game that begins at the position on the board, with the players of this one if they are ours. */
  async playFromHere(): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    const [first, second] = game.seats.map((seat) => seat.player);
    const seats: Record<string, string> = this.isAlone && first && second ? { first, second } : {};
    await this.withPosition(game, (pos) =>
      app.go(at(`/play/${game.game}?${new URLSearchParams({ pos, ...seats })}`)),
    );
  }

  /** This game on the analysis board, at the position looked at. */
  toAnalysis(): void {
    const { game, ply } = this.state;
    const flipped = isFlipped(this.state) || null;
    if (game) app.go(formatRoute({ ...ANALYSIS, id: game.id, ply, flipped }));
  }

  /** Open the position on the board in the lab. */
  async toLab(): Promise<void> {
    const game = this.state.game;
    if (!game) return;
    const query = { game: game.game, depth: "4" };
    await this.withPosition(game, (pos) => app.go(at(`/lab?${new URLSearchParams({ ...query, pos })}`)));
  }

  /** The page knows only the board; the server writes it as text. */
  private async withPosition(game: GameView, use: (text: string) => void): Promise<void> {
    const { board, ply } = shown(game, this.state.ply);
    const side = ply % 2 === 0 ? game.start.side : game.start.side === 0 ? 1 : 0;
    const size = game.game === "connect4" ? { width: game.start.width, height: game.start.height } : { side };
    await this.connection.guard(async () => {
      const answer = await api.readPosition({ game: game.game, board, ...size });
      if (answer.position) use(answer.position.text);
      else say(this.state, "This position cannot be opened there.", answer.problems[0] ?? "");
    });
  }

  /** Called when the game starts or stops thinking; returns a function that ends the wait. */
  watchThought(isThinking: boolean): () => void {
    this.isLongThought = false;
    if (!isThinking) return () => undefined;
    const timer = setTimeout(() => (this.isLongThought = true), LONG_THOUGHT_MS);
    return () => clearTimeout(timer);
  }

  /** Called with each message; returns a function that ends the wait. */
  watchMessage(said: Said | null): () => void {
    const timer = said && setTimeout(() => (this.state.said = null), BUBBLE_MS);
    return () => clearTimeout(timer ?? undefined);
  }

  /** Called when somebody goes or comes; returns a function that stops the time. */
  watchAway(isAnyoneAway: boolean): () => void {
    this.now = Date.now();
    const timer = isAnyoneAway ? setInterval(() => (this.now = Date.now()), TICK_MS) : undefined;
    return () => clearInterval(timer);
  }

  /** Does the person play, and nobody else? Then seats, pace and pause are the person's to change. */
  get isAlone(): boolean {
    const { game, me } = this.state;
    return game !== null && isAlone(game, me);
  }

  get isWatching(): boolean {
    const { game, me } = this.state;
    return game !== null && roleOf(game, me) === "watcher";
  }

  private changed(): void {
    this.hints.keepUp();
    this.keepTime();
  }

  /** A command that returns to the current position of the game. */
  private change(call: (id: string, version: number) => Promise<GameView>): Promise<void> {
    this.state.ply = null;
    return this.connection.command(call);
  }

  private isRunningMatch(): boolean {
    const game = this.state.game;
    return game?.status === "thinking" && isEngineMatch(game);
  }

  /** The version to change. Two fast engines would outrun the command, so they are paused for it. */
  private async hold(id: string, version: number): Promise<number> {
    return this.isRunningMatch() ? (await api.pace(id, { paused: true })).version : version;
  }

  /** A command for a thinking player; if it has just moved, nothing is reported. */
  private unlessMoved(call: (id: string, version: number) => Promise<GameView>): Promise<void> {
    return this.connection.command((id, version) =>
      call(id, version).catch((error: unknown) => {
        if (error instanceof ApiError && (error.kind === "stale" || error.kind === "not-now"))
          return api.game(id);
        throw error;
      }),
    );
  }

  /** Say why the person cannot move, if that is because of other people. */
  private isOthersTurn(): boolean {
    const { game, me } = this.state;
    if (!game || game.is_record || game.outcome) return false;
    const friend = friendOf(game, me);
    if (this.isWatching) say(this.state, "You are watching.", "Only the players move.");
    else if (isWaiting(game)) say(this.state, "The game begins when your friend sits down.", "");
    else if (friend && friend.side === game.position.side)
      say(this.state, `It is ${friend.title}'s turn.`, "");
    else return false;
    return true;
  }

  private turnIsOurs(): boolean {
    if (this.connection.isBusy()) return false;
    if (mayPlay(this.state)) return true;
    const { game, ply } = this.state;
    if (this.isOthersTurn()) return false;
    if (game && ply !== null) say(this.state, "This is an earlier position.", "End goes back to the game.");
    else if (game?.status === "thinking")
      say(this.state, `${game.seats[game.position.side]?.title} is to move.`, "");
    return false;
  }
}
