"""The JSON of the web app: types that several pages share, and a table of all requests.

The other types are in the `wire.py` of their page. Requests have size limits, answers need none. The TypeScript types
of the front end are generated from these through the OpenAPI document. All paths begin with /api; a body is JSON; a
failed request of any kind answers an `ErrorBody`. A GET changes nothing.

------------------------------- --------------- ---------------- --------------------------------------------
method and path                 request         answer           notes
------------------------------- --------------- ---------------- --------------------------------------------
GET  /about                                     About            games, players, limits, a storage warning
POST /positions                 PositionRequest PositionAnswer   reads any text; 200 also if it cannot be read
POST /games                     NewGame         201 GameView     the first engine starts at once unless paused
GET  /games?game=&player=..                     GameList         mine, newest first; whose=class: of my classes
GET  /games/{id}                                GameView
GET  /games/{id}/export                         Export           PDN, JSON; SVG and FEN of any ply
GET  /games/{id}/raw                            Export           the row as the database has it, damaged or not
POST /games/{id}/moves          MoveRequest     GameView         the engine's reply comes as an event
POST /games/{id}/why-not        MoveRequest     RefusalView      plays nothing; the rule that forbids a move, or none
POST /games/{id}/takeback       TakebackRequest GameView         stops a search that is running
POST /games/{id}/redo           VersionRequest  GameView         as many plies as the last takeback took
POST /games/{id}/resign         ResignRequest   GameView
POST /games/{id}/draw           DrawRequest     GameView         an engine answers at once, in `notice`
POST /games/{id}/hint           HintRequest     HintView         step 1 area, 2 piece or column, 3 move
POST /games/{id}/seats          SeatsRequest    GameView         at any ply, also while an engine thinks
POST /games/{id}/pace           PaceRequest     GameView         needs no version: the last one wins
POST /games/{id}/step           VersionRequest  GameView         one engine move while the game is paused
POST /games/{id}/move-now       VersionRequest  GameView         the engine plays the best it has found
POST /games/{id}/stop           VersionRequest  GameView         the search ends without a move, game paused
POST /games/{id}/retry          VersionRequest  GameView         after `failed`: ask the same player again
POST /games/{id}/rematch        VersionRequest  201 GameView     a new game, seats swapped
GET  /games/{id}/invitation                     Invitation       for the person who made the game
POST /games/{id}/sit            SitRequest      GameView         takes the free seat
POST /games/{id}/say            SayRequest      Said             a ready-made message to everyone at the board
GET  /me                                        Me               the person whose key the request has
POST /me/visit                  Nothing         Me               on the server's machine, claims games without an owner
POST /me/name                   NameRequest     Me
POST /me/copy                   Nothing         201 CopyCode     a code for another device
POST /me/enter                  EnterRequest    Nothing          the key of the device that shows the code
POST /me/forget                 Nothing         Nothing          deletes what is mine
POST /classes                   NewClass        201 ClassView    the person who opens a class is its teacher
GET  /classes                                   ClassList        those that I teach or have joined
GET  /classes/{code}                            ClassView        as the teacher, a pupil or a stranger sees it
POST /classes/{code}/join       JoinRequest     ClassView        under a name that is free there
POST /classes/{code}/ask        AskRequest      ClassView        a pupil asks another one for a game
POST /classes/{code}/pair       PairRequest     ClassView        from here on for the teacher only
POST /classes/{code}/pause      PauseRequest    ClassView
POST /classes/{code}/end        Nothing         ClassView
POST /classes/{code}/pupils     PupilRequest    ClassView        corrects a name, or removes a pupil
POST /classes/{code}/seat       SeatRequest     ClassView        an engine plays for a pupil who is away
POST /classes/{code}/games/end  EndGameRequest  ClassView        one game, with the teacher's decision
POST /classes/{code}/tournament TournamentRequest ClassView
POST /classes/{code}/tournament/round Nothing   ClassView        the next round
POST /classes/{code}/tournament/end Nothing     ClassView
GET  /classes/{code}/results                    Export           a table (CSV), or the games (PDN)
GET  /arena                                     ArenaInfo        players, limits; my tournaments, and those running
POST /arena                     NewTournament   201 ArenaView    engines play, with lower priority than people
GET  /arena/{id}                                ArenaView        standings, cross table, games now
GET  /arena/{id}/games                          ArenaGames       finished games, the newest first
GET  /arena/{id}/report                         Export           a page (HTML), tables (CSV), or the games (PDN)
POST /arena/{id}/pause          PauseRequest    ArenaView        from here on for the person who began it
POST /arena/{id}/stop           StopRequest     ArenaView        what was played is kept, and can be continued
POST /arena/{id}/delete         Nothing         Nothing          with all its games
POST /library/import            ImportRequest   ImportAnswer     any text; reports games it cannot read
POST /library/delete            GamesRequest    GamesAnswer      they can be restored for a day
POST /library/restore           GamesRequest    GamesAnswer
GET  /library/export                            Export           the games that fit the filters, as PDN
GET  /lab                                       LabInfo          techniques, evaluations, words
POST /lab/runs                  LabRequest      201 LabRun       an experiment, in a process of its own
GET  /lab/runs/{id}                             LabRun           its progress
POST /lab/runs/{id}/stop        StopRequest     LabRun
POST /lab/monte-carlo     MonteCarloRequest     RungView         random games from a position, round by round
GET  /lab/course                                LabCourse        "How machines play": its parts, and my progress
GET  /lab/course/{part}                         RungView         a guided run, step by step
POST /lab/course/{part}/again   Nothing         RungEntry        take a part again
POST /lab/course/{part}/{step}/read    Nothing         RungEntry        this step was reached
POST /lab/course/{part}/{step}/answer  PredictRequest  Prediction       what the search does next: right or not
POST /analyses                  AnalysisRequest 201 AnalysisView often complete at once; otherwise poll
GET  /analyses/{id}                             AnalysisView     is stopped when no page asks any more
POST /analyses/{id}/stop        StopRequest     AnalysisView
POST /studies                   NewStudy        201 Study        a position with a first move, saved
GET  /games/{id}/study                          Study            a game as a tree of variations
POST /games/{id}/study/moves    StudyMoves      Study            adds a line; uses the study's version
POST /games/{id}/study/promote  StudyRequest    Study            before the variations beside it
POST /games/{id}/study/delete   StudyRequest    Study            with all that follows
POST /games/{id}/study/comment  StudyComment    Study
GET  /games/{id}/review                         ReviewView       status `none` if it was not requested
POST /games/{id}/review         ReviewRequest   ReviewView       starts it, unless it exists already
POST /games/{id}/review/stop    StopRequest     ReviewView
POST /games/{id}/review/refute  RefuteRequest   RefutationView   any other move at a ply, and what is wrong with it
GET  /games/{id}/coach                          CoachView        the one move worth another try; in words
POST /games/{id}/coach          Nothing         CoachView        after the end; reviews the game if needed
GET  /puzzles?game=                             PuzzlesView      in numbers, and my progress
GET  /puzzles/next?game=&theme=                 NextPuzzle       what comes back, or a new one of my grade
GET  /puzzles/today?game=                       GradedView       the same for everyone
GET  /puzzles/{puzzle}                          GradedView       without its answer
POST /puzzles/{puzzle}/try      TryRequest      TryVerdict       the moves so far and the next one
POST /puzzles/{puzzle}/hint     PuzzleHintRequest StepHint       step 1 area, 2 piece or column, 3 move
POST /puzzles/{puzzle}/solution Nothing         TryVerdict       counts as missed
POST /puzzles/own               PuzzleRequest   201 PuzzleRun    from mistakes in saved games
GET  /puzzles/own/{id}                          PuzzleRun
POST /puzzles/own/{id}/stop     StopRequest     PuzzleRun
GET  /learn                                     LearnView        all lessons, and the step to go on with
GET  /learn/lessons/{game}/{name}               LessonView
GET  /learn/lessons/{game}/{name}/{step}        StepView         without its answer
POST /learn/lessons/{game}/{name}/{step}/read Nothing LessonView       go on from a step
POST /learn/lessons/{game}/{name}/{step}/answer AnswerRequest StepVerdict      right, or refuted on the board
POST /learn/lessons/{game}/{name}/{step}/hint StepHintRequest StepHint
POST /learn/lessons/{game}/{name}/{step}/solution Nothing StepVerdict
GET  /learn/record                              RecordView       levels, puzzles by theme, lessons done
POST /learn/record/told         ToldRequest     RecordView       "ready for level 4" is said once
GET  /learn/export                              Export           what was learned, as JSON
WS   /games/{id}/events         ClientMessage   Event            a `state` event first, then as things happen
WS   /classes/{code}/events     ClientMessage   ClassroomEvent   a `class` event first, then what changes
------------------------------- --------------- ---------------- --------------------------------------------

Two counters: `version` increases with every change of moves, seats or outcome, and a write with another version
is refused as `stale` (409), so that two tabs cannot overwrite each other's moves. `revision` increases with every
change of a `GameView` (pace, status and failure included): of two views the one with the higher revision is newer.

Cells. Connect Four: row * width + column, both from 0, row 0 on top; a move's path is the one cell in which
the disc lands. Checkers: squares 1-32; a path is every square the piece stands on, first and last
included. `board` is one character per cell in that order (checkers: square 1 first): "." empty; Connect Four
"1" the side that began (Red), "2" the other; checkers "b" "w" men, "B" "W" kings.

Sides: 0 moves first in the normal start position (Red, Black), 1 is the other (Yellow, White).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from outplay.explain import MarkKind
from outplay.notation.any import MOST_PLIES

MAX_TIME_MS = 60_000
"""The longest thinking time per move that a page may request."""
MAX_PLIES = MOST_PLIES
"""The most moves of a game; further moves are refused."""
MAX_TEXT = 4_000
"""The longest text that may be pasted as a position."""
GameName = Literal["connect4", "checkers"]
NoProgressName = Literal["official", "classroom", "none"]
SideNumber = Literal[0, 1]
KnownBy = Literal["search", "solved", "table", "book"]
Verdict = Literal["win", "draw", "loss", "unclear"]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{4,32}$")]
PlayerName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}(:[a-z0-9][a-z0-9-]{0,31})?$")]
MoveText = Annotated[str, Field(min_length=1, max_length=64)]
Board = Annotated[str, Field(min_length=16, max_length=128)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Width = Annotated[int, Field(ge=4, le=25)]
Height = Annotated[int, Field(ge=4, le=31)]
RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{4,32}$")]
RunStatus = Literal["waiting", "running", "done", "stopped", "failed"]
Word = Annotated[str, Field(max_length=40)]


class Reply(BaseModel):
    """The base class of answers: every field is always present."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Request(BaseModel):
    """The base class of requests: a request has only the declared fields, of the declared types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MoveView(Reply):
    """A move: its text, and the cells on its path."""

    text: str
    path: list[int]
    captures: list[int] = Field(default_factory=list, description="squares jumped, in order")


class PositionView(Reply):
    """Pieces and side to move, ready to draw."""

    text: str = Field(description="FEN, as `NewGame.position` accepts it")
    board: str
    side: SideNumber
    width: int
    height: int


class MarkView(Reply):
    """A mark on a board.

    `threat`: a cell where `side` makes four. `line`: a line through discs of `side`. `order`: a `number` in a cell.
    `arrow`: a move of ours. `reply`: a move of the other side. For both, `cells` is the path. `take`: a piece that is
    captured. `target`: where a piece will stand. `avoid`: a cell that `side` must not fill. `cell`: anything else worth
    looking at.
    """

    kind: MarkKind
    cells: list[int]
    side: SideNumber | None = None
    number: int | None = None


class ErrorView(Reply):
    """What was refused, why, and what can be done instead."""

    kind: Literal[
        "invalid",  # 422: a field is missing, of the wrong type or out of bounds
        "notation",  # 422: the text cannot be read
        "illegal-position",  # 422: the text is fine, but the position is impossible; see reasons
        "illegal-move",  # 409: see moves, those that may be played
        "unknown-player",  # 422
        "forgotten",  # 401: "Forget me" was chosen for this key
        "not-yours",  # 403: another person's game, seat or run: it can be watched
        "unknown-game",  # 404: no such game id
        "unknown-run",  # 404: no such experiment or analysis, or no longer kept
        "unknown-code",  # 404: no other device shows this code any more
        "unknown-class",  # 404: no class with this code
        "unknown-lesson",  # 404: no such lesson, or no such step or task in it
        "unknown-puzzle",  # 404: no puzzle with this id
        "name-taken",  # 409: another pupil of the class has this name
        "not-found",  # 404: no such path
        "method",  # 405
        "stale",  # 409: the game has changed; see version
        "game-over",  # 409
        "not-now",  # 409: not this side's turn, nothing to take back, a strict game, ...
        "storage",  # 503: the database does not work at the moment; nothing was saved
        "read-only",  # 503: the database can only be read
        "damaged",  # 500: the saved game cannot be read; /games/{id}/raw gives what is there
        "engine",  # 502: the player failed
        "busy",  # 503: too many games, sockets or searches
        "rate",  # 429
        "forbidden",  # 403: Host or Origin
        "too-large",  # 413
        "internal",  # 500
    ]
    message: str = Field(description='"You must capture: 22x15 or 23x16"')
    detail: str = Field(default="", description='"28-24 is refused: a capture is never optional."')
    reasons: list[str] = Field(default_factory=list)
    moves: list[MoveView] = Field(default_factory=list, description="what must be played instead")
    version: int | None = Field(default=None, description="the game's version, if the request was stale")


class ErrorBody(Reply):
    """The body of every failed request."""

    error: ErrorView


class OpinionLine(Reply):
    """One move as a player judges it."""

    move: str
    label: str = Field(description='short: "+2", "-0.35", "= draw", "+ win in 5"')
    bar: float = Field(description="length of the bar for this move, from -1 (loss) to 1 (win)")
    verdict: Verdict = Field(description="for the side to move; `unclear` for an estimate near zero")
    ends_in: int | None = Field(default=None, description="number of the winner's own moves to the win")
    known_by: KnownBy = "search"
    moves: list[str] = Field(default_factory=list, description="the expected line")


class PlayerInfo(Reply):
    """A player that a page may choose."""

    player: str
    kind: Literal["human", "level", "lab", "engine", "bot"]
    title: str = Field(description='"Human", "Planner", "Five-phase", "Solver"')
    level: int | None = Field(default=None)
    sentence: str = Field(default="", description="what it is, or the weakness of a level")
    short: str = Field(
        default="", description='a short description to show next to the name: "looks 6 moves ahead", "from the lab"'
    )


class SizeInfo(Reply):
    """A Connect Four board size."""

    width: int
    height: int


class NoProgressInfo(Reply):
    """A limit after which a game without progress is drawn."""

    name: NoProgressName
    words: str = Field(description='"after 40 moves each without progress"')


class GameInfo(Reply):
    """A game that can be played here."""

    game: GameName
    title: str
    sides: list[str] = Field(description='"Red", "Yellow"')
    sizes: list[SizeInfo] = Field(description="the first is the default; empty for checkers")
    players: list[PlayerInfo]
    opponent: str = Field(description="the default opponent of a first visit")
    human_side: SideNumber = Field(description="the default side of a first visit")
    no_progress: list[NoProgressInfo] = Field(description="limits on offer, the default first; empty for Connect Four")


class OutcomeView(Reply):
    """How the game ended."""

    winner: SideNumber | None
    reason: str
    sentence: str = Field(description='"Red wins with column 3: four on a diagonal."')
    told: list[str] = Field(
        default_factory=list,
        description='the same, addressed to each player in turn: "You lost on move 25: four on a diagonal."',
    )
    detail: str = Field(default="", description='"25 moves."')
    cells: list[int] = Field(default_factory=list, description="the winning discs")


class StopRequest(Request):
    """A request to stop; what was found so far is kept."""
