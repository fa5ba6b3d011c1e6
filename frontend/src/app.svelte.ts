// What all pages share: the route, what the server offers, and the person's settings.
import { api, ApiError } from "./api";
import { at, isOwnMachine } from "./lib/base";
import type { Command } from "./lib/keys";
import { sleep } from "./lib/poll";
import { formatRoute, parseRoute, type GameName, type Route } from "./lib/route";
import { browserShelf, loadSettings, nextTheme, saveSettings, type Settings } from "./lib/settings";
import type { About, GameInfo, Me } from "./wire";

class App {
  route = $state.raw<Route>(parseRoute(location.pathname, location.search));
  about = $state.raw<About | null>(null);
  settings = $state<Settings>(loadSettings(browserShelf));
  /** Who visits; null until the server has answered. */
  me = $state.raw<Me | null>(null);
  isHelpOpen = $state(false);
  isMeOpen = $state(false);
  isLeaving = false; // this browser becomes another person: what ends meanwhile is not begun anew
  isMenuOpen = $state(false); // the pages, on a phone
  /** The path to return to from the settings. */
  lastPlay = $state(at("/"));
  /** The path to return to from an article: the lab as it was, or a step of the course. */
  lastLab = $state(at("/lab"));
  /** The path to return to from a game of a class. */
  lastClass = $state(at("/class"));
  /** The game on the board, for the switch at the top. */
  game = $state<GameName>("connect4");

  private asking: Promise<About> | null = null;
  private visiting: Promise<Me> | null = null;

  /** Is a sheet of the whole app open? Then the page's keys rest. */
  get isCovered(): boolean {
    return this.isHelpOpen || this.isMeOpen || this.isMenuOpen;
  }

  go(path: string): void {
    history.pushState(null, "", path);
    this.arrive();
    scrollTo(0, 0);
  }

  /** Replace the address of the current page. */
  rename(route: Route): void {
    history.replaceState(null, "", formatRoute(route));
    this.rememberPlace(route);
  }

  arrive(): void {
    this.route = parseRoute(location.pathname, location.search);
    this.rememberPlace(this.route);
  }

  private rememberPlace(route: Route): void {
    if (route.kind === "play" || route.kind === "game") this.lastPlay = location.pathname + location.search;
    if (route.kind === "lab" || (route.kind === "course" && !route.start)) this.lastLab = formatRoute(route);
    if (route.kind === "class") this.lastClass = formatRoute(route);
  }

  /** Load what the server offers; retry until it answers. */
  askAbout(): Promise<About> {
    this.asking ??= untilAnswered(api.about).then((about) => (this.about = about));
    return this.asking;
  }

  /** Begin the visit, once; retry until the server answers. */
  visit(): Promise<Me> {
    this.visiting ??= untilAnswered(api.visit).then((me) => (this.me = me));
    return this.visiting;
  }

  change<K extends keyof Settings>(key: K, value: Settings[K]): void {
    this.settings[key] = value;
    saveSettings(browserShelf, this.settings);
  }

  switchTheme(): void {
    this.change("theme", nextTheme(this.settings.theme, matchMedia("(prefers-color-scheme: dark)").matches));
  }

  /** Commands of every page. True if the key was one. */
  obey(command: Command | null): boolean {
    if (command?.kind === "theme") this.switchTheme();
    else if (command?.kind === "help") this.isHelpOpen = true;
    else return false;
    return true;
  }

  /** The start of links for other devices. A page that is open as 127.0.0.1 hands on the address of the machine. */
  get origin(): string {
    return (isOwnMachine(location.hostname) && this.about?.address) || location.origin;
  }

  /** Is there no address at which other devices could open our links? */
  get isOnlyHere(): boolean {
    return this.about !== null && isOwnMachine(new URL(this.origin).hostname);
  }

  info(game: GameInfo["game"]): GameInfo | null {
    return this.about?.games.find((candidate) => candidate.game === game) ?? null;
  }
}

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await sleep(1000);
    }
  }
}

export const app = new App();
