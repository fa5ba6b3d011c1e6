// The state of the analysis page: a study, the engine's answer, the review, the lesson.
import { api, type ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { NOTHING_PLAYABLE, type Playable } from "../lib/pick";
import { ANALYSIS, formatRoute, type AnalyseRoute, type GameName } from "../lib/route";
import { movesTo, pathTo } from "../lib/tree";
import { columnName, columnOf } from "../lib/words";
import { Setup } from "../setup/setup.svelte";
import type { AnalysisRequest, MoveView, NewGame } from "../wire";
import { Engine } from "./engine.svelte";
import { mistakesOf } from "./lesson";
import { openText } from "./pasted";
import { marksAt } from "./reasons";
import { Review } from "./review.svelte";
import { OpenStudy } from "./study.svelte";
import { Teacher } from "./teacher.svelte";
import { nextWrong } from "./wrong";

const LONG_THOUGHT_MS = 60_000;

export class Analyse {
  readonly study = new OpenStudy();
  readonly engine = new Engine();
  readonly review = new Review();
  readonly teacher = new Teacher();
  /** Which panel is open; at most one at a time. */
  panel = $state<"none" | "sheet" | "share" | "type">("none");
  setup = $state.raw<Setup | null>(null);
  /** The side whose mistakes the lesson uses, if chosen; null: both. */
  chosenPupil = $state<0 | 1 | null | undefined>(undefined);

  private read = $state.raw<{ text: string; playable: Playable }>({ text: "", playable: NOTHING_PLAYABLE });

  readonly isQuiet = $derived(app.settings.quiet || this.teacher.isOn);
  readonly isEngineOn = $derived(app.settings.engine && !this.isQuiet);
  readonly game = $derived<GameName>(
    this.teacher.exercise ? this.teacher.game : (this.study.view?.game ?? "connect4"),
  );
  readonly size = $derived(sizeOf(this.study.view?.game ?? "connect4", this.study.view?.start));
  readonly isFlipped = $derived(this.study.flipped ?? false);

  /** The legal moves on the board, as far as the server has sent them. */
  readonly playable = $derived.by<Playable>(() => {
    const text = this.study.node?.text;
    const { view } = this.engine;
    if (view && view.position.text === text) return view;
    return this.read.text === text ? this.read.playable : NOTHING_PLAYABLE;
  });

  /** The last named opening on the path to here. */
  readonly opening = $derived.by(() => {
    const { tree, node } = this.study;
    return tree && node ? (pathTo(tree, node).findLast((step) => step.opening)?.opening ?? "") : "";
  });

  /** The review of the viewed move. */
  readonly judgement = $derived.by(() => {
    const { node } = this.study;
    return node && this.study.isMain(node) ? (this.review.judged.get(node.ply) ?? null) : null;
  });

  /** What the review's reason points at in the position on the board. */
  readonly marks = $derived.by(() => {
    const { tree, node } = this.study;
    if (!tree || !node || this.isQuiet) return [];
    return marksAt(tree, node, this.review.judged, (step) => this.study.isMain(step));
  });

  /** The side whose mistakes the lesson uses. Default: the person's own. */
  readonly pupil = $derived.by<0 | 1 | null>(() => {
    if (this.chosenPupil !== undefined) return this.chosenPupil;
    const own = this.study.view?.seats.indexOf("You");
    return (own === 0 || own === 1) && this.mistakes(own) > 0 ? own : null;
  });

  /** Can this be reviewed? */
  readonly canReview = $derived(this.study.isSaved && this.study.isYours && this.study.line.length > 1);

  async open(route: AnalyseRoute): Promise<void> {
    await this.study.open(route);
    if (route.ownPuzzles && this.study.view) this.puzzles();
    if (route.again !== null) await this.tryAgain(route.again);
  }

  close(): void {
    this.study.close();
    this.engine.rest();
    this.review.close();
    this.teacher.leave();
  }

  /** The request for the position on the board; null if there is none. */
  readonly question = $derived.by<AnalysisRequest | null>(() => {
    const { view, tree, node } = this.study;
    if (!view || !tree || !node) return null;
    const moves = movesTo(tree, node);
    return { game: view.game, ...this.size, position: view.start.text, moves, lines: app.settings.lines };
  });

  /** Called at every step: ask the engine about the position, or at least the server for its moves. */
  attend(): void {
    if (this.isEngineOn && this.question) this.engine.look(this.question);
    else this.engine.rest();
    if (!this.isEngineOn && !this.teacher.isOn) void this.readMoves();
  }

  /** What can be reviewed: a game by its moves, a study by its main line. */
  readonly subject = $derived.by(() => {
    const { view } = this.study;
    if (!view?.id) return "";
    return `${view.id} ${view.is_study ? this.study.line.map((node) => node.move).join() : view.played}`;
  });

  /** Called when that changes: does it have a review? */
  lookForReview(): void {
    if (this.study.view && this.subject) void this.review.open(this.study.view.id, this.subject);
  }

  searchLonger(): void {
    if (this.question) this.engine.again({ ...this.question, time_ms: LONG_THOUGHT_MS });
  }

  private async readMoves(): Promise<void> {
    const { view, node } = this.study;
    if (!view || !node || this.read.text === node.text) return;
    const request = { game: view.game, ...this.size, text: node.text };
    const answer = await api.readPosition(request).catch(() => null);
    if (answer && this.study.node === node) this.read = { text: node.text, playable: answer };
  }

  // Moves

  play(move: MoveView): void {
    if (this.teacher.isOn) this.teacher.try(move.text);
    else void this.study.play(move.text);
  }

  /** A key plays a column, for the side to move. */
  dropIn(name: string): void {
    const { width } = this.teacher.exercise?.position ?? this.study.view?.start ?? { width: 7 };
    const column = this.game === "connect4" ? columnOf(name, width) : null;
    if (column === null) return;
    if (this.teacher.isOn) return this.teacher.try(name);
    const move = this.playable.legal.find(({ text }) => text === name);
    if (move) this.play(move);
    else void this.refuse(null, column);
  }

  /** Not a known legal move: ask the server for the move that is meant, or the rule that forbids it. */
  async refuse(from: number | null, to: number): Promise<void> {
    const { study } = this;
    const { view, node } = study;
    if (this.teacher.isOn) return this.teacher.tryEnds(from, to);
    if (!view || !node || node.outcome) return;
    const move = from === null ? columnName(to) : `${from}-${to}`;
    if (from === null && this.playable.legal.length === 0) return study.play(move); // keys are handled in order
    const request = { game: view.game, ...this.size, text: node.text, move };
    const answer = await api.readPosition(request).catch(() => null);
    if (study.node !== node) return; // the position has changed meanwhile
    const refusal = answer?.refusal;
    if (!refusal) study.object("The server did not answer.", "Nothing was changed.");
    else if (refusal.move) this.play(refusal.move);
    else study.object(refusal.message, refusal.detail, refusal.moves);
  }

  /** A typed text; the server reads it. */
  async typeMove(text: string): Promise<boolean> {
    await this.study.play(text);
    return this.study.objection === null;
  }

  // Commands

  changeLines(by: 1 | -1): void {
    const lines = Math.max(1, Math.min(5, app.settings.lines + by)) as typeof app.settings.lines;
    app.change("lines", lines);
  }

  toggleReview(): void {
    if (!this.canReview || this.isQuiet) return;
    if (this.review.isRunning) void this.review.stop();
    else if (!this.review.isDone) void this.review.begin();
  }

  nextWrong(isGrave: boolean): void {
    const { node } = this.study;
    const found = nextWrong(this.review.view?.moves ?? [], node?.ply ?? 0, isGrave);
    if (found && !this.isQuiet) this.study.lookAt(found.ply);
  }

  /** The number of mistakes to learn from. */
  mistakes(side: 0 | 1 | null): number {
    const { view } = this.study;
    return view ? mistakesOf(view, this.study.line, this.review.view?.moves ?? [], side).length : 0;
  }

  learn(): void {
    const { view } = this.study;
    if (!view || !this.review.isDone || this.mistakes(this.pupil) === 0) return;
    const exercises = mistakesOf(view, this.study.line, this.review.view?.moves ?? [], this.pupil);
    this.closeAll();
    this.teacher.begin("Learn from your mistakes", view.game, exercises);
  }

  /** One mistake of the review as an exercise; without a review, the board before it. */
  private async tryAgain(ply: number): Promise<void> {
    const { view, line } = this.study;
    if (!view?.id) return;
    const review = await api.review(view.id).catch(() => null);
    const exercises = mistakesOf(view, line, review?.moves ?? [], null);
    const wanted = exercises.filter(({ source }) => source.ply === ply);
    if (wanted.length > 0) this.teacher.begin("Try it", view.game, wanted);
    else this.study.lookAt(Math.max(0, ply - 1));
  }

  puzzles(): void {
    this.closeAll();
    void this.teacher.puzzles(this.game);
  }

  flip(): void {
    this.study.flip(!this.isFlipped);
  }

  openNew(): void {
    this.teacher.leave();
    const info = app.info(this.game);
    const { view, node } = this.study;
    this.setup = new Setup(this, null, info);
    if (view && node) this.setup.take(node.board, node.turn, view.start.width, view.start.height);
    this.setup.chooseStart("edit");
    this.panel = "none";
  }

  /** A typed text that is not a move: a position or a game to open. */
  async openText(text: string): Promise<void> {
    const found = await openText(text);
    if ("path" in found) app.go(found.path);
    else this.study.object(found.problem);
  }

  /** Put the edited position on the board. */
  begin(request: NewGame): Promise<ApiError | null> {
    app.go(formatRoute(routeOf(request)));
    return Promise.resolve(null);
  }

  playFromHere(): void {
    const { view, node } = this.study;
    if (view && node) app.go(at(`/play/${view.game}?${new URLSearchParams({ pos: node.text })}`));
  }

  toLab(): void {
    const { view, node } = this.study;
    if (view && node)
      app.go(at(`/lab?${new URLSearchParams({ game: view.game, depth: "4", pos: node.text })}`));
  }

  closeAll(): void {
    this.panel = "none";
    this.setup = null;
    this.study.objection = null;
  }

  /** Esc: close what was opened last. */
  back(): void {
    if (this.panel !== "none" || this.setup || this.study.objection) this.closeAll();
    else if (this.teacher.isOn) this.teacher.leave();
    else if (this.review.isRunning) void this.review.stop();
  }
}

/** Only Connect Four has boards of several sizes. */
function sizeOf(game: GameName, board: { width?: number; height?: number } | undefined) {
  return game === "connect4" ? { width: board?.width ?? 7, height: board?.height ?? 6 } : {};
}

function routeOf(request: NewGame): AnalyseRoute {
  const { game, width = 7, height = 6, position = "" } = request;
  const isUsual = game === "checkers" || (width === 7 && height === 6);
  return { ...ANALYSIS, game, position, size: isUsual ? null : { width, height } };
}
