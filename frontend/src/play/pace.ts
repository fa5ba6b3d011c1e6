// The slider from turbo to slow: its position (0-100) and its thinking time per move.
const SLOWEST_MS = 10_000;
const QUICKEST_MS = 50;
const STEPS = 10;

/** Equal steps of the slider multiply the time; the left end is turbo: no thinking time. */
export function timeAt(position: number): number {
  if (position <= 0) return 0;
  const share = Math.min(100, position) / 100;
  return tidy(QUICKEST_MS * (SLOWEST_MS / QUICKEST_MS) ** share);
}

export function positionOf(timeMs: number): number {
  if (timeMs < QUICKEST_MS) return 0;
  const share = Math.log(timeMs / QUICKEST_MS) / Math.log(SLOWEST_MS / QUICKEST_MS);
  return Math.max(1, Math.min(100, Math.round(share * 100)));
}

/** One press of `[` (-1) or `]` (+1). */
export function stepTime(timeMs: number, direction: -1 | 1): number {
  return timeAt(Math.max(0, Math.min(100, positionOf(timeMs) + (direction * 100) / STEPS)));
}

/** Two digits are enough for a person. */
function tidy(timeMs: number): number {
  const unit = 10 ** (Math.floor(Math.log10(timeMs)) - 1);
  return Math.round(timeMs / unit) * unit;
}
