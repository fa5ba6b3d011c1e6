// The analysis board as its visitor handles it: a study, what the engine says, the review, the lesson.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { columnName, columnOf } from "../lib/words";
import { Setup } from "../setup/setup.svelte";
import { ANALYSIS, formatRoute, type AnalyseRoute, type GameName } from "../lib/route";
import type { AnalysisRequest, MoveView, NewGame } from "../wire";
import { Desk } from "./desk.svelte";
import { Engine } from "./engine.svelte";
import { mistakesOf } from "./lesson";
import { Review } from "./review.svelte";
import { Teacher } from "./teacher.svelte";
import { movesTo, pathTo } from "../lib/tree";
import { nextWrong } from "./wrong";

const LONG_THOUGHT_MS = 60_000;

export class Analyse {
  readonly desk = new Desk();
  readonly engine = new Engine();
  readonly review = new Review();
  readonly teacher = new Teacher();
  /** Which extra thing is open; at most one at a time. */
  panel = $state<"none" | "sheet" | "share" | "type">("none");
  setup = $state.raw<Setup | null>(null);
  /** Whose mistakes are learnt from, if that was chosen; null: both. */
  chosenPupil = $state<0 | 1 | null | undefined>(undefined);

  private moves = $state.raw<{ text: string; legal: MoveView[] }>({ text: "", legal: [] });

  readonly isQuiet = $derived(app.settings.quiet || this.teacher.isOn);
  readonly isEngineOn = $derived(app.settings.engine && !this.isQuiet);
  readonly game = $derived<GameName>(
    this.teacher.exercise ? this.teacher.game : (this.desk.study?.game ?? "connect4"),
  );
  readonly size = $derived(sizeOf(this.desk.study?.game ?? "connect4", this.desk.study?.start));
  readonly isFlipped = $derived(this.desk.flipped ?? false);

  /** The legal moves on the board, as far as the server has told them. */
  readonly legal = $derived.by(() => {
    const text = this.desk.node?.text;
    const { view } = this.engine;
    if (view && view.position.text === text) return view.legal;
    return this.moves.text === text ? this.moves.legal : [];
  });

  /** The last opening that was named on the way here. */
  readonly opening = $derived.by(() => {
    const { tree, node } = this.desk;
    return tree && node ? (pathTo(tree, node).findLast((step) => step.opening)?.opening ?? "") : "";
  });

  /** What the review says about the move looked at. */
  readonly judgement = $derived.by(() => {
    const { node } = this.desk;
    return node && this.desk.isMain(node) ? (this.review.judged.get(node.ply) ?? null) : null;
  });

  /** Whose mistakes are learnt from: the visitor's own, unless another choice was made. */
  readonly pupil = $derived.by<0 | 1 | null>(() => {
    if (this.chosenPupil !== undefined) return this.chosenPupil;
    const own = this.desk.study?.seats.indexOf("You");
    return (own === 0 || own === 1) && this.mistakes(own) > 0 ? own : null;
  });

  /** Is there a game to be reviewed? */
  readonly canReview = $derived(this.desk.isSaved && this.desk.line.length > 1);

  async open(route: AnalyseRoute): Promise<void> {
    await this.desk.open(route);
  }

  close(): void {
    this.desk.close();
    this.engine.rest();
    this.review.close();
    this.teacher.leave();
  }

  /** The question about the position on the board; null while there is none. */
  readonly question = $derived.by<AnalysisRequest | null>(() => {
    const { study, tree, node } = this.desk;
    if (!study || !tree || !node) return null;
    const moves = movesTo(tree, node);
    return { game: study.game, ...this.size, position: study.start.text, moves, lines: app.settings.lines };
  });

  /** Called at every step: the engine is asked about the position, or the server at least for its moves. */
  attend(): void {
    if (this.isEngineOn && this.question) this.engine.look(this.question);
    else this.engine.rest();
    if (!this.isEngineOn && !this.teacher.isOn) void this.readMoves();
  }

  /** What there is to be reviewed: a game by its moves, a study by its main line. */
  readonly subject = $derived.by(() => {
    const { study } = this.desk;
    if (!study?.id) return "";
    return `${study.id} ${study.is_study ? this.desk.line.map((node) => node.move).join() : study.played}`;
  });

  /** Called whenever that changes: is there a review of it? */
  lookForReview(): void {
    if (this.desk.study && this.subject) void this.review.open(this.desk.study.id, this.subject);
  }

  searchLonger(): void {
    if (this.question) this.engine.again({ ...this.question, time_ms: LONG_THOUGHT_MS });
  }

  private async readMoves(): Promise<void> {
    const { study, node } = this.desk;
    if (!study || !node || this.moves.text === node.text) return;
    const request = { game: study.game, ...this.size, text: node.text };
    const answer = await api.readPosition(request).catch(() => null);
    if (answer && this.desk.node === node) this.moves = { text: node.text, legal: answer.legal };
  }

  // Moves

