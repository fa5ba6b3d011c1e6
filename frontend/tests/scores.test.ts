import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chipKind, columnScores, glyphKind, placeSentence } from "../src/analyse/words";
import { follow, growTree, movesTo } from "../src/lib/tree";
import type { AnalysisView, StudyNode } from "../src/wire";
import { analysis, START, study } from "./studies";
import { line } from "./views";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("words of the analysis", () => {
  const lines = [
    line("2", 1, { verdict: "win", ends_in: 7, known_by: "solved" }),
    line("4", 0, { verdict: "draw", known_by: "book" }),
    line("1", -1, { verdict: "loss", ends_in: 11, known_by: "solved" }),
    line("5", 0, { verdict: "unclear", label: "not solved" }),
  ];
  const board = "..1....".padEnd(42, ".");

  it("word the score of each column as a proof, with its sign", () => {
    const scores = columnScores(analysis({ lines }), 7, board, false);
    const told = scores.slice(0, 5).map(({ sign, words, more }) => `${sign}${words} ${more}`.trim());
    expect(told).toEqual(["\u2212loss in 11", "+win in 7", "full", "=draw", "…"]);
    expect(scores[1]).toMatchObject({ isBest: true, label: "Column 2: win in 7, solved" });
    expect(scores[2]?.label).toBe("Column 3: full");
    expect(scores.filter((score) => score.isBest)).toHaveLength(1);
    expect(columnScores(analysis({ lines }), 7, board, true)[0]?.name).toBe("7");
    expect(columnScores(null, 7, board, false)[0]?.label).toBe("Column 1: not known yet");
  });

  it("never dress a guess as a proof", () => {
    expect(chipKind(line("4", 0.3), true)).toBe("est");
    expect(chipKind(line("4", 1, { verdict: "win", known_by: "table" }), true)).toBe("win best");
    expect([glyphKind("blunder"), glyphKind("mistake"), glyphKind("inaccuracy")]).toEqual([
      "blunder",
      "bad",
      "slight",
    ]);
  });

  it("say each move, and the truth about it when it is known", () => {
    const held = study([["4"]]);
    const [root, first] = held.nodes as [StudyNode, StudyNode];
    const said = (node: StudyNode, view: AnalysisView | null) =>
      placeSentence(held.game, ["Red", "Yellow"], node, view);
    expect(said(root, null)).toBe("The start. Red to move.");
    expect(said(first, null)).toBe("Red, column 4. Yellow to move.");
    const view = analysis({ position: { ...START, text: "start 4" } });
    expect(said(first, view)).toBe("Red, column 4. Red wins in 7, solved.");
    expect(movesTo(growTree(held.nodes), follow(growTree(held.nodes), ["4"]))).toEqual(["4"]);
  });
});
