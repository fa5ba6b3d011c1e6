"""Problems of checkers: the move to find, and the proof that another move wins just as well."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from outplay.checkers import Endgames, Findings, Move, Position, Searcher
from outplay.engine.native import SearcherEngine
from outplay.engine.types import Limit
from outplay.tablebase import Tablebase, Value, open_endgames
from tests.support import DATA

FILES = ("problems_published.tsv", "problems_checkers.tsv")
TABLES_PROVE_IT = "the tables prove it"
GUESSES = ("reductions", "internal_reductions", "reverse_futility", "futility")
"""The parts of a search that leave moves out because they look bad; without them what it finds certain is certain."""
MOST_BELIEF = 9999
"""From this score on, the end was reached or a table knows it."""
PATIENCE = {"W:W10,15,21,25,K11:B5,12,14,K18": 6}
"""How many times the limit of the others a problem needs: this one leads through endings of three against three that
the evaluation takes for drawn until the win is in sight, and is solved with nine million positions."""
NODES = 5_000_000
"""The longest proof takes three million positions, less than a second."""


def problems() -> list[tuple[str, str, str]]:
    """Position, move and how it is known: the published ones, then those of our own games."""
    rows = [row for name in FILES for row in (DATA / name).read_text(encoding="utf-8").splitlines()]
    return [(fen, move, how) for fen, move, how in (row.split("\t") for row in rows if row and row[0] != "#")]


def check_problem(fen: str, move: str, how: str, limit: Limit, folder: Path | None = None) -> None:
    """Assert that the engine finds the move, or another that is proved to win."""
    position = Position.from_fen(fen)
    found = SearcherEngine(table_mib=16).analyse(position, limit).move
    assert isinstance(found, Move)
    assert str(found) == move or is_proved_to_win(position, found, folder), f"{found}: {how}"


def is_proved_to_win(position: Position, move: Move, folder: Path | None = None, *, nodes: int = NODES) -> bool:
    """Do the tables, those that ship and those of `folder`, give the position after the move as lost?

    Where they do not know it: does every defence lead to the end, or to an ending that they give as lost?
    """
    after = position.play(move)
    if after.outcome() is not None:
        return True  # the side to move has no move, and has lost
    known = tablebase(folder).get(after)
    return known.value == Value.LOSS if known else is_searched_to_the_end(after, folder, nodes)


def is_searched_to_the_end(position: Position, folder: Path | None, nodes: int) -> bool:
    searcher = Searcher(table_mib=16, endgames=endgames(folder), without=GUESSES)

    def stop_when_certain(findings: Findings) -> None:
        if is_lost(findings):
            searcher.stop()

    return is_lost(searcher.analyse(position, nodes=nodes, report=stop_when_certain))


def is_lost(findings: Findings) -> bool:
    return findings.lines[0].score < -MOST_BELIEF


@cache
def tablebase(folder: Path | None) -> Tablebase:
    return Tablebase.open(folder)


@cache
def endgames(folder: Path | None) -> Endgames:
    return open_endgames(folder)
