import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Analyse } from "../src/analyse/analyse.svelte";
import { Engine } from "../src/analyse/engine.svelte";
import { mistakesOf } from "../src/analyse/lesson";
import { Review } from "../src/analyse/review.svelte";
import { OpenStudy } from "../src/analyse/study.svelte";
import { Teacher } from "../src/analyse/teacher.svelte";
import { chipKind, columnScores, glyphKind, placeSentence } from "../src/analyse/words";
import { nextWrong } from "../src/analyse/wrong";
import { api, ApiError } from "../src/api";
import { ANALYSIS } from "../src/lib/route";
import { follow, growTree, mainLine, movesTo } from "../src/lib/tree";
import { Setup } from "../src/setup/setup.svelte";
import type { AnalysisView, JudgedMoveView, PositionAnswer, ReviewView, Study, StudyNode } from "../src/wire";
import { line, move } from "./views";

const START = { text: "start", board: ".".repeat(42), side: 0 as const, width: 7, height: 6 };

/** A study from its lines, as the server would send it: the first is the game. */
function study(lines: string[][], more: Partial<Study> = {}): Study {
  const nodes: StudyNode[] = [];
  const place = (moves: string[]): StudyNode => ({
    id: 0,
    parent: null,
    ply: moves.length,
    side: moves.length === 0 ? null : moves.length % 2 === 1 ? 0 : 1,
    move: moves.at(-1) ?? null,
    path: [],
    captures: [],
    text: ["start", ...moves].join(" "),
    board: START.board,
    turn: moves.length % 2 === 0 ? 0 : 1,
    is_played: false,
    glyphs: [],
    comment: "",
    opening: "",
    outcome: null,
  });
  const grow = (moves: string[], parent: number | null): void => {
    const id = nodes.push({ ...place(moves), id: nodes.length, parent }) - 1;
    const next = lines.filter((other) => moves.every((step, i) => other[i] === step) && other[moves.length]);
    for (const step of new Set(next.map((other) => other[moves.length] ?? ""))) grow([...moves, step], id);
  };
  grow([], null);
  const at = nodes.findIndex((node) => node.text === ["start", ...(lines[0] ?? [])].join(" "));
  const base = { id: "abcd", version: 1, game: "connect4" as const, title: "", seats: ["You", "Planner"] };
  return {
    ...base,
    is_study: false,
    is_over: true,
    sentence: "",
    start: START,
    played: 0,
    at,
    nodes,
    ...more,
  };
}

function analysis(more: Partial<AnalysisView> = {}): AnalysisView {
  return {
    id: "run1",
    status: "done",
    place: 0,
    game: "connect4",
    position: START,
    legal: [],
    is_over: false,
    label: "+ win in 7",
    verdict: "win",
    known_by: "solved",
    known: "solved",
    sentence: "Red wins in 7",
    detail: "",
    gauge: 0.5,
    lines: [],
    depth: 0,
    nodes: 1,
    time_ms: 1,
    table: null,
    opening: "",
    message: "",
    ...more,
  };
}

function judged(
  ply: number,
  grade: JudgedMoveView["grade"],
  more: Partial<JudgedMoveView> = {},
): JudgedMoveView {
  const score = { label: "", verdict: "win" as const, known_by: "solved" as const, known: "solved" };
  const sign = { blunder: "??", mistake: "?", inaccuracy: "?!" }[grade as string] ?? "";
  const side = ply % 2 === 1 ? 0 : 1;
  const judgement = { before: score, after: score, loss: 0, sentence: "", better: [], line: [], answers: [] };
  return { ply, side, move: "4", grade, sign, ...judgement, ...more };
}

