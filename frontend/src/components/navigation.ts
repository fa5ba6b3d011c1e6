// The pages, in the order of the top bar.
import { app } from "../app.svelte";
import { at } from "../lib/base";
import type { Route } from "../lib/route";

export interface Page {
  title: string;
  kinds: Route["kind"][]; // the routes that belong to it
  href: string;
}

export const PLAY: Page = { title: "Play", kinds: ["play", "game", "sit"], href: at("/") };
export const PAGES: Page[] = [
  PLAY,
  { title: "Learn", kinds: ["learn"], href: at("/learn") },
  { title: "Puzzles", kinds: ["puzzles"], href: at("/puzzles") },
  { title: "Analyse", kinds: ["analyse"], href: at("/analyse") },
  { title: "Lab", kinds: ["lab", "course"], href: at("/lab") },
  { title: "Arena", kinds: ["arena"], href: at("/arena") },
  { title: "Class", kinds: ["class"], href: at("/class") },
  { title: "Library", kinds: ["library"], href: at("/library") },
];

export function isCurrent(page: Page): boolean {
  return page.kinds.includes(app.route.kind);
}

/** Back to the game or the class the person came from; on the page itself, to a new start. */
export function hrefOf(page: Page): string {
  if (page.kinds.includes("class") && !isCurrent(page)) return app.lastClass;
  if (page.kinds.includes("lab") && app.route.kind === "docs") return app.lastLab;
  return page === PLAY && !isCurrent(page) ? app.lastPlay : page.href;
}
