// The game as a graph: a step for each move, Red or Black up, the other side down. Geometry only.
export const GRAPH = { width: 540, height: 150, left: 8, right: 532, zero: 73, reach: 51, foot: 144 };

/** The score of a position: `bar` from -1 to 1, seen from the first side. */
export interface Judged {
  ply: number; // number of moves from the start of the graph
  bar: number;
  glyph: string; // "??", "?", "?!" or empty
  isGrave: boolean; // a blunder: its dot is filled
}

export interface Mark {
  ply: number;
  x: number;
  y: number;
  glyph: string;
  isGrave: boolean;
  textX: number;
  textY: number;
}

export interface Graph {
  line: string;
  above: string; // areas on either side of the zero line
  below: string;
  marks: Mark[];
  ticks: { ply: number; x: number; anchor: "start" | "middle" | "end"; words: string }[];
}

/** Each ply is the middle of its step; the steps share the width of the graph. */
export function plyX(ply: number, plies: number): number {
  return round(GRAPH.left + ((GRAPH.right - GRAPH.left) * ply) / Math.max(1, plies));
}

export function barY(bar: number): number {
  return round(GRAPH.zero - GRAPH.reach * Math.max(-1, Math.min(1, bar)));
}

/** The ply whose step is under a point. */
export function plyAt(x: number, plies: number): number {
  const share = (x - GRAPH.left) / (GRAPH.right - GRAPH.left);
  return Math.max(0, Math.min(plies, Math.round(share * plies)));
}

/** The step of a ply, wide enough to see in a long game, inside the frame. */
export function bandOf(ply: number, plies: number): { x: number; width: number } {
  const half = Math.max(3, (GRAPH.right - GRAPH.left) / Math.max(1, plies) / 2);
  const [from, to] = [plyX(ply, plies) - half, plyX(ply, plies) + half];
  const x = round(Math.max(GRAPH.left - 3, from));
  return { x, width: round(Math.min(GRAPH.right + 3, to) - x) };
}

export function graphOf(points: readonly Judged[], plies: number): Graph {
  return {
    line: steps(points, plies, (bar) => bar),
    above: area(points, plies, (bar) => Math.max(0, bar)),
    below: area(points, plies, (bar) => Math.min(0, bar)),
    marks: points.filter((point) => point.glyph).map((point) => mark(point, plies)),
    ticks: ticksOf(plies),
  };
}

function mark({ ply, bar, glyph, isGrave }: Judged, plies: number): Mark {
  const x = plyX(ply, plies);
  const y = barY(bar);
  const isOver = y <= GRAPH.zero && y > 30; // put the glyph above its dot if there is room, otherwise beside it
  const textX = isOver ? Math.max(16, Math.min(GRAPH.width - 16, x)) : x < 40 ? x + 18 : x - 18;
  return { ply, x, y, glyph, isGrave, textX: round(textX), textY: isOver ? round(y - 14) : y };
}

/** A score extends from half a ply before its position to half a ply after it. */
function steps(points: readonly Judged[], plies: number, worth: (bar: number) => number): string {
  const corners = points.flatMap(({ ply, bar }) => {
    const y = barY(worth(bar));
    const [from, to] = [Math.max(0, ply - 0.5), Math.min(plies, ply + 0.5)];
    return [`${plyX(from, plies)} ${y}`, `${plyX(to, plies)} ${y}`];
  });
  return corners.length > 0 ? `M${corners.join("L")}` : "";
}

function area(points: readonly Judged[], plies: number, worth: (bar: number) => number): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const left = plyX(Math.max(0, first.ply - 0.5), plies);
  const right = plyX(Math.min(plies, last.ply + 0.5), plies);
  return `${steps(points, plies, worth)}L${right} ${GRAPH.zero}L${left} ${GRAPH.zero}Z`;
}

/** Labels below the graph: round numbers, not too many, and the end. */
function ticksOf(plies: number): Graph["ticks"] {
  const every = [5, 10, 20, 25, 50, 100, 200, 500].find((step) => plies / step <= 6) ?? 1000;
  const middle = [];
  for (let ply = every; ply < plies - every / 3; ply += every) {
    middle.push({ ply, x: plyX(ply, plies), anchor: "middle" as const, words: String(ply) });
  }
  const start = { ply: 0, x: GRAPH.left, anchor: "start" as const, words: "start" };
  const end = { ply: plies, x: GRAPH.right, anchor: "end" as const, words: String(plies) };
  return plies > 0 ? [start, ...middle, end] : [start];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
