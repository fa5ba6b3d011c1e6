// Changing who this browser is: afterwards everything is loaded again, for the new key.
import { api, ApiError } from "../api";
import { app } from "../app.svelte";
import { at } from "../lib/base";
import { browserShelf } from "../lib/settings";

const GAMES = ["connect4", "checkers"] as const;

/** Take over the key behind a code. The reason if the server refuses; else the page is left. */
export async function enter(code: string): Promise<string> {
  return leaveAfter(() => api.enterCode(code));
}

/** Delete what is mine. The reason if the server refuses; else the page is left. */
export async function forget(): Promise<string> {
  return leaveAfter(() => api.forgetMe());
}

async function leaveAfter(change: () => Promise<unknown>): Promise<string> {
  app.isLeaving = true;
  try {
    await change();
  } catch (error) {
    app.isLeaving = false;
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
  for (const game of GAMES) browserShelf.write(`last.${game}`, "");
  location.replace(at("/"));
  return "";
}
