import { describe, expect, it } from "vitest";
import { columnBars, listedLines } from "../src/play/glass";
import { line, opinion } from "./views";

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
