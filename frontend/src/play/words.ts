// Players and their opinions in words.
import { formatAbout, formatCount, formatTime } from "../lib/words";
import type { OpinionView, SeatView } from "../wire";

/** "I looked at 1 204 positions in 3 ms, depth 6." */
export function countSentence(opinion: OpinionView): string {
  const depth = opinion.depth > 0 ? `, depth ${opinion.depth}` : "";
  const noun = opinion.nodes === 1 ? "position" : "positions";
  return `I looked at ${formatCount(opinion.nodes)} ${noun} in ${formatTime(opinion.time_ms)}${depth}.`;
}

/** "I expect your 7, then my 7.", or the player's own remark. */
export function remarkSentence(opinion: OpinionView, other: SeatView): string {
  if (opinion.remark) return opinion.remark;
  const line = opinion.lines.find((candidate) => candidate.move === opinion.played);
  const [, reply, next] = line?.moves ?? [];
  if (!reply) return "";
  const whose = other.kind === "human" ? "your" : `${other.title}\u2019s`;
  return next ? `I expect ${whose} ${reply}, then my ${next}.` : `I expect ${whose} ${reply}.`;
}

/** "depth 9, 1.2 M positions" */
export function thinkingSentence(opinion: OpinionView): string {
  const positions = `${formatAbout(opinion.nodes)} positions`;
  return opinion.depth > 0 ? `depth ${opinion.depth}, ${positions}` : positions;
}

/** "Yellow, level 3"; for a human whose title is the side, only that. */
export function seatSentence(seat: SeatView): string {
  if (seat.is_free) return `${seat.side_name}, not here yet`;
  if (seat.title === seat.side_name) return "Human";
  return seat.level === null ? seat.side_name : `${seat.side_name}, level ${seat.level}`;
}
