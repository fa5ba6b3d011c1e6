// The board of a lesson or a puzzle: a position, or moves that are played on it one after the other.
import type { Mark } from "./marks";
import { hasMotion } from "./motion";
import { sleep } from "../lib/poll";
import type { PlayedView, PositionView } from "../wire";

const BETWEEN_MS = 550;

export interface Scene {
  position: PositionView;
  before: string; // the board before the last move
  last: { ply: number; path: number[]; captures: number[] } | null;
  marks: readonly Mark[];
}

export class Replay {
  scene = $state.raw<Scene | null>(null);
  isArriving = $state(false);
  isPlaying = $state(false);

  private start: Scene | null = null; // where the last line began
  private line: readonly PlayedView[] = [];
  private marks: readonly Mark[] = [];
  private run = 0;

  /** Put a position on the board. */
  put(position: PositionView, marks: readonly Mark[] = []): void {
    this.run += 1;
    Object.assign(this, { isArriving: false, isPlaying: false, line: [] });
    this.scene = this.start = { position, before: "", last: null, marks };
  }

  /** Play moves from the position on the board; the marks belong to its end. True if nothing came between. */
  async play(line: readonly PlayedView[], marks: readonly Mark[]): Promise<boolean> {
    const last = this.line.at(-1);
    if (this.isPlaying && last) this.show(last, this.marks); // the line before it is not at its end yet
    Object.assign(this, { start: this.scene, line, marks });
    return this.again();
  }

  /** Play the last line once more. */
  async again(): Promise<boolean> {
    const { start, line, marks } = this;
    if (!start) return false;
    const run = ++this.run;
    this.isPlaying = true;
    if (this.scene !== start) {
      this.isArriving = false;
      this.scene = start;
      await this.rest();
    }
    for (const [i, played] of line.entries()) {
      if (i > 0) await this.rest();
      if (run !== this.run) return false;
      this.show(played, i === line.length - 1 ? marks : []);
    }
    this.isPlaying = false;
    return true;
  }

  private show({ move, position }: PlayedView, marks: readonly Mark[]): void {
    const old = this.scene;
    const last = { ply: (old?.last?.ply ?? 0) + 1, path: move.path, captures: move.captures };
    this.isArriving = true;
    this.scene = { position, before: old?.position.board ?? "", last, marks };
  }

  private rest(): Promise<void> {
    return hasMotion() ? sleep(BETWEEN_MS) : Promise.resolve();
  }
}
