// Lessons and parts of the course in a list: how far a person is.
import type { LessonEntry } from "../wire";

/** "done", "2 of 6" or "6 steps". */
export function stepsWords({ state, done, steps }: Pick<LessonEntry, "state" | "done" | "steps">): string {
  if (state === "done") return "done";
  return done > 0 ? `${done} of ${steps}` : `${steps} ${steps === 1 ? "step" : "steps"}`;
}

/** The part of a ring of radius 10 round (12, 12), clockwise from the top. */
export function ringPath(share: number): string {
  const angle = 2 * Math.PI * Math.min(0.999, Math.max(0, share));
  const [x, y] = [12 + 10 * Math.sin(angle), 12 - 10 * Math.cos(angle)];
  return `M12 2A10 10 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(1)} ${y.toFixed(1)}`;
}
