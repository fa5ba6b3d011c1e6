// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../src/api";
import { formatRoute, NO_FILTERS, parseRoute, type LibraryRoute } from "../src/lib/route";
import { Library } from "../src/library/library.svelte";
import { dayOf, outcomeChoices, rangeOf } from "../src/library/words";
import type { GameSummary, ImportAnswer } from "../src/wire";

describe("words of the library", () => {
  it("say a day as far as it is known", () => {
    const days = ["1958-09-14", "1958-09", "1958", ""].map((date) => dayOf({ date }));
    expect(days).toEqual(["14 Sep 1958", "Sep 1958", "1958", ""]);
  });

  it("name the sides of the games that are listed", () => {
    const games = [
      { game: "connect4" as const, sides: ["Red", "Yellow"] },
      { game: "checkers" as const, sides: ["Black", "White"] },
    ];
    const won = (game: "" | "checkers") =>
      outcomeChoices(games, game)
        .slice(1, 3)
        .map(({ words }) => words);
    expect(won("")).toEqual(["first side won (Red, Black)", "second side won (Yellow, White)"]);
    expect(won("checkers")).toEqual(["Black won", "White won"]);
  });

  it("say which games are listed", () => {
    expect(rangeOf(2, 50, 728)).toBe("51 to 100 of 728 games");
    expect(rangeOf(15, 50, 728)).toBe("701 to 728 of 728 games");
    expect([rangeOf(1, 50, 0), rangeOf(1, 50, 1), rangeOf(1, 50, 7)]).toEqual([
      "No games",
      "1 game",
      "7 games",
    ]);
  });
});

const libraryRoute = (search = "") => parseRoute("/library", search) as LibraryRoute;

describe("the address of the library", () => {
  it("keeps filters and page", () => {
    const path = "?game=checkers&player=ann&outcome=draw&since=1958&opening=11-15+23-19&page=3";
    expect(formatRoute(libraryRoute(path))).toBe(`/library${path}`);
    expect(formatRoute(libraryRoute())).toBe("/library");
  });

  it("leaves nonsense out", () => {
    expect(libraryRoute("?game=chess&outcome=won&since=soon&page=-1")).toEqual({
      kind: "library",
      filters: NO_FILTERS,
      page: 1,
    });
  });
});

function summary(id: string): GameSummary {
  return {
    id,
    game: "checkers",
    title: "Checkers",
    seats: ["Ann", "Bob"],
    plies: 3,
    result: "1-0",
    winner: 0,
    sentence: "",
    is_over: true,
    opening: "",
    event: "",
    date: "",
    is_imported: true,
    is_study: false,
    is_yours: true,
    changed: "",
  };
}

function imported(ids: string[]): ImportAnswer {
  return {
    what: "checkers: 2 games (PDN)",
    ids,
    games: ids.map(summary),
    found: null,
    position: null,
    game: null,
    problems: [],
    problem_count: 0,
    notes: [],
    sentence: "",
  };
}

describe("the library", () => {
  let held: string[] = []; // the games of the server
  beforeEach(() => {
    held = ["one", "two", "three"];
    vi.spyOn(api, "games").mockImplementation((_, limit, offset) =>
      Promise.resolve({
        games: held.slice(offset, offset + limit).map(summary),
        total: held.length,
        damaged: [],
      }),
    );
    vi.spyOn(api, "deleteGames").mockImplementation((ids) => {
      held = held.filter((id) => !ids.includes(id));
      return Promise.resolve({ ids, sentence: "deleted" });
    });
    vi.spyOn(api, "restoreGames").mockImplementation((ids) => {
      held = [...held, ...ids];
      return Promise.resolve({ ids, sentence: "restored" });
    });
  });

  it("throws a game away and brings it back", async () => {
    const library = new Library();
    await library.open(libraryRoute());
    await library.remove(["two"]);
    expect(library.games.map((game) => game.id)).toEqual(["one", "three"]);
    expect(library.deed?.sentence).toBe("deleted");
    await library.undo();
    expect(library.total).toBe(3);
    expect(library.deed?.undo).toBeNull();
  });

  it("imports a text, and takes that back too", async () => {
    vi.spyOn(api, "importGames").mockImplementation(() => {
      held = ["new", ...held];
      return Promise.resolve(imported(["new"]));
    });
    const library = new Library();
    await library.open(libraryRoute("?player=ann"));
    library.text = "4453";
    await library.import();
    expect([library.text, library.isFiltered, library.games[0]?.id]).toEqual(["", false, "new"]);
    await library.undoImport();
    expect(library.games.map((game) => game.id)).not.toContain("new");
  });

  it("keeps a text that cannot be read, and says why", async () => {
    const view = {
      kind: "notation",
      message: "No.",
      detail: "",
      reasons: [],
      moves: [],
      version: null,
    } as const;
    vi.spyOn(api, "importGames").mockRejectedValue(new ApiError({ ...view, reasons: [], moves: [] }));
    const library = new Library();
    library.text = "nonsense";
    await library.import();
    expect([library.text, library.importProblem, library.isImporting]).toEqual(["nonsense", "No.", false]);
  });

  it("keeps a long text out of the field", () => {
    const library = new Library();
    expect(library.hold("short")).toBe(false);
    expect(library.hold("x".repeat(50_000))).toBe(true);
    expect([library.text, library.hasText]).toEqual(["", true]);
  });

  it("turns no page that is not there", async () => {
    held = Array.from({ length: 120 }, (_, i) => `game${i}`);
    const library = new Library();
    await library.open(libraryRoute("?page=9"));
    expect(library.page).toBe(3);
    await library.turn(0);
    expect([library.page, library.games.length]).toEqual([1, 50]);
  });
});
