// The setup of a new game: the panel's choices, and a start position edited by hand or pasted.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import type { GameInfo, GameView, NewGame, PositionAnswer } from "../wire";
import { draftLike, firstDraft, requestOf, type Draft } from "./draft";
import { editColumn, editSquare, emptyBoard, type DiscTool, type PieceTool } from "./editor";

const READ_AFTER_MS = 150;

/** The page that receives the position. */
export interface Beginner {
  begin(request: NewGame): Promise<ApiError | null>;
}

export class Setup {
  draft = $state<Draft>(emptyDraft());
  start = $state<"usual" | "edit" | "paste">("usual");
  board = $state("");
  side = $state<0 | 1>(0);
  tool = $state<DiscTool | PieceTool>("turns");
  text = $state("");
  answer = $state.raw<PositionAnswer | null>(null);
  problems = $state.raw<string[]>([]);
  isReading = $state(false);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;

  constructor(
    private readonly beginner: Beginner,
    game: GameView | null,
    info: GameInfo | null,
  ) {
    if (info) this.draft = game ? draftLike(game, info) : firstDraft(info, app.about?.time_ms ?? 2500);
    this.board = game?.position.board ?? emptyBoard(this.draft.game, this.draft.width, this.draft.height);
    this.side = game?.position.side ?? 0;
  }

  get info(): GameInfo | null {
    return app.info(this.draft.game);
  }

  get isEditing(): boolean {
    return this.start === "edit";
  }

  get verdict(): string {
    return this.problems[0] ?? this.answer?.sentence ?? "";
  }

  get isReady(): boolean {
    return this.start === "usual" || (this.answer !== null && !this.isReading && !this.answer.is_over);
  }

  chooseGame(game: GameInfo["game"]): void {
    const info = app.info(game);
    if (!info || game === this.draft.game) return;
    const fresh = firstDraft(info, this.draft.timeMs);
    const known = new Set(info.players.map((player) => player.player));
    const keep = this.draft.seats.every((player) => known.has(player));
    this.draft = {
      ...fresh,
      seats: keep ? this.draft.seats : fresh.seats,
      friend: this.draft.friend,
      strict: this.draft.strict,
      clock: this.draft.clock,
    };
    this.clear();
  }

  chooseSize(width: number, height: number): void {
    Object.assign(this.draft, { width, height });
    this.clear();
  }

  /** Start with a given board. */
  take(board: string, side: 0 | 1, width: number, height: number): void {
    Object.assign(this.draft, { width, height });
    Object.assign(this, { board, side });
  }

  chooseStart(start: Setup["start"]): void {
    this.start = start;
    this.tool = this.draft.game === "connect4" ? "turns" : "b";
    this.problems = [];
    this.answer = null;
    if (start !== "usual") this.readSoon();
  }

  /** A friend who comes by link, or players from the list. */
  chooseFriend(isWanted: boolean): void {
    this.draft.friend = isWanted ? (this.draft.friend ?? 1) : null;
  }

  swap(): void {
    this.draft.seats = [this.draft.seats[1], this.draft.seats[0]];
  }

  clear(): void {
    this.setBoard(emptyBoard(this.draft.game, this.draft.width, this.draft.height));
  }

  /** The usual start, as a board to change. */
  async usual(): Promise<void> {
    const { game, width, height } = this.draft;
    const answer = await api.readPosition({ game, width, height, text: "" }).catch(() => null);
    if (answer?.position) this.setBoard(answer.position.board);
  }

  edit(cell: number): void {
    const isDiscs = this.draft.game === "connect4";
    this.setBoard(
      isDiscs
        ? editColumn(this.board, this.draft.width, cell, this.tool as DiscTool)
        : editSquare(this.board, cell, this.tool as PieceTool),
    );
  }

  turnTo(side: 0 | 1): void {
    this.side = side;
    this.readSoon();
  }

  /** A text from the clipboard or the `/` field. */
  paste(text: string): void {
    this.start = "paste";
    this.text = text;
    this.readSoon();
  }

  async begin(): Promise<void> {
    const start = this.start === "usual" ? null : this.answer;
    const size = start?.position ? { width: start.position.width, height: start.position.height } : {};
    const failure = await this.beginner.begin(requestOf({ ...this.draft, ...size, start }));
    if (failure) this.problems = reasonsOf(failure);
  }

  private setBoard(board: string): void {
    this.board = board;
    if (this.start !== "usual") this.readSoon();
  }

  private readSoon(): void {
    this.isReading = true;
    this.asked += 1; // a pending answer is about something else
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(), READ_AFTER_MS);
  }

  private async read(): Promise<void> {
    const { game, width, height } = this.draft;
    const place = this.isEditing
      ? { board: this.board, ...(game === "checkers" ? { side: this.side } : {}) }
      : { text: this.text };
    const asked = ++this.asked;
    try {
      const answer = await api.readPosition({ game, width, height, ...place });
      if (asked !== this.asked) return;
      this.answer = answer.position ? answer : null;
      this.problems = answer.problems;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (asked !== this.asked) return;
      this.answer = null;
      this.problems = reasonsOf(error);
    }
    this.isReading = false;
  }
}

function reasonsOf(error: ApiError): string[] {
  const reasons = error.view?.reasons ?? [];
  return reasons.length > 0 ? reasons : [error.message];
}

function emptyDraft(): Draft {
  return {
    game: "connect4",
    seats: ["human", "human"],
    friend: null,
    width: 7,
    height: 6,
    start: null,
    clock: "none",
    strict: false,
    timeMs: 2500,
    noProgress: "official",
  };
}
