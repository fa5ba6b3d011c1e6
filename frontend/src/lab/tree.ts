// A recorded search as a tree: what is drawn, where, and the progress at each step. No DOM.
import { hierarchy, type HierarchyNode } from "d3-hierarchy";
import { childrenOf, growTree, pathTo, type Tree } from "../lib/tree";
import type { TraceView, VisitView } from "../wire";

export const MOST_NODES = 300;
export const BOX_HEIGHT = 28;
export const FLOOR = 82; // height of a ply
export const LEFT = 108; // width of the words beside the plies
const GAP = 11;
const TOP = 10;

export interface SearchTree extends Tree<VisitView> {
  order: VisitView[]; // the searched positions, in order
  arrival: number[]; // by id: the step at which it was reached; -1 if never
  leaving: number[]; // by id: the last step below it
}

export function searchTree(trace: TraceView): SearchTree {
  const { visits } = trace;
  const order = visits
    .filter((visit) => visit.number !== null)
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  const arrival = visits.map(() => -1);
  order.forEach((visit, step) => (arrival[visit.id] = step));
  const leaving = [...arrival];
  for (const visit of [...visits].reverse()) {
    if (visit.parent === null) continue; // parents come before their children
    leaving[visit.parent] = Math.max(leaving[visit.parent] ?? -1, leaving[visit.id] ?? -1);
  }
  return { ...growTree(visits), order, arrival, leaving };
}

export type Stage = "ahead" | "open" | "done" | "never";

/** The state of a position at a step; after the last step the search is over. */
export function stageOf(tree: SearchTree, visit: VisitView, step: number): Stage {
  const isOver = step >= tree.order.length;
  const arrival = tree.arrival[visit.id] ?? -1;
  if (arrival < 0) {
    const parent = visit.parent === null ? undefined : tree.nodes[visit.parent];
    return isOver || (parent && stageOf(tree, parent, step) === "done") ? "never" : "ahead";
  }
  if (arrival > step && !isOver) return "ahead";
  const leaving = tree.leaving[visit.id] ?? arrival;
  return isOver || leaving === arrival || leaving < step ? "done" : "open";
}

export interface Shown {
  visit: VisitView;
  parent: Shown | null;
  children: Shown[];
  isOpen: boolean; // its children are shown
  canOpen: boolean;
}

/**
 ** The part that is drawn: the main line and its siblings, opened nodes, and the path to the current position.
 ** Positions near the root come first; if there are too many, the rest stay closed.
 */
export function shownTree(
  tree: SearchTree,
  opened: ReadonlySet<number>,
  closed: ReadonlySet<number>,
  current: VisitView,
  showsMain = true, // false while the search is stepped through: the main line is not given away
): Shown[] {
  const onPath = new Set(pathTo(tree, current).map((visit) => visit.id));
  const shown: Shown[] = [node(tree, tree.root, null)];
  for (let i = 0; i < shown.length; i += 1) {
    const parent = shown[i];
    if (!parent?.canOpen) continue;
    const { id, is_main } = parent.visit;
    const isWayThrough = onPath.has(id) && id !== current.id;
    const isMain = is_main && (showsMain || parent.visit.parent === null);
    if (!isWayThrough && (closed.has(id) || !(isMain || opened.has(id)))) continue;
    const below = childrenOf(tree, parent.visit).filter((child) => child.number !== null || opened.has(id));
    if (shown.length + below.length > MOST_NODES && !isWayThrough) continue;
    parent.isOpen = true;
    for (const child of below) shown.push(node(tree, child, parent));
    parent.children = shown.slice(shown.length - below.length);
  }
  return shown;
}

function node(tree: SearchTree, visit: VisitView, parent: Shown | null): Shown {
  const canOpen = childrenOf(tree, visit).length > 0;
  return { visit, parent, children: [], isOpen: false, canOpen };
}

export interface Placed {
  visit: VisitView;
  shown: Shown;
  x: number; // left edge of the box
  y: number;
  width: number;
}

export interface Picture {
  nodes: Placed[];
  edges: { from: Placed; to: Placed }[];
  width: number;
  height: number;
  plies: number;
}

/** The places of the boxes: a row for each ply, centred, so that the main line stays visible. */
export function layOut(shown: Shown[]): Picture {
  const root = shown[0];
  if (!root) return { nodes: [], edges: [], width: LEFT, height: 0, plies: 0 };
  const box = Math.max(66, ...shown.slice(1).map(boxWidth));
  const whole = hierarchy(root, (item) => item.children);
  const rows: HierarchyNode<Shown>[][] = [];
  for (const item of whole.descendants()) (rows[item.depth] ??= []).push(item); // breadth first: in their order
  const lines = rows.map((row) => setOut(row, box));
  const width = Math.max(boxWidth(root), ...lines.map((line) => line.at(-1)?.end ?? 0));
  const places = new Map<Shown, Placed>();
  lines.forEach((line, ply) => {
    const shift = LEFT + (width - (line.at(-1)?.end ?? 0)) / 2;
    for (const { item, start } of line) {
      const own = item === root ? Math.max(box, boxWidth(root)) : box;
      const x = start + shift - (own - box) / 2;
      places.set(item, { visit: item.visit, shown: item, x, y: TOP + ply * FLOOR, width: own });
    }
  });
  const nodes = shown.map((item) => places.get(item)).filter((placed) => placed !== undefined);
  const edges = nodes.flatMap((to) => {
    const from = to.shown.parent && places.get(to.shown.parent);
    return from ? [{ from, to }] : [];
  });
  const plies = whole.height;
  return { nodes, edges, width: LEFT + width + 8, height: TOP + plies * FLOOR + 52, plies };
}

/** One ply from the left: siblings close together, families a little apart. */
function setOut(row: HierarchyNode<Shown>[], box: number): { item: Shown; start: number; end: number }[] {
  let end = -GAP;
  return row.map((node, i) => {
    const isNewFamily = i > 0 && row[i - 1]?.parent !== node.parent;
    const start = end + GAP + (isNewFamily ? GAP : 0);
    end = start + box;
    return { item: node.data, start, end };
  });
}

/** Wide enough for the move and its value. */
function boxWidth({ visit }: Shown): number {
  return Math.round(22 + 6.8 * (visit.move ?? "start").length + 8.2 * visit.label.length);
}

export type Direction = "up" | "down" | "left" | "right";

/** The position an arrow key leads to: parent, first child, or the neighbour on the same ply. */
export function neighbour(nodes: Placed[], id: number, direction: Direction): Placed | null {
  const at = nodes.find((placed) => placed.visit.id === id);
  if (!at) return nodes[0] ?? null;
  if (direction === "up") return nodes.find((placed) => placed.visit.id === at.visit.parent) ?? at;
  if (direction === "down") {
    const below = at.shown.children;
    const next = below.find((child) => child.visit.is_main) ?? below[0];
    return nodes.find((placed) => placed.shown === next) ?? at;
  }
  const row = nodes.filter((placed) => placed.y === at.y).sort((one, other) => one.x - other.x);
  return row[row.indexOf(at) + (direction === "right" ? 1 : -1)] ?? at;
}
