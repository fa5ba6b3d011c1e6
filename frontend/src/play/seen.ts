// A game as one person sees it: who has a seat plays for it, who has none watches.
import type { GameView, OutcomeView, SeatView } from "../wire";

const YOURS = "Your move.";

/** Does this person hold the seat? */
export function isMine(seat: SeatView | undefined, me: string): boolean {
  return seat !== undefined && me !== "" && seat.person === me;
}

/** What the person is in the game. With no id yet, everything is taken for the person's own. */
export function roleOf(game: GameView, me: string): "player" | "watcher" {
  const isPlayer = me === "" || game.owner === me || game.seats.some((seat) => isMine(seat, me));
  return isPlayer ? "player" : "watcher";
}

/** Is the person the only one in the game, hot seat included? */
export function isAlone(game: GameView, me: string): boolean {
  return roleOf(game, me) === "player" && !game.is_shared;
}

/** The other side's seat, for a person who plays one side of a shared game. */
export function friendOf(game: GameView, me: string): SeatView | null {
  const own = game.seats.filter((seat) => isMine(seat, me));
  return game.is_shared && own.length === 1 ? (game.seats.find((seat) => seat !== own[0]) ?? null) : null;
}

/** Does a seat wait for a friend? Then the game has not begun. */
export function isWaiting(game: GameView): boolean {
  return game.seats.some((seat) => seat.is_free);
}

/** A human seat that its person gave up; a game of one person and such a seat goes on with another player. */
export function leftSeat(game: GameView): SeatView | null {
  if (game.is_shared || game.is_record) return null;
  return game.seats.find((seat) => seat.kind === "human" && !seat.person) ?? null;
}

/** The view of the server, in this person's words and with this person's commands only. */
export function seenBy(game: GameView, me: string): GameView {
  if (me === "" || game.is_record) return game;
  if (roleOf(game, me) === "watcher") return watched(game);
  const side = game.position.side;
  const isTurn = game.seats[side]?.kind !== "human" || isMine(game.seats[side], me);
  const open = isTurn && !isWaiting(game) ? {} : { legal: [], must_capture: false, advice: "" };
  if (!game.is_shared) return { ...game, ...open };
  return {
    ...game,
    ...open,
    seats: game.seats.map((seat) => ({ ...seat, title: titleOf(seat, me) })),
    sentence: sharedSentence(game, isTurn, me),
    notice: offerOf(game, me) ? "" : game.notice, // the offer itself is shown
    allowed: sharedCommands(game, me),
  };
}

function titleOf(seat: SeatView, me: string): string {
  return isMine(seat, me) ? "You" : seat.is_free ? "Your friend" : seat.title;
}

function watched(game: GameView): GameView {
  const name = game.seats[game.position.side]?.side_name ?? "";
  return {
    ...game,
    seats: game.seats.map((seat) => (seat.title === "You" ? { ...seat, title: seat.side_name } : seat)),
    sentence: isWaiting(game)
      ? "Waiting for the other player."
      : (game.outcome?.sentence ?? game.sentence.replace(YOURS, `${name} to move.`)),
    legal: [],
    must_capture: false,
    advice: "",
    allowed: { takeback: false, redo: false, hint: false, resign: false, draw: false, step: false },
  };
}

/** "Yellow, column 2. Your move." instead of "Yellow, column 2. Red to move." */
function sharedSentence(game: GameView, isTurn: boolean, me: string): string {
  if (game.outcome) return endOf(game.outcome, friendOf(game, me));
  if (isWaiting(game)) return "Waiting for your friend.";
  const seat = game.seats[game.position.side];
  const whose = isTurn ? YOURS : `${seat?.title} to move.`;
  return game.sentence.replace(`${seat?.side_name} to move.`, whose);
}

/** "You lost on move 14: four in a row."; to a person at both sides, who won. */
function endOf(outcome: OutcomeView, friend: SeatView | null): string {
  return (friend && outcome.told[friend.side === 0 ? 1 : 0]) ?? outcome.sentence;
}

/** With a friend: no redo, no hint; a move is taken back if there is one of mine, and the friend agrees. */
function sharedCommands(game: GameView, me: string): GameView["allowed"] {
  const isOn = !game.outcome && !isWaiting(game) && friendOf(game, me) !== null;
  const mine = (side: number | null | undefined) =>
    side !== null && side !== undefined && isMine(game.seats[side], me);
  const hasMoved = game.moves.some((move) => mine(move.side));
  return {
    takeback: isOn && !game.strict && hasMoved && !mine(game.takeback_offer),
    redo: false,
    hint: false,
    resign: isOn,
    draw: isOn && !mine(game.draw_offer),
    step: false,
  };
}

/** Something that waits for an answer, or that the other one has to answer. */
export interface Offer {
  kind: "draw" | "takeback" | "rematch";
  sentence: string;
  isMine: boolean;
}

/** The offer between two people, if there is one. */
export function offerOf(game: GameView, me: string): Offer | null {
  const friend = friendOf(game, me);
  if (!friend) return null;
  if (game.outcome) {
    if (game.rematch === null) return null;
    const isMine = game.rematch_by !== null && game.rematch_by !== friend.side;
    const sentence = isMine ? `You asked ${friend.title} for a rematch.` : `${friend.title} wants a rematch.`;
    return { kind: "rematch", sentence, isMine };
  }
  if (game.takeback_offer !== null)
    return game.takeback_offer === friend.side
      ? { kind: "takeback", sentence: `${friend.title} asks to take a move back.`, isMine: false }
      : { kind: "takeback", sentence: `You asked ${friend.title} to take a move back.`, isMine: true };
  if (game.draw_offer !== null)
    return game.draw_offer === friend.side
      ? { kind: "draw", sentence: `${friend.title} offers a draw.`, isMine: false }
      : { kind: "draw", sentence: `You offered ${friend.title} a draw.`, isMine: true };
  return null;
}
