import { describe, expect, it } from "vitest";
import { sentenceOf } from "../src/play/sentence";
import { adopt, browse, newState } from "../src/play/state";
import { countSentence, remarkSentence, seatSentence, thinkingSentence } from "../src/play/words";
import { game, line, move, opinion, played, seat } from "./views";

const thin = "\u202f";

describe("what a player says", () => {
  it("counts what it looked at", () => {
    expect(countSentence(opinion(1))).toBe(`I looked at 1${thin}204 positions in 3 ms, depth 6.`);
    expect(thinkingSentence(opinion(1, { depth: 9, nodes: 1234567 }))).toBe("depth 9, 1.2 M positions");
  });

  it("says what it expects, unless it has something better to say", () => {
    const expecting = opinion(1, { lines: [line("4", 1, { moves: ["4", "7", "6"] })] });
    expect(remarkSentence(expecting, seat(0))).toBe("I expect your 7, then my 6.");
    expect(remarkSentence({ ...expecting, remark: "Level 2 slips." }, seat(0))).toBe("Level 2 slips.");
  });

  it("is introduced by side and level", () => {
    expect(seatSentence(seat(1, { level: 3, title: "Planner" }))).toBe("Yellow, level 3");
    expect(seatSentence(seat(1, { title: "Yellow" }))).toBe("Human");
  });
});

describe("the sentence above the board", () => {
  it("tells a newcomer what to do", () => {
    const state = newState();
    adopt(state, game());
    expect(sentenceOf(state, "whole")).toMatchObject({
      main: "Your move.",
      more: "Drop a disc: click a column or press 1\u20137",
    });
  });

  it("names the move that is looked at", () => {
    const state = newState();
    adopt(state, game({ moves: [played(1, "4", 0), played(2, "2", 1)] }));
    browse(state, 1);
    expect(sentenceOf(state, "whole").main).toBe("Move 1 of 2: Red, column 4.");
    browse(state, 0);
    expect(sentenceOf(state, "whole").main).toBe("The start position.");
  });

  it("says where a picked piece can go, and asks the way only when there are two", () => {
    const state = newState();
    const board = "........W".padEnd(32, ".");
    adopt(
      state,
      game({
        game: "checkers",
        position: { text: "", board, side: 1, width: 8, height: 8 },
        legal: [move("9-5"), move("9-6"), move("9-13")],
      }),
    );
    state.pick = { origin: 9, via: [], end: null };
    expect(sentenceOf(state, "whole").main).toBe("King on 9: to 5, 6 or 13.");
  });

  it("says in the server's words that a picked piece cannot move, and which can", () => {
    const state = newState();
    const position = {
      text: "",
      board: "b".repeat(12).padEnd(32, "."),
      side: 0 as const,
      width: 8,
      height: 8,
    };
    state.pick = { origin: 8, via: [], end: null };
    state.game = game({ game: "checkers", position, legal: [move("11-15")] });
    expect(sentenceOf(state, "whole").main).toBe("Your move."); // they are on their way
    state.stuck = { square: 8, message: "Man on 8 cannot move.", detail: "" };
    expect(sentenceOf(state, "whole").main).toBe("Man on 8 cannot move.");
    state.game = game({ game: "checkers", position, legal: [move("11x18")], must_capture: true });
    const detail = "Ringed pieces can, and one of them must.";
    state.stuck = { square: 8, message: "Man on 8 cannot capture.", detail };
    expect(sentenceOf(state, "whole")).toMatchObject({ main: "Man on 8 cannot capture.", more: detail });
    state.pick = { origin: 7, via: [], end: null }; // another piece
    expect(sentenceOf(state, "whole").main).toBe("Your move.");
  });

  it("passes on what the server advises", () => {
    const state = newState();
    state.game = game({ game: "checkers", advice: "Dotted rings: can move" });
    expect(sentenceOf(state, "whole")).toMatchObject({
      more: "Click a piece, then where it goes",
      moreByTouch: "Tap a piece, then where it goes",
    });
    const advice = "Ringed pieces can capture, and one of them must.";
    state.game = game({ game: "checkers", must_capture: true, advice });
    expect(sentenceOf(state, "whole")).toMatchObject({ more: advice, moreByTouch: advice });
  });
});
