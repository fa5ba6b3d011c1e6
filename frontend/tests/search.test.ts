import { describe, expect, it } from "vitest";
import { layOut, MOST_NODES, neighbour, searchTree, shownTree, stageOf } from "../src/lab/tree";
import { Walk } from "../src/lab/walk.svelte";
import { pathTo } from "../src/lib/tree";
import type { TraceView, VisitView } from "../src/wire";

type Branch = {
  move?: string;
  is_main?: boolean;
  kind?: VisitView["kind"];
  below?: Branch[];
  moves?: number;
};

/** A recorded search from a sketch of its tree. */
function traceOf(root: Branch): TraceView {
  const visits: VisitView[] = [];
  let number = 0;
  const grow = (branch: Branch, parent: VisitView | null): void => {
    const looked = (branch.below ?? []).filter((child) => child.kind !== "pruned").length;
    const visit: VisitView = {
      id: visits.length,
      parent: parent?.id ?? null,
      move: branch.move ?? null,
      ply: parent ? parent.ply + 1 : 0,
      number: branch.kind === "pruned" ? null : ++number,
      kind: branch.kind ?? (branch.below ? "exact" : "leaf"),
      is_main: branch.is_main ?? !parent,
      label: "+1",
      bound: "exact",
      window: "",
      moves: branch.moves ?? (branch.below ?? []).length,
      looked,
      left_out: 0,
      reason: "",
      sentences: "",
      board: "",
      path: [],
    };
    visits.push(visit);
    for (const child of branch.below ?? []) grow(child, visit);
  };
  grow(root, null);
  const position = { text: "", board: ".".repeat(42), side: 0 as const, width: 7, height: 6 };
  return {
    position,
    game: "connect4",
    sides: ["Red", "Yellow"],
    sentence: "",
    depth: 2,
    techniques: [],
    evaluation: "classic",
    label: "+1",
    line: ["4", "4"],
    visited: number,
    searches: [{ depth: 2, nodes: number }],
    left_out: 0,
    visits,
  };
}

//         start
//    4*         3 (cut)
//  4*  5       4    5 (never looked at)
const SMALL: Branch = {
  below: [
    { move: "4", is_main: true, below: [{ move: "4", is_main: true }, { move: "5" }] },
    { move: "3", kind: "cut", moves: 2, below: [{ move: "4" }, { move: "5", kind: "pruned" }] },
  ],
};

const NONE: ReadonlySet<number> = new Set();

const texts = (visits: VisitView[]) => visits.map((visit) => visit.move ?? "start");

describe("the tree of a search", () => {
  const tree = searchTree(traceOf(SMALL));
  const root = tree.nodes[0] as VisitView;
  const cut = tree.nodes[4] as VisitView;

  it("knows the order in which positions were reached, and what was never looked at", () => {
    expect(texts(tree.order)).toEqual(["start", "4", "4", "5", "3", "4"]);
    expect(tree.arrival).toEqual([0, 1, 2, 3, 4, 5, -1]);
    expect(tree.leaving[1]).toBe(3);
    expect(texts(pathTo(tree, tree.nodes[3] as VisitView))).toEqual(["start", "4", "5"]);
  });

  it("tells how far each position is at a step", () => {
    const stages = (step: number) => tree.nodes.map((visit) => stageOf(tree, visit, step)[0]).join("");
    expect(stages(0)).toBe("oaaaaaa");
    expect(stages(2)).toBe("oodaaaa"); // start and 4 are open, 4 4 is evaluated at once
    expect(stages(3)).toBe("ooddaaa");
    expect(stages(4)).toBe("odddoaa"); // 4 is done when the search goes on to 3
    expect(stages(6)).toBe("ddddddn");
  });

  it("shows the main line and what stands beside it until more is opened", () => {
    const shown = (opened: ReadonlySet<number>, closed = NONE, current = root) =>
      texts(shownTree(tree, opened, closed, current).map((item) => item.visit));
    expect(shown(NONE)).toEqual(["start", "4", "3", "4", "5"]);
    expect(shown(new Set([cut.id]))).toEqual(["start", "4", "3", "4", "5", "4", "5"]);
    expect(shown(NONE, new Set([1]))).toEqual(["start", "4", "3"]);
    expect(shown(NONE, NONE, tree.nodes[5])).toEqual(["start", "4", "3", "4", "5", "4"]); // the way to the search
  });

  it("draws at most so many positions", () => {
    const wide: Branch = {
      below: Array.from({ length: 30 }, (_, i) => ({
        move: String(i),
        below: Array.from({ length: 30 }, (_, j) => ({ move: String(j) })),
      })),
    };
    const large = searchTree(traceOf(wide));
    const all = new Set(large.nodes.map((visit) => visit.id));
    const shown = shownTree(large, all, NONE, large.nodes[0] as VisitView);
    expect(shown.length).toBeLessThanOrEqual(MOST_NODES);
    expect(shown.length).toBeGreaterThan(MOST_NODES - 31);
    const started = performance.now();
    layOut(shown);
    expect(performance.now() - started).toBeLessThan(100);
  });

  it("sets each ply out in the middle, without overlaps", () => {
    const picture = layOut(shownTree(tree, new Set([cut.id]), NONE, root));
    for (const ply of [0, 1, 2]) {
      const row = picture.nodes.filter((node) => node.visit.ply === ply).sort((a, b) => a.x - b.x);
      for (let i = 1; i < row.length; i += 1)
        expect(row[i]!.x).toBeGreaterThanOrEqual(row[i - 1]!.x + row[i - 1]!.width);
    }
    expect(picture.edges).toHaveLength(picture.nodes.length - 1);
    expect(Math.max(...picture.nodes.map((node) => node.x + node.width))).toBeLessThanOrEqual(picture.width);
  });

  it("is walked with arrows", () => {
    const { nodes } = layOut(shownTree(tree, NONE, NONE, root));
    const to = (id: number, direction: Parameters<typeof neighbour>[2]) =>
      neighbour(nodes, id, direction)?.visit.id;
    expect(to(0, "down")).toBe(1);
    expect(to(1, "right")).toBe(4);
    expect(to(4, "right")).toBe(4);
    expect(to(3, "up")).toBe(1);
    expect(to(0, "up")).toBe(0);
  });
});

describe("a walk through a search", () => {
  it("begins at the end and is rewound, stepped and ended", () => {
    const walk = new Walk(traceOf(SMALL));
    expect([walk.at, walk.steps, walk.isOver]).toEqual([6, 6, true]);
    walk.step(1);
    expect(walk.at).toBe(6);
    walk.rewind();
    expect([walk.at, walk.selected.move]).toEqual([0, null]);
    walk.step(1);
    walk.step(1);
    expect(walk.way).toEqual(["4", "4"]);
    walk.step(-1);
    expect(walk.way).toEqual(["4"]);
    walk.end();
    expect(walk.isOver).toBe(true);
  });

  it("looks at what is pressed, opens it, and shuts it when pressed again", () => {
    const walk = new Walk(traceOf(SMALL));
    const cut = walk.tree.nodes[4] as VisitView;
    const before = walk.picture.nodes.length;
    walk.press(cut);
    expect(walk.selected.id).toBe(cut.id);
    expect(walk.picture.nodes.length).toBe(before + 2);
    walk.press(cut);
    expect(walk.picture.nodes.length).toBe(before);
    walk.move("down");
    expect(walk.way).toEqual(["3", "4"]);
    walk.goTo(1);
    expect(walk.selected.id).toBe(1); // back to where the search is
  });
});
