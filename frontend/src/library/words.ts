// Days in words.
import type { GameSummary } from "../wire";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "14 Sep 1958", "Sep 1958", "1958", or nothing: as far as the day is known. */
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
