// Messages that replace the usual sentence of a page.
import type { MoveView } from "../wire";

/** Why something was not done. */
export interface Objection {
  message: string;
  detail: string;
  moves: MoveView[]; // what must be played instead
}

/** The last action, and how to undo it. */
export interface Deed {
  sentence: string;
  undo: (() => Promise<void>) | null;
}
