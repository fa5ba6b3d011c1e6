// One game as this page sees it, and its changes. No DOM and no network: `play.svelte.ts` holds the
// only copy and talks to the server.
import type { Objection } from "../lib/notices";
import { NO_PICK, type Pick } from "../lib/pick";
import type {
  Event,
  GameView,
  HintView,
  OpinionView,
  PeopleEvent,
  PlayedMove,
  Said,
  ThinkingEvent,
} from "../wire";
import { isMine, isWaiting, seenBy } from "./seen";

/** Replaces the sentence until the person acts. */
export interface RefusedMove extends Objection {
  tried: number | null; // the target cell of the refused move
}

/** Why a piece cannot be moved, as the server says it. */
export interface StuckPiece {
  square: number;
  message: string;
  detail: string;
}

/** Who is at the board of a shared game. */
export interface Presence {
  awaySince: [number | null, number | null]; // by side; null: here
  watchers: number;
}

export interface State {
  me: string; // the person's id; empty until it is known
  game: GameView | null; // as the server last sent it
  thinking: ThinkingEvent | null;
  opinions: Record<number, OpinionView>; // by the ply at which the player was asked; those seen on this page
  ply: number | null; // the viewed ply; null follows the game
  pick: Pick;
  stuck: StuckPiece | null; // about the picked piece
  refusal: RefusedMove | null;
  hint: HintView | null;
  flipped: boolean | null; // null: as the seats suggest
  presence: Presence | null; // null: not a shared game
  said: Said | null; // the last message, for some seconds
  link: "opening" | "open" | "gone";
  missing: string; // why there is no game to show; empty if there is one
}

export function newState(): State {
  return {
    me: "",
    game: null,
    thinking: null,
    opinions: {},
    ply: null,
    pick: NO_PICK,
    stuck: null,
    refusal: null,
    hint: null,
    flipped: null,
    presence: null,
    said: null,
    link: "opening",
    missing: "",
  };
}

export function receive(state: State, event: Event, now = Date.now()): void {
  switch (event.kind) {
    case "state":
      adopt(state, event.game);
      break;
    case "thinking":
      if (state.game && event.version === state.game.version && state.game.status === "thinking") {
        state.thinking = event;
      }
      break;
    case "clock":
      if (state.game && event.version === state.game.version) state.game.clock = event.clock;
      break;
    case "people":
      state.presence = presenceAfter(state.presence, event, now);
      break;
    case "said":
      state.said = event.said;
      break;
    case "pong":
    case "error":
      break;
  }
}

function presenceAfter(old: Presence | null, event: PeopleEvent, now: number): Presence {
  const since = (side: 0 | 1) => (event.here[side] ? null : (old?.awaySince[side] ?? now));
  return { awaySince: [since(0), since(1)], watchers: event.watchers };
}

/** Accept a view unless a newer one is here; drop what belonged to the old position. */
export function adopt(state: State, sent: GameView): void {
  const view = seenBy(sent, state.me);
  const old = state.game?.id === view.id ? state.game : null;
  if (old && view.revision < old.revision) return;
  if (!old) Object.assign(state, { opinions: {}, ply: null, presence: null, said: null });
  if (old?.version !== view.version)
    Object.assign(state, { pick: NO_PICK, stuck: null, refusal: null, hint: null });
  if (old?.version !== view.version || view.status !== "thinking") state.thinking = null;
  if (state.ply !== null && state.ply >= view.moves.length) state.ply = null;
  for (const ply of Object.keys(state.opinions).map(Number)) {
    if (ply >= view.moves.length) delete state.opinions[ply];
  }
  for (const opinion of view.opinions) state.opinions[opinion.ply] = opinion;
  state.game = view;
}

export function refuse(state: State, refused: Objection, tried: number | null): void {
  state.refusal = { message: refused.message, detail: refused.detail, moves: refused.moves, tried };
  state.pick = NO_PICK;
  state.hint = null;
}

export function say(state: State, message: string, detail: string): void {
  state.refusal = { message, detail, moves: [], tried: null };
}

/** What the board shows: the game's position, or an earlier one. */
export interface Shown {
  board: string;
  ply: number;
  move: PlayedMove | null; // the one that led here
  before: string; // the board before that move
  isLive: boolean;
}

export function shown(game: GameView, ply: number | null): Shown {
  const at = ply ?? game.moves.length;
  const move = at > 0 ? (game.moves[at - 1] ?? null) : null;
  const before = at > 1 ? (game.moves[at - 2]?.board ?? "") : game.start.board;
  return {
    board: ply === null ? game.position.board : (move?.board ?? game.start.board),
    ply: at,
    move,
    before,
    isLive: at === game.moves.length,
  };
}

export type Browse = "previous" | "next" | "first" | "last" | number;

export function browse(state: State, to: Browse): void {
  if (!state.game) return;
  const end = state.game.moves.length;
  const at = state.ply ?? end;
  const target = { previous: at - 1, next: at + 1, first: 0, last: end }[to as string] ?? Number(to);
  const ply = Math.max(0, Math.min(end, target));
  state.ply = ply === end ? null : ply;
  state.pick = NO_PICK;
}

/** Is it this person's turn, and does the page show the current position? */
export function mayPlay(state: State): boolean {
  const { game, me } = state;
  if (game?.status !== "human" || state.ply !== null || state.link === "gone") return false;
  return me === "" || (!isWaiting(game) && isMine(game.seats[game.position.side], me));
}

/** In checkers a person who plays one side sits at the bottom; Black's home is at the top of an unflipped board. */
export function isFlipped(state: State): boolean {
  const { game, me } = state;
  if (state.flipped !== null) return state.flipped;
  if (game?.game !== "checkers") return false;
  const humans = game.seats.filter((seat) => seat.kind === "human" && (!game.is_shared || isMine(seat, me)));
  return humans.length === 1 && humans[0]?.side === 0;
}

export function isEngineMatch(game: GameView): boolean {
  return game.seats.every((seat) => seat.kind !== "human");
}

/** How many pieces each side has captured up to a ply. */
export function taken(game: GameView, ply: number): [number, number] {
  const counts: [number, number] = [0, 0];
  for (const move of game.moves.slice(0, ply)) counts[move.side] += move.captures.length;
  return counts;
}

/** The opinions to show, one per engine: live ones first, then those of the viewed move. */
export function opinionsAt(state: State): OpinionView[] {
  if (!state.game) return [];
  if (state.ply !== null) return [state.opinions[state.ply - 1]].filter((opinion) => opinion !== undefined);
  const known = [...state.game.opinions];
  const live = state.thinking?.opinion;
  if (live && live.lines.length > 0) return [live, ...known.filter((opinion) => opinion.side !== live.side)];
  return known;
}

export interface MoveRow {
  number: number;
  moves: [PlayedMove | null, PlayedMove | null]; // by side
}

/** The move list: a row for each pair; a game that begins with the second side leaves the first cell empty. */
export function moveRows(game: GameView): MoveRow[] {
  const rows: MoveRow[] = [];
  for (const move of game.moves) {
    if (rows.length === 0 || move.side === 0 || rows.at(-1)?.moves[1]) {
      rows.push({ number: rows.length + 1, moves: [null, null] });
    }
    const row = rows.at(-1);
    if (row) row.moves[move.side] = move;
  }
  return rows;
}
