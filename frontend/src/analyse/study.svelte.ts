// The study on the page: its tree, the viewed node, and the commands that change it.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import type { Deed, Objection } from "../lib/notices";
import { ANALYSIS, type AnalyseRoute } from "../lib/route";
import {
  below,
  follow,
  growTree,
  mainLine,
  movesTo,
  nodeAt,
  parentOf,
  placeOf,
  variationOf,
  walk,
  type Walk,
} from "../lib/tree";
import type { MoveView, PositionAnswer, Study, StudyNode } from "../wire";

const LONGEST_LINE = 64; // the most moves added at a time
const RENAME_AFTER_MS = 150; // browsers limit how often the address may change

export class OpenStudy {
  /** As the server last sent it. */
  view = $state.raw<Study | null>(null);
  /** The viewed node, by its id in this study. */
  private at = $state(0);
  flipped = $state<boolean | null>(null);
  /** Was the last step one move forward? Then its piece is animated. */
  isArriving = $state(false);
  objection = $state.raw<Objection | null>(null);
  deed = $state.raw<Deed | null>(null);
  /** Set if there is nothing to show. */
  missing = $state("");
  isGone = $state(false);

  readonly tree = $derived(this.view && growTree(this.view.nodes));
  readonly line = $derived(this.tree ? mainLine(this.tree) : []); // the main line, by ply
  readonly node = $derived<StudyNode | null>(this.tree ? (this.tree.nodes[this.at] ?? this.tree.root) : null);
  readonly variation = $derived(this.tree && this.node ? variationOf(this.tree, this.node) : null);

  private route: AnalyseRoute | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private changes: Promise<unknown> = Promise.resolve(); // changes run one after the other
  private isOver = false;

  /** True if it is this person's game. A move in another person's game begins a new study. */
  get isYours(): boolean {
    return this.view?.is_yours ?? false;
  }

  /** Is it saved? Then it has an address and can be reviewed. */
  get isSaved(): boolean {
    return this.view !== null && this.view.id !== "";
  }

