// The shapes of marks: corners round a hole, a line that shows why, an arrow.
import type { Point } from "./geometry";

/** A mark as the server sends it. `take` and `capture`, `target` and `stand` are the same. */
export interface Mark {
  kind:
    | "threat"
    | "line"
    | "order"
    | "arrow"
    | "reply"
    | "take"
    | "capture"
    | "target"
    | "stand"
    | "avoid"
    | "cell";
  cells: readonly number[];
  side?: 0 | 1 | null;
  number?: number | null;
}

const REACH = 32; // from the centre of a hole to its corners
const ARM = 13;
const SHORT = 30; // a line ends before the mark in an empty hole
const HEAD = 14;

/** Four corners round a hole: a disc there would make four. */
export function corners({ x, y }: Point): string {
  const corner = (right: 1 | -1, down: 1 | -1) =>
    `M${x + right * REACH} ${y + down * (REACH - ARM)}V${y + down * REACH}H${x + right * (REACH - ARM)}`;
  return corner(-1, -1) + corner(-1, 1) + corner(1, -1) + corner(1, 1);
}

/** A straight line through discs; an end in an empty hole stops before its mark. */
export function whyLine(points: readonly Point[], isEmpty: readonly boolean[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return "";
  const from = isEmpty[0] ? towards(first, last, SHORT) : first;
  const to = isEmpty.at(-1) ? towards(last, first, SHORT) : last;
  return `M${text(from)}L${text(to)}`;
}

/** An arrow along a path, from the rim of the piece to before the centre of the last square. */
export function arrow(points: readonly Point[]): string {
  const [first, second, end, before] = [points[0], points[1], points.at(-1), points.at(-2)];
  if (!first || !second || !end || !before) return "";
  const tip = towards(end, before, 10);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const wing = (turn: number): Point => ({
    x: tip.x - HEAD * Math.cos(angle + turn),
    y: tip.y - HEAD * Math.sin(angle + turn),
  });
  const path = [towards(first, second, SHORT), ...points.slice(1, -1), tip];
  return `M${path.map(text).join("L")}M${text(wing(0.6))}L${text(tip)}L${text(wing(-0.6))}`;
}

function towards(from: Point, to: Point, by: number): Point {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) * by) / far, y: from.y + ((to.y - from.y) * by) / far };
}

function text({ x, y }: Point): string {
  return `${Number(x.toFixed(1))} ${Number(y.toFixed(1))}`;
}
