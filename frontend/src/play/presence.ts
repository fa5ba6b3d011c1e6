// Who is at the board, in words.
import type { GameView } from "../wire";
import { friendOf, isWaiting, leftSeat, offerOf, roleOf } from "./seen";
import type { Presence, State } from "./state";

const UNSEEN_MS = 3000; // a page that is loaded again is not away
const MINUTE_MS = 60_000;

/** "away", "away, 2 min"; empty for who is here. */
export function awayWords(since: number | null, now: number): string {
  if (since === null || now - since < UNSEEN_MS) return "";
  const minutes = Math.floor((now - since) / MINUTE_MS);
  if (minutes < 1) return "away";
  return minutes < 60 ? `away, ${minutes} min` : `away, ${Math.floor(minutes / 60)} h`;
}

/** The same for a seat of a game. A seat that waits for a friend is not away. */
export function awayAt(game: GameView, presence: Presence | null, side: 0 | 1, now: number): string {
  const seat = game.seats[side];
  if (!presence || seat?.kind !== "human" || !seat.person) return "";
  return awayWords(presence.awaySince[side], now);
}

/** "1 person is watching." */
export function watchersSentence(presence: Presence | null): string {
  const count = presence?.watchers ?? 0;
  if (count === 0) return "";
  return count === 1 ? "1 person is watching." : `${count} people are watching.`;
}

/** For the polite live region: what happened among the people, and not on the board. */
export function newsOf(state: State, now: number): string {
  const { game, me, presence, said } = state;
  if (!game) return "";
  const friend = friendOf(game, me);
  const news: string[] = [];
  if (roleOf(game, me) === "watcher") news.push("You are watching.");
  if (said && said.side === friend?.side) news.push(`${friend.title} says: ${said.text}`);
  if (friend && awayAt(game, presence, friend.side, now)) news.push(`${friend.title} is away.`);
  return news.join(" ");
}

/** The line below the sentence in a game with others; null: the usual advice. */
export function asideOf(state: State, now: number): string | null {
  const { game, me } = state;
  if (!game || game.is_record || game.outcome) return null;
  if (roleOf(game, me) === "watcher") return "You are watching.";
  if (isWaiting(game)) return "It begins when your friend sits down.";
  const left = leftSeat(game);
  if (left) return `${left.side_name} has left. Choose another player for the seat.`;
  const friend = friendOf(game, me);
  if (!friend) return null;
  const away = awayAt(game, state.presence, friend.side, now);
  const offer = offerOf(game, me);
  if (offer?.isMine) return offer.sentence;
  if (game.notice) return null; // whose turn it is comes below
  if (away) return `${friend.title} is ${away}.`;
  return game.position.side === friend.side ? "" : null;
}