  play(move: MoveView): void {
    if (this.teacher.isOn) this.teacher.try(move.text);
    else void this.desk.play(move.text);
  }

  /** A key names a column, for whichever side is to move. */
  dropIn(name: string): void {
    const { width } = this.teacher.exercise?.position ?? this.desk.study?.start ?? { width: 7 };
    const column = this.game === "connect4" ? columnOf(name, width) : null;
    if (column === null) return;
    if (this.teacher.isOn) return this.teacher.try(name);
    const move = this.legal.find(({ text }) => text === name);
    if (move) this.play(move);
    else void this.refuse(null, column);
  }

  /** Not one of the moves that are known: it is one after all if they were not told yet, or the reason is. */
  async refuse(from: number | null, to: number): Promise<void> {
    const { desk } = this;
    const { node } = desk;
    if (this.teacher.isOn) return this.teacher.tryEnds(from, to);
    if (node?.outcome) return;
    if (this.legal.length === 0) {
      if (from === null) return desk.play(columnName(to)); // the server knows; keys stay in their order
      await this.readMoves();
      if (desk.node !== node) return; // another position is on the board by now
      const meant = this.legal.filter(({ path }) => path[0] === from && path.at(-1) === to);
      if (meant[0] && meant.length === 1) return this.play(meant[0]);
    }
    const captures = this.legal.filter((move) => move.captures.length > 0);
    if (from === null) desk.object(`Column ${columnName(to)} is full.`);
    else if (captures.length > 0) {
      const texts = captures.map((move) => move.text).join(" or ");
      desk.object(`A capture must be played: ${texts}`, `${from}-${to} is none.`, captures);
    } else desk.object(`${from}-${to} is not a move here.`, "Dotted rings: can move");
  }

  /** Text from the keyboard; the server knows what it means. */
  async typeMove(text: string): Promise<boolean> {
    await this.desk.play(text);
    return this.desk.objection === null;
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
    const { node } = this.desk;
    const found = nextWrong(this.review.view?.moves ?? [], node?.ply ?? 0, isGrave);
    if (found && !this.isQuiet) this.desk.lookAt(found.ply);
  }

  /** How many mistakes there are to learn from. */
  mistakes(side: 0 | 1 | null): number {
    const { study } = this.desk;
    return study ? mistakesOf(study, this.desk.line, this.review.view?.moves ?? [], side).length : 0;
  }

  learn(): void {
    const { study } = this.desk;
    if (!study || !this.review.isDone || this.mistakes(this.pupil) === 0) return;
    const exercises = mistakesOf(study, this.desk.line, this.review.view?.moves ?? [], this.pupil);
    this.closeAll();
    this.teacher.begin("Learn from your mistakes", study.game, exercises);
  }

  puzzles(): void {
    this.closeAll();
    void this.teacher.puzzles(this.game);
  }

  flip(): void {
    this.desk.flip(!this.isFlipped);
  }

  openNew(text = ""): void {
    this.teacher.leave();
    const info = app.info(this.game);
    const { study, node } = this.desk;
    this.setup = new Setup(this, null, info);
    if (study && node) this.setup.take(node.board, node.turn, study.start.width, study.start.height);
    this.setup.chooseStart(text ? "paste" : "edit");
    if (text) this.setup.paste(text);
    this.panel = "none";
  }

  /** The position that was put together goes on the board. */
  async begin(request: NewGame): Promise<ApiError | null> {
    const setup = this.setup;
    const moves = setup?.start === "paste" ? (setup.answer?.moves ?? []) : [];
    try {
      if (moves.length > 0) app.go(await studyOf(request, moves));
      else app.go(formatRoute(routeOf(request)));
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /** A text that is no position: perhaps whole games. The first one is opened. */
  async beginGame(text: string): Promise<string> {
    try {
      const answer = await api.importGames({ text, game: this.setup?.draft.game ?? null });
      const id = answer.found ?? answer.ids[0];
      if (id) app.go(formatRoute({ ...ANALYSIS, id }));
      return id ? "" : (answer.problems[0]?.message ?? answer.sentence);
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }

  playFromHere(): void {
    const { study, node } = this.desk;
    if (study && node) app.go(`/play/${study.game}?${new URLSearchParams({ pos: node.text })}`);
  }

  toLab(): void {
    const { study, node } = this.desk;
    if (study && node)
      app.go(`/lab?${new URLSearchParams({ game: study.game, depth: "4", pos: node.text })}`);
  }

  closeAll(): void {
    this.panel = "none";
    this.setup = null;
    this.desk.objection = null;
  }

  /** Esc: the last thing that was opened. */
  back(): void {
    if (this.panel !== "none" || this.setup || this.desk.objection) this.closeAll();
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

/** Moves that were pasted are kept as a line of their own. */
async function studyOf(request: NewGame, moves: string[]): Promise<string> {
  const { game } = request;
  const study = await api.newStudy({ game, ...sizeOf(game, request), position: "", moves });
  return formatRoute({ ...ANALYSIS, id: study.id });
}
