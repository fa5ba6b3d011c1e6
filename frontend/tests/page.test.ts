import { describe, expect, it } from "vitest";
import { commandOf, KEY_SHEET, PAGE_KEYS, sheetOf } from "../src/lib/keys";
import { formatRoute, parseRoute } from "../src/lib/route";
import { DEFAULTS, loadSettings, nextTheme, saveSettings, type Shelf } from "../src/lib/settings";
import { columnBars, listedLines } from "../src/play/glass";
import { draftLike, firstDraft, requestOf } from "../src/setup/draft";
import { editColumn, editSquare, emptyBoard } from "../src/setup/editor";
import type { GameInfo } from "../src/wire";
import { game, line, opinion } from "./views";

function shelfWith(text: string | null): Shelf & { text: string | null } {
  return {
    text,
    read() {
      return this.text;
    },
    write(_key: string, written: string) {
      this.text = written;
    },
  };
}

const info: GameInfo = {
  game: "connect4",
  title: "Connect Four",
  sides: ["Red", "Yellow"],
  sizes: [{ width: 7, height: 6 }],
  players: [],
  opponent: "level:2",
  human_side: 0,
};

describe("addresses", () => {
  it("opens Connect Four at the root", () => {
    expect(parseRoute("/", "")).toMatchObject({ kind: "play", game: "connect4", position: "" });
  });

  it("reads position, size and seats", () => {
    const route = parseRoute("/play/connect4", "?pos=4453&size=8x8&first=human&second=level:3");
    expect(route).toEqual({
      kind: "play",
      game: "connect4",
      position: "4453",
      size: { width: 8, height: 8 },
      seats: ["human", "level:3"],
    });
  });

  it("tells a game to be analysed from a position", () => {
    expect(parseRoute("/analyse", "")).toMatchObject({
      kind: "analyse",
      id: null,
      game: "connect4",
      ply: null,
    });
    expect(parseRoute("/analyse", "?game=checkers&pos=start")).toMatchObject({ id: null, game: "checkers" });
    expect(parseRoute("/analyse", "?game=abcd1234")).toMatchObject({ id: "abcd1234", line: [] });
    expect(parseRoute("/analyse", "?game=../x&ply=-1&line=1,<b>,2")).toMatchObject({
      id: null,
      ply: null,
      line: ["1", "2"],
    });
  });

  it("round-trips every kind of route", () => {
    const paths = [
      "/play/checkers",
      "/game/abcd1234?ply=12&flip=1",
      "/game/abcd1234?flip=0",
      "/settings",
      "/play/connect4?pos=44&size=5x4",
      "/analyse?game=abcd1234&ply=12&line=11-15%2C22x15x8&flip=1",
      "/analyse?game=checkers&pos=B%3AW18%3AB12",
      "/analyse?game=connect4&pos=4453&size=8x8",
    ];
    for (const path of paths) {
      const url = new URL(path, "http://host");
      expect(formatRoute(parseRoute(url.pathname, url.search))).toBe(path);
    }
  });

  it("knows what it does not know", () => {
    for (const path of ["/nowhere", "/play/chess", "/game/..", "/game/a/b"])
      expect(parseRoute(path, "").kind).toBe("missing");
    expect(parseRoute("/game/abcd", "?ply=-3&flip=x")).toMatchObject({ ply: null, flipped: null });
  });
});

describe("settings", () => {
  it("come back as they were saved", () => {
    const shelf = shelfWith(null);
    saveSettings(shelf, { ...DEFAULTS, theme: "dark", sound: true });
    expect(loadSettings(shelf)).toEqual({ ...DEFAULTS, theme: "dark", sound: true });
  });

  it("are the usual ones where nothing, or nonsense, is stored", () => {
    for (const text of [null, "", "{", "[]", "7", '{"theme":"pink","sound":"yes"}']) {
      expect(loadSettings(shelfWith(text))).toEqual(DEFAULTS);
    }
  });

  it("change the theme to the other one first", () => {
    expect([nextTheme("system", false), nextTheme("dark", false), nextTheme("light", false)]).toEqual([
      "dark",
      "light",
      "system",
    ]);
    expect(nextTheme("system", true)).toBe("light");
  });
});

