// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../src/api";
import { Arena } from "../src/arena/arena.svelte";
import { cellKind, effortWords, gamesOf, placeOf, ratingWords, readyMade, scaleOf } from "../src/arena/words";
import { formatRoute, parseRoute } from "../src/lib/route";
import type { ArenaView, ContestantInfo, PlayerInfo } from "../src/wire";

afterEach(() => void vi.restoreAllMocks());

const card = (player: string, kind: PlayerInfo["kind"], level: number | null = null): PlayerInfo => ({
  player,
  kind,
  title: player,
  level,
  sentence: "",
  short: "",
});
const levels = [1, 2, 3].map((n) => card(`level:${n}`, "level", n));
const offered: ContestantInfo = {
  game: "connect4",
  title: "Connect Four",
  players: [...levels, card("solver", "engine")],
};

describe("the words of the arena", () => {
  it("never shows a rating without its error", () => {
    expect(ratingWords({ elo: 604.4, error: 108.7 })).toEqual({ rating: "+604", error: "± 109" });
    expect(ratingWords({ elo: -0.2, error: 20 }).rating).toBe("0");
    expect(ratingWords({ elo: -31, error: 20 }).rating).toBe("\u221231");
    expect(ratingWords({ elo: 10, error: null }).rating).toBe("");
  });

  it("draws an axis that holds every interval", () => {
    const scale = scaleOf([
      { elo: 405, error: 461 },
      { elo: -306, error: 361 },
      { elo: null, error: null },
    ]);
    expect(scale).toMatchObject({ low: -1000, high: 1000 });
    expect(scale && placeOf(scale, 0)).toBe(50);
    expect(scaleOf([{ elo: null, error: null }])).toBe(null);
  });

  it("counts the games and says what a cell is", () => {
    expect(gamesOf("round-robin", 8, 2)).toBe(56);
    expect(gamesOf("gauntlet", 8, 2)).toBe(14);
    expect(gamesOf("swiss", 8, 2)).toBe(null);
    expect(
      effortWords({ players: ["level:1"], kind: "round-robin", games: 2, time_ms: 10, game: "connect4" }, 1),
    ).toContain("at least two");
    const cell = (points: number, against: number) => ({
      games: points + against,
      points,
      against,
      is_playing: true,
    });
    expect([cell(2, 1), cell(1, 2), cell(1, 1), cell(0, 0)].map(cellKind)).toEqual(["w", "l", "d", ""]);
  });

  it("offers three ready-made tournaments, one of them only with a bot", () => {
    expect(readyMade(offered).map((one) => one.request?.players ?? null)).toEqual([
      ["level:1", "level:2", "level:3"],
      null,
      ["solver", "level:3"],
    ]);
    const withBot = { ...offered, players: [...offered.players, card("bot:mine", "bot")] };
    expect(readyMade(withBot)[1]?.request?.players).toEqual(["bot:mine", "level:3"]);
  });
});

describe("the page of the arena", () => {
  it("has an address for each tournament", () => {
    for (const path of ["/arena", "/arena/abcdefgh23"]) expect(formatRoute(parseRoute(path, ""))).toBe(path);
    expect(parseRoute("/arena/a/b", "").kind).toBe("missing");
  });

  it("says why a command was refused, and keeps what it shows", async () => {
    const arena = new Arena("abcdefgh23");
    arena.view = { id: "abcdefgh23", is_yours: true, status: "running", now: [] } as unknown as ArenaView;
    const refused = { kind: "not-now", message: "This tournament is over." } as never;
    vi.spyOn(api, "stopTournament").mockRejectedValue(new ApiError(refused));
    await arena.stop();
    expect([arena.problem, arena.view.status]).toEqual(["This tournament is over.", "running"]);
  });

  it("does not pause what somebody else began", async () => {
    const arena = new Arena("abcdefgh23");
    arena.view = { id: "abcdefgh23", is_yours: false, status: "running", now: [] } as unknown as ArenaView;
    const pause = vi.spyOn(api, "pauseTournament");
    await arena.switchPause();
    expect(pause).not.toHaveBeenCalled();
  });
});