  async open(route: AnalyseRoute): Promise<void> {
    this.route = route;
    this.flipped = route.flipped;
    if (route.wrong) {
      this.missing = `There is no game \u201c${route.wrong.slice(0, 40)}\u201d to analyse: name connect4, checkers, or the id of a saved game.`;
      return;
    }
    try {
      const study = route.id ? await api.study(route.id) : await readStudy(route);
      if (this.isOver) return;
      this.isGone = false;
      if (typeof study === "string") return void (this.missing = study);
      this.view = study;
      const tree = growTree(study.nodes);
      const isTold = route.ply !== null || route.line.length > 0;
      this.at = isTold ? nodeAt(tree, route.ply ?? 0, route.line).id : study.at;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.isOver) return;
      this.isGone = error.kind === "gone";
      if (this.isGone) this.timer = setTimeout(() => void this.open(route), 1000);
      else this.missing = error.message;
    }
  }

  /** Called when the tab becomes visible: the game or the tree may have changed elsewhere. */
  async refresh(): Promise<void> {
    const { view, tree, node } = this;
    if (!view?.id || !tree || !node) return;
    const newer = await api.study(view.id).catch(() => null);
    const isNew = newer && (newer.version !== view.version || newer.played !== view.played);
    if (isNew && this.view === view) this.adopt(newer, movesTo(tree, node));
  }

  close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  // Looking

  /** True if there was a step in that direction. */
  go(to: Walk): boolean {
    const { tree, node } = this;
    const target = tree && node && walk(tree, node, to);
    if (!target || target === node) return false;
    this.look(target);
    return true;
  }

  look(node: StudyNode): void {
    if (node.id === this.at) return;
    this.isArriving = node.parent === this.at;
    this.at = node.id;
    this.objection = null;
    this.renameSoon();
  }

  /** To a move of the main line. */
  lookAt(ply: number): void {
    if (this.tree) this.look(nodeAt(this.tree, ply, []));
  }

  flip(isFlipped: boolean): void {
    this.flipped = isFlipped;
    this.renameSoon();
  }

  isMain(node: StudyNode): boolean {
    return this.line[node.ply] === node;
  }

  /** The address of a node in this study. */
  routeTo(node: StudyNode): AnalyseRoute {
    const { view, tree, flipped } = this;
    if (!view?.id || !tree) return { ...(this.route ?? ANALYSIS), flipped };
    const place = this.isMain(node) ? { ply: node.ply, line: [] } : placeOf(tree, node);
    return { ...ANALYSIS, id: view.id, ...place, flipped };
  }

  private renameSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rename(), RENAME_AFTER_MS);
  }

  private rename(): void {
    if (this.node && !this.isOver) app.rename(this.routeTo(this.node));
  }

  // Changing

  /** Play a move at the viewed node, for the side to move: a step, or a new variation. */
  play(move: string): Promise<void> {
    return this.change(async () => {
      const { tree, node } = this;
      if (tree && node) await this.add(movesTo(tree, node), [move]);
    });
  }

  /** Add a whole line at a node, then view the board after its first moves. */
  playLine(from: StudyNode, moves: readonly string[], at = 1): Promise<void> {
    const path = this.tree ? movesTo(this.tree, from) : [];
    return this.change(async () => {
      await this.add(path, moves.slice(0, LONGEST_LINE));
      if (this.tree) this.look(follow(this.tree, [...path, ...moves.slice(0, at)]));
    });
  }

  promote(): Promise<void> {
    return this.change(async () => {
      const { view, tree, node } = this;
      if (!view || !tree || !node || !this.variation || !view.is_yours) return;
      this.adopt(await api.promote(view.id, view.version, movesTo(tree, node)), movesTo(tree, node));
    });
  }

  /** Delete a move and all that follows it; moves of the game itself cannot be deleted. */
  remove(): Promise<void> {
    return this.change(async () => {
      const { view, tree, node } = this;
      const parent = tree && node && parentOf(tree, node);
      if (!view?.is_yours || !parent || node.is_played) return;
      const lost = below(tree, node).map((child) => movesTo(tree, child));
      const path = movesTo(tree, node);
      this.adopt(await api.deleteNode(view.id, view.version, path), path.slice(0, -1));
      this.deed = { sentence: `${node.move} deleted.`, undo: () => this.restore(lost) };
    });
  }

  private restore(lost: string[][]): Promise<void> {
    return this.change(async () => {
      for (const path of lost) await this.add(path.slice(0, -1), path.slice(-1));
      if (this.tree) this.look(follow(this.tree, lost[0] ?? []));
    });
  }

  async undo(): Promise<void> {
    await this.deed?.undo?.();
  }

  /** Existing moves are only stepped through; the first new move on a position saves it. */
  private async add(path: readonly string[], moves: readonly string[]): Promise<void> {
    const { view, tree } = this;
    if (!view || !tree) return;
    const line = [...path, ...moves];
    const known = follow(tree, line);
    if (known.ply === line.length) this.look(known);
    else if (view.id && view.is_yours)
      this.adopt(await api.addLine(view.id, view.version, [...path], [...moves]), line);
    else this.adopt(await begin(view, this.route?.position || view.start.text, line));
  }

  /** Accept a newer study, and view a node of it. */
  private adopt(study: Study, path?: readonly string[]): void {
    const tree = growTree(study.nodes);
    const node = path ? follow(tree, path) : (tree.nodes[study.at] ?? tree.root);
    this.isArriving = node.ply === (this.node?.ply ?? 0) + 1;
    this.view = study;
    this.at = node.id;
    this.renameSoon();
  }

  private change(action: () => Promise<void>): Promise<void> {
    const guarded = async () => {
      this.objection = this.deed = null;
      try {
        await action();
      } catch (error) {
        await this.complain(error);
      }
    };
    const done = this.changes.then(guarded);
    this.changes = done;
    return done;
  }

  private async complain(error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) throw error;
    const { view, tree, node } = this;
    if (error.kind === "stale" && view && tree && node) {
      const path = movesTo(tree, node);
      const newer = await api.study(view.id).catch(() => null);
      if (newer) this.adopt(newer, path);
      this.object("The study has changed elsewhere.", "Look again, then choose.");
    } else if (error.view) {
      this.object(error.view.message, error.view.detail, error.view.moves);
    } else {
      this.object("The server did not answer.", "Nothing was changed.");
    }
  }

  object(message: string, detail = "", moves: MoveView[] = []): void {
    this.objection = { message, detail, moves };
  }
}

/** An unsaved position as a study of one node, or what is wrong with it. */
async function readStudy(route: AnalyseRoute): Promise<Study | string> {
  const answer = await api.readPosition({ game: route.game, ...route.size, text: route.position });
  return answer.position ? unsaved(answer) : (answer.problems[0] ?? "This position cannot be read.");
}

function unsaved({ game, position, sentence, is_over }: PositionAnswer): Study {
  if (!position || !game) throw new Error("there is no position");
  const place = { id: 0, parent: null, ply: 0, side: null, move: null, path: [], captures: [] };
  const { text, board, side } = position;
  const root = {
    ...place,
    text,
    board,
    turn: side,
    is_played: false,
    glyphs: [],
    comment: "",
    opening: "",
    outcome: null,
  };
  const who = { id: "", version: 0, game, title: "", seats: [...(app.info(game)?.sides ?? ["", ""])] };
  return {
    ...who,
    is_study: true,
    is_yours: true,
    is_over,
    sentence,
    start: position,
    played: 0,
    at: 0,
    nodes: [root],
  };
}

function begin(study: Study, position: string, moves: string[]): Promise<Study> {
  const { width, height } = study.start;
  const size = study.game === "connect4" ? { width, height } : {};
  return api.newStudy({ game: study.game, ...size, position, moves });
}