describe("keys", () => {
  const press = (key: string, more = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

  it("drop, browse and command", () => {
    expect(press("4")).toEqual({ kind: "column", name: "4" });
    expect(press("k")).toEqual({ kind: "browse", to: "previous" });
    expect(press("u")).toEqual({ kind: "takeback" });
    expect(press("U")).toEqual({ kind: "redo" });
    expect(press("]")).toEqual({ kind: "pace", direction: 1 });
    expect(press("q")).toBeNull();
  });

  it("leave the browser's own keys alone", () => {
    expect(press("f", { ctrlKey: true })).toBeNull();
    expect(press("n", { metaKey: true })).toBeNull();
  });

  it("of a page are on its own sheet", () => {
    for (const page of ["analyse", "lab", "library"] as const) {
      const [group, rest] = sheetOf(page);
      expect(group).toBe(PAGE_KEYS[page]);
      expect(rest?.title).toBe("Page");
    }
    expect(sheetOf("game")).toBe(KEY_SHEET);
  });

  it("are all on the sheet once", () => {
    const shown = KEY_SHEET.flatMap((group) => group.keys.map((key) => key.keys.join("")));
    expect(new Set(shown).size).toBe(shown.length);
    for (const letter of ["U", "H", "N", "F", "Z", "G", "P", ".", "/", "T", "?", "J", "K", "Esc"])
      expect(shown).toContain(letter);
  });
});

describe("a new game", () => {
  it("seats a newcomer against the level to beat", () => {
    expect(requestOf(firstDraft(info, 2500))).toMatchObject({
      game: "connect4",
      width: 7,
      height: 6,
      seats: ["human", "level:2"],
      position: "",
      clock: null,
      time_ms: 2500,
    });
  });

  it("is like the one on the board", () => {
    expect(draftLike(game({ strict: true, time_ms: 800 }), info)).toMatchObject({
      seats: ["human", "level:3"],
      strict: true,
      timeMs: 800,
    });
  });

  it("sends its clock in milliseconds, and no size for checkers", () => {
    const request = requestOf({ ...firstDraft({ ...info, game: "checkers", sizes: [] }, 0), clock: "5+3" });
    expect(request.clock).toEqual({ base_ms: 300000, increment_ms: 3000 });
    expect(request).not.toHaveProperty("width");
  });
});

describe("setting up a board", () => {
  it("drops discs in turns and lifts them again", () => {
    let board = emptyBoard("connect4", 4, 4);
    for (const column of [0, 0, 1]) board = editColumn(board, 4, column, "turns");
    expect(board).toBe("........2...11..");
    expect(editColumn(board, 4, 0, "erase")).toBe("............11..");
  });

  it("leaves a full column and an empty one as they are", () => {
    const full = "1...2...1...2...";
    expect(editColumn(full, 4, 0, "1")).toBe(full);
    expect(editColumn(full, 4, 3, "erase")).toBe(full);
  });

  it("puts pieces on squares and takes them away", () => {
    const board = editSquare(emptyBoard("checkers", 8, 8), 32, "W");
    expect(board.at(-1)).toBe("W");
    expect(editSquare(board, 32, "W").at(-1)).toBe(".");
    expect(editSquare(board, 32, "b").at(-1)).toBe("b");
  });
});

describe("the glass box", () => {
  it("has a bar for each judged column, up for good and down for bad", () => {
    const bars = columnBars(opinion(1), 7);
    expect(bars.map((bar) => bar.isJudged)).toEqual([false, false, true, true, false, false, false]);
    expect(bars[3]).toMatchObject({ kind: "win", isBest: true, isPlayed: true });
    expect(bars[2]).toMatchObject({ kind: "loss", y: 70 });
  });

  it("says which columns were full", () => {
    const bars = columnBars(opinion(1), 7, "1......".padEnd(42, "."));
    expect(bars.map((bar) => bar.isFull)).toEqual([true, false, false, false, false, false, false]);
  });

  it("words a forced end in two lines", () => {
    const forced = opinion(1, { lines: [line("1", -1, { verdict: "loss", ends_in: 4 })] });
    expect(columnBars(forced, 7)[0]?.words).toEqual(["\u2212 loss", "in 4"]);
  });

  it("keeps the move that was played in a short list", () => {
    const lines = Array.from({ length: 9 }, (_, i) => line(`${i}`, 1 - i / 10));
    expect(listedLines(opinion(1, { lines, played: "8" })).map((one) => one.move)).toEqual([
      "0",
      "1",
      "2",
      "3",
      "4",
      "8",
    ]);
    expect(listedLines(opinion(1, { lines, played: "2" }))).toHaveLength(6);
  });
});
