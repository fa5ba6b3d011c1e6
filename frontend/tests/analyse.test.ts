import { describe, expect, it } from "vitest";
import { bandOf, barY, GRAPH, graphOf, plyAt, plyX, type Judged } from "../src/analyse/graph";
import {
  attempt,
  exerciseOf,
  isOpen,
  newLesson,
  next,
  reveal,
  summaryOf,
  type Exercise,
} from "../src/analyse/lesson";
import { nameOf, rowsOf, type MoveNode } from "../src/analyse/moves";
import {
  below,
  follow,
  growTree,
  lineFrom,
  mainLine,
  movesTo,
  nodeAt,
  pathTo,
  placeOf,
  variationOf,
  walk,
} from "../src/lib/tree";
import type { AnswerView } from "../src/wire";

/** A tree from "id parent move", in the order of the server. */
function nodesOf(lines: string[], first: 0 | 1 = 0): MoveNode[] {
  const nodes: MoveNode[] = [{ id: 0, parent: null, ply: 0, side: null, move: null, turn: first }];
  for (const line of lines) {
    const [id, parent, move = ""] = line.split(" ");
    const before = nodes[Number(parent)];
    if (!before || Number(id) !== nodes.length) throw new Error(`${line}: out of order`);
    const turn = before.turn === 0 ? 1 : 0;
    nodes.push({ id: Number(id), parent: before.id, ply: before.ply + 1, side: before.turn, move, turn });
  }
  return nodes;
}

//  4 4 5 3
//    3 5      instead of the second 4
//      2 2    instead of that 5
//    1        instead of the second 4
const MOVES = ["1 0 4", "2 1 4", "3 2 5", "4 3 3", "5 1 3", "6 5 5", "7 5 2", "8 7 2", "9 1 1"];

