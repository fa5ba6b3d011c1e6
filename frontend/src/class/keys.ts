// The keys of the pages of a class.
import { app } from "../app.svelte";
import { commandOf } from "../lib/keys";

/** Obey a key press: the page's own letter first, then those of every page. Text fields and sheets keep theirs. */
export function press(event: KeyboardEvent, pair: (() => unknown) | null = null): void {
  if (event.defaultPrevented || app.isHelpOpen) return;
  const target = event.target as HTMLElement;
  if (target.closest("input[type='text'], input[type='number'], select, dialog")) return;
  const command = commandOf(event);
  if (command?.kind === "pause" && pair) pair();
  else if (!app.obey(command)) return;
  event.preventDefault();
}
