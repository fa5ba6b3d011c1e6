// The keys of lessons and puzzles. They override those of the other pages.
import { app } from "../app.svelte";
import { commandOf } from "../lib/keys";

export interface Training {
  hint(): void;
  answer(): void;
  again(): void;
  repeat(): void;
  next(): void;
  step(by: 1 | -1): void;
  drop(name: string): void;
  flip(): void;
  leave(): void;
}

/** True if the key was handled. */
export function run(training: Training, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const own: Record<string, () => void> = {
    h: () => training.hint(),
    a: () => training.answer(),
    r: () => training.again(),
    ".": () => training.repeat(),
    n: () => training.next(),
    f: () => training.flip(),
    ArrowLeft: () => training.step(-1),
    ArrowRight: () => training.step(1),
    Escape: () => training.leave(),
  };
  const action = own[event.key];
  if (action) {
    action();
    return true;
  }
  const command = commandOf(event);
  if (command?.kind === "column") training.drop(command.name);
  else return app.obey(command);
  return true;
}

/** For the window: leaves text fields and open sheets alone. */
export function listen(training: Training, event: KeyboardEvent): void {
  if (event.defaultPrevented || app.isCovered) return;
  if ((event.target as Element).closest("input, textarea, select")) return;
  if (run(training, event)) event.preventDefault();
}
