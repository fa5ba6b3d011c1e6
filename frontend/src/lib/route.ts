// Routes: from a URL to a Route and back.
import { at, within } from "./base";

export type GameName = "connect4" | "checkers";

export interface PlayRoute {
  kind: "play";
  game: GameName;
  position: string; // "" is the usual start
  size: { width: number; height: number } | null;
  seats: [string, string] | null;
}

export interface GameRoute {
  kind: "game";
  id: string;
  ply: number | null; // null: follow the game
  flipped: boolean | null; // null: as the seats suggest
}

/** The link that gives a friend the free seat of a game. */
export interface SitRoute {
  kind: "sit";
  id: string;
  invitation: string;
}

export interface LabRoute {
  kind: "lab";
  game: GameName;
  position: string; // anything the server reads; "" is the usual start
  size: { width: number; height: number } | null;
  depth: number | null; // null, here and below: the default
  techniques: string[] | null;
  against: string[] | null; // a second search beside the first; null: none
  evaluation: string | null;
  weights: number[] | null;
  order: string | null;
}

export interface AnalyseRoute {
  kind: "analyse";
  id: string | null; // a game by its id; null: a position
  game: GameName; // of that position
  position: string; // anything the server reads; "" is the usual start
  size: { width: number; height: number } | null;
  ply: number | null; // ply of the main line; null: the default place
  line: string[]; // moves of a variation from there
  flipped: boolean | null;
  again: number | null; // the ply of a mistake to try again
  ownPuzzles: boolean; // begin with puzzles from the person's own games
  wrong: string; // a name that is neither a kind of game nor an id; "" if there is none
}

/** The analysis board with only the usual start on it. */
export const ANALYSIS: AnalyseRoute = {
  kind: "analyse",
  id: null,
  game: "connect4",
  position: "",
  size: null,
  ply: null,
  line: [],
  flipped: null,
  again: null,
  ownPuzzles: false,
  wrong: "",
};

export interface LibraryRoute {
  kind: "library";
  filters: Filters;
  page: number; // from 1
}

/** The filters of the list; empty ones are ignored. */
export interface Filters {
  mine: "true" | ""; // only games in which the person holds a seat
  game: GameName | "";
  player: string;
  outcome: (typeof OUTCOMES)[number] | "";
  since: string;
  until: string;
  opening: string;
  whose: "class" | ""; // of everyone in my classes; "": mine
}

export const OUTCOMES = ["first", "second", "draw", "over", "unfinished"] as const;
export const NO_FILTERS: Filters = {
  mine: "",
  game: "",
  player: "",
  outcome: "",
  since: "",
  until: "",
  opening: "",
  whose: "",
};

/** Classes: type a code, open one, be in one, or its standings for a projector. */
export interface ClassRoute {
  kind: "class";
  page: "enter" | "open" | "room" | "board";
  code: string; // in capitals; "" where there is none yet
}

/** All lessons, or one step of a lesson; step null: where the person is. */
export interface LearnRoute {
  kind: "learn";
  game: GameName;
  lesson: string; // "" is the page of all lessons
  step: number | null;
}

/** The course of the lab, or one step of a part of it; step null: where the person is. */
export interface CourseRoute {
  kind: "course";
  rung: string; // "" is the list of all parts
  step: number | null;
  start?: CourseStart; // Monte Carlo from a position of the lab instead
}

export interface CourseStart {
  game: GameName;
  position: string;
  size: { width: number; height: number } | null;
}

/** The next puzzle, that of the day, or one by its id. */
export interface PuzzlesRoute {
  kind: "puzzles";
  game: GameName;
  id: string; // "", "today" or "c4-0123"
  theme: string;
}

/** The arena: begin a tournament, or watch one. */
export interface ArenaRoute {
  kind: "arena";
  id: string | null;
}

