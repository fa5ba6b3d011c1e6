// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { api } from "../src/api";
import { positionOf, stepTime, timeAt } from "../src/play/pace";
import { Play } from "../src/play/play.svelte";
import { adopt } from "../src/play/state";
import type { GameView } from "../src/wire";
import { game } from "./views";

describe("the slider", () => {
  it("stays where it was put last, whatever is still on its way", async () => {
    vi.useFakeTimers();
    const play = new Play();
    adopt(play.state, game({ time_ms: 2000 }));
    const answers: ((view: GameView) => void)[] = [];
    vi.spyOn(api, "pace").mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    play.setTime(1000);
    await vi.advanceTimersByTimeAsync(100);
    play.setTime(500);
    answers[0]?.(game({ time_ms: 1000, revision: 2 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(play.state.game?.time_ms).toBe(500);
    answers[1]?.(game({ time_ms: 500, revision: 3 }));
    await vi.advanceTimersByTimeAsync(100);
    adopt(play.state, game({ time_ms: 3000, revision: 4 })); // moved in another tab
    void play.togglePause();
    answers[2]?.(game({ time_ms: 3000, revision: 5 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(play.state.game?.time_ms).toBe(3000);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

describe("the slider", () => {
  it("is turbo at its left end and ten seconds at its right", () => {
    expect([timeAt(0), timeAt(100)]).toEqual([0, 10000]);
    expect([positionOf(0), positionOf(10000)]).toEqual([0, 100]);
  });

  it("never goes back as it is moved to the right", () => {
    const times = Array.from({ length: 101 }, (_, position) => timeAt(position));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  it("comes back to where a time stands", () => {
    for (const time of [50, 100, 800, 2500, 9000])
      expect(Math.abs(timeAt(positionOf(time)) - time)).toBeLessThan(time * 0.07);
  });

  it("is moved by keys from end to end", () => {
    let time = 10000;
    for (let presses = 0; presses < 11; presses += 1) time = stepTime(time, -1);
    expect(time).toBe(0);
    for (let presses = 0; presses < 11; presses += 1) time = stepTime(time, 1);
    expect(time).toBe(10000);
  });
});
