"""The tests that every engine must pass: subclass the class and say how to make the engine."""

import threading
import time
from abc import ABC, abstractmethod

import pytest

from outplay.engine.types import Analysis, Engine, Limit
from outplay.errors import GameOverError
from outplay.rules import RULES, Position
from tests.support.positions import random_checkers_fens, random_connect4_moves

LONGEST_STOP_SECONDS = 30  # wide: machines are noisy; bench measures the real figure


class EngineContract(ABC):
    """Subclasses are collected by pytest; `games` names the games the engine plays."""

    games: tuple[str, ...] = ("connect4", "checkers")
    limit = Limit(depth=2)
    positions_per_game = 12

    @abstractmethod
    def make(self, seed: int) -> Engine: ...

    def positions(self, *, finished: bool) -> list[Position]:
        texts = {
            "connect4": [*random_connect4_moves(5, 60), "1212121"],
            "checkers": [*random_checkers_fens(5, 60), "W:W5:B1"],
        }
        found = [RULES[game].read(text) for game in self.games for text in texts[game]]
        chosen = [position for position in found if (position.outcome() is not None) == finished]
        return chosen[:: max(1, len(chosen) // (self.positions_per_game * len(self.games)))]

    def test_it_plays_legal_moves(self) -> None:
        engine = self.make(1)
        for position in self.positions(finished=False):
            analysis = engine.analyse(position, self.limit)
            assert analysis.move in position.legal_moves()
            for line in analysis.lines:
                after = position
                for move in line.moves:
                    assert move in after.legal_moves()
                    after = after.play(move)
                assert line.moves[:1] in ((), (line.move,))

    def test_it_has_no_move_in_a_finished_game(self) -> None:
        positions = self.positions(finished=True)
        assert positions
        for position in positions:
            with pytest.raises(GameOverError):
                self.make(1).analyse(position, self.limit)

    def test_the_same_seed_plays_the_same_moves(self) -> None:
        positions = self.positions(finished=False)
        first, second = self.make(7), self.make(7)
        moves = [[engine.analyse(position, self.limit).move for position in positions] for engine in (first, second)]
        assert moves[0] == moves[1]

    def test_it_keeps_its_depth_and_says_what_it_cost(self) -> None:
        for position in self.positions(finished=False)[:4]:
            analysis = self.make(1).analyse(position, Limit(depth=1))
            assert analysis.depth <= 1
            assert analysis.nodes >= 1
            assert analysis.seconds >= 0

    def test_it_gives_as_many_lines_as_asked_for_and_no_move_twice(self) -> None:
        for position in self.positions(finished=False)[:6]:
            analysis = self.make(1).analyse(position, Limit(depth=1, lines=3))
            moves = [line.move for line in analysis.lines]
            assert len(moves) == len({str(move) for move in moves}) == min(3, len(position.legal_moves()))

    def test_it_stops_when_its_time_is_up(self) -> None:
        for game in self.games:
            started = time.monotonic()
            self.make(1).analyse(RULES[game].start(), Limit(time_ms=50))
            assert time.monotonic() - started < LONGEST_STOP_SECONDS

    def test_it_stops_when_told_to(self) -> None:
        for game in self.games:
            engine, result = self.make(1), list[Analysis]()
            thread = threading.Thread(
                target=lambda engine=engine, game=game, result=result: result.append(
                    engine.analyse(RULES[game].start(), Limit(time_ms=60_000))
                )
            )
            thread.start()
            deadline = time.monotonic() + LONGEST_STOP_SECONDS
            while thread.is_alive() and time.monotonic() < deadline:
                engine.stop()
                thread.join(0.02)
            assert not thread.is_alive()
            assert result[0].move in RULES[game].start().legal_moves()

    def test_it_reports_as_it_goes(self) -> None:
        for game in self.games:
            reports = list[Analysis]()
            analysis = self.make(1).analyse(RULES[game].start(), self.limit, report=reports.append)
            assert reports
            assert all(report.move in RULES[game].start().legal_moves() for report in reports)
            assert reports[-1].nodes <= analysis.nodes
