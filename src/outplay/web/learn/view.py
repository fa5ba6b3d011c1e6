"""Make the JSON of puzzles, and collect the games to search."""

from __future__ import annotations

from collections.abc import Sequence

from outplay.outcome import Side
from outplay.review import Puzzle
from outplay.review.collect import Collected, CollectTask, PuzzleSource
from outplay.review.task import main_text
from outplay.rules import RULES
from outplay.store import SavedGame
from outplay.store.exporting import seat_titles
from outplay.web import board
from outplay.web.learn import wire
from outplay.web.review.view import answer_view
from outplay.web.runs import Run
from outplay.web.words import TITLE, clipped, counted

CollectRun = Run[CollectTask, Collected]


def collect_task(games: Sequence[SavedGame]) -> CollectTask:
    """Return the task that searches these games for puzzles."""
    return CollectTask(tuple(_source_of(saved) for saved in games), wire.MAX_PUZZLES)


def _source_of(saved: SavedGame) -> PuzzleSource:
    """Return a game and its human sides, whose mistakes count; in a record both sides are people."""
    people = [side for side, seat in zip(Side, saved.seats, strict=True) if seat == "human"]
    return PuzzleSource(saved.id, " - ".join(seat_titles(saved)), main_text(saved.game), tuple(people))


def puzzle_run_view(run: CollectRun) -> wire.PuzzleRun:
    found = run.found or Collected()
    return wire.PuzzleRun(
        id=run.id,
        status=run.status,
        place=run.place,
        done=found.done,
        total=len(run.task.sources),
        puzzles=[_puzzle_view(source, puzzle) for source, puzzle in found.puzzles],
        message=_message(run, found),
    )


def _puzzle_view(source: PuzzleSource, puzzle: Puzzle) -> wire.PuzzleView:
    position = RULES[puzzle.game].read(puzzle.position)
    return wire.PuzzleView(
        game=board.game_name(position),
        position=board.position_view(position),
        legal=board.legal_views(position),
        goal=puzzle.sentence,
        answers=[answer_view(answer) for answer in puzzle.answers],
        line=list(puzzle.line),
        known=puzzle.known,
        source=source.game_id,
        ply=puzzle.ply,
        played=puzzle.played,
        title=clipped(source.title, TITLE),
    )


def _message(run: CollectRun, found: Collected) -> str:
    is_late = run.status == "stopped" and not run.was_stopped_by_hand
    if found.puzzles or not (is_late or run.status == "done"):
        return "" if is_late else run.message()  # out of time: what was found is enough
    games = f"the {counted(found.done, 'game')} searched; there was no time for more" if is_late else "these games"
    return f"No puzzles: no proven result was given away in {games}."
