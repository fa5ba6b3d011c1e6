"""Make the JSON of puzzles, and the task that searches saved games for puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from outplay.learn import THEMES, GradedPuzzle, shipped_puzzles
from outplay.learn.progress import PuzzleStanding
from outplay.learn.puzzle import GRADES
from outplay.learn.tries import Tried
from outplay.notation.any import counted
from outplay.outcome import Side
from outplay.review import Puzzle
from outplay.review.collect import Collected, CollectTask, PuzzleSource
from outplay.review.task import main_text
from outplay.rules import RULES
from outplay.store import SavedGame
from outplay.web import board
from outplay.web.learn.view import line_views, theme_standings
from outplay.web.puzzles import wire
from outplay.web.review.view import answer_view
from outplay.web.runs import Run
from outplay.web.wire import GameName
from outplay.web.words import TITLE, clipped, seats_for

CollectRun = Run[CollectTask, Collected]


def collect_task(games: Sequence[SavedGame], person: str) -> CollectTask:
    """Return the task that searches these games of a person for puzzles."""
    return CollectTask(tuple(_source_of(saved, person) for saved in games), wire.MAX_PUZZLES)


def _source_of(saved: SavedGame, person: str) -> PuzzleSource:
    """Return a game and its human sides, whose mistakes count; in an imported game both sides are human."""
    people = [side for side, seat in zip(Side, saved.seats, strict=True) if seat == "human"]
    return PuzzleSource(saved.id, " - ".join(seats_for(saved, person)), main_text(saved.game), tuple(people))


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
    return f"No puzzles: no proved result was given away in {games}."


# Puzzles that ship


def graded_view(puzzle: GradedPuzzle, stands: PuzzleStanding, day: str = "") -> wire.GradedView:
    state: wire.PuzzleState = (
        "solved" if puzzle.id in stands.solved else "missed" if puzzle.id in stands.missed else "new"
    )
    return wire.GradedView(
        id=puzzle.id,
        game=cast(GameName, puzzle.game),
        position=board.position_view(puzzle.position),
        legal=board.legal_views(puzzle.position),
        sentence=puzzle.sentence,
        words=_words(puzzle),
        grade=puzzle.grade,
        moves=puzzle.own_moves,
        state=state,
        is_due=puzzle.id in stands.due,
        day=day,
    )


def _words(puzzle: GradedPuzzle) -> str:
    what = "column" if puzzle.game == "connect4" else "move"
    side, other = (RULES[puzzle.game].sides[each] for each in (puzzle.position.side, puzzle.position.side.other))
    only = f"Only one {what} does it."
    if puzzle.goal.kind == "win" and puzzle.goal.number is not None and puzzle.goal.number > 1:
        return f"{side} wins with move {puzzle.goal.number} at the latest, whatever {other} does. {only}"
    if puzzle.goal.kind == "draw":
        return f"Every other {what} loses."
    return only


def run_standing(stands: PuzzleStanding) -> wire.PuzzleRunStanding:
    return wire.PuzzleRunStanding(
        today=["missed" if kind == "missed" else "solved" for kind in stands.today],
        in_a_row=stands.in_a_row,
        solved=len(stands.solved),
        grade=stands.grade,
        due=len(stands.due),
    )


def puzzles_view(game: GameName, stands: PuzzleStanding, own_games: int) -> wire.PuzzlesView:
    puzzles = shipped_puzzles(game)
    grades = [(grade, [puzzle.id for puzzle in puzzles if puzzle.grade == grade]) for grade in GRADES]
    return wire.PuzzlesView(
        game=game,
        total=len(puzzles),
        themes=theme_standings(game, stands),
        grades=[
            wire.GradeStanding(grade=grade, total=len(ids), solved=sum(name in stands.solved for name in ids))
            for grade, ids in grades
        ],
        run=run_standing(stands),
        own_games=own_games,
    )


def next_view(game: GameName, theme: str, puzzle: GradedPuzzle | None, stands: PuzzleStanding) -> wire.NextPuzzle:
    if puzzle is not None:
        return wire.NextPuzzle(puzzle=graded_view(puzzle, stands), sentence="", theme="")
    themes = theme_standings(game, stands)
    if theme and theme not in {each.theme for each in themes}:
        sentence = f'There is no theme "{theme}" in the puzzles of {RULES[game].title}. Choose another one.'
        return wire.NextPuzzle(puzzle=None, sentence=sentence, theme="")
    total = next((each.total for each in themes if each.theme == theme), len(shipped_puzzles(game)))
    left = next((each for each in themes if each.solved < each.total), None)
    more = "" if left is None else f" Next theme: {left.title}"
    return wire.NextPuzzle(puzzle=None, sentence=f"All {total} solved.{more}", theme="" if left is None else left.theme)


def try_view(
    puzzle: GradedPuzzle, moves: Sequence[str], tried: Tried, stands: PuzzleStanding, *, is_first_try: bool
) -> wire.TryVerdict:
    is_going = tried.status == "going"
    after = tried.after
    shown: dict[str, Any] = {
        "headline": "Right, at the first try" if is_first_try else tried.headline,
        "sentence": tried.sentence,
        "line": line_views(tried.position, tried.line),
        "marks": board.mark_views(tried.marks),
        "label": tried.label,
        "known": tried.known,
        "is_proof": tried.is_proof,
    }
    return wire.TryVerdict(
        **shown,
        status=tried.status,
        position=board.position_view(after),
        legal=board.legal_views(after) if is_going else [],
        moves=[*moves, puzzle.asked[len(moves)]] if is_going else [],
        is_first_try=is_first_try,
        themes=[] if is_going else [THEMES[puzzle.game][theme] for theme in puzzle.themes],
        comes_back="It comes back tomorrow." if tried.status == "missed" and puzzle.id in stands.missed else "",
        run=run_standing(stands),
    )
