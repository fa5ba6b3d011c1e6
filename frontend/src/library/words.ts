// Days and filters in words.
import type { Filters } from "../lib/route";
import type { GameInfo, GameSummary } from "../wire";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "14 Sep 1958", "Sep 1958", "1958" or empty: as far as the day is known. */
export function dayOf(game: Pick<GameSummary, "date">): string {
  const [year, month, day] = game.date.split("-");
  const name = month ? MONTHS[Number(month) - 1] : undefined;
  return [day && name ? String(Number(day)) : "", name ?? "", year ?? ""].filter(Boolean).join(" ");
}

/** "51 to 100 of 728 games" */
export function rangeOf(page: number, size: number, total: number): string {
  if (total === 0) return "No games";
  if (total === 1) return "1 game";
  const first = (page - 1) * size + 1;
  const last = Math.min(total, page * size);
  return first === 1 && last === total ? `${total} games` : `${first} to ${last} of ${total} games`;
}

/** The outcomes to filter by: "Red won" in one game, "first side won (Red, Black)" in both. */
export function outcomeChoices(
  games: readonly Pick<GameInfo, "game" | "sides">[],
  game: Filters["game"],
): { value: Filters["outcome"]; words: string }[] {
  const listed = games.filter((one) => game === "" || one.game === game);
  const won = (side: 0 | 1, place: string) => {
    const names = listed.map(({ sides }) => sides[side] ?? "");
    return names.length === 1 ? `${names[0]} won` : `${place} side won (${names.join(", ")})`;
  };
  return [
    { value: "", words: "any" },
    { value: "first", words: won(0, "first") },
    { value: "second", words: won(1, "second") },
    { value: "draw", words: "draw" },
    { value: "over", words: "finished" },
    { value: "unfinished", words: "not finished" },
  ];
}
