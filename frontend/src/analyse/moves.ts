// The moves of a study as a list: numbered, in pairs, with variations below them.
import { childrenOf, lineFrom, parentOf, type Tree } from "../lib/tree";
import type { StudyNode } from "../wire";

/** What the list needs of a move. */
export type MoveNode = Pick<StudyNode, "id" | "parent" | "ply" | "side" | "move" | "turn">;

/** The number before a move; a game that the second side begins also starts with 1. */
function numberOf(node: MoveNode, root: MoveNode): number {
  return Math.floor((node.ply - root.ply - 1 + root.turn) / 2) + 1;
}

/** "9. 1" or "9… 1" */
export function nameOf(node: MoveNode, root: MoveNode): string {
  return `${numeral(node, root)} ${node.move}`;
}

function numeral(node: MoveNode, root: MoveNode): string {
  return `${numberOf(node, root)}${node.side === 0 ? "." : "…"}`;
}

export type Row<N extends MoveNode = MoveNode> =
  | { kind: "pair"; key: string; number: number; moves: [N | null, N | null] } // by side
  | { kind: "variation"; key: string; depth: number; steps: Step<N>[] };

/** A move in running text, with a number where needed. */
export interface Step<N extends MoveNode = MoveNode> {
  node: N;
  number: string; // "9.", "9…" or empty
}

/** The list of moves: a row for each pair of the main line, with its variations directly below. */
export function rowsOf<N extends MoveNode>(tree: Tree<N>): Row<N>[] {
  const rows: Row<N>[] = [];
  let pair: Extract<Row<N>, { kind: "pair" }> | null = null;
  let variations: Row<N>[] = [];
  for (const node of lineFrom(tree, tree.root)) {
    if (!pair || node.side === 0) {
      rows.push(...variations);
      const number = numberOf(node, tree.root);
      rows.push((pair = { kind: "pair", key: `pair${number}`, number, moves: [null, null] }));
      variations = [];
    }
    pair.moves[node.side ?? 0] = node;
    variations.push(...variationsTo(tree, node, 0));
  }
  return [...rows, ...variations];
}

/** The alternatives to a move, each with its own variations below it. */
function variationsTo<N extends MoveNode>(tree: Tree<N>, move: N, depth: number): Row<N>[] {
  const parent = parentOf(tree, move);
  const others = parent ? childrenOf(tree, parent).slice(1) : [];
  return others.flatMap((first) => {
    const line = [first, ...lineFrom(tree, first)];
    const steps = line.map((node, i) => ({
      node,
      number: i === 0 || node.side === 0 ? numeral(node, tree.root) : "",
    }));
    const row: Row<N> = { kind: "variation", key: `variation${first.id}`, depth, steps };
    return [row, ...line.slice(1).flatMap((node) => variationsTo(tree, node, depth + 1))];
  });
}
