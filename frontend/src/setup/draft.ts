// The draft of a new game: what the new-game panel holds.
import type { GameInfo, GameView, NewGame, PositionAnswer } from "../wire";

export interface Draft {
  game: GameInfo["game"];
  seats: [string, string];
  width: number;
  height: number;
  start: PositionAnswer | null; // null: the usual start
  clock: ClockChoice;
  strict: boolean;
  timeMs: number;
  noProgress: NonNullable<NewGame["no_progress"]>;
}

export type ClockChoice = "none" | "1+0" | "3+2" | "5+3" | "10+5" | "30+20";

export const CLOCKS: { choice: ClockChoice; words: string }[] = [
  { choice: "none", words: "No clock" },
  { choice: "1+0", words: "1 minute" },
  { choice: "3+2", words: "3 minutes + 2 s a move" },
  { choice: "5+3", words: "5 minutes + 3 s a move" },
  { choice: "10+5", words: "10 minutes + 5 s a move" },
  { choice: "30+20", words: "30 minutes + 20 s a move" },
];

/** The default game of a first visit: the person against a level they can beat. */
export function firstDraft(info: GameInfo, timeMs: number): Draft {
  const seats: [string, string] = [info.opponent, info.opponent];
  seats[info.human_side] = "human";
  const size = info.sizes[0] ?? { width: 8, height: 8 };
  return {
    game: info.game,
    seats,
    width: size.width,
    height: size.height,
    start: null,
    clock: "none",
    strict: false,
    timeMs,
    noProgress: "official",
  };
}

/** A draft like the game on the board, from the usual start. */
export function draftLike(game: GameView, info: GameInfo): Draft {
  return {
    ...firstDraft(info, game.time_ms),
    seats: [game.seats[0]?.player ?? "human", game.seats[1]?.player ?? "human"],
    width: game.start.width,
    height: game.start.height,
    strict: game.strict,
  };
}

export function requestOf(draft: Draft): NewGame {
  return {
    game: draft.game,
    ...(draft.game === "connect4" ? { width: draft.width, height: draft.height } : {}),
    position: draft.start?.position?.text ?? "",
    seats: draft.seats,
    strict: draft.strict,
    clock: clockOf(draft.clock),
    time_ms: draft.timeMs,
    no_progress: draft.noProgress,
  };
}

export function clockOf(choice: ClockChoice): NewGame["clock"] {
  if (choice === "none") return null;
  const [minutes, seconds] = choice.split("+").map(Number);
  return { base_ms: (minutes ?? 0) * 60_000, increment_ms: (seconds ?? 0) * 1000 };
}