export type Route =
  | PlayRoute
  | GameRoute
  | SitRoute
  | AnalyseRoute
  | LabRoute
  | LibraryRoute
  | ClassRoute
  | LearnRoute
  | CourseRoute
  | PuzzlesRoute
  | ArenaRoute
  | { kind: "docs"; page: string }
  | { kind: "settings" }
  | { kind: "enter"; code: string } // the code that copies a key to this device
  | { kind: "missing"; path: string };

export function parseRoute(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const parts = within(path).split("/").filter(Boolean);
  if (parts.length === 0) return playRoute("connect4", query);
  if (parts.length === 1 && parts[0] === "settings") return { kind: "settings" };
  if (parts.length === 1 && parts[0] === "analyse") return analyseRoute(query);
  if (parts.length === 1 && parts[0] === "lab") return labRoute(query);
  if (parts.length === 2 && parts[0] === "lab" && parts[1] === "monte-carlo") return monteCarloRoute(query);
  if (parts[0] === "lab" && parts[1] === "course")
    return courseRoute(parts) ?? { kind: "missing", path: within(path) };
  if (parts.length === 1 && parts[0] === "library") return libraryRoute(query);
  if (parts[0] === "learn") return learnRoute(parts) ?? { kind: "missing", path: within(path) };
  if (parts[0] === "puzzles") return puzzlesRoute(parts, query) ?? { kind: "missing", path: within(path) };
  if (parts[0] === "arena") return arenaRoute(parts) ?? { kind: "missing", path: within(path) };
  if (parts[0] === "class") return classRoute(parts) ?? { kind: "missing", path: within(path) };
  if (parts.length > 1 && parts[0] === "docs") return { kind: "docs", page: parts.slice(1).join("/") };
  if (parts.length === 2 && parts[0] === "play" && isGameName(parts[1])) return playRoute(parts[1], query);
  if (parts.length === 2 && parts[0] === "me" && parts[1]) return { kind: "enter", code: parts[1] };
  const [, id] = parts;
  if (parts.length === 4 && isGamePath(parts) && id && parts[2] === "sit" && parts[3])
    return { kind: "sit", id, invitation: parts[3] };
  if (parts.length === 2 && isGamePath(parts) && id) {
    return {
      kind: "game",
      id,
      ply: parseNumber(query.get("ply")),
      flipped: parseFlip(query.get("flip")),
    };
  }
  return { kind: "missing", path: within(path) };
}

/** The address of a route: its path on the server and its query. */
export function formatRoute(route: Route): string {
  return at(pathOf(route));
}

function pathOf(route: Route): string {
  switch (route.kind) {
    case "settings":
      return "/settings";
    case "missing":
      return route.path;
    case "enter":
      return `/me/${route.code}`;
    case "sit":
      return `/play/${route.id}/sit/${route.invitation}`;
    case "class":
      return classPath(route);
    case "learn":
      return ["/learn", ...(route.lesson ? [route.game, route.lesson, route.step ?? ""] : [])]
        .filter((part) => part !== "")
        .join("/");
    case "course":
      if (route.start)
        return `/lab/monte-carlo${formatQuery({
          game: route.start.game,
          pos: route.start.position || null,
          size: route.start.size && `${route.start.size.width}x${route.start.size.height}`,
          step: formatNumber(route.step),
        })}`;
      return ["/lab/course", route.rung, route.rung ? (route.step ?? "") : ""]
        .filter((part) => part !== "")
        .join("/");
    case "puzzles":
      return `/puzzles${route.id && `/${route.id}`}${formatQuery({
        game: route.game === "checkers" && !/^(c4|ck)-/.test(route.id) ? route.game : null,
        theme: route.theme || null,
      })}`;
    case "arena":
      return route.id ? `/arena/${route.id}` : "/arena";
    case "docs":
      return `/docs/${route.page}`;
    case "library": {
      const filters = Object.entries(route.filters).map(([name, value]) => [name, value || null] as const);
      const page = route.page > 1 ? String(route.page) : null;
      return `/library${formatQuery({ ...Object.fromEntries(filters), page })}`;
    }
    case "analyse":
      return `/analyse${formatQuery({
        game: route.id ?? route.game,
        pos: route.position || null,
        size: route.size && `${route.size.width}x${route.size.height}`,
        ply: formatNumber(route.ply),
        line: route.line.join(",") || null,
        again: formatNumber(route.again),
        flip: formatFlip(route.flipped),
      })}`;
    case "lab":
      return `/lab${formatQuery({
        game: route.game,
        pos: route.position || null,
        size: route.size && `${route.size.width}x${route.size.height}`,
        depth: formatNumber(route.depth),
        use: formatList(route.techniques),
        against: formatList(route.against),
        eval: route.evaluation,
        weights: route.weights && route.weights.join(","),
        order: route.order,
      })}`;
    case "play":
      return `/play/${route.game}${formatQuery({
        pos: route.position || null,
        size: route.size && `${route.size.width}x${route.size.height}`,
        first: route.seats?.[0] ?? null,
        second: route.seats?.[1] ?? null,
      })}`;
    case "game":
      return `/game/${route.id}${formatQuery({
        ply: formatNumber(route.ply),
        flip: formatFlip(route.flipped),
      })}`;
  }
}

