import { describe, expect, it } from "vitest";
import { bandOf, barY, GRAPH, graphOf, plyAt, plyX, type Judged } from "../src/analyse/graph";

describe("the graph of a game", () => {
  const point = (ply: number, bar: number, glyph = ""): Judged => ({
    ply,
    bar,
    glyph,
    isGrave: glyph === "??",
  });

  it("puts the first side up, and never leaves its frame", () => {
    expect(barY(0)).toBe(GRAPH.zero);
    expect(barY(1)).toBeLessThan(barY(0.5));
    expect(barY(7)).toBe(barY(1));
    expect(barY(-7)).toBe(barY(-1));
  });

  it("finds the move under a point", () => {
    for (const ply of [0, 1, 17, 25]) expect(plyAt(plyX(ply, 25), 25)).toBe(ply);
    expect(plyAt(-100, 25)).toBe(0);
    expect(plyAt(9999, 25)).toBe(25);
    expect(plyAt(300, 0)).toBe(0);
  });

  it("has a band for the move looked at, inside the frame", () => {
    for (const plies of [0, 1, 25, 500]) {
      for (const ply of [0, Math.floor(plies / 2), plies]) {
        const { x, width } = bandOf(ply, plies);
        expect(width).toBeGreaterThanOrEqual(3);
        expect(x).toBeGreaterThanOrEqual(GRAPH.left - 3);
        expect(x + width).toBeLessThanOrEqual(GRAPH.right + 3.1);
      }
    }
  });

  it("holds a score until the next move, in steps", () => {
    const { line, above, below } = graphOf([point(0, 0), point(1, 1), point(2, -1)], 2);
    expect(line).toBe("M8 73L139 73L139 22L401 22L401 124L532 124");
    expect(above).toBe("M8 73L139 73L139 22L401 22L401 73L532 73L532 73L8 73Z");
    expect(below.startsWith("M8 73L139 73L139 73L401 73L401 124")).toBe(true);
    expect(graphOf([], 2)).toMatchObject({ line: "", above: "", below: "", marks: [] });
  });

  it("marks what went wrong, inside the picture", () => {
    const points = [point(0, 0), point(1, 1, "?"), point(2, -1, "??"), point(3, 0.2, "??")];
    const { marks } = graphOf(points, 3);
    expect(marks.map(({ ply, isGrave }) => [ply, isGrave])).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    for (const { textX, textY } of marks) {
      expect(textX).toBeGreaterThan(10);
      expect(textX).toBeLessThan(GRAPH.width - 10);
      expect(textY).toBeGreaterThan(10);
      expect(textY).toBeLessThan(GRAPH.foot - 10);
    }
  });

  it("names a few plies along its foot", () => {
    const words = (plies: number) => graphOf([], plies).ticks.map((tick) => tick.words);
    expect(words(25)).toEqual(["start", "5", "10", "15", "20", "25"]);
    expect(words(200)).toEqual(["start", "50", "100", "150", "200"]);
    expect(words(0)).toEqual(["start"]);
    expect(words(1)).toEqual(["start", "1"]);
  });
});
