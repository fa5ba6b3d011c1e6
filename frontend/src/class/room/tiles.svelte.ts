// The small boards of a class. Each is a box of its own, so that a move draws one board and not thirty.
import type { Tile } from "../../wire";

export class LiveTile {
  readonly id: string;
  shown: Tile;

  constructor(tile: Tile) {
    this.id = tile.id;
    this.shown = $state.raw(tile);
  }

  /** Take over a new state, if it is one. */
  show(tile: Tile): void {
    if (JSON.stringify(tile) !== JSON.stringify(this.shown)) this.shown = tile;
  }
}

/** The boards in the order of `tiles`; games that were there keep their box. */
export function arrange(boxes: LiveTile[], tiles: Tile[]): LiveTile[] {
  const known = new Map(boxes.map((box) => [box.id, box]));
  const next = tiles.map((tile) => {
    const box = known.get(tile.id);
    box?.show(tile);
    return box ?? new LiveTile(tile);
  });
  return next.length === boxes.length && next.every((box, i) => box === boxes[i]) ? boxes : next;
}

/** Boards that changed. A game that has no box yet comes with the next news of the class. */
export function update(boxes: LiveTile[], tiles: Tile[]): void {
  for (const tile of tiles) boxes.find((box) => box.id === tile.id)?.show(tile);
}
