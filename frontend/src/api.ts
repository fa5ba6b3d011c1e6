// The only file that knows the server's addresses. Every failure is an ApiError.
import { at } from "./lib/base";
import type { Socket, SocketHandlers } from "./lib/link";
import type { Filters } from "./lib/route";
import type {
  About,
  AnalysisRequest,
  AnalysisView,
  AskRequest,
  ClassList,
  ClassroomEvent,
  ClassView,
  CopyCode,
  DrawRequest,
  ErrorBody,
  ErrorView,
  Export,
  GameList,
  GamesAnswer,
  GameView,
  HintView,
  ImportAnswer,
  ImportRequest,
  Invitation,
  LabInfo,
  LabRequest,
  LabRun,
  Me,
  NewGame,
  NewStudy,
  PaceRequest,
  PairRequest,
  PositionAnswer,
  PositionRequest,
  PuzzleRequest,
  PuzzleRun,
  RefusalView,
  ReviewView,
  Said,
  SeatsRequest,
  SeatRequest,
  Study,
  TakebackRequest,
  TournamentRequest,
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

export type { Socket, SocketHandlers };

export type ExportFormat = "pdn" | "json" | "svg" | "fen";

const TIMEOUT_MS = 15_000;
const LONG_TIMEOUT_MS = 120_000; // for whole files of games

export const api = {
  about: () => get<About>("/api/about"),
  readPosition: (request: PositionRequest) => post<PositionAnswer>("/api/positions", request),
  newGame: (request: NewGame) => post<GameView>("/api/games", request),
  games: (filters: Partial<Filters>, limit: number, offset: number) =>
    get<GameList>(`/api/games?${query({ ...filters, limit, offset })}`),
  exportGame: (id: string, format: ExportFormat, ply: number | null) =>
    get<Export>(`${of(id, "export")}?${query({ format, ply: ply ?? "" })}`),
  rawGame: (id: string) => get<Export>(of(id, "raw")),
  exportGames: (filters: Partial<Filters>) =>
    get<Export>(`/api/library/export?${query(filters)}`, LONG_TIMEOUT_MS),
  importGames: (request: ImportRequest) =>
    post<ImportAnswer>("/api/library/import", request, {}, LONG_TIMEOUT_MS),
  deleteGames: (ids: string[]) => post<GamesAnswer>("/api/library/delete", { ids }),
  restoreGames: (ids: string[]) => post<GamesAnswer>("/api/library/restore", { ids }),
  lab: () => get<LabInfo>("/api/lab"),
  experiment: (request: LabRequest) => post<LabRun>("/api/lab/runs", request),
  run: (id: string) => get<LabRun>(`/api/lab/runs/${id}`),
  stopRun: (id: string) => post<LabRun>(`/api/lab/runs/${id}/stop`, {}),
  analyse: (request: AnalysisRequest) => post<AnalysisView>("/api/analyses", request),
  analysis: (id: string) => get<AnalysisView>(`/api/analyses/${id}`),
  stopAnalysis: (id: string) => post<AnalysisView>(`/api/analyses/${id}/stop`, {}, { keepalive: true }),
  newStudy: (request: NewStudy) => post<Study>("/api/studies", request),
  study: (id: string) => get<Study>(of(id, "study")),
  addLine: (id: string, version: number, path: string[], moves: string[]) =>
    post<Study>(of(id, "study/moves"), { version, path, moves }),
  promote: (id: string, version: number, path: string[]) =>
    post<Study>(of(id, "study/promote"), { version, path }),
  deleteNode: (id: string, version: number, path: string[]) =>
    post<Study>(of(id, "study/delete"), { version, path }),
  review: (id: string) => get<ReviewView>(of(id, "review")),
  beginReview: (id: string) => post<ReviewView>(of(id, "review"), {}),
  stopReview: (id: string) => post<ReviewView>(of(id, "review/stop"), {}),
  puzzles: (request: PuzzleRequest) => post<PuzzleRun>("/api/puzzles/own", request),
  puzzleRun: (id: string) => get<PuzzleRun>(`/api/puzzles/own/${id}`),
  stopPuzzles: (id: string) => post<PuzzleRun>(`/api/puzzles/own/${id}/stop`, {}),
  game: (id: string) => get<GameView>(of(id)),
  play: (id: string, version: number, move: string) => post<GameView>(of(id, "moves"), { version, move }),
  whyNot: (id: string, version: number, move: string) =>
    post<RefusalView>(of(id, "why-not"), { version, move }),
  takeback: (id: string, version: number, action: NonNullable<TakebackRequest["action"]> = "ask") =>
    post<GameView>(of(id, "takeback"), { version, action }),
  redo: (id: string, version: number) => post<GameView>(of(id, "redo"), { version }),
  resign: (id: string, version: number) => post<GameView>(of(id, "resign"), { version }),
  draw: (id: string, version: number, action: NonNullable<DrawRequest["action"]>) =>
    post<GameView>(of(id, "draw"), { version, action }),
  hint: (id: string, version: number, step: number, signal: AbortSignal) =>
    post<HintView>(of(id, "hint"), { version, step }, { signal }),
  seats: (id: string, version: number, seats: Omit<SeatsRequest, "version">) =>
    post<GameView>(of(id, "seats"), { version, ...seats }),
  pace: (id: string, pace: PaceRequest) => post<GameView>(of(id, "pace"), pace),
  step: (id: string, version: number) => post<GameView>(of(id, "step"), { version }),
  moveNow: (id: string, version: number) => post<GameView>(of(id, "move-now"), { version }),
  stop: (id: string, version: number) => post<GameView>(of(id, "stop"), { version }),
  retry: (id: string, version: number) => post<GameView>(of(id, "retry"), { version }),
  rematch: (id: string, version: number) => post<GameView>(of(id, "rematch"), { version }),
  invitation: (id: string) => get<Invitation>(of(id, "invitation")),
  sit: (id: string, invitation: string) => post<GameView>(of(id, "sit"), { invitation }),
  say: (id: string, message: number) => post<Said>(of(id, "say"), { message }),
  visit: () => post<Me>("/api/me/visit", {}),
  changeName: (name: string) => post<Me>("/api/me/name", { name }),
  copyMe: () => post<CopyCode>("/api/me/copy", {}),
  enterCode: (code: string) => post<unknown>("/api/me/enter", { code }),
  forgetMe: () => post<unknown>("/api/me/forget", {}),
  events: (id: string, handlers: SocketHandlers) => events(of(id, "events"), handlers),
  openClass: (title: string) => post<ClassView>("/api/classes", { title }),
  classes: () => get<ClassList>("/api/classes"),
  oneClass: (code: string) => get<ClassView>(ofClass(code)),
  joinClass: (code: string, name: string) => post<ClassView>(ofClass(code, "join"), { name }),
  ask: (code: string, request: AskRequest) => post<ClassView>(ofClass(code, "ask"), request),
  pair: (code: string, request: PairRequest) => post<ClassView>(ofClass(code, "pair"), request),
  pauseClass: (code: string, paused: boolean) => post<ClassView>(ofClass(code, "pause"), { paused }),
  endClass: (code: string) => post<ClassView>(ofClass(code, "end"), {}),
  correctPupil: (code: string, person: string, name: string | null) =>
    post<ClassView>(ofClass(code, "pupils"), { person, name }),
  giveSeat: (code: string, request: SeatRequest) => post<ClassView>(ofClass(code, "seat"), request),
  beginTournament: (code: string, request: TournamentRequest) =>
    post<ClassView>(ofClass(code, "tournament"), request),
  nextRound: (code: string) => post<ClassView>(ofClass(code, "tournament/round"), {}),
  endTournament: (code: string) => post<ClassView>(ofClass(code, "tournament/end"), {}),
  classResults: (code: string, format: "csv" | "pdn") =>
    get<Export>(`${ofClass(code, "results")}?${query({ format })}`, LONG_TIMEOUT_MS),
  classEvents: (code: string, handlers: SocketHandlers<ClassroomEvent>) =>
    events(ofClass(code, "events"), handlers),
};

function of(id: string, command = ""): string {
  return `/api/games/${encodeURIComponent(id)}${command && `/${command}`}`;
}

function ofClass(code: string, command = ""): string {
  return `/api/classes/${encodeURIComponent(code)}${command && `/${command}`}`;
}

/** The query string; empty values are left out. */
function query(values: Record<string, string | number>): string {
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
}

function get<T>(path: string, timeoutMs = TIMEOUT_MS): Promise<T> {
  return request<T>(path, { method: "GET" }, timeoutMs);
}

function post<T>(path: string, body: unknown, more: RequestInit = {}, timeoutMs = TIMEOUT_MS): Promise<T> {
  const headers = { "content-type": "application/json" };
  return request<T>(path, { method: "POST", headers, body: JSON.stringify(body), ...more }, timeoutMs);
}

async function request<T>(path: string, init: RequestInit, timeoutMs: number): Promise<T> {
  let response: Response;
  let body: unknown;
  try {
    const signals = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])];
    response = await fetch(at(path), { ...init, signal: AbortSignal.any(signals) });
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

function events<E>(path: string, handlers: SocketHandlers<E>): Socket {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}${at(path)}`);
  socket.onopen = () => handlers.opened();
  socket.onmessage = (message) => handlers.received(JSON.parse(String(message.data)) as E);
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
