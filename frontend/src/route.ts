// Where the page is: a URL to a Route and back.
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

export type Route = PlayRoute | GameRoute | { kind: "settings" } | { kind: "missing"; path: string };

export function parseRoute(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const parts = path.split("/").filter(Boolean);
  if (parts.length === 0) return playRoute("connect4", query);
  if (parts.length === 1 && parts[0] === "settings") return { kind: "settings" };
  if (parts.length === 2 && parts[0] === "play" && isGameName(parts[1])) return playRoute(parts[1], query);
  if (parts.length === 2 && parts[0] === "game" && /^[A-Za-z0-9_-]{4,32}$/.test(parts[1] ?? "")) {
    return {
      kind: "game",
      id: parts[1] ?? "",
      ply: parsePly(query.get("ply")),
      flipped: parseFlip(query.get("flip")),
    };
  }
  return { kind: "missing", path };
}

export function formatRoute(route: Route): string {
  switch (route.kind) {
    case "settings":
      return "/settings";
    case "missing":
      return route.path;
    case "play":
      return `/play/${route.game}${formatQuery({
        pos: route.position || null,
        size: route.size && `${route.size.width}x${route.size.height}`,
        first: route.seats?.[0] ?? null,
        second: route.seats?.[1] ?? null,
      })}`;
    case "game":
      return `/game/${route.id}${formatQuery({
        ply: route.ply === null ? null : String(route.ply),
        flip: route.flipped === null ? null : route.flipped ? "1" : "0",
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

function parseSize(text: string | null): PlayRoute["size"] {
  const match = /^(\d{1,2})x(\d{1,2})$/.exec(text ?? "");
  return match ? { width: Number(match[1]), height: Number(match[2]) } : null;
}

function parsePly(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
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
