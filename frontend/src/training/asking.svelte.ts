// What lessons, puzzles and the course share: one request at a time, and what went wrong with the last one.
import { ApiError } from "../api";

export class Asking {
  problem = $state("");
  private isBusy = false;

  /** One request at a time: a key that is pressed meanwhile does nothing. */
  protected async ask(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.problem = "";
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.message;
    } finally {
      this.isBusy = false;
    }
  }
}