function playRoute(game: GameName, query: URLSearchParams): PlayRoute {
  const first = query.get("first");
  const second = query.get("second");
  return {
    kind: "play",
    game,
    position: query.get("pos") ?? "",
    size: game === "connect4" ? parseSize(query.get("size")) : null,
    seats: first && second ? [first, second] : null,
  };
}

/** `game` names a saved game by its id, or the kind of game that `pos` is a position of. */
function analyseRoute(query: URLSearchParams): AnalyseRoute {
  const game = query.get("game") ?? undefined;
  const isKind = isGameName(game);
  return {
    kind: "analyse",
    id: !isKind && isGameId(game) ? game : null,
    game: isKind ? game : "connect4",
    position: query.get("pos") ?? "",
    size: game === "checkers" ? null : parseSize(query.get("size")),
    ply: parseNumber(query.get("ply")),
    line: (query.get("line") ?? "").split(",").filter((move) => /^[0-9a-z][0-9x-]*$/.test(move)),
    flipped: parseFlip(query.get("flip")),
    again: parseNumber(query.get("again")),
    ownPuzzles: query.get("puzzles") === "own",
    wrong: game === undefined || isKind || isGameId(game) ? "" : game,
  };
}

function labRoute(query: URLSearchParams): LabRoute {
  const game = query.get("game");
  const depth = query.get("depth");
  const weights = query.get("weights");
  return {
    kind: "lab",
    game: isGameName(game ?? undefined) ? (game as GameName) : "connect4",
    position: query.get("pos") ?? "",
    size: game === "checkers" ? null : parseSize(query.get("size")),
    depth: depth !== null && /^\d{1,2}$/.test(depth) ? Number(depth) : null,
    techniques: parseList(query.get("use")),
    against: parseList(query.get("against")),
    evaluation: query.get("eval"),
    weights: weights !== null && /^-?\d+(,-?\d+)*$/.test(weights) ? weights.split(",").map(Number) : null,
    order: query.get("order"),
  };
}

