// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, type SocketHandlers } from "../src/api";
import { app } from "../src/app.svelte";
import { parseRoute, type GameRoute, type PlayRoute } from "../src/lib/route";
import { browserShelf } from "../src/lib/settings";
import { Play } from "../src/play/play.svelte";
import { adopt } from "../src/play/state";
import type { ClientMessage, ErrorView, GameInfo, GameView } from "../src/wire";
import { game, move, played, seat } from "./views";

interface FakeSocket extends SocketHandlers {
  id: string;
  sent: ClientMessage[];
  isClosed: boolean;
}

let sockets: FakeSocket[] = [];
const last = () => sockets.at(-1) as FakeSocket;
const tell = (view: GameView) => last().received({ kind: "state", game: view });
const routeOf = (path: string) => parseRoute(path, "") as PlayRoute | GameRoute;
const UNKNOWN: ErrorView = {
  kind: "unknown-game",
  message: "There is no such game.",
  detail: "",
  reasons: [],
  moves: [],
  version: null,
};
const INFO: GameInfo = {
  game: "connect4",
  title: "Connect Four",
  sides: ["Red", "Yellow"],
  sizes: [{ width: 7, height: 6 }],
  players: [],
  opponent: "level:2",
  human_side: 0,
  no_progress: [],
};

describe("opening a game", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    vi.spyOn(api, "events").mockImplementation((id, handlers) => {
      const socket: FakeSocket = { ...handlers, id, sent: [], isClosed: false };
      sockets.push(socket);
      return { send: (message) => socket.sent.push(message), close: () => (socket.isClosed = true) };
    });
    const about = {
      version: "",
      games: [INFO],
      time_ms: 2500,
      max_time_ms: 60000,
      warning: null,
      data: "",
      strict: "",
      messages: [],
      address: "",
      bots: "",
    };
    app.me = { id: "", name: "", was_forgotten: false };
    vi.spyOn(app, "askAbout").mockResolvedValue(about);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    localStorage.clear();
  });

  it("by its id takes one socket, which then goes on to follow it", async () => {
    const play = new Play();
    const opened = play.open(routeOf("/game/abcd"));
    last().opened();
    expect([last().sent, play.state.link]).toEqual([[], "opening"]); // no game to resume, none to play with
    tell(game({ revision: 3 }));
    await opened;
    expect(play.state).toMatchObject({ game: { id: "abcd", revision: 3 }, link: "open" });
    tell(game({ revision: 4, moves: [played(1, "4", 0)] }));
    expect(play.state.game?.moves).toHaveLength(1);
    expect(sockets.map(({ id, isClosed }) => [id, isClosed])).toEqual([["abcd", false]]);
    play.close();
  });

  it("that does not exist says so, and lets go of the socket", async () => {
    const play = new Play();
    const opened = play.open(routeOf("/game/abcd"));
    last().opened();
    last().received({ kind: "error", error: UNKNOWN });
    await opened;
    expect([play.state.missing, sockets.length, last().isClosed]).toEqual([UNKNOWN.message, 1, true]);
  });

  it("waits for a server that is gone", async () => {
    const play = new Play();
    const opened = play.open(routeOf("/game/abcd"));
    last().closed();
    expect(play.state.link).toBe("gone");
    await vi.advanceTimersByTimeAsync(250);
    expect(sockets).toHaveLength(2);
    last().opened();
    tell(game());
    await opened;
    expect([play.state.link, play.state.missing]).toEqual(["open", ""]);
    play.close();
  });

  it("goes on with the unfinished one", async () => {
    browserShelf.write("last.connect4", "abcd");
    const begun = vi.spyOn(api, "newGame");
    const play = new Play();
    const opened = play.open(routeOf("/play/connect4"));
    last().opened();
    tell(game({ moves: [played(1, "4", 0)] }));
    await opened;
    expect([play.state.game?.id, sockets.length, begun.mock.calls.length]).toEqual(["abcd", 1, 0]);
    expect(location.pathname).toBe("/game/abcd");
    play.close();
  });

  it("begins a new one where the last is over, lost, or between engines", async () => {
    const outcome = { winner: 0 as const, reason: "", sentence: "", told: [], detail: "", cells: [] };
    const engines = [seat(0, { kind: "level" }), seat(1, { kind: "level" })];
    const unusable = [game({ outcome }), game({ seats: engines }), null];
    for (const view of unusable) {
      browserShelf.write("last.connect4", "abcd");
      vi.spyOn(api, "newGame").mockResolvedValue(game({ id: "efgh" }));
      const play = new Play();
      const opened = play.open(routeOf("/play/connect4"));
      const before = last();
      before.opened();
      if (view) tell(view);
      else last().received({ kind: "error", error: UNKNOWN });
      await opened;
      expect([play.state.game?.id, before.isClosed, last().id]).toEqual(["efgh", true, "efgh"]);
      last().opened();
      expect([last().sent, play.state.link]).toEqual([[{ kind: "resume", revision: 1 }], "open"]);
      expect(browserShelf.read("last.connect4")).toBe("efgh");
      play.close();
    }
  });
});

