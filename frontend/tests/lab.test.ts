// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { api } from "../src/api";
import { Lab } from "../src/lab/lab.svelte";
import { duration, powerName, scaleOf } from "../src/lab/ladder";
import { isSame, nameOf, requestOf, routeOf, setupOf, toggled } from "../src/lab/setup";
import { formatRoute, parseRoute, type LabRoute } from "../src/lib/route";
import type { LabGame, LabRun, Rung } from "../src/wire";

const OFFER: LabGame = {
  game: "connect4",
  techniques: (["alphabeta", "ordering", "table"] as const).map((name) => ({
    name,
    title: name,
    about: "",
    docs: "",
  })),
  presets: [
    { title: "Minimax", about: "", techniques: [] },
    { title: "Alpha-beta", about: "", techniques: ["alphabeta", "ordering"] },
  ],
  evaluations: [
    { name: "classic", about: "", weights: [{ what: "four", value: 100 }] },
    { name: "big", about: "", weights: [{ what: "four", value: 1 }] },
  ],
  orders: [
    { name: "distance", about: "" },
    { name: "front", about: "" },
  ],
  examples: ["4453"],
};

const labRoute = (search: string) => parseRoute("/lab", search) as LabRoute;

describe("the choices of the lab", () => {
  it("come from the address and go back into it", () => {
    const path =
      "?game=connect4&pos=44&size=8x8&depth=6&use=alphabeta%2Ctable&against=none&eval=big&weights=7&order=front";
    const setup = setupOf(labRoute(path), OFFER, 12);
    expect(setup).toMatchObject({
      text: "44",
      depth: 6,
      techniques: ["alphabeta", "table"],
      against: [],
      weights: [7],
    });
    expect(formatRoute(routeOf(setup))).toBe(`/lab${path}`);
  });

  it("are the usual ones where the address says nothing, or nonsense", () => {
    const usual = setupOf(labRoute(""), OFFER, 12);
    expect(usual).toMatchObject({
      text: "4453",
      depth: 4,
      techniques: ["alphabeta", "ordering"],
      against: null,
    });
    const odd = setupOf(
      labRoute("?game=chess&depth=99&use=magic,table&eval=x&weights=1,2&order=y"),
      OFFER,
      12,
    );
    expect(odd).toMatchObject({
      game: "connect4",
      depth: 12,
      techniques: ["table"],
      evaluation: "classic",
      weights: null,
      order: null,
    });
  });

  it("are asked of the server for the position that was read", () => {
    const setup = setupOf(labRoute("?weights=5&depth=3"), OFFER, 12);
    const position = { text: "fen", board: "", side: 0 as const, width: 8, height: 7 };
    expect(requestOf(setup, position, "ladder", [])).toMatchObject({
      kind: "ladder",
      position: "fen",
      width: 8,
      depth: 3,
      techniques: [],
      weights: [5],
    });
  });

  it("keep techniques in the order of the list", () => {
    expect(toggled(OFFER, ["table"], "alphabeta")).toEqual(["alphabeta", "table"]);
    expect(toggled(OFFER, ["alphabeta", "table"], "alphabeta")).toEqual(["table"]);
    expect(isSame(["a", "b"], ["b", "a"])).toBe(true);
    expect(isSame(["a"], ["b", "a"])).toBe(false);
    expect(nameOf(OFFER, ["ordering", "alphabeta"])).toBe("Alpha-beta");
    expect(nameOf(OFFER, ["table"])).toBe("Minimax with table");
  });
});

describe("an experiment", () => {
  it("runs from the press on, and is stopped though it was given up before the server had begun it", async () => {
    const lab = new Lab();
    const position = { text: "fen", board: "", side: 0 as const, width: 7, height: 6 };
    lab.setup = setupOf(labRoute(""), OFFER, 12);
    lab.answer = {
      game: "connect4",
      what: "",
      position,
      problems: [],
      moves: [],
      legal: [],
      must_capture: false,
      refusal: null,
      sentence: "",
      is_over: false,
    };
    const counts = { place: 0, nodes: 0, time_ms: 0, trace: null, ladder: null, message: "" };
    const run: LabRun = { id: "run1", kind: "trace", status: "running", ...counts };
    let begin: (run: LabRun) => void = () => undefined;
    const asked = vi
      .spyOn(api, "experiment")
      .mockImplementation(() => new Promise((resolve) => (begin = resolve)));
    const stopped = vi.spyOn(api, "stopRun").mockResolvedValue(run);
    const over = lab.run();
    expect(lab.isRunning).toBe(true);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    await lab.stop();
    expect(lab.isRunning).toBe(false);
    expect(stopped).not.toHaveBeenCalled();
    begin(run);
    await over;
    expect(stopped).toHaveBeenCalledWith("run1");
    expect([lab.isRunning, lab.running]).toEqual([false, []]);
    vi.restoreAllMocks();
  });
});

describe("the ladder", () => {
  const rung = (nodes: number): Rung => ({
    title: "",
    techniques: [],
    nodes,
    time_ms: 1,
    fewer: "",
    move: "4",
    label: "",
    is_finished: true,
  });

  it("has a log scale that starts at 1", () => {
    const scale = scaleOf([rung(5_000), rung(100)]);
    expect(scale.powers).toBe(4);
    expect(scale.x(100) - scale.x(1)).toBeCloseTo(scale.x(10_000) - scale.x(100));
    expect(scale.x(0)).toBe(scale.x(1));
    expect([0, 3, 5, 6, 7].map(powerName)).toEqual([
      "1",
      "1\u202f000",
      "100\u202f000",
      "1 million",
      "10 million",
    ]);
  });

  it("says times as people do", () => {
    expect([0.25, 45.3, 5310].map(duration)).toEqual(["0.3 ms", "45 ms", "5.3 s"]);
  });
});
