// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { kindOf, openText } from "../src/analyse/pasted";
import { api, ApiError } from "../src/api";
import { draftLike, firstDraft, requestOf } from "../src/setup/draft";
import { editColumn, editSquare, emptyBoard } from "../src/setup/editor";
import type { ErrorView, GameInfo, PositionAnswer } from "../src/wire";
import { game } from "./views";

afterEach(() => void vi.restoreAllMocks());

describe("a text that was pasted", () => {
  const position = { text: "fen", board: "", side: 0 as const, width: 8, height: 8 };
  const answer: PositionAnswer = {
    game: "checkers",
    what: "",
    position,
    problems: [],
    moves: ["11-15"],
    legal: [],
    must_capture: false,
    refusal: null,
    sentence: "",
    is_over: false,
  };

  it("is a game if it has headers and moves, or is no position", () => {
    expect(kindOf('[Black "Ann"]\n\n1. 11-15 *', answer)).toBe("game");
    expect(kindOf("[two games", { ...answer, position: null, moves: [] })).toBe("game");
    expect(kindOf("a text too long for a position", null)).toBe("game");
  });

  it("is a line or a position otherwise", () => {
    expect(kindOf("11-15", answer)).toBe("line");
    expect(kindOf('[FEN "B:W18:B12"]', { ...answer, moves: [] })).toBe("position");
  });

  it("says one error, once: that of the last reader", async () => {
    const unread = { ...answer, game: null, position: null, moves: [], problems: ["not a position"] };
    vi.spyOn(api, "readPosition").mockResolvedValue(unread);
    const refused = { message: "This game cannot be read.", kind: "invalid" } as ErrorView;
    vi.spyOn(api, "importGames").mockRejectedValue(new ApiError(refused));
    expect(await openText("hello")).toEqual({ problem: "not a position" });
    expect(await openText("/game/hello")).toEqual({ problem: "This game cannot be read." });
  });
});

const info: GameInfo = {
  game: "connect4",
  title: "Connect Four",
  sides: ["Red", "Yellow"],
  sizes: [{ width: 7, height: 6 }],
  players: [],
  opponent: "level:2",
  human_side: 0,
  no_progress: [],
};

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