function libraryRoute(query: URLSearchParams): LibraryRoute {
  const text = (name: keyof Filters) => (query.get(name) ?? "").slice(0, 100);
  const game = query.get("game") ?? undefined;
  const day = (name: "since" | "until") => (/^\d{4}(-\d\d){0,2}$/.test(text(name)) ? text(name) : "");
  const page = /^\d{1,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return {
    kind: "library",
    filters: {
      mine: query.get("mine") === "true" ? "true" : "",
      game: isGameName(game) ? game : "",
      player: text("player"),
      outcome: OUTCOMES.find((outcome) => outcome === query.get("outcome")) ?? "",
      since: day("since"),
      until: day("until"),
      opening: text("opening"),
      whose: query.get("whose") === "class" ? "class" : "",
    },
    page: Math.max(1, page),
  };
}

function learnRoute([, game, lesson, step, ...more]: string[]): LearnRoute | null {
  if (game === undefined) return { kind: "learn", game: "connect4", lesson: "", step: null };
  if (!isGameName(game) || !/^[a-z0-9-]{1,60}$/.test(lesson ?? "") || more.length > 0) return null;
  if (step !== undefined && !/^[1-9]\d?$/.test(step)) return null;
  return { kind: "learn", game, lesson: lesson ?? "", step: step === undefined ? null : Number(step) };
}

function courseRoute([, , rung = "", step, ...more]: string[]): CourseRoute | null {
  if (!/^[a-z-]{0,30}$/.test(rung) || more.length > 0) return null;
  if (step !== undefined && !/^[1-9]\d?$/.test(step)) return null;
  return { kind: "course", rung, step: step === undefined ? null : Number(step) };
}

function monteCarloRoute(query: URLSearchParams): CourseRoute {
  const { game, position, size } = labRoute(query);
  const step = query.get("step") === "2" ? 2 : null;
  return { kind: "course", rung: "monte-carlo", step, start: { game, position, size } };
}

function puzzlesRoute([, id = "", ...more]: string[], query: URLSearchParams): PuzzlesRoute | null {
  const found = /^(?:|today|(c4|ck)-\d{4})$/.exec(id);
  if (!found || more.length > 0) return null;
  const isCheckers = found[1] === "ck" || (!found[1] && query.get("game") === "checkers");
  const theme = query.get("theme") ?? "";
  return {
    kind: "puzzles",
    game: isCheckers ? "checkers" : "connect4",
    id,
    theme: /^[a-z-]{0,30}$/.test(theme) ? theme : "",
  };
}

function arenaRoute([, id, ...more]: string[]): ArenaRoute | null {
  if (more.length > 0 || (id !== undefined && !/^[a-z0-9]{4,32}$/i.test(id))) return null;
  return { kind: "arena", id: id ?? null };
}

/** `/class/NEW` opens a class: a code has another length. */
function classRoute([, code = "", page]: string[]): ClassRoute | null {
  if (page !== undefined && page !== "board") return null;
  if (code === "") return { kind: "class", page: "enter", code };
  if (!/^[a-z0-9]{1,8}$/i.test(code)) return null;
  const isNew = code.toUpperCase() === "NEW";
  if (isNew) return page ? null : { kind: "class", page: "open", code: "" };
  return { kind: "class", page: page ? "board" : "room", code: code.toUpperCase() };
}

function classPath({ page, code }: ClassRoute): string {
  if (page === "enter") return "/class";
  if (page === "open") return "/class/NEW";
  return `/class/${code}${page === "board" ? "/board" : ""}`;
}

/** Names joined by commas; "none" is an empty list. */
function parseList(text: string | null): string[] | null {
  if (text === null) return null;
  return text === "none" ? [] : text.split(",").filter((name) => /^[a-z]{1,20}$/.test(name));
}

function formatList(names: string[] | null): string | null {
  return names && (names.join(",") || "none");
}

function parseSize(text: string | null): PlayRoute["size"] {
  const match = /^(\d{1,2})x(\d{1,2})$/.exec(text ?? "");
  return match ? { width: Number(match[1]), height: Number(match[2]) } : null;
}

function parseNumber(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

function formatNumber(value: number | null): string | null {
  return value === null ? null : String(value);
}

function formatFlip(flipped: boolean | null): string | null {
  return flipped === null ? null : flipped ? "1" : "0";
}

/** A game is at /game/ID; /play/ID, the link to a seat without its end, leads there too. */
function isGamePath([where, id]: string[]): boolean {
  return where === "game" ? isGameId(id) : where === "play" && /^[a-z2-9]{10}$/.test(id ?? "");
}

function isGameId(text: string | undefined): text is string {
  return /^[A-Za-z0-9_-]{4,32}$/.test(text ?? "");
}

function parseFlip(text: string | null): boolean | null {
  return text === "1" ? true : text === "0" ? false : null;
}

function isGameName(text: string | undefined): text is GameName {
  return text === "connect4" || text === "checkers";
}

function formatQuery(entries: Record<string, string | null>): string {
  const given = Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
