"""Play a match: the games that are left, on all cores or on a cluster, until all are played or a test decides."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from outplay.errors import wrong_type
from outplay.match.game import close_seats
from outplay.match.gamefile import GameFile
from outplay.match.openings import find_openings
from outplay.match.result import Played, Result
from outplay.match.schedule import jobs
from outplay.match.settings import Match
from outplay.match.sprt import Sprt
from outplay.match.trial import check_player
from outplay.players import player
from outplay.rules import RULES
from outplay.work import open_workers

Progress = Callable[[Result], None]


def play_match(
    match: Match,
    games: int = 100,
    *,
    path: Path | None = None,
    sprt: Sprt | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play until there are `games` games, including those in the file at `path`, or until `sprt` decides.

    Games at `path` do not count if a player was a bot or a program whose file has changed since.
    `workers` is the number of games at a time on this machine (default: one per core; 0: one after the other in this
    process), `cluster` the address of a Dask scheduler. `progress` is called at the beginning and after every game; an
    error that it raises ends the match, and the games played so far are kept. EngineError if a player cannot be
    started.
    """
    if not isinstance(match, Match):
        raise wrong_type("match", "a Match", match)
    if games < 1:
        raise ValueError(f"a match has at least one game, not {games}")
    with ExitStack() as stack:
        file = None if path is None else stack.enter_context(GameFile(path, match))
        result = Result(match, sprt=sprt)
        if file is not None:
            result = replace(result, played=tuple(file.played), outdated=file.outdated)
        left = jobs(match, games, played={each.round for each in result.played}, keep=cluster is None)
        if left:
            check_players(match, is_here=cluster is None)
        if progress is not None:
            progress(result)
        if not left or result.verdict is not None:
            return result
        stack.callback(close_seats)
        if cluster is None and not _travels(match):
            workers = 0  # other processes cannot import a lambda or a notebook's function
        hands = stack.enter_context(open_workers(workers, cluster=cluster))
        for done in hands.run(left):
            if file is not None:
                file.add(done.value)
            result = replace(result, played=(*result.played, Played.read(done.value)))
            if progress is not None:
                progress(result)
            if result.verdict is not None:
                break
    return result


def check_players(match: Match, *, is_here: bool = True) -> None:
    """Try both players, so that a wrong name or a player of the other game is refused before the first game.

    Files and programs are tried only if the match is played on this machine: a cluster has its own files.
    """
    start = find_openings(match.openings, match.game, seed=match.seed)(1).game(RULES[match.game]).position
    for who in (match.a, match.b):
        each = player(who, seed=match.seed)
        if is_here or not (each.loses_by_failure or each.recipe().needs_process):
            check_player(each, start, match.limit, margin_ms=match.margin_ms)


def _travels(match: Match) -> bool:
    """Return True if the players can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(match))
    except Exception:  # pickle may raise any exception
        return False
    return "__main__" not in (getattr(match.a, "__module__", ""), getattr(match.b, "__module__", ""))
