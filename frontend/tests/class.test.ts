// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError, type SocketHandlers } from "../src/api";
import { holesOf, miniSize } from "../src/boards/mini";
import { Room } from "../src/class/room/room.svelte";
import { arrange, update } from "../src/class/room/tiles.svelte";
import {
  awayFrom,
  awayWords,
  choose,
  codeOf,
  freeOthers,
  inviteWords,
  listed,
  resultWords,
  sideOf,
  waitingWords,
} from "../src/class/room/words";
import { formatPoints } from "../src/lib/contest";
import { formatRoute, parseRoute } from "../src/lib/route";
import type { ClassroomEvent, ClassView, ErrorView, PupilView, Tile } from "../src/wire";

const tile = (more: Partial<Tile> = {}): Tile => ({
  id: "g1",
  game: "connect4",
  width: 7,
  height: 6,
  names: ["Mia", "Ben"],
  board: ".".repeat(42),
  last: [],
  turn: 0,
  is_over: false,
  sentence: "Mia to move",
  clock: null,
  round: 0,
  ...more,
});

const pupil = (name: string, more: Partial<PupilView> = {}): PupilView => ({
  person: name.toLowerCase(),
  name,
  is_here: true,
  seconds_away: 0,
  game: null,
  sentence: "waiting",
  ...more,
});

const view = (more: Partial<ClassView> = {}): ClassView => ({
  code: "XKCD",
  title: "7b",
  is_teacher: false,
  name: "Ben",
  is_paused: false,
  is_over: false,
  sentence: "",
  people: [],
  tiles: [],
  asked_by: [],
  asking: "",
  tournament: null,
  ...more,
});

const TOURNAMENT = {
  format: "swiss",
  game: "connect4",
  round: 1,
  rounds: 3,
  is_round_over: false,
  is_over: false,
  sentence: "",
  resting: [],
  standings: [],
} satisfies ClassView["tournament"];

describe("addresses of classes", () => {
  it("round-trip", () => {
    for (const path of ["/class", "/class/NEW", "/class/XKCD", "/class/XKCD/board"])
      expect(formatRoute(parseRoute(path, ""))).toBe(path);
  });

  it("take a code as it is typed", () => {
    expect(parseRoute("/class/xkcd", "")).toEqual({ kind: "class", page: "room", code: "XKCD" });
    expect(parseRoute("/class/new", "")).toMatchObject({ page: "open" });
    expect(parseRoute("/class/a-b", "").kind).toBe("missing");
    expect(parseRoute("/class/XKCD/wall", "").kind).toBe("missing");
    expect(codeOf(" xk-cd ")).toBe("XKCD");
  });
});

describe("words of a class", () => {
  it("lists names", () => {
    expect(listed([])).toBe("");
    expect(listed(["Mia"])).toBe("Mia");
    expect(listed(["Mia", "Tom", "Ada"])).toBe("Mia, Tom and Ada");
  });

  it("writes points in halves", () => {
    expect([0, 0.5, 1, 2.5].map(formatPoints)).toEqual(["0", "½", "1", "2½"]);
  });

  it("tells a pupil the own side and result", () => {
    expect(sideOf(tile(), "Ben")).toBe(1);
    expect(sideOf(tile(), "")).toBeNull();
    expect(inviteWords(tile(), 1, ["Red", "Yellow"])).toBe("Connect Four. You are Yellow, Mia begins.");
    expect(inviteWords(tile({ game: "checkers" }), 0, ["Black", "White"])).toBe(
      "Checkers. You are Black, you begin.",
    );
    const over = tile({ is_over: true, sentence: "Ben wins" });
    expect(resultWords(over, "Ben")).toBe("You won against Mia.");
    expect(resultWords(over, "Mia")).toBe("Ben won.");
    expect(resultWords(tile({ is_over: true, sentence: "A draw" }), "Mia")).toBe("A draw with Ben.");
  });

  it("counts who is free", () => {
    const people = [
      pupil("Ben"),
      pupil("Sara"),
      pupil("Tom", { game: "g1" }),
      pupil("Iris", { is_here: false }),
    ];
    expect(freeOthers(view({ people })).map((one) => one.name)).toEqual(["Sara"]);
    expect(waitingWords(view({ people }))).toBe("One other is free. Your teacher pairs you, or you ask one.");
    expect(waitingWords(view())).toBe("No other pupil is free at the moment. Your teacher pairs you.");
  });

  it("says why one waits in a tournament", () => {
    expect(waitingWords(view({ tournament: TOURNAMENT }))).toContain("next round");
    expect(waitingWords(view({ tournament: { ...TOURNAMENT, resting: ["Ben"] } }))).toContain("You rest");
  });

  it("names those who left a game", () => {
    const mia = pupil("Mia", { game: "g1", is_here: false, seconds_away: 125 });
    expect(awayFrom([mia, pupil("Ben", { game: "g1" })], tile())).toEqual([mia]);
    expect(awayFrom([mia], tile({ is_over: true }))).toEqual([]);
    expect(awayWords(mia)).toBe("Mia is away, 2 min");
    expect(awayWords(pupil("Mia", { is_here: false }))).toBe("Mia is away");
  });

  it("chooses two at most", () => {
    expect(choose(["a"], "a")).toEqual([]);
    expect(choose(["a", "b"], "c")).toEqual(["b", "c"]);
  });
});

