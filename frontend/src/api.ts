// The only file that knows the server's addresses. Every failure comes out as an ApiError.
import type {
  About,
  ClientMessage,
  DrawRequest,
  ErrorBody,
  ErrorView,
  Event,
  GameList,
  GameView,
  HintView,
  NewGame,
  PaceRequest,
  PositionAnswer,
  PositionRequest,
  Refusal,
  SeatsRequest,
} from "./wire";

/** A request that was refused, or (`kind` "gone") that never reached the server. */
export class ApiError extends Error {
  readonly view: ErrorView | null;

  constructor(view: ErrorView | null) {
    super(view?.message ?? "The server does not answer.");
    this.name = "ApiError";
    this.view = view;
  }

  get kind(): ErrorView["kind"] | "gone" {
    return this.view?.kind ?? "gone";
  }
}

export interface Socket {
  send(message: ClientMessage): void;
  close(): void;
}

export interface SocketHandlers {
  opened(): void;
  received(event: Event): void;
  closed(): void;
}

const TIMEOUT_MS = 15_000;

export const api = {
  about: () => get<About>("/api/about"),
  readPosition: (request: PositionRequest) => post<PositionAnswer>("/api/positions", request),
  newGame: (request: NewGame) => post<GameView>("/api/games", request),
  games: (limit = 20) => get<GameList>(`/api/games?limit=${limit}&offset=0`),
  game: (id: string) => get<GameView>(of(id)),
  find,
  play: (id: string, version: number, move: string) => post<GameView>(of(id, "moves"), { version, move }),
  whyNot: (id: string, version: number, move: string) => post<Refusal>(of(id, "why-not"), { version, move }),
  takeback: (id: string, version: number) => post<GameView>(of(id, "takeback"), { version }),
  redo: (id: string, version: number) => post<GameView>(of(id, "redo"), { version }),
  resign: (id: string, version: number) => post<GameView>(of(id, "resign"), { version }),
  draw: (id: string, version: number, action: NonNullable<DrawRequest["action"]>) =>
    post<GameView>(of(id, "draw"), { version, action }),
  hint: (id: string, version: number, step: number, signal: AbortSignal) =>
    post<HintView>(of(id, "hint"), { version, step }, signal),
  seats: (id: string, version: number, seats: Omit<SeatsRequest, "version">) =>
    post<GameView>(of(id, "seats"), { version, ...seats }),
  pace: (id: string, pace: PaceRequest) => post<GameView>(of(id, "pace"), pace),
  step: (id: string, version: number) => post<GameView>(of(id, "step"), { version }),
  moveNow: (id: string, version: number) => post<GameView>(of(id, "move-now"), { version }),
  stop: (id: string, version: number) => post<GameView>(of(id, "stop"), { version }),
  retry: (id: string, version: number) => post<GameView>(of(id, "retry"), { version }),
  rematch: (id: string, version: number) => post<GameView>(of(id, "rematch"), { version }),
  events,
};

export type Api = typeof api;

function of(id: string, command = ""): string {
  return `/api/games/${encodeURIComponent(id)}${command && `/${command}`}`;
}

function get<T>(path: string): Promise<T> {
  return request<T>(path, { method: "GET" });
}

function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json" };
  return request<T>(path, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null });
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  let body: unknown;
  try {
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])];
    response = await fetch(path, { ...init, signal: AbortSignal.any(signals) });
    body = await response.json();
  } catch {
    throw new ApiError(null);
  }
  if (response.ok) return body as T;
  throw new ApiError(isErrorBody(body) ? body.error : null);
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("error" in body)) return false;
  const error = body.error;
  return typeof error === "object" && error !== null && "kind" in error && "message" in error;
}

/** A game that may be gone. Unlike `game`, its socket tells so without an error in the browser's console. */
function find(id: string): Promise<GameView> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => answer(() => reject(new ApiError(null))), TIMEOUT_MS);
    const socket = events(id, {
      opened: () => undefined,
      received: (event) => {
        if (event.kind === "state") answer(() => resolve(event.game));
        else if (event.kind === "error") answer(() => reject(new ApiError(event.error)));
      },
      closed: () => answer(() => reject(new ApiError(null))),
    });
    function answer(settle: () => void): void {
      clearTimeout(timer);
      socket.close();
      settle();
    }
  });
}

function events(id: string, handlers: SocketHandlers): Socket {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${of(id, "events")}`);
  socket.onopen = () => handlers.opened();
  socket.onmessage = (message) => handlers.received(JSON.parse(String(message.data)) as Event);
  socket.onclose = () => handlers.closed();
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => {
      socket.onclose = null;
      socket.close();
    },
  };
}
