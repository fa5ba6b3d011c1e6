// The state of the library page: a filtered list, games deleted and restored, texts imported.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { saveFile } from "../lib/file";
import type { Deed } from "../lib/notices";
import { NO_FILTERS, type Filters, type GameName, type LibraryRoute } from "../lib/route";
import type { DamagedGame, GameSummary, ImportAnswer } from "../wire";

export const PAGE_SIZE = 50;
const LOOK_AFTER_MS = 250;
const LONG_TEXT = 20_000;

export class Library {
  filters = $state<Filters>({ ...NO_FILTERS });
  page = $state(1);
  games = $state.raw<GameSummary[]>([]);
  total = $state(0);
  /** Saved games that the server cannot read. */
  damaged = $state.raw<DamagedGame[]>([]);
  isLoaded = $state(false);
  problem = $state("");
  deed = $state.raw<Deed | null>(null);

  text = $state("");
  /** A text too long to show in a field: a file, or pasted text. */
  held = $state.raw("");
  meant = $state<GameName | "">("");
  isImporting = $state(false);
  answer = $state.raw<ImportAnswer | null>(null);
  importProblem = $state("");

  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  get pages(): number {
    return Math.max(1, Math.ceil(this.total / PAGE_SIZE));
  }

  get isFiltered(): boolean {
    return Object.values(this.filters).some((value) => value !== "");
  }

  async open(route: LibraryRoute): Promise<void> {
    this.filters = { ...route.filters };
    this.page = route.page;
    await this.load();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  filter<K extends keyof Filters>(name: K, value: Filters[K]): void {
    this.filters[name] = value;
    this.page = 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), LOOK_AFTER_MS);
  }

  clearFilters(): void {
    this.filters = { ...NO_FILTERS };
    this.page = 1;
    void this.load();
  }

  turn(page: number): Promise<void> {
    this.page = Math.max(1, Math.min(this.pages, page));
    return this.load();
  }

  async load(): Promise<void> {
    const asked = ++this.asked;
    const filters = $state.snapshot(this.filters);
    app.rename({ kind: "library", filters, page: this.page });
    try {
      const list = await api.games(filters, PAGE_SIZE, (this.page - 1) * PAGE_SIZE);
      if (asked !== this.asked) return;
      Object.assign(this, { ...list, isLoaded: true, problem: "" });
      if (this.page > this.pages) await this.turn(this.pages);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (asked === this.asked) this.problem = error.message;
    }
  }

  /** Save what the database has of a damaged game, so that nothing of it is lost. */
  async saveRaw(id: string): Promise<void> {
    await this.change(async () => saveFile(await api.rawGame(id)));
  }

  // Deleting

  async remove(ids: string[]): Promise<void> {
    await this.change(async () => {
      const answer = await api.deleteGames(ids);
      this.deed = { sentence: answer.sentence, undo: () => this.restore(answer.ids) };
    });
  }

  async restore(ids: string[]): Promise<void> {
    await this.change(async () => {
      const answer = await api.restoreGames(ids);
      this.deed = { sentence: answer.sentence, undo: null };
    });
  }

  async undo(): Promise<void> {
    await this.deed?.undo?.();
  }

  private async change(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.deed = { sentence: error.message, undo: null };
    }
    await this.load();
  }

  // Import and export

  get hasText(): boolean {
    return this.held !== "" || this.text.trim() !== "";
  }

  /** A long text is kept out of the field, because laying it out would be slow. */
  hold(text: string): boolean {
    if (text.length < LONG_TEXT) return false;
    this.held = text;
    return true;
  }

  async import(): Promise<void> {
    if (!this.hasText || this.isImporting) return;
    Object.assign(this, { isImporting: true, answer: null, importProblem: "" });
    try {
      const answer = await api.importGames({ text: this.held || this.text, game: this.meant || null });
      this.answer = answer;
      if (answer.ids.length > 0) {
        this.text = this.held = "";
        this.filters = { ...NO_FILTERS };
        this.page = 1;
        await this.load();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.importProblem = error.message;
    }
    this.isImporting = false;
  }

  async undoImport(): Promise<void> {
    const ids = this.answer?.ids ?? [];
    this.answer = null;
    await this.remove(ids);
  }

  async takeFile(file: File): Promise<void> {
    const text = await file.text();
    if (!this.hold(text)) this.text = text;
    await this.import();
  }

  async exportAll(): Promise<void> {
    await this.change(async () => saveFile(await api.exportGames($state.snapshot(this.filters))));
  }
}