describe("the tree of an analysis", () => {
  const tree = growTree(nodesOf(MOVES));
  const node = (id: number) => tree.nodes[id] ?? tree.root;
  const ids = (nodes: MoveNode[]) => nodes.map(({ id }) => id);

  it("has a main line, and a line from any move", () => {
    expect(ids(mainLine(tree))).toEqual([0, 1, 2, 3, 4]);
    expect(ids(lineFrom(tree, node(5)))).toEqual([6]);
    expect(ids(pathTo(tree, node(8)))).toEqual([0, 1, 5, 7, 8]);
    expect(ids(below(tree, node(5)))).toEqual([5, 6, 7, 8]);
  });

  it("finds a place again by the moves that lead there", () => {
    expect(movesTo(tree, node(8))).toEqual(["4", "3", "2", "2"]);
    for (const place of tree.nodes) expect(follow(tree, movesTo(tree, place))).toBe(place);
    expect(follow(tree, ["4", "3", "7", "2"]).id).toBe(5); // as far as they lead
    expect(placeOf(tree, node(3))).toEqual({ ply: 3, line: [] });
    expect(placeOf(tree, node(8))).toEqual({ ply: 1, line: ["3", "2", "2"] });
    for (const place of tree.nodes) {
      const { ply, line } = placeOf(tree, place);
      expect(nodeAt(tree, ply, line)).toBe(place);
    }
    expect(nodeAt(tree, 99, []).id).toBe(4);
  });

  it("is walked forwards, backwards, and from one variation to the next", () => {
    expect(walk(tree, node(1), "next").id).toBe(2);
    expect(walk(tree, node(7), "previous").id).toBe(5);
    expect(walk(tree, node(5), "last").id).toBe(6);
    expect(walk(tree, node(8), "first").id).toBe(0);
    expect(walk(tree, node(2), "below").id).toBe(5);
    expect(walk(tree, node(9), "above").id).toBe(5);
    for (const to of ["previous", "above", "below"] as const) expect(walk(tree, node(0), to).id).toBe(0);
    expect(walk(tree, node(4), "next").id).toBe(4);
    expect(walk(tree, node(9), "below").id).toBe(9);
  });

  it("knows which variation a move belongs to", () => {
    expect(variationOf(tree, node(4))).toBeNull();
    expect(variationOf(tree, node(6))?.id).toBe(5);
    expect(variationOf(tree, node(8))?.id).toBe(7);
  });

  it("is written in pairs, with the variations under them", () => {
    const words = rowsOf(tree).map((row) =>
      row.kind === "pair"
        ? `${row.number} ${row.moves.map((move) => move?.id ?? "-").join(" ")}`
        : `${"  ".repeat(row.depth)}${row.steps.map((step) => step.number + step.node.move).join(" ")}`,
    );
    expect(words).toEqual(["1 1 2", "1…3 2.5", "  2.2 2", "1…1", "2 3 4"]);
  });

  it("numbers the moves of a game that the second side begins", () => {
    const other = growTree(nodesOf(["1 0 22-18", "2 1 11-15", "3 2 18x11"], 1));
    const rows = rowsOf(other).map((row) =>
      row.kind === "pair" ? row.moves.map((move) => move?.id ?? 0) : [],
    );
    expect(rows).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(nameOf(other.nodes[1] as MoveNode, other.root)).toBe("1… 22-18");
    expect(nameOf(other.nodes[2] as MoveNode, other.root)).toBe("2. 11-15");
  });

  it("is quick for long games with many variations", () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `${i + 1} ${i} 4`);
    const variations = Array.from({ length: 500 }, (_, i) => `${2001 + i} ${4 * i} 5`);
    const nodes = nodesOf([...lines, ...variations]);
    const started = performance.now();
    const large = growTree(nodes);
    expect(rowsOf(large)).toHaveLength(1500);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

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

describe("learning from mistakes", () => {
  const answer = (move: string, is_good: boolean): AnswerView => ({
    move,
    label: "",
    verdict: is_good ? "win" : "loss",
    is_good,
    sentence: "",
  });
  const exercise = (key: string): Exercise => ({
    key,
    ask: "",
    about: "",
    position: { text: "", board: "", side: 0, width: 7, height: 6 },
    last: null,
    answers: [answer("4", true), answer("3", true), answer("1", false)],
    line: ["4", "4"],
    told: "",
    source: { id: "abcd", ply: 1 },
  });
  const lesson = newLesson([exercise("a"), exercise("b"), exercise("c")]);

  it("asks until a move is right, and then goes on", () => {
    let at = attempt(lesson, "1");
    expect(at).toMatchObject({ stage: "wrong", tried: { move: "1" } });
    expect(isOpen(at)).toBe(true);
    at = attempt(at, "4");
    expect(at).toMatchObject({ stage: "right", tries: 2 });
    expect(attempt(at, "1")).toBe(at);
    at = next(at);
    expect(exerciseOf(at)?.key).toBe("b");
    expect(at).toMatchObject({ stage: "asking", tries: 0, tried: null });
  });

  it("accepts every move that keeps the result, and no other", () => {
    const accepted = ["1", "3", "4", "7"].filter((move) => attempt(lesson, move).stage === "right");
    expect(accepted).toEqual(["3", "4"]);
    expect(attempt(lesson, "7")).toBe(lesson); // not a move
  });

  it("counts what was found, and how", () => {
    let at = next(attempt(lesson, "4"));
    at = next(reveal(at));
    at = next(attempt(attempt(at, "1"), "3"));
    expect(at.stage).toBe("over");
    expect(exerciseOf(at)).toBeNull();
    expect(at.results).toEqual(["first", "shown", "later"]);
    expect(summaryOf(at)).toBe("2 of 3 found, 1 at the first try.");
    expect(next(at)).toBe(at);
  });

  it("has a word for every end", () => {
    const one = newLesson([exercise("a")]);
    const two = newLesson([exercise("a"), exercise("b")]);
    expect(summaryOf(newLesson([]))).toBe("There is nothing to learn here.");
    expect(summaryOf(next(one))).toContain("None of 1");
    expect(summaryOf(next(attempt(one, "4")))).toBe("Found at once.");
    expect(summaryOf(next(attempt(next(attempt(two, "4")), "4")))).toBe("All 2 found at the first try.");
  });
});