function review(status: ReviewView["status"], moves: JudgedMoveView[] = []): ReviewView {
  const graph = moves.map(({ ply }) => ({ ply, gauge: 0, sentence: "" }));
  const counts = { place: 0, done: moves.length, total: 3, time_ms: 1 };
  return { id: "abcd", status, ...counts, moves, graph, sides: [], turning_point: null, message: "" };
}

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
      position: START,
      problems: [],
      moves: [],
      legal: [],
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

  it("gives the mistakes of a side to learn from", async () => {
    const held = study([["4", "4", "5", "3"]]);
    const answers = [{ move: "3", label: "", verdict: "win" as const, is_good: true, sentence: "Yes." }];
    const wrong = [judged(2, "blunder", { answers, line: ["3"] }), judged(3, "mistake", { answers })];
    const nodes = mainLine(growTree(held.nodes));
    const exercises = (side: 0 | 1 | null) => mistakesOf(held, nodes, wrong, side);
    expect(exercises(null).map(({ position }) => position.text)).toEqual(["start 4", "start 4 4"]);
    expect(exercises(1).map(({ ask }) => ask)).toEqual(["Planner played 4. Find a better move."]);
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

describe("words of the analysis", () => {
  const lines = [
    line("2", 1, { verdict: "win", ends_in: 7, known_by: "solved" }),
    line("4", 0, { verdict: "draw", known_by: "book" }),
    line("1", -1, { verdict: "loss", ends_in: 11, known_by: "solved" }),
    line("5", 0, { verdict: "unclear", label: "not solved" }),
  ];
  const board = "..1....".padEnd(42, ".");

  it("word the score of each column as a proof, with its sign", () => {
    const scores = columnScores(analysis({ lines }), 7, board, false);
    const told = scores.slice(0, 5).map(({ sign, words, more }) => `${sign}${words} ${more}`.trim());
    expect(told).toEqual(["\u2212loss in 11", "+win in 7", "full", "=draw", "…"]);
    expect(scores[1]).toMatchObject({ isBest: true, label: "Column 2: win in 7, solved" });
    expect(scores[2]?.label).toBe("Column 3: full");
    expect(scores.filter((score) => score.isBest)).toHaveLength(1);
    expect(columnScores(analysis({ lines }), 7, board, true)[0]?.name).toBe("7");
    expect(columnScores(null, 7, board, false)[0]?.label).toBe("Column 1: not known yet");
  });

  it("never dress a guess as a proof", () => {
    expect(chipKind(line("4", 0.3), true)).toBe("est");
    expect(chipKind(line("4", 1, { verdict: "win", known_by: "table" }), true)).toBe("win best");
    expect([glyphKind("blunder"), glyphKind("mistake"), glyphKind("inaccuracy")]).toEqual([
      "blunder",
      "bad",
      "slight",
    ]);
  });

  it("say each move, and the truth about it when it is known", () => {
    const held = study([["4"]]);
    const [root, first] = held.nodes as [StudyNode, StudyNode];
    const said = (node: StudyNode, view: AnalysisView | null) =>
      placeSentence(held.game, ["Red", "Yellow"], node, view);
    expect(said(root, null)).toBe("The start. Red to move.");
    expect(said(first, null)).toBe("Red, column 4. Yellow to move.");
    const view = analysis({ position: { ...START, text: "start 4" } });
    expect(said(first, view)).toBe("Red, column 4. Red wins in 7, solved.");
    expect(movesTo(growTree(held.nodes), follow(growTree(held.nodes), ["4"]))).toEqual(["4"]);
  });
});

describe("a text that was pasted", () => {
  const position = { text: "fen", board: "", side: 0 as const, width: 8, height: 8 };
  const answer: PositionAnswer = {
    game: "checkers",
    position,
    problems: [],
    moves: ["11-15"],
    legal: [],
    sentence: "",
    is_over: false,
  };

  async function pasted(text: string, read: PositionAnswer): Promise<Setup> {
    vi.spyOn(api, "readPosition").mockResolvedValue(read);
    const setup = new Setup({ begin: () => Promise.resolve(null) }, null, null);
    setup.paste(text);
    expect([setup.mayBeGame, setup.isReady]).toEqual([false, false]); // nobody knows yet
    await vi.advanceTimersByTimeAsync(1000);
    return setup;
  }

  it("is a game if it has headers and moves, or is no position", async () => {
    expect((await pasted('[Black "Ann"]\n\n1. 11-15 *', answer)).mayBeGame).toBe(true);
    expect((await pasted("two games", { ...answer, position: null, moves: [] })).mayBeGame).toBe(true);
  });

  it("is a position otherwise", async () => {
    expect((await pasted("11-15", answer)).mayBeGame).toBe(false);
    expect((await pasted('[FEN "B:W18:B12"]', { ...answer, moves: [] })).mayBeGame).toBe(false);
  });
});
