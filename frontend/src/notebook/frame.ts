// What the kernel sends to a board, and what the board sends back: see src/outplay/notebook/frames.py.
import type { MoveView } from "../wire";

export interface Frame {
  game: "connect4" | "checkers";
  sides: string[];
  board: string;
  before: string; // the board before the last move
  width: number;
  height: number;
  side: 0 | 1;
  last: { ply: number; path: number[]; captures: number[] } | null;
  won: number[];
  legal: MoveView[]; // empty when no move may be made
  must_capture: boolean;
  arrows: MoveView[];
  chips: { move: string; score: string; kind: "win" | "draw" | "loss" }[];
  text: string;
  at: number;
  of: number; // the last position
  problem: string;
}

export type Message = { kind: "play"; move: string } | { kind: "go"; at: number };
