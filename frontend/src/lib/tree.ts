// Trees of moves and paths through them: a study with its variations, a recorded search.
export interface TreeNode {
  id: number; // its place in the list
  parent: number | null; // the node before it; null at the root
  ply: number;
  move: string | null;
}

export interface Tree<N extends TreeNode = TreeNode> {
  nodes: readonly N[]; // by id; the first is the start
  children: N[][]; // by id; the first continues the line, the others are variations
  root: N;
}

/** Parents come before their children, children in their order. */
export function growTree<N extends TreeNode>(nodes: readonly N[]): Tree<N> {
  const [root] = nodes;
  if (!root) throw new Error("a tree has at least its root");
  const children: N[][] = nodes.map(() => []);
  for (const node of nodes) if (node.parent !== null) children[node.parent]?.push(node);
  return { nodes, children, root };
}

export function childrenOf<N extends TreeNode>(tree: Tree<N>, node: N): N[] {
  return tree.children[node.id] ?? [];
}

export function parentOf<N extends TreeNode>(tree: Tree<N>, node: N): N | null {
  return node.parent === null ? null : (tree.nodes[node.parent] ?? null);
}

/** From the start to a node, both included. */
export function pathTo<N extends TreeNode>(tree: Tree<N>, node: N): N[] {
  const path = [node];
  for (let at = parentOf(tree, node); at; at = parentOf(tree, at)) path.push(at);
  return path.reverse();
}

/** The moves that lead to a node: its address, even if the tree changes. */
export function movesTo<N extends TreeNode>(tree: Tree<N>, node: N): string[] {
  return pathTo(tree, node).flatMap((step) => step.move ?? []);
}

/** The last node that these moves lead to. */
export function follow<N extends TreeNode>(tree: Tree<N>, moves: readonly string[], from = tree.root): N {
  let at = from;
  for (const move of moves) {
    const next = childrenOf(tree, at).find((child) => child.move === move);
    if (!next) break;
    at = next;
  }
  return at;
}

/** What follows a node along the first children. */
export function lineFrom<N extends TreeNode>(tree: Tree<N>, node: N): N[] {
  const line: N[] = [];
  for (let at = childrenOf(tree, node)[0]; at; at = childrenOf(tree, at)[0]) line.push(at);
  return line;
}

export function mainLine<N extends TreeNode>(tree: Tree<N>): N[] {
  return [tree.root, ...lineFrom(tree, tree.root)];
}

export type Walk = "previous" | "next" | "first" | "last" | "above" | "below";

/** The node that a step leads to, or null. Above and below: the alternatives to the same move. */
export function walk<N extends TreeNode>(tree: Tree<N>, node: N, to: Walk): N {
  switch (to) {
    case "previous":
      return parentOf(tree, node) ?? node;
    case "next":
      return childrenOf(tree, node)[0] ?? node;
    case "first":
      return tree.root;
    case "last":
      return lineFrom(tree, node).at(-1) ?? node;
    case "above":
      return beside(tree, node, -1);
    case "below":
      return beside(tree, node, 1);
  }
}

function beside<N extends TreeNode>(tree: Tree<N>, node: N, by: 1 | -1): N {
  const parent = parentOf(tree, node);
  const sisters = parent ? childrenOf(tree, parent) : [];
  return sisters[sisters.indexOf(node) + by] ?? node;
}

/** The last node on the path at which it left the line: this can be promoted or deleted. */
export function variationOf<N extends TreeNode>(tree: Tree<N>, node: N): N | null {
  return pathTo(tree, node).findLast((step) => !isFirst(tree, step)) ?? null;
}

function isFirst<N extends TreeNode>(tree: Tree<N>, node: N): boolean {
  const parent = parentOf(tree, node);
  return !parent || childrenOf(tree, parent)[0] === node;
}

/** A node by the main line: the last ply on it, and the moves from there. */
export function placeOf<N extends TreeNode>(tree: Tree<N>, node: N): { ply: number; line: string[] } {
  const path = pathTo(tree, node);
  const leaves = path.findIndex((step) => !isFirst(tree, step));
  if (leaves < 0) return { ply: node.ply, line: [] };
  return { ply: path[leaves - 1]?.ply ?? 0, line: path.slice(leaves).flatMap((step) => step.move ?? []) };
}

/** The node of such a ply and moves. */
export function nodeAt<N extends TreeNode>(tree: Tree<N>, ply: number, line: readonly string[]): N {
  const main = mainLine(tree);
  return follow(tree, line, main[Math.min(ply, main.length - 1)]);
}

/** A node and all that follows it, in the order of the list. */
export function below<N extends TreeNode>(tree: Tree<N>, node: N): N[] {
  return [node, ...childrenOf(tree, node).flatMap((child) => below(tree, child))];
}
