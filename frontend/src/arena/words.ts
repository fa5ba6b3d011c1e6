// What the arena says, and where its marks stand.
import type { ArenaCell, ArenaRow, ContestantInfo, NewTournament, PlayerInfo } from "../wire";

const MINUS = "\u2212";

/** "+604 ± 109": never a number without its error. */
export function ratingWords({ elo, error }: Pick<ArenaRow, "elo" | "error">): {
  rating: string;
  error: string;
} {
  if (elo === null || error === null) return { rating: "", error: "" };
  const rounded = Math.round(elo);
  const sign = rounded > 0 ? "+" : rounded < 0 ? MINUS : "";
  return { rating: `${sign}${Math.abs(rounded)}`, error: `± ${Math.round(error)}` };
}

export interface Scale {
  low: number;
  high: number;
  ticks: number[];
}

const STEPS = [20, 50, 100, 200, 500, 1000];

/** An axis that holds all intervals, with a few round numbers on it. */
export function scaleOf(rows: readonly Pick<ArenaRow, "elo" | "error">[]): Scale | null {
  const rated = rows.flatMap(({ elo, error }) => (elo === null || error === null ? [] : [{ elo, error }]));
  if (rated.length === 0) return null;
  const least = Math.min(...rated.map(({ elo, error }) => elo - error));
  const most = Math.max(...rated.map(({ elo, error }) => elo + error));
  const step = STEPS.find((one) => (most - least) / one <= 7) ?? 2000;
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  return { low, high, ticks };
}

/** Where a rating stands, from 0 to 100. */
export function placeOf(scale: Scale, elo: number): number {
  return (100 * (elo - scale.low)) / (scale.high - scale.low || 1);
}

export function tickWords(tick: number): string {
  return tick < 0 ? `${MINUS}${-tick}` : String(tick);
}

export function cellKind({ games, points, against }: ArenaCell): "w" | "l" | "d" | "" {
  if (games === 0) return "";
  return points > against ? "w" : points < against ? "l" : "d";
}

/** The games of a whole tournament; null for Swiss, whose rounds the server decides. */
export function gamesOf(kind: NewTournament["kind"], players: number, games: number): number | null {
  if (kind === "swiss") return null;
  return games * (kind === "gauntlet" ? players - 1 : (players * (players - 1)) / 2);
}

const USUAL_MOVES = { connect4: 30, checkers: 60 };

/** "56 games. At most about 5 minutes, estimated." */
export function effortWords(request: NewTournament, slots: number): string {
  const players = request.players.length;
  if (players < 2) return "Choose at least two players.";
  const number = gamesOf(request.kind, players, request.games ?? 2);
  if (number === null) return "A few rounds: players with equal points meet.";
  const timeMs = (number * USUAL_MOVES[request.game ?? "connect4"] * (request.time_ms ?? 100)) / slots;
  const minutes = Math.max(1, Math.ceil(timeMs / 60_000));
  return `${number} games. At most about ${minutes} ${minutes === 1 ? "minute" : "minutes"}, estimated.`;
}

export interface ReadyMade {
  title: string;
  words: string;
  request: NewTournament | null; // null: it is not possible here
}

/** Three tournaments to begin with one press. */
export function readyMade({ game, players }: ContestantInfo): ReadyMade[] {
  const levels = players.filter(({ kind }) => kind === "level");
  const bot = players.find(({ kind }) => kind === "bot");
  const engine = players.find(({ player }) => player === "solver" || player === "searcher");
  const third = levels[2];
  const last = levels.at(-1);
  const meet = (...who: (PlayerInfo | undefined)[]): NewTournament => ({
    game,
    kind: "round-robin",
    players: who.flatMap((one) => (one ? [one.player] : [])),
    games: who.length > 2 ? 2 : 10,
    time_ms: 100,
  });
  const botTitle = bot?.title ?? "My bot";
  return [
    {
      title: `Levels 1 to ${levels.length}`,
      words: "How far apart are they? Everyone meets everyone twice.",
      request: meet(...levels),
    },
    {
      title: `${botTitle} against ${third?.title ?? "a level"}`,
      words: bot
        ? "Ten games, sides exchanged."
        : "No bot plays this game here. Start the server with: outplay serve --bot mybot.py",
      request: bot ? meet(bot, third) : null,
    },
    {
      title: `${engine?.title ?? ""} against ${last?.title ?? ""}`,
      words: "Our engine at full strength against the highest level: ten games.",
      request: meet(engine, last),
    },
  ];
}
