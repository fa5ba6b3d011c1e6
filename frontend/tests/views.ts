// Small games as the server would send them.
import type { GameView, MoveView, OpinionView, OpinionLine, PlayedMove, SeatView } from "../src/wire";

export function seat(side: 0 | 1, more: Partial<SeatView> = {}): SeatView {
  const name = side === 0 ? "Red" : "Yellow";
  return {
    side,
    side_name: name,
    player: "human",
    kind: "human",
    title: "You",
    level: null,
    short: "",
    person: "",
    is_free: false,
    ...more,
  };
}

export function played(ply: number, text: string, side: 0 | 1, more: Partial<PlayedMove> = {}): PlayedMove {
  return { ply, text, side, path: [ply], captures: [], board: `${ply}`.padEnd(42, "."), ...more };
}

export function game(more: Partial<GameView> = {}): GameView {
  const position = { text: "", board: ".".repeat(42), side: 0 as const, width: 7, height: 6 };
  return {
    id: "abcd",
    version: 1,
    revision: 1,
    game: "connect4",
    title: "Connect Four",
    strict: false,
    is_record: false,
    seats: [seat(0), seat(1, { player: "level:3", kind: "level", title: "Planner", level: 3 })],
    start: position,
    position,
    moves: [],
    undone: 0,
    legal: [],
    must_capture: false,
    status: "human",
    sentence: "Your move.",
    advice: "",
    notice: "",
    outcome: null,
    failure: null,
    draw_offer: null,
    takeback_offer: null,
    owner: "",
    is_shared: false,
    in_class: false,
    paused: false,
    time_ms: 2500,
    clock: null,
    opinions: [],
    allowed: { takeback: true, redo: false, hint: true, resign: true, draw: true, step: false },
    rematch: null,
    rematch_by: null,
    ...more,
  };
}

export function move(text: string): MoveView {
  const squares = text.split(/[-x]/).map(Number);
  return { text, path: squares, captures: text.includes("x") ? squares.slice(1) : [] };
}

export function line(text: string, bar: number, more: Partial<OpinionLine> = {}): OpinionLine {
  return {
    move: text,
    label: `${bar}`,
    bar,
    verdict: "unclear",
    ends_in: null,
    known_by: "search",
    moves: [text],
    ...more,
  };
}

export function opinion(ply: number, more: Partial<OpinionView> = {}): OpinionView {
  return {
    ply,
    side: 1,
    player: "level:3",
    title: "Planner",
    lines: [line("4", 0.5), line("3", -0.2)],
    liked: "4",
    played: "4",
    known_by: "search",
    depth: 6,
    nodes: 1204,
    time_ms: 3,
    verdict: "",
    remark: "",
    ...more,
  };
}
