import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isUnderWay, Poll } from "../src/lib/poll";

interface Job {
  id: string;
  status: string;
}

/** A server whose runs end after so many answers. */
class FakeServer {
  stopped: string[] = [];
  asked = 0;
  error: Error | null = null;

  constructor(private answers: string[]) {}

  poll = () =>
    new Poll<Job>(100, {
      again: ({ id }) => this.answer(id),
      stop: ({ id }) => Promise.resolve(this.stopped.push(id)),
    });

  answer = (id: string): Promise<Job> => {
    this.asked += 1;
    if (this.error) return Promise.reject(this.error);
    return Promise.resolve({ id, status: this.answers.shift() ?? "done" });
  };
}

describe("following a run", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("tells every answer and returns the last", async () => {
    const server = new FakeServer(["waiting", "running", "done"]);
    const told: string[] = [];
    const end = server.poll().follow(
      () => server.answer("a"),
      (job) => told.push(job.status),
    );
    await vi.runAllTimersAsync();
    expect(await end).toEqual({ id: "a", status: "done" });
    expect(told).toEqual(["waiting", "running", "done"]);
    expect([server.asked, server.stopped]).toEqual([3, []]);
  });

  it("asks no more once it is left, and stops what is under way", async () => {
    const server = new FakeServer(["running", "running", "running"]);
    const poll = server.poll();
    const end = poll.follow(
      () => server.answer("a"),
      () => undefined,
    );
    await vi.advanceTimersByTimeAsync(150);
    await poll.leave();
    await vi.runAllTimersAsync();
    expect(await end).toBeNull();
    expect([server.asked, server.stopped]).toEqual([2, ["a"]]);
  });

  it("stops a run that was left before the server had begun it", async () => {
    const server = new FakeServer(["running"]);
    const poll = server.poll();
    let begin: (job: Job) => void = () => undefined;
    const tell = vi.fn();
    const end = poll.follow(() => new Promise((resolve) => (begin = resolve)), tell);
    await poll.leave();
    expect(server.stopped).toEqual([]);
    begin({ id: "a", status: "running" });
    expect(await end).toBeNull();
    expect([server.stopped, tell.mock.calls]).toEqual([["a"], []]);
  });

  it("leaves the run before when the next one begins", async () => {
    const server = new FakeServer(["running", "running", "done"]);
    const poll = server.poll();
    const first = poll.follow(
      () => server.answer("a"),
      () => undefined,
    );
    await vi.advanceTimersByTimeAsync(10);
    const second = poll.follow(
      () => server.answer("b"),
      () => undefined,
    );
    await vi.runAllTimersAsync();
    expect([await first, await second]).toEqual([null, { id: "b", status: "done" }]);
    expect(server.stopped).toEqual(["a"]);
  });

  it("gives an error to whoever waits, and to nobody else", async () => {
    const server = new FakeServer(["running"]);
    const poll = server.poll();
    const follow = () =>
      poll.follow(
        () => server.answer("a"),
        () => undefined,
      );
    const failed = follow().catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(10);
    server.error = new Error("gone");
    await vi.runAllTimersAsync();
    expect(await failed).toBe("gone");
    const left = follow();
    await poll.leave();
    expect(await left).toBeNull();
    expect(server.stopped).toEqual([]); // an unknown run is not stopped
  });

  it("knows which runs go on", () => {
    const states = ["none", "waiting", "running", "done", "stopped", "failed"];
    expect(states.filter((status) => isUnderWay({ status }))).toEqual(["waiting", "running"]);
  });
});
