import { describe, expect, it } from "vitest";
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
