import { describe, expect, it } from "vitest";
import {
  attempt,
  exerciseOf,
  isOpen,
  newLesson,
  next,
  reveal,
  summaryOf,
  type Exercise,
} from "../src/analyse/lesson";
import type { AnswerView } from "../src/wire";

describe("learning from mistakes", () => {
  const answer = (move: string, is_good: boolean): AnswerView => ({
    move,
    label: "",
    verdict: is_good ? "win" : "loss",
    is_good,
    sentence: "",
  });
  const exercise = (key: string): Exercise => ({
    key,
    ask: "",
    about: "",
    position: { text: "", board: "", side: 0, width: 7, height: 6 },
    last: null,
    answers: [answer("4", true), answer("3", true), answer("1", false)],
    line: ["4", "4"],
    told: "",
    source: { id: "abcd", ply: 1 },
    replaces: 1,
  });
  const lesson = newLesson([exercise("a"), exercise("b"), exercise("c")]);

  it("asks until a move is right, and then goes on", () => {
    let at = attempt(lesson, "1");
    expect(at).toMatchObject({ stage: "wrong", tried: { move: "1" } });
    expect(isOpen(at)).toBe(true);
    at = attempt(at, "4");
    expect(at).toMatchObject({ stage: "right", tries: 2 });
    expect(attempt(at, "1")).toBe(at);
    at = next(at);
    expect(exerciseOf(at)?.key).toBe("b");
    expect(at).toMatchObject({ stage: "asking", tries: 0, tried: null });
  });

  it("accepts every move that keeps the result, and no other", () => {
    const accepted = ["1", "3", "4", "7"].filter((move) => attempt(lesson, move).stage === "right");
    expect(accepted).toEqual(["3", "4"]);
    expect(attempt(lesson, "7")).toBe(lesson); // not a move
  });

  it("counts what was found, and how", () => {
    let at = next(attempt(lesson, "4"));
    at = next(reveal(at));
    at = next(attempt(attempt(at, "1"), "3"));
    expect(at.stage).toBe("over");
    expect(exerciseOf(at)).toBeNull();
    expect(at.results).toEqual(["first", "shown", "later"]);
    expect(summaryOf(at)).toBe("2 of 3 found, 1 at the first try.");
    expect(next(at)).toBe(at);
  });

  it("has a word for every end", () => {
    const one = newLesson([exercise("a")]);
    const two = newLesson([exercise("a"), exercise("b")]);
    expect(summaryOf(newLesson([]))).toBe("There is nothing to learn here.");
    expect(summaryOf(next(one))).toContain("None of 1");
    expect(summaryOf(next(attempt(one, "4")))).toBe("Found at once.");
    expect(summaryOf(next(attempt(next(attempt(two, "4")), "4")))).toBe("All 2 found at the first try.");
  });
});
