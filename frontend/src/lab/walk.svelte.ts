// The playback of one recorded search: the current step, the opened nodes, the speed.
import { pathTo } from "../lib/tree";
import type { TraceView, VisitView } from "../wire";
import {
  layOut,
  neighbour,
  searchTree,
  shownTree,
  type Direction,
  type Picture,
  type SearchTree,
} from "./tree";

export const SPEEDS = [1, 2, 5, 15, 40] as const; // steps a second

export class Walk {
  readonly tree: SearchTree;
  /** The current step: the position just reached; after the last one the search is over. */
  at = $state(0);
  /** The node selected by the person; null: the current position of the search. */
  private picked = $state.raw<VisitView | null>(null);
  private opened = $state.raw<ReadonlySet<number>>(new Set());
  private closed = $state.raw<ReadonlySet<number>>(new Set());
  isPlaying = $state(false);
  speed = $state(1);

  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The search beside this one: both step together. */
  private partner: Walk | null = null;
  /** The common step of both; the shorter search waits at its end. */
  private clock = 0;

  /** The node that the inspector shows. */
  readonly selected = $derived(this.picked ?? this.reached);
  readonly picture = $derived.by(() => this.draw());

  constructor(readonly trace: TraceView) {
    this.tree = searchTree(trace);
    this.at = this.clock = this.tree.order.length;
  }

  /** Two searches that step together. */
  static lock(one: Walk, other: Walk): void {
    one.partner = other;
    other.partner = one;
    one.end();
  }

  /** Most steps change nothing that is drawn: then the picture stays the same object and is not drawn again. */
  private draw(): Picture {
    const shown = shownTree(this.tree, this.opened, this.closed, this.selected, this.isOver);
    const key = shown.map((item) => (item.isOpen ? -item.visit.id - 1 : item.visit.id)).join();
    if (key !== this.drawn?.key) this.drawn = { key, picture: layOut(shown) };
    return this.drawn.picture;
  }

  private drawn: { key: string; picture: Picture } | null = null;

  get steps(): number {
    return this.tree.order.length;
  }

  get isOver(): boolean {
    return this.at >= this.steps;
  }

  /** The current position of the search; the root when it is over. */
  private get reached(): VisitView {
    return this.tree.order[this.at] ?? this.tree.root;
  }

  /** The moves from the root to the selected position. */
  get way(): string[] {
    return pathTo(this.tree, this.selected).flatMap((visit) => visit.move ?? []);
  }

  goTo(step: number): void {
    const to = Math.max(0, Math.min(this.last, Math.round(step)));
    this.put(to);
    this.partner?.put(to);
  }

  private put(step: number): void {
    this.clock = step;
    this.at = Math.min(this.steps, step);
    this.picked = null;
  }

  /** The last step of the longer search. */
  private get last(): number {
    return Math.max(this.steps, this.partner?.steps ?? 0);
  }

  step(by: 1 | -1): void {
    this.pause();
    this.goTo(this.clock + by);
  }

  rewind(): void {
    this.pause();
    this.goTo(0);
  }

  end(): void {
    this.pause();
    this.goTo(this.last);
  }

  toggle(): void {
    if (this.isPlaying) return this.pause();
    if (this.clock >= this.last) this.goTo(0);
    this.partner?.pause();
    this.isPlaying = true;
    this.tick();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  changeSpeed(by: 1 | -1): void {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.goTo(this.clock + 1);
        if (this.clock >= this.last) this.pause();
        else this.tick();
      },
      1000 / (SPEEDS[this.speed] ?? 1),
    );
  }

  select(visit: VisitView): void {
    this.pause();
    this.picked = visit;
  }

  /** A click or Enter: select a node; a second one opens or closes it. */
  press(visit: VisitView): void {
    const isSecond = this.selected.id === visit.id;
    this.select(visit);
    const placed = this.picture.nodes.find((candidate) => candidate.visit.id === visit.id);
    if (!placed?.shown.canOpen) return;
    if (placed.shown.isOpen) {
      if (isSecond) this.shut(visit);
    } else {
      this.open(visit);
    }
  }

  open(visit: VisitView): void {
    this.opened = new Set([...this.opened, visit.id]);
    this.closed = without(this.closed, visit.id);
  }

  shut(visit: VisitView): void {
    this.opened = without(this.opened, visit.id);
    this.closed = new Set([...this.closed, visit.id]);
  }

  /** Down opens a closed node. */
  move(direction: Direction): void {
    const selected = this.selected;
    const placed = this.picture.nodes.find((candidate) => candidate.visit.id === selected.id);
    if (direction === "down" && placed && placed.shown.canOpen && !placed.shown.isOpen) this.open(selected);
    const next = neighbour(this.picture.nodes, selected.id, direction);
    if (next) this.select(next.visit);
  }
}

function without(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set([...set].filter((other) => other !== id));
}
