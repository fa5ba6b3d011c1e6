"""Find puzzles: play games, look for positions with one best move, follow the best defence, measure the grade.

The same seed finds the same puzzles. A puzzle is kept only if its grade is clear: nearly every try of its level solves
it, and hardly any of the level below. The same proof as in `check` comes last.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from outplay import checkers
from outplay.engine.types import Limit, Line, Score
from outplay.explain import own_moves, verdict_of
from outplay.learn.check import puzzle_faults
from outplay.learn.goals import Goal, pieces_won
from outplay.learn.grading import NODES, Grader
from outplay.learn.marks import threat_marks
from outplay.learn.proof import Prover
from outplay.learn.puzzle import GRADES, PREFIXES, GradedPuzzle
from outplay.learn.themes import ENDING, themes_of
from outplay.levels import LevelEngine
from outplay.rules import RULES, Move, Position, must_capture, rules_of

SURE_SEEDS = range(100, 120)
"""The seeds of the tries that confirm a grade; the tries that measure it have other seeds."""
SURE, DOUBTFUL = 18, 6
"""With `SURE_SEEDS`, the level of the grade must solve at least the first number of tries, the level below at most
the second number."""
SHORT = 6
"""The goal names the number of moves of a win if that number is at most this."""
MOST_ASKED = 5
"""The largest number of moves that a puzzle asks for."""
MOST_SHOWN = 8
FEWEST_MOVES = 3
"""The smallest number of legal moves in the position of a puzzle, unless there is a capture."""
QUICK_NODES = 20_000
"""The number of nodes of the first search of a checkers position."""
FIRST_PLY = {"connect4": 5, "checkers": 8}
OPENING = {"connect4": 4, "checkers": 6}
"""The largest number of random moves at the start of a game between two levels."""
ENDINGS = 0.5
"""The share of checkers games that begin with few pieces."""
SHIPPED = 4
"""The largest number of pieces in the tables that ship."""
MOST_GAME = 120
MOST_GAIN = 3


class Miner:
    """Finds the puzzles of one game."""

    def __init__(self, game: str, *, tables: Path | None = None, only_endings: bool = False) -> None:
        """Make a miner. `tables` is a folder of endgame tables. Default: those that ship.

        With `only_endings` every checkers game starts from a position with so few pieces that the shipped tables
        contain it.
        """
        self.game = game
        self._only_endings = only_endings
        self._prover = Prover(tables=tables)
        self._quick = Prover(nodes=QUICK_NODES)

    def mine(self, seed: int) -> Iterator[GradedPuzzle]:
        """Yield the puzzles of one game, played with this seed; never from two positions in succession."""
        last = -2
        for ply, position in enumerate(played_positions(self.game, seed, self._only_endings)):
            if (ply < FIRST_PLY[self.game] and not _is_ending(position)) or ply < last + 2:
                continue
            puzzle = self.puzzle(position)
            if puzzle is not None:
                last = ply
                yield puzzle

    def puzzle(self, position: Position) -> GradedPuzzle | None:
        """Return the puzzle of a position, graded; None if there is none that is proved and has a clear grade."""
        found = self.ungraded(position)
        graded = None if found is None else surely_graded(found)
        return None if graded is None or any(puzzle_faults(graded, self._prover)) else graded

    def ungraded(self, position: Position) -> GradedPuzzle | None:
        """Return the puzzle of a position, with grade 1; None if there is none."""
        moves = position.legal_moves()
        if position.outcome() is not None or len(moves) < (2 if must_capture(position) else FEWEST_MOVES):
            return None
        if self.game == "checkers" and goal_of(position, self._quick.lines(position)) is None:
            return None
        goal = goal_of(position, self._prover.lines(position))
        if goal is None or (goal == Goal("win") and _is_plain_block(position)):
            return None
        asked, accept, shown = self._line(position, goal)
        if not asked:
            return None
        themes = themes_of(position, goal, (*asked, *shown), self._prover)
        if not themes:
            return None
        return GradedPuzzle(f"{PREFIXES[self.game]}-0000", self.game, 1, goal, themes, position, asked, accept, shown)

    def _line(self, start: Position, goal: Goal) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return the moves that are asked for, those accepted at the end, and those that are shown after them."""
        asked: list[str] = []
        accept: tuple[str, ...] = ()
        line: list[str] = []
        position = start
        is_asking = True
        while len(line) < 2 * MOST_ASKED + MOST_SHOWN:
            good = keepers(start, goal, position, self._prover)
            if not good:
                break
            texts = tuple(position.format(move) for move in good)
            if is_asking:
                if len(asked) // 2 >= MOST_ASKED or (asked and len(good) > 1 and not _ends(position, good[0])):
                    asked, is_asking = asked[:-1], False
                else:
                    asked, accept = [*asked, texts[0]], texts
                    is_asking = len(good) == 1
            line.append(texts[0])
            position = position.play(good[0])
            if position.outcome() is not None or (is_won(start, goal, position) and len(line) >= len(asked)):
                break
            reply = self._defence(start, goal, position)
            if reply is None:
                break
            line.append(position.format(reply))
            asked += line[-1:] if is_asking else []
            position = position.play(reply)
        if len(asked) % 2 == 0:
            asked = asked[:-1]
        if accept and asked and asked[-1] != accept[0]:
            accept = (asked[-1],)
        shown = tuple(line[len(asked) :])
        return tuple(asked), accept, shown if len(shown) > 1 else ()

    def _defence(self, start: Position, goal: Goal, position: Position) -> Move | None:
        """Return the hardest reply: one that holds out longest and, if possible, leaves only one good move."""
        lines = self._prover.lines(position)
        if rules_of(position).name == "checkers":
            return lines[0].move
        best = [line for line in lines if line.score.value == lines[0].score.value]
        if goal.kind == "draw":
            best = [line for line in lines if verdict_of(line.score) != "loss"]
        counts = [(len(keepers(start, goal, position.play(line.move), self._prover)) or 99, line.move) for line in best]
        if not counts or (goal.kind == "draw" and min(counts)[0] > 1):
            return None
        return min(counts)[1]


