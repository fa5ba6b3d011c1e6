// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Analyse } from "../src/analyse/analyse.svelte";
import { OpenStudy } from "../src/analyse/study.svelte";
import { api, ApiError } from "../src/api";
import { ANALYSIS } from "../src/lib/route";
import type { MoveView, PositionAnswer, StudyNode } from "../src/wire";
import { START, study } from "./studies";

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the study on the page", () => {
  const GAME = [
    ["4", "4", "5"],
    ["4", "3", "3"],
  ];

  async function open(route = {}, held = study(GAME)): Promise<OpenStudy> {
    vi.spyOn(api, "study").mockResolvedValue(held);
    const opened = new OpenStudy();
    await opened.open({ ...ANALYSIS, id: "abcd", ...route });
    return opened;
  }

  it("opens where the address says, or at the end of the game", async () => {
    expect((await open()).node?.text).toBe("start 4 4 5");
    expect((await open({ ply: 1 })).node?.text).toBe("start 4");
    expect((await open({ ply: 1, line: ["3", "3"] })).node?.text).toBe("start 4 3 3");
    expect((await open({ ply: 99 })).node?.text).toBe("start 4 4 5");
  });

  it("keeps its address while one walks, and not more often than a browser likes", async () => {
    const opened = await open();
    const renamed = vi.spyOn(history, "replaceState");
    for (const to of ["first", "next", "below", "next"] as const) opened.go(to);
    expect(opened.node?.text).toBe("start 4 4");
    vi.advanceTimersByTime(1000);
    expect(renamed.mock.calls.map((call) => call[2])).toEqual(["/analyse?game=abcd&ply=2"]);
  });

  it("walks along a move that is there, and asks the server for one that is not", async () => {
    const opened = await open({ ply: 1 });
    const longer = study([...GAME, ["4", "7"]], { version: 2 });
    const added = vi.spyOn(api, "addLine").mockResolvedValue(longer);
    await opened.play("3");
    expect(opened.node?.text).toBe("start 4 3");
    expect(added).not.toHaveBeenCalled();
    opened.go("previous");
    await opened.play("7");
    expect(added).toHaveBeenCalledWith("abcd", 1, ["4"], ["7"]);
    expect(opened.node?.text).toBe("start 4 7");
    expect(opened.variation?.text).toBe("start 4 7");
  });

  it("adds a whole line and looks at its first move", async () => {
    const opened = await open({ ply: 1 });
    vi.spyOn(api, "addLine").mockResolvedValue(study([...GAME, ["4", "7", "7", "1"]], { version: 2 }));
    await opened.playLine(opened.node as StudyNode, ["7", "7", "1"]);
    expect(opened.node?.text).toBe("start 4 7");
  });

  it("takes quick moves one after the other", async () => {
    const opened = await open({ ply: 3 });
    vi.spyOn(api, "addLine").mockImplementation((_id, version, path, moves) =>
      Promise.resolve(study([...GAME, [...path, ...moves]], { version: version + 1 })),
    );
    await Promise.all([opened.play("1"), opened.play("2")]);
    expect(opened.node?.text).toBe("start 4 4 5 1 2");
    expect(opened.view?.version).toBe(3);
  });

  it("takes a column before the server has told the moves", async () => {
    vi.spyOn(api, "study").mockResolvedValue(study(GAME));
    const analyse = new Analyse();
    await analyse.open({ ...ANALYSIS, id: "abcd" });
    vi.spyOn(api, "addLine").mockImplementation((_id, version, path, moves) =>
      Promise.resolve(study([...GAME, [...path, ...moves]], { version: version + 1 })),
    );
    analyse.dropIn("1");
    analyse.dropIn("2");
    await vi.waitFor(() => expect(analyse.study.node?.text).toBe("start 4 4 5 1 2"));
  });

  it("asks the server why a move cannot be played, or which one is meant", async () => {
    vi.spyOn(api, "study").mockResolvedValue(study([["11-15", "22-18"]], { game: "checkers" }));
    const analyse = new Analyse();
    await analyse.open({ ...ANALYSIS, id: "abcd" });
    const jump = { text: "15x22", path: [15, 22], captures: [18] };
    const answer = (move: MoveView | null, message: string) => {
      const refusal = { move, message, detail: "", moves: move ? [] : [jump] };
      return Promise.resolve({ refusal } as PositionAnswer);
    };
    const asked = vi.spyOn(api, "readPosition");
    asked.mockReturnValue(answer(null, "You must capture: 15x22"));
    await analyse.refuse(10, 14);
    expect(asked).toHaveBeenCalledWith({ game: "checkers", text: "start 11-15 22-18", move: "10-14" });
    expect(analyse.study.objection).toEqual({
      message: "You must capture: 15x22",
      detail: "",
      moves: [jump],
    });
    asked.mockReturnValue(answer(jump, ""));
    const longer = study([["11-15", "22-18", "15x22"]], { game: "checkers", version: 2 });
    vi.spyOn(api, "addLine").mockResolvedValue(longer);
    await analyse.refuse(15, 22);
    await vi.waitFor(() => expect(analyse.study.node?.text).toBe("start 11-15 22-18 15x22"));
    asked.mockRejectedValue(new ApiError(null));
    await analyse.refuse(10, 14);
    expect(analyse.study.objection?.message).toBe("The server did not answer.");
  });

  it("deletes a variation, and brings it back", async () => {
    const opened = await open({ ply: 1, line: ["3"] });
    const shorter = study(GAME.slice(0, 1), { version: 2 });
    vi.spyOn(api, "deleteNode").mockResolvedValue(shorter);
    await opened.remove();
    expect(opened.node?.text).toBe("start 4");
    expect(opened.deed?.sentence).toBe("3 deleted.");
    const added = vi.spyOn(api, "addLine").mockResolvedValue(study(GAME, { version: 3 }));
    await opened.undo();
    expect(added.mock.calls.map(([, , path, moves]) => [...path, ...moves].join(" "))).toEqual(["4 3"]);
    expect(opened.node?.text).toBe("start 4 3");
  });

  it("does not delete what was played", async () => {
    const held = study(GAME);
    held.nodes.forEach((node) => (node.is_played = true));
    const opened = await open({}, held);
    const deleted = vi.spyOn(api, "deleteNode");
    await opened.remove();
    expect(deleted).not.toHaveBeenCalled();
  });

  it("takes over the newer study when another tab was quicker, and says so", async () => {
    const opened = await open({ ply: 1 });
    const error = { kind: "stale" as const, message: "", detail: "", reasons: [], moves: [], version: 7 };
    vi.spyOn(api, "addLine").mockRejectedValue(new ApiError(error));
    vi.spyOn(api, "study").mockResolvedValue(study([...GAME, ["4", "1"]], { version: 7 }));
    await opened.play("7");
    expect(opened.view?.version).toBe(7);
    expect(opened.node?.text).toBe("start 4");
    expect(opened.objection?.message).toContain("changed elsewhere");
  });

  it("is only a position until the first move, which saves it", async () => {
    const answer: PositionAnswer = {
      game: "connect4",
      what: "",
      position: START,
      problems: [],
      moves: [],
      legal: [],
      must_capture: false,
      refusal: null,
      sentence: "",
      is_over: false,
    };
    vi.spyOn(api, "readPosition").mockResolvedValue(answer);
    const begun = vi.spyOn(api, "newStudy").mockResolvedValue(study([["4", "4", "5"]], { is_study: true }));
    const opened = new OpenStudy();
    await opened.open({ ...ANALYSIS, position: "44" });
    expect(opened.isSaved).toBe(false);
    await opened.play("5");
    expect(begun).toHaveBeenCalledWith({
      game: "connect4",
      width: 7,
      height: 6,
      position: "44",
      moves: ["5"],
    });
    expect(opened.isSaved).toBe(true);
    expect(opened.node?.text).toBe("start 4 4 5");
    vi.spyOn(api, "readPosition").mockResolvedValue({ ...answer, position: null, problems: ["No."] });
    const other = new OpenStudy();
    await other.open({ ...ANALYSIS, position: "x" });
    expect(other.missing).toBe("No.");
  });
});
