import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Engine } from "../src/analyse/engine.svelte";
import { api, ApiError } from "../src/api";
import { analysis } from "./studies";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the engine", () => {
  const question = (moves: string[]) => ({ game: "connect4" as const, position: "", moves, lines: 3 });
  const settle = () => vi.advanceTimersByTimeAsync(100);

  it("answers for the position on the board, and remembers", async () => {
    const asked = vi.spyOn(api, "analyse").mockResolvedValue(analysis());
    const engine = new Engine();
    engine.look(question(["4"]));
    expect(engine.isCurrent).toBe(false);
    await settle();
    expect(engine.isCurrent).toBe(true);
    engine.look(question(["4", "4"]));
    await settle();
    engine.look(question(["4"]));
    expect(engine.isCurrent).toBe(true);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("does not judge every position that is only passed", async () => {
    const asked = vi.spyOn(api, "analyse").mockResolvedValue(analysis());
    const engine = new Engine();
    for (let ply = 0; ply < 20; ply += 1) engine.look(question(Array<string>(ply).fill("4")));
    await settle();
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("asks until it is done, and stops what nobody waits for", async () => {
    vi.spyOn(api, "analyse").mockResolvedValue(analysis({ status: "running", known_by: "search" }));
    const followed = vi.spyOn(api, "analysis").mockResolvedValue(analysis({ status: "running" }));
    const stopped = vi.spyOn(api, "stopAnalysis").mockResolvedValue(analysis({ status: "stopped" }));
    const engine = new Engine();
    engine.look(question(["4"]));
    await vi.advanceTimersByTimeAsync(1100);
    expect(followed.mock.calls.length).toBeGreaterThan(2);
    expect(followed.mock.calls.length).toBeLessThan(6); // at most four times a second
    engine.rest();
    expect(stopped).toHaveBeenCalledWith("run1");
    expect(engine.view).toBeNull();
  });

  it("comes back by itself when the server does", async () => {
    const asked = vi.spyOn(api, "analyse").mockRejectedValueOnce(new ApiError(null));
    asked.mockResolvedValue(analysis());
    const engine = new Engine();
    engine.look(question(["4"]));
    await settle();
    expect(engine.problem).toBe("The server does not answer.");
    await vi.advanceTimersByTimeAsync(2500);
    expect(engine).toMatchObject({ isCurrent: true, problem: "" });
  });
});
