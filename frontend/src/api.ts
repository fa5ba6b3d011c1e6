// The only file that knows the server's addresses. Every failure is an ApiError.
import { at } from "./lib/base";
import type { Socket, SocketHandlers } from "./lib/link";
import type { Filters, GameName } from "./lib/route";
import type {
  About,
  AnalysisRequest,
  AnalysisView,
  ArenaGames,
  ArenaInfo,
  ArenaView,
  AskRequest,
  ClassList,
  ClassroomEvent,
  ClassView,
  CoachView,
  CopyCode,
  DrawRequest,
  ErrorBody,
  ErrorView,
  Export,
  GameList,
  GamesAnswer,
  GameView,
  GradedView,
  HintView,
  ImportAnswer,
  ImportRequest,
  Invitation,
  LabCourse,
  MonteCarloRequest,
  LabInfo,
  LabRequest,
  LabRun,
  LearnView,
  LessonView,
  Me,
  NewGame,
  NewStudy,
  NewTournament,
  NextPuzzle,
  PaceRequest,
  PairRequest,
  PositionAnswer,
  PositionRequest,
  Prediction,
  PuzzleRequest,
  PuzzleRun,
  PuzzlesView,
  RecordView,
  RefusalView,
  RefutationView,
  ReviewView,
  RungEntry,
  RungView,
  Said,
  SeatRequest,
  SeatsRequest,
  StepHint,
  StepVerdict,
  StepView,
  Study,
  TakebackRequest,
  TournamentRequest,
  TryVerdict,
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
  /** The address of a drawing of a position. */
  picture: (id: string, ply: number | null) => at(`${of(id, "picture")}?${query({ ply: ply ?? "" })}`),
  rawGame: (id: string) => get<Export>(of(id, "raw")),
  exportGames: (filters: Partial<Filters>) =>
    get<Export>(`/api/library/export?${query(filters)}`, LONG_TIMEOUT_MS),
  importGames: (request: ImportRequest) =>
    post<ImportAnswer>("/api/library/import", request, {}, LONG_TIMEOUT_MS),
  deleteGames: (ids: string[]) => post<GamesAnswer>("/api/library/delete", { ids }),
  restoreGames: (ids: string[]) => post<GamesAnswer>("/api/library/restore", { ids }),
  lab: () => get<LabInfo>("/api/lab"),
  labCourse: () => get<LabCourse>("/api/lab/course"),
  rung: (name: string) => get<RungView>(ofRung(name)),
  monteCarlo: (request: MonteCarloRequest) => post<RungView>("/api/lab/monte-carlo", request),
  readRungStep: (name: string, step: number) => post<RungEntry>(ofRung(name, `${step}/read`), {}),
  predict: (name: string, step: number, answer: string) =>
    post<Prediction>(ofRung(name, `${step}/answer`), { answer }),
  takeRungAgain: (name: string) => post<RungEntry>(ofRung(name, "again"), {}),
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
  review: (id: string, waitMs = 0) => get<ReviewView>(`${of(id, "review")}?${query({ wait_ms: waitMs })}`),
  beginReview: (id: string) => post<ReviewView>(of(id, "review"), {}),
  stopReview: (id: string) => post<ReviewView>(of(id, "review/stop"), {}),
  refute: (id: string, ply: number, move: string) =>
    post<RefutationView>(of(id, "review/refute"), { ply, move }),
  coach: (id: string) => get<CoachView>(of(id, "coach")),
  beginCoach: (id: string) => post<CoachView>(of(id, "coach"), {}),
  puzzles: (request: PuzzleRequest) => post<PuzzleRun>("/api/puzzles/own", request),
  puzzleRun: (id: string) => get<PuzzleRun>(`/api/puzzles/own/${id}`),
  stopPuzzles: (id: string) => post<PuzzleRun>(`/api/puzzles/own/${id}/stop`, {}),
  learn: () => get<LearnView>("/api/learn"),
  record: () => get<RecordView>("/api/learn/record"),
  exportRecord: () => get<Export>("/api/learn/export"),
  toldReady: (game: GameName, level: number) => post<RecordView>("/api/learn/record/told", { game, level }),
  lesson: (game: GameName, name: string) => get<LessonView>(ofLesson(game, name)),
  lessonStep: (game: GameName, name: string, step: number) => get<StepView>(ofLesson(game, name, `${step}`)),
  readStep: (game: GameName, name: string, step: number) =>
    post<LessonView>(ofLesson(game, name, `${step}/read`), {}),
  answerStep: (game: GameName, name: string, step: number, move: string) =>
    post<StepVerdict>(ofLesson(game, name, `${step}/answer`), { move }),
  hintStep: (game: GameName, name: string, step: number, hint: number) =>
    post<StepHint>(ofLesson(game, name, `${step}/hint`), { step: hint }),
  solutionOfStep: (game: GameName, name: string, step: number) =>
    post<StepVerdict>(ofLesson(game, name, `${step}/solution`), {}),
  allPuzzles: (game: GameName) => get<PuzzlesView>(`/api/puzzles?${query({ game })}`),
  nextPuzzle: (game: GameName, theme: string, harder: number, after: readonly string[]) =>
    get<NextPuzzle>(
      `/api/puzzles/next?${query({ game, theme, harder })}${after.map((id) => `&after=${id}`).join("")}`,
    ),
  puzzle: (id: string) => get<GradedView>(`/api/puzzles/${id}`),
  todaysPuzzle: (game: GameName) => get<GradedView>(`/api/puzzles/today?${query({ game })}`),
  tryPuzzle: (id: string, moves: string[]) => post<TryVerdict>(`/api/puzzles/${id}/try`, { moves }),
  hintPuzzle: (id: string, step: number, moves: string[]) =>
    post<StepHint>(`/api/puzzles/${id}/hint`, { step, moves }),
  solvePuzzle: (id: string) => post<TryVerdict>(`/api/puzzles/${id}/solution`, {}),
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
  endGame: (code: string, game: string, winner: 0 | 1 | null) =>
    post<ClassView>(ofClass(code, "games/end"), { game, winner }),
  giveSeat: (code: string, request: SeatRequest) => post<ClassView>(ofClass(code, "seat"), request),
  beginTournament: (code: string, request: TournamentRequest) =>
    post<ClassView>(ofClass(code, "tournament"), request),
  nextRound: (code: string) => post<ClassView>(ofClass(code, "tournament/round"), {}),
  endTournament: (code: string) => post<ClassView>(ofClass(code, "tournament/end"), {}),
  classResults: (code: string, format: "csv" | "pdn") =>
    get<Export>(`${ofClass(code, "results")}?${query({ format })}`, LONG_TIMEOUT_MS),
  classEvents: (code: string, handlers: SocketHandlers<ClassroomEvent>) =>
    events(ofClass(code, "events"), handlers),
  arena: () => get<ArenaInfo>("/api/arena"),
  newTournament: (request: NewTournament) => post<ArenaView>("/api/arena", request),
  tournament: (id: string) => get<ArenaView>(ofArena(id)),
  tournamentGames: (id: string, player: number, other: number) =>
    get<ArenaGames>(`${ofArena(id, "games")}?${query({ player, other, limit: 500 })}`),
  tournamentReport: (id: string, format: "html" | "csv" | "games" | "pdn") =>
    get<Export>(`${ofArena(id, "report")}?${query({ format })}`, LONG_TIMEOUT_MS),
  pauseTournament: (id: string, paused: boolean) => post<ArenaView>(ofArena(id, "pause"), { paused }),
  stopTournament: (id: string) => post<ArenaView>(ofArena(id, "stop"), {}),
  deleteTournament: (id: string) => post<unknown>(ofArena(id, "delete"), {}),
};

function ofArena(id: string, command = ""): string {
  return `/api/arena/${encodeURIComponent(id)}${command && `/${command}`}`;
}

function of(id: string, command = ""): string {
  return `/api/games/${encodeURIComponent(id)}${command && `/${command}`}`;
}

function ofLesson(game: GameName, name: string, command = ""): string {
  return `/api/learn/lessons/${game}/${encodeURIComponent(name)}${command && `/${command}`}`;
}

function ofRung(name: string, command = ""): string {
  return `/api/lab/course/${encodeURIComponent(name)}${command && `/${command}`}`;
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
  const error = new ApiError(isErrorBody(body) ? body.error : null);
  if (error.kind === "forgotten") location.reload(); // the page comes with a new key, and says why
  throw error;
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
