import { describe, expect, it } from "vitest";
import { pictureAt, rowWords, wayTo, WIDTH, writtenAt } from "../src/course/picture";
import { formatRoute, parseRoute } from "../src/lib/route";
import type { RungView, RunMoment, RunNode } from "../src/wire";

const node = (id: number, parent: number | null, move: string | null, ply: number): RunNode => ({
  id,
  parent,
  move,
  ply,
  search: 0,
  board: "",
  path: [],
});
const moment = (at: number, changes: RunMoment["changes"]): RunMoment => ({
  line: 1,
  at,
  words: "",
  open: [{ id: at, alpha: "−∞", beta: "∞" }],
  changes,
  board: null,
});

/** A root with two moves, the first with two replies. */
function view(depth: number): RungView {
  return {
    game: "connect4",
    sides: ["Red", "Yellow"],
    first: 0,
    depth,
    nodes: [
      node(0, null, null, 0),
      node(1, 0, "3", 1),
      node(2, 1, "4", 2),
      node(3, 1, "5", 2),
      node(4, 0, "6", 1),
    ],
    moments: [
      moment(0, [{ id: 0, stage: "open", label: "…" }]),
      moment(1, [{ id: 1, stage: "open", label: "…" }]),
      moment(2, [{ id: 2, stage: "done", label: "+2" }]),
      moment(0, [{ id: 1, stage: "cut", label: "≤+2" }]),
    ],
  } as unknown as RungView;
}

describe("the tree of a guided run", () => {
  it("shows what is known at a moment, and nothing of what comes later", () => {
    const before = pictureAt(view(2), 1);
    expect(before.boxes.map(({ node: { id }, stage, label }) => [id, stage, label])).toEqual([
      [0, "open", "…"],
      [1, "open", "…"],
      [4, "ahead", "?"],
      [2, "ahead", "?"],
      [3, "ahead", "?"],
    ]);
    expect(writtenAt(view(2), 3).get(1)).toMatchObject({ stage: "cut", label: "≤+2" });
  });

  it("draws the way to the current position and the moves beside it", () => {
    expect(wayTo(view(2), 2).map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(pictureAt(view(2), 3).boxes.map(({ node: { id } }) => id)).toEqual([0, 1, 4]);
    const { boxes, edges } = pictureAt(view(2), 2);
    expect(edges.map(({ from, to }) => [from.node.id, to.node.id])).toEqual([
      [0, 1],
      [0, 4],
      [1, 2],
      [1, 3],
    ]);
    for (const { x, width } of boxes) expect(x + width).toBeLessThanOrEqual(WIDTH);
  });

  it("is wider where there are many moves", () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ ...view(2).nodes[1]!, id: 5 + i }));
    const wide = { ...view(2), nodes: [...view(2).nodes, ...many] };
    const { boxes, width } = pictureAt(wide, 0);
    expect(pictureAt(view(2), 0).width).toBe(WIDTH);
    expect(width).toBeGreaterThan(2 * WIDTH);
    for (const box of boxes) expect(box.x + box.width).toBeLessThanOrEqual(width);
    for (const box of boxes) expect(box.width).toBeGreaterThan(40);
  });

  it("writes alpha and beta on open positions", () => {
    expect(pictureAt(view(2), 2).boxes.find(({ window }) => window)?.window).toMatchObject({ beta: "∞" });
  });

  it("of Monte Carlo has only positions that have joined it", () => {
    expect(pictureAt(view(0), 1).boxes.map(({ node: { id } }) => id)).toEqual([0, 1]);
  });

  it("says who chooses in a row, and where captures are searched on", () => {
    expect(rowWords(view(2), 0)).toEqual(["Red", "highest"]);
    expect(rowWords(view(2), 1)).toEqual(["Yellow", "lowest"]);
    expect(rowWords(view(2), 2)).toEqual(["estimate", "depth 2"]);
    expect(rowWords(view(1), 1)).toEqual(["Yellow", "captures"]);
  });
});

describe("the addresses of the course", () => {
  it.each(["/lab/course", "/lab/course/alpha-beta", "/lab/course/alpha-beta/4"])(
    "%s is read and written",
    (path) => {
      const route = parseRoute(path, "");
      expect(route.kind).toBe("course");
      expect(formatRoute(route)).toBe(path);
    },
  );

  it.each(["?game=checkers", "?game=connect4&pos=4445", "?game=connect4&pos=4445&size=9x7&step=2"])(
    "Monte Carlo from a position of the lab, %s, is read and written",
    (query) => {
      const route = parseRoute("/lab/monte-carlo", query);
      expect(route).toMatchObject({ kind: "course", rung: "monte-carlo" });
      expect(formatRoute(route)).toBe(`/lab/monte-carlo${query}`);
    },
  );

  it.each(["/lab/course/A", "/lab/course/minimax/0", "/lab/course/minimax/1/2"])("%s is no page", (path) => {
    expect(parseRoute(path, "").kind).toBe("missing");
  });
});
