// The tree of a guided run at one moment: the way to the current position, and all moves beside it. No DOM.
import type { RunChange, RunNode, RungView } from "../wire";

export const WIDTH = 544; // of the narrowest picture
export const LEFT = 84; // width of the words beside the plies
export const FLOOR = 92; // height of a ply
export const BOX_HEIGHT = 38;
const TOP = 8;
const GAP = 8;
const MOST_BOX = 100;
const LEAST_ROOM = 56;

export type Stage = RunChange["stage"];

export interface Box {
  node: RunNode;
  stage: Stage;
  label: string;
  window: { alpha: string; beta: string } | null; // of an open position
  isOnWay: boolean;
  x: number;
  y: number;
  width: number;
}

export interface CoursePicture {
  boxes: Box[];
  edges: { from: Box; to: Box }[];
  width: number;
  height: number;
  plies: number;
}

/** The width of all pictures of a run: a row with many moves needs more. */
function widthOf(view: RungView): number {
  const below = new Map<number, number>();
  for (const { parent } of view.nodes) if (parent !== null) below.set(parent, (below.get(parent) ?? 0) + 1);
  return Math.max(WIDTH, LEFT + LEAST_ROOM * Math.max(0, ...below.values()));
}

/** What is written on each position after a moment. */
export function writtenAt(view: RungView, moment: number): Map<number, RunChange> {
  const written = new Map<number, RunChange>();
  for (const { changes } of view.moments.slice(0, moment + 1))
    for (const change of changes) written.set(change.id, change);
  return written;
}

/** The positions from the root to one of them. */
export function wayTo(view: RungView, id: number): RunNode[] {
  const way: RunNode[] = [];
  for (let node = view.nodes[id]; node; node = node.parent === null ? undefined : view.nodes[node.parent])
    way.unshift(node);
  return way;
}

/** A row for each ply. In a Monte Carlo tree a position is drawn once it has joined the tree. */
export function pictureAt(view: RungView, moment: number): CoursePicture {
  const now = view.moments[moment];
  const written = writtenAt(view, moment);
  const way = wayTo(view, now?.at ?? 0);
  const isGrowing = view.depth === 0;
  const windows = new Map((now?.open ?? []).map((open) => [open.id, open]));
  const rows = [way.slice(0, 1)];
  for (const parent of way) {
    const below = view.nodes.filter(
      (node) => node.parent === parent.id && (!isGrowing || written.has(node.id)),
    );
    if (below.length > 0) rows.push(below);
  }
  const all = widthOf(view);
  const plies = Math.max(...view.nodes.map((node) => node.ply)) + 1;
  const boxes = rows.flatMap((row, ply) => {
    const room = (all - LEFT) / row.length;
    const width = Math.min(MOST_BOX, room - GAP);
    return row.map((node, i): Box => {
      const { stage, label } = written.get(node.id) ?? { stage: "ahead" as const, label: "?" };
      return {
        node,
        stage,
        label,
        window: windows.get(node.id) ?? null,
        isOnWay: way.includes(node),
        x: LEFT + room * (i + 0.5) - width / 2,
        y: TOP + ply * FLOOR,
        width,
      };
    });
  });
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const edges = boxes.flatMap((to) => {
    const from = to.node.parent === null ? undefined : byId.get(to.node.parent);
    return from ? [{ from, to }] : [];
  });
  return { boxes, edges, width: all, height: TOP + plies * FLOOR - 20, plies };
}

/** "highest" or "lowest"; past the depth only captures are searched. */
export function rowWords(view: RungView, ply: number): [string, string] {
  const side = view.sides[ply % 2] ?? "";
  if (view.depth === 0) return [side, "to move"];
  if (ply === view.depth && !view.nodes.some((node) => node.ply > ply)) return ["estimate", `depth ${ply}`];
  if (ply >= view.depth) return [side, "captures"];
  return [side, ply % 2 === 0 ? "highest" : "lowest"];
}