describe("the wall", () => {
  it("draws only the board that changed", () => {
    const boxes = arrange([], [tile(), tile({ id: "g2" })]);
    const before = boxes.map((box) => box.shown);
    update(boxes, [tile({ id: "g2", sentence: "Ben to move" }), tile({ id: "unknown" })]);
    expect(boxes[0]?.shown).toBe(before[0]);
    expect(boxes[1]?.shown.sentence).toBe("Ben to move");
    expect(arrange(boxes, [tile(), tile({ id: "g2", sentence: "Ben to move" })])).toBe(boxes);
    expect(boxes[0]?.shown).toBe(before[0]);
  });

  it("keeps the boxes of games that stay", () => {
    const boxes = arrange([], [tile(), tile({ id: "g2" })]);
    const next = arrange(boxes, [tile({ id: "g3" }), tile({ id: "g2" })]);
    expect(next.map((box) => box.id)).toEqual(["g3", "g2"]);
    expect(next[1]).toBe(boxes[1]);
  });

  it("draws an empty board once", () => {
    expect(holesOf({ width: 7, height: 6 })).toBe(holesOf({ width: 7, height: 6 }));
    expect(holesOf({ width: 4, height: 4 }).match(/z/g)).toHaveLength(16);
    expect(miniSize("connect4", { width: 7, height: 6 })).toEqual({ width: 662, height: 572 });
  });
});

describe("a class on the page", () => {
  let sockets: SocketHandlers<ClassroomEvent>[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    vi.spyOn(api, "classEvents").mockImplementation((_, handlers) => {
      sockets.push(handlers);
      return { send: () => handlers.received({ kind: "pong" }), close: () => undefined };
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it("reconnects by itself and takes over what is sent", () => {
    const room = new Room("XKCD");
    const close = room.open();
    sockets[0]?.opened();
    sockets[0]?.received({ kind: "class", view: view({ tiles: [tile()] }) });
    sockets[0]?.received({ kind: "tiles", tiles: [tile({ sentence: "Ben to move" })] });
    expect(room.tiles[0]?.shown.sentence).toBe("Ben to move");
    sockets[0]?.closed();
    expect(room.link).toBe("gone");
    vi.advanceTimersByTime(300);
    sockets[1]?.opened();
    expect(room.link).toBe("open");
    close();
  });

  it("knows a class that is not there", () => {
    const room = new Room("XKCE");
    room.open();
    const error: ErrorView = {
      kind: "unknown-class",
      message: "",
      detail: "",
      reasons: [],
      moves: [],
      version: null,
    };
    sockets[0]?.received({ kind: "error", error });
    expect(room.missing).toBe("No class XKCE here. Ask your teacher for the code.");
  });

  it("says why a command was refused", async () => {
    const room = new Room("XKCD");
    const refused = new ApiError(null);
    expect(await room.send(() => Promise.reject(refused))).toBe(false);
    expect([room.problem, room.isBusy]).toEqual([refused.message, false]);
    expect(await room.send(() => Promise.resolve())).toBe(true);
    expect(room.problem).toBe("");
  });

  it("looks again how long pupils are away", async () => {
    const away = pupil("Iris", { is_here: false });
    const later = view({ people: [{ ...away, sentence: "away 1 min" }] });
    const look = vi.spyOn(api, "oneClass").mockResolvedValue(later);
    const room = new Room("XKCD");
    const close = room.open();
    sockets[0]?.opened();
    sockets[0]?.received({ kind: "class", view: view({ people: [away] }) });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(look).toHaveBeenCalledOnce();
    expect(room.view?.people[0]?.sentence).toBe("away 1 min");
    close();
  });
});
