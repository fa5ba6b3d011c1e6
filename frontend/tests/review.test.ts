import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mistakesOf } from "../src/analyse/lesson";
import { Review } from "../src/analyse/review.svelte";
import { Teacher } from "../src/analyse/teacher.svelte";
import { nextWrong } from "../src/analyse/wrong";
import { api } from "../src/api";
import { growTree, mainLine } from "../src/lib/tree";
import type { PositionAnswer, PuzzleRun } from "../src/wire";
import { judged, review, study } from "./studies";
import { move } from "./views";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a review", () => {
  const moves = [judged(1, "best"), judged(2, "blunder"), judged(3, "mistake"), judged(4, "inaccuracy")];

  it("is followed until it is done, and looked up by ply", async () => {
    vi.spyOn(api, "review").mockResolvedValueOnce(review("none"));
    const one = new Review();
    await one.open("abcd", "abcd 4");
    expect(one.view?.status).toBe("none");
    vi.spyOn(api, "beginReview").mockResolvedValue(review("running"));
    vi.spyOn(api, "review").mockResolvedValue(review("done", moves));
    const begun = one.begin();
    await vi.advanceTimersByTimeAsync(1000);
    await begun;
    expect(one.isDone).toBe(true);
    expect(one.judged.get(2)?.grade).toBe("blunder");
    expect(one.points.map((point) => point.glyph)).toEqual(["", "??", "?", ""]);
  });

  it("leads from one mistake to the next, and begins again", () => {
    const after = (ply: number, isGrave: boolean) => nextWrong(moves, ply, isGrave)?.ply;
    expect([after(0, true), after(2, true), after(2, false), after(3, false)]).toEqual([2, 2, 3, 2]);
    expect(nextWrong([judged(1, "good")], 0, false)).toBeNull();
  });

  it("without a puzzle passes on why there is none", async () => {
    const message = "No puzzles: nobody has thrown a proven result away in these games.";
    const run: PuzzleRun = { id: "run1", status: "done", place: 0, done: 2, total: 2, puzzles: [], message };
    vi.spyOn(api, "puzzles").mockResolvedValue(run);
    const teacher = new Teacher();
    await teacher.puzzles("connect4");
    expect([teacher.problem, teacher.search, teacher.isOn]).toEqual([message, null, true]);
  });

  it("gives the mistakes of a side to learn from", async () => {
    const held = study([["4", "4", "5", "3"]]);
    const answers = [{ move: "3", label: "", verdict: "win" as const, is_good: true, sentence: "Yes." }];
    const wrong = [judged(2, "blunder", { answers, line: ["3"] }), judged(3, "mistake", { answers })];
    const nodes = mainLine(growTree(held.nodes));
    const exercises = (side: 0 | 1 | null) => mistakesOf(held, nodes, wrong, side);
    expect(exercises(null).map(({ position }) => position.text)).toEqual(["start 4", "start 4 4"]);
    expect(exercises(1).map(({ ask }) => ask)).toEqual(["Planner played column 4. Find a better move."]);
    expect(exercises(0).map(({ ask }) => ask)).toEqual(["You played column 4. Find a better move."]);
    vi.spyOn(api, "readPosition").mockResolvedValue({ legal: [move("3")] } as PositionAnswer);
    const teacher = new Teacher();
    teacher.begin("", "connect4", exercises(1));
    await vi.advanceTimersByTimeAsync(1);
    teacher.try("3");
    expect(teacher.lesson?.stage).toBe("right");
    expect(teacher.marked?.text).toBe("3");
    teacher.next();
    expect(teacher.lesson?.stage).toBe("over");
    teacher.leave();
    expect(teacher.isOn).toBe(false);
  });
});
