import { describe, expect, it } from "vitest";
import {
  formatAbout,
  formatClock,
  formatCount,
  formatMove,
  formatPace,
  formatTime,
  listWords,
  looksLikeMove,
} from "../src/lib/words";
import { positionOf, stepTime, timeAt } from "../src/play/pace";
import { sentenceOf } from "../src/play/sentence";
import { adopt, browse, newState } from "../src/play/state";
import { countSentence, remarkSentence, seatSentence, splitHint, thinkingSentence } from "../src/play/words";
import { game, line, move, opinion, played, seat } from "./views";

const thin = "\u202f";

describe("numbers", () => {
  it("groups digits by three", () => {
    expect(formatCount(204)).toBe("204");
    expect(formatCount(1204)).toBe(`1${thin}204`);
    expect(formatCount(18344000)).toBe(`18${thin}344${thin}000`);
  });

  it("rounds what changes while one reads", () => {
    expect([formatAbout(1204), formatAbout(345678), formatAbout(1234567)]).toEqual([
      `1${thin}204`,
      "346 k",
      "1.2 M",
    ]);
  });

  it("says times and clocks", () => {
    expect([formatTime(0), formatTime(3), formatTime(2500)]).toEqual(["under 1 ms", "3 ms", "2.5 s"]);
    expect([formatPace(0), formatPace(800), formatPace(10000)]).toEqual(["turbo", "0.8 s", "10 s"]);
    expect([formatClock(272000), formatClock(9400), formatClock(-5)]).toEqual(["4:32", "0:09.4", "0:00.0"]);
  });
});

describe("the slider", () => {
  it("is turbo at its left end and ten seconds at its right", () => {
    expect([timeAt(0), timeAt(100)]).toEqual([0, 10000]);
    expect([positionOf(0), positionOf(10000)]).toEqual([0, 100]);
  });

  it("never goes back as it is moved to the right", () => {
    const times = Array.from({ length: 101 }, (_, position) => timeAt(position));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it("comes back to where a time stands", () => {
    for (const time of [50, 100, 800, 2500, 9000])
      expect(Math.abs(timeAt(positionOf(time)) - time)).toBeLessThan(time * 0.07);
  });

  it("is moved by keys from end to end", () => {
    let time = 10000;
    for (let presses = 0; presses < 11; presses += 1) time = stepTime(time, -1);
    expect(time).toBe(0);
    for (let presses = 0; presses < 11; presses += 1) time = stepTime(time, 1);
    expect(time).toBe(10000);
  });
});

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

  it("says at once that a picked piece cannot move, and which can", () => {
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
    expect(sentenceOf(state, "whole").main).toBe("Man on 8 cannot move.");
    state.game = game({ game: "checkers", position, legal: [move("11x18")] });
    expect(sentenceOf(state, "whole")).toMatchObject({
      main: "Man on 8 cannot capture.",
      more: "Ringed pieces can, and one of them must.",
    });
  });

  it("parts a hint's reason from the line it expects", () => {
    expect(splitHint("18x25: it takes a man; expects 28-24 25-29.")).toEqual([
      "18x25: it takes a man.",
      "Expects 28-24 25-29.",
    ]);
    expect(splitHint("Look at the left.")).toEqual(["Look at the left.", ""]);
  });
});

describe("moves as text", () => {
  it("shortens captures if so wished", () => {
    expect([
      formatMove("22x15x8", "whole"),
      formatMove("22x15x8", "ends"),
      formatMove("11-15", "ends"),
    ]).toEqual(["22x15x8", "22x8", "11-15"]);
  });

  it("lists words", () => {
    expect([listWords([]), listWords(["5"]), listWords(["5", "6"]), listWords(["5", "6", "13"])]).toEqual([
      "",
      "5",
      "5 or 6",
      "5, 6 or 13",
    ]);
  });

  it("tells a typed move from a position", () => {
    expect(["4", "a"].every((text) => looksLikeMove("connect4", text))).toBe(true);
    expect(["4453", "./.", ""].some((text) => looksLikeMove("connect4", text))).toBe(false);
    expect(["11-15", "22x15x8", "22 x 8"].every((text) => looksLikeMove("checkers", text))).toBe(true);
    expect(["B:W18:B12", "11", ""].some((text) => looksLikeMove("checkers", text))).toBe(false);
  });
});
