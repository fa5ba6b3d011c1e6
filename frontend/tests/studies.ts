// Studies and what is said about them, as the server would send them.
import type { AnalysisView, JudgedMoveView, ReviewView, Study, StudyNode } from "../src/wire";

export const START = { text: "start", board: ".".repeat(42), side: 0 as const, width: 7, height: 6 };

/** A study from its lines, as the server would send it: the first is the game. */
export function study(lines: string[][], more: Partial<Study> = {}): Study {
  const nodes: StudyNode[] = [];
  const place = (moves: string[]): StudyNode => ({
    id: 0,
    parent: null,
    ply: moves.length,
    side: moves.length === 0 ? null : moves.length % 2 === 1 ? 0 : 1,
    move: moves.at(-1) ?? null,
    path: [],
    captures: [],
    text: ["start", ...moves].join(" "),
    board: START.board,
    turn: moves.length % 2 === 0 ? 0 : 1,
    is_played: false,
    glyphs: [],
    comment: "",
    opening: "",
    outcome: null,
  });
  const grow = (moves: string[], parent: number | null): void => {
    const id = nodes.push({ ...place(moves), id: nodes.length, parent }) - 1;
    const next = lines.filter((other) => moves.every((step, i) => other[i] === step) && other[moves.length]);
    for (const step of new Set(next.map((other) => other[moves.length] ?? ""))) grow([...moves, step], id);
  };
  grow([], null);
  const at = nodes.findIndex((node) => node.text === ["start", ...(lines[0] ?? [])].join(" "));
  const base = { id: "abcd", version: 1, game: "connect4" as const, title: "", seats: ["You", "Planner"] };
  return {
    ...base,
    is_study: false,
    is_yours: true,
    is_over: true,
    sentence: "",
    start: START,
    played: 0,
    at,
    nodes,
    ...more,
  };
}

export function analysis(more: Partial<AnalysisView> = {}): AnalysisView {
  return {
    id: "run1",
    status: "done",
    place: 0,
    game: "connect4",
    position: START,
    legal: [],
    must_capture: false,
    is_over: false,
    label: "+ win in 7",
    verdict: "win",
    known_by: "solved",
    known: "solved",
    sentence: "Red wins in 7",
    detail: "",
    gauge: 0.5,
    lines: [],
    depth: 0,
    nodes: 1,
    time_ms: 1,
    table: null,
    opening: "",
    message: "",
    ...more,
  };
}

export function judged(
  ply: number,
  grade: JudgedMoveView["grade"],
  more: Partial<JudgedMoveView> = {},
): JudgedMoveView {
  const score = { label: "", verdict: "win" as const, known_by: "solved" as const, known: "solved" };
  const sign = { blunder: "??", mistake: "?", inaccuracy: "?!" }[grade as string] ?? "";
  const side = ply % 2 === 1 ? 0 : 1;
  const judgement = { before: score, after: score, loss: 0, sentence: "", better: [], line: [], answers: [] };
  const reasons = { refutation: null, missed: null };
  return { ply, side, move: "4", grade, grade_words: grade, sign, ...judgement, ...reasons, ...more };
}

export function review(status: ReviewView["status"], moves: JudgedMoveView[] = []): ReviewView {
  const graph = moves.map(({ ply }) => ({ ply, gauge: 0, sentence: "" }));
  const counts = { place: 0, done: moves.length, total: 3, time_ms: 1 };
  return {
    id: "abcd",
    status,
    ...counts,
    moves,
    graph,
    sides: [],
    turning_point: null,
    ranked: [],
    sentence: "",
    message: "",
  };
}