def played_positions(game: str, seed: int, only_endings: bool = False) -> Iterator[Position]:
    """Yield the positions of a game: played at random, or by two levels after a random opening."""
    chance = random.Random(f"{game} {seed}")
    position = RULES[game].start()
    if game == "checkers" and (only_endings or chance.random() < ENDINGS):
        position = random_ending(chance, SHIPPED if only_endings else ENDING)
    levels = [LevelEngine(chance.randint(1, 5), seed=chance.randrange(2**31)) for _ in range(2)]
    is_random = chance.random() < 0.3
    opening = chance.randint(2, OPENING[game])
    for ply in range(MOST_GAME):
        yield position
        if position.outcome() is not None:
            return
        if is_random or ply < opening or chance.random() < 0.1:
            move = chance.choice(position.legal_moves())
        else:
            move = levels[ply % 2].analyse(position, Limit(nodes=NODES // 10)).move
        position = position.play(move)


def random_ending(chance: random.Random, most: int) -> Position:
    """Return a random position with at most `most` pieces and no capture; men on the last row are kings."""
    while True:
        squares = chance.sample(range(1, 33), chance.randint(3, most))
        black = chance.randint(1, len(squares) - 1)
        sides = (squares[:black], squares[black:])
        words = [
            ",".join(f"{'K' * (chance.random() < 0.5 or square in edge)}{square}" for square in side)
            for side, edge in zip(sides, (range(29, 33), range(1, 5)), strict=True)
        ]
        position = checkers.Position.from_fen(f"{chance.choice('BW')}:W{words[1]}:B{words[0]}")
        if not must_capture(position) and position.outcome() is None:
            return position


def goal_of(position: Position, lines: Sequence[Line]) -> Goal | None:
    """Return what exactly one move reaches: a win, some men, a draw. None if there is no such goal."""
    best = lines[0].score
    if best.value < 0:
        return None
    goals = [Goal("win")] if verdict_of(best) == "win" else []
    if isinstance(position, checkers.Position) and not _is_ending(position):  # there only the result counts
        goals += [Goal("gain", number) for number in range(MOST_GAIN, 0, -1)]
    goals += [Goal("draw")] if verdict_of(best) == "draw" else []
    for goal in goals:
        reached = [goal.is_reached(position, line.score) for line in lines]
        if reached[0] and not any(each is not False for each in reached[1:]):
            return _numbered(goal, best)
    return None


def _numbered(goal: Goal, best: Score) -> Goal:
    if goal.kind == "win" and best.plies is not None and own_moves(best.plies) <= SHORT:
        return replace(goal, number=own_moves(best.plies))
    return goal


def keepers(start: Position, goal: Goal, position: Position, prover: Prover) -> list[Move]:
    """Return the moves that still reach the goal, best first; for a win all moves that win, however long they take."""
    wanted = replace(goal, number=None) if goal.kind == "win" else goal
    return [line.move for line in prover.lines(position) if wanted.is_reached(start, line.score)]


def is_won(start: Position, goal: Goal, position: Position) -> bool:
    """Return whether the pieces of a gain have been won, and no capture is left; the solving side has just moved."""
    if goal.kind != "gain" or must_capture(position):
        return False
    assert goal.number is not None
    return pieces_won(start, position) >= goal.number


def _is_ending(position: Position) -> bool:
    return isinstance(position, checkers.Position) and len(position.pieces()) <= ENDING


def _is_plain_block(position: Position) -> bool:
    """Return whether the other side threatens four, so that the move is obvious although the reason may be deep."""
    return bool(threat_marks(position, (position.side.other,)))


def _ends(position: Position, move: Move) -> bool:
    return position.play(move).outcome() is not None


def surely_graded(puzzle: GradedPuzzle) -> GradedPuzzle | None:
    """Return a puzzle with its grade; None if no level solves it, or if it lies between two grades."""
    grader = Grader()
    grade = grader.grade(puzzle)
    if grade is None or grader.solved_tries(puzzle, grade, SURE_SEEDS) < SURE:
        return None
    if grade > GRADES[0] and grader.solved_tries(puzzle, grade - 1, SURE_SEEDS) > DOUBTFUL:
        return None
    return replace(puzzle, grade=grade)