describe("a piece that cannot be moved", () => {
  const board = "b".repeat(12).padEnd(32, ".");
  const position = { text: "", board, side: 0 as const, width: 8, height: 8 };
  const refusal = { move: null, message: "Man on 8 cannot move.", detail: "", moves: [] };
  afterEach(() => void vi.restoreAllMocks());

  function begun(): Play {
    const play = new Play();
    play.state.link = "open";
    play.state.game = game({ game: "checkers", position, legal: [move("11-15")] });
    return play;
  }

  it("is asked about once, when it is picked", async () => {
    const play = begun();
    const asked = vi.spyOn(api, "whyNot").mockResolvedValue(refusal);
    play.tapSquare(11);
    expect(asked).not.toHaveBeenCalled();
    play.tapSquare(8);
    await vi.waitFor(() => expect(play.state.stuck?.message).toBe("Man on 8 cannot move."));
    play.tapSquare(8);
    play.tapSquare(8);
    expect(asked.mock.calls).toEqual([["abcd", 1, "8"]]);
  });

  it("is forgotten when the game has gone on", async () => {
    const play = begun();
    const asked = vi.spyOn(api, "whyNot").mockResolvedValue(refusal);
    play.tapSquare(8);
    adopt(play.state, game({ version: 2, revision: 2 }));
    await asked.mock.results[0]?.value;
    expect(play.state.stuck).toBeNull();
  });
});

describe("hints", () => {
  it("come step by step, and are given up when a move is made", async () => {
    const play = new Play();
    play.state.game = game();
    const signals: AbortSignal[] = [];
    vi.spyOn(api, "hint").mockImplementation((_id, version, step, signal) => {
      signals.push(signal);
      const words = { sentence: `step ${step}`, reason: `step ${step}`, line: "" };
      return Promise.resolve({ version, step, ...words, cells: [], move: null, marks: [] });
    });
    vi.spyOn(api, "play").mockResolvedValue(game({ version: 2, revision: 2 }));
    const first = play.hint();
    void play.hint(); // pressed again while the first is looked for: no step is skipped
    expect(play.hints.isAsking).toBe(true);
    await first;
    expect([play.state.hint?.step, play.hints.isAsking]).toEqual([1, false]);
    await play.hint();
    expect(play.state.hint?.step).toBe(2);
    const third = play.hint();
    play.state.game.legal = [{ text: "4", path: [38], captures: [] }];
    play.dropIn(3);
    expect(signals.at(-1)?.aborted).toBe(true);
    await third;
    await vi.waitFor(() => expect(play.state.game?.version).toBe(2));
    expect(play.state.hint).toBeNull();
    vi.restoreAllMocks();
  });
});
