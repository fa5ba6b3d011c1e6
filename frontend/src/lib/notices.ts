// What a page says in the place of its usual sentence.
import type { MoveView } from "../wire";

/** Why something was not done. */
export interface Objection {
  message: string;
  detail: string;
  moves: MoveView[]; // what must be played instead
}

/** What was done last, and how to take it back. */
export interface Deed {
  sentence: string;
  undo: (() => Promise<void>) | null;
}
