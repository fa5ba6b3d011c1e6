// The reasons of a review on the board: what refutes a mistake, and what it missed.
import type { Mark } from "../boards/marks";
import { pathTo, type Tree } from "../lib/tree";
import type { JudgedMoveView, StudyNode } from "../wire";

/** The marks of a reason whose line has led to this node; none if no reason has. */
export function marksAt(
  tree: Tree<StudyNode>,
  node: StudyNode,
  judged: ReadonlyMap<number, JudgedMoveView>,
  isMain: (node: StudyNode) => boolean,
): readonly Mark[] {
  const path = pathTo(tree, node);
  for (const [at, from] of path.slice(0, -1).entries()) {
    const move = isMain(from) ? judged.get(from.ply + 1) : undefined;
    const played = path.slice(at + 1).map((step) => step.move);
    for (const reason of [move?.refutation, move?.missed]) {
      const isHere = reason?.at === played.length && played.every((text, i) => text === reason.line[i]);
      if (reason && isHere) return reason.marks;
    }
  }
  return [];
}
