"""Tournaments as they are played: schedules, tables, players that fail, and a killed one that goes on."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from outplay.engine.types import Limit
from outplay.errors import NotationError
from outplay.match import Bout, Entrant, Tally, Tournament, TournamentRun, TournamentState, pair_round, play_tournament
from outplay.match.game import TimeSpent
from outplay.match.swiss import SwissRound
from outplay.match.tournament_run import (
    BoutBegan,
    BoutEnded,
    BoutMoved,
    Hands,
    PlayerAbsent,
    RoundPaired,
    TournamentEvent,
)
from outplay.outcome import Reason
from outplay.work import Call, ProcessPool, pooled_workers

QUICK = Limit(depth=2)


def small(*players: Any, **options: Any) -> Tournament:
    return Tournament(players, **{"limit": QUICK, "openings": "random:4", **options})


def bout(first: int, second: int, points: float, key: str = "1.1.1.1", **options: Any) -> Bout:
    """A game of which only the result counts."""
    made = Bout(
        key, 1, (first, second), points, "start", (), "", Reason.RESIGNATION, "", (), (TimeSpent(), TimeSpent())
    )
    return replace(made, **options)


def finished(tournament: Tournament, results: list[tuple[int, int, float]], **options: Any) -> TournamentState:
    bouts = tuple(bout(*result, f"1.{number}.1.1") for number, result in enumerate(results, 1))
    return TournamentState(tournament, bouts, **options)


# Schedules


@pytest.mark.parametrize("count", [2, 3, 5, 8, 12])
def test_everyone_meets_everyone_once_and_plays_once_a_round(count: int) -> None:
    meetings = small(*["random"] * count).schedule(range(count))
    assert Counter(frozenset((each.a, each.b)) for each in meetings) == Counter(
        map(frozenset, combinations(range(count), 2))
    )
    assert len({each.key for each in meetings}) == len(meetings)
    for number in {each.round for each in meetings}:
        playing = [who for each in meetings if each.round == number for who in (each.a, each.b)]
        assert len(playing) == len(set(playing)) == count - count % 2


def test_a_gauntlet_has_no_games_within_the_field() -> None:
    meetings = small(*["random"] * 5, kind="gauntlet", challengers=2).schedule(range(5))
    assert {(each.a, each.b) for each in meetings} == {(a, b) for a in (0, 1) for b in (2, 3, 4)}


def test_the_games_of_a_meeting_swap_sides_and_openings_are_the_same_for_all() -> None:
    tournament = small("level:1", "level:2", "random", games=4)
    from outplay.match import find_openings

    openings = find_openings("random:4", "connect4", seed=1)
    first, second = (list(tournament.pairings(each, openings)) for each in tournament.schedule(range(3))[:2])
    assert [pairing.half for pairing in first] == [1, 2, 1, 2]
    assert first[0].opening == first[1].opening != first[2].opening
    assert [pairing.opening for pairing in first] == [pairing.opening for pairing in second]
    assert {pairing.round for pairing in first}.isdisjoint(pairing.round for pairing in second)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "knockout"}, "round-robin, gauntlet, swiss"),
        ({"games": 0}, "games must be positive"),
        ({"kind": "gauntlet", "challengers": 3}, "more players than challengers: 4 or more, not 3"),
        ({"kind": "gauntlet", "challengers": 5}, "6 or more, not 3"),
        ({"names": ("a", "a", "b")}, "all must be different"),
        ({"game": "chess"}, "the games are"),
        ({"max_plies": 0}, "max_plies"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        small("random", "level:1", "level:2", **options)


def test_one_player_is_no_tournament_and_people_take_no_part() -> None:
    with pytest.raises(ValueError, match="at least two"):
        small("random")
    with pytest.raises(NotationError, match="by engines"):
        small("random", "human")


def test_the_same_player_twice_gets_two_names() -> None:
    assert small("random", "random", "level:1").names == ("random", "random (2)", "level:1")


# Swiss


def swiss_tournament(count: int, rounds: int) -> list[SwissRound]:
    """Rounds in which the player with the smaller number always wins."""
    points, met = dict.fromkeys(range(count), 0.0), {who: list[int]() for who in range(count)}
    colours, byes, paired = {who: list[int]() for who in range(count)}, set[int](), list[SwissRound]()
    for _ in range(rounds):
        found = pair_round(
            [Entrant(who, points[who], tuple(met[who]), tuple(colours[who]), who in byes) for who in range(count)]
        )
        paired.append(found)
        for first, second in found.pairs:
            met[first].append(second)
            met[second].append(first)
            colours[first].append(0)
            colours[second].append(1)
            points[min(first, second)] += 1
        if found.bye is not None:
            byes.add(found.bye)
            points[found.bye] += 1
    return paired


@pytest.mark.parametrize(("count", "rounds"), [(8, 5), (9, 5), (16, 6), (31, 7), (30, 9), (6, 3)])
def test_a_swiss_tournament_has_no_rematches_one_bye_each_and_balanced_colours(count: int, rounds: int) -> None:
    paired = swiss_tournament(count, rounds)
    meetings = [frozenset(pair) for each in paired for pair in each.pairs]
    assert len(meetings) == len(set(meetings)) == rounds * (count // 2)
    byes = [each.bye for each in paired if each.bye is not None]
    assert len(byes) == len(set(byes)) == rounds * (count % 2)
    first = Counter(pair[0] for each in paired for pair in each.pairs)
    played = Counter(who for each in paired for pair in each.pairs for who in pair)
    assert all(abs(2 * first[who] - played[who]) <= 2 for who in range(count))


def test_players_with_equal_points_meet_and_the_best_is_found() -> None:
    paired = swiss_tournament(16, 4)
    last = paired[-1]
    assert any(set(pair) == {0, 1} for each in paired for pair in each.pairs)
    assert 0 in next(pair for pair in last.pairs if 0 in pair)
    assert paired[0].pairs != paired[1].pairs


def test_the_bye_goes_to_the_last_one_that_had_none() -> None:
    four = [Entrant(0, 2.0), Entrant(1, 1.0), Entrant(2, 0.0, has_had_bye=True)]
    assert pair_round(four).bye == 1


def test_a_rematch_is_the_last_resort() -> None:
    both = [Entrant(0, 1.0, (1,), (0,)), Entrant(1, 0.0, (0,), (1,))]
    assert pair_round(both) == SwissRound(((1, 0),))


# Tables


def test_points_and_ties_of_a_round_robin() -> None:
    tournament = small("a", "b", "c", "d", games=1)
    # a and b have two points each, and b won their game
    state = finished(tournament, [(0, 1, 0.0), (0, 2, 1.0), (3, 0, 0.0), (1, 2, 0.0), (1, 3, 1.0), (2, 3, 0.5)])
    table = [(row.name, row.points, row.head_to_head) for row in state.standings]
    assert table == [("b", 2.0, 1.0), ("a", 2.0, 0.0), ("c", 1.5, 0.0), ("d", 0.5, 0.0)]
    assert [row.place for row in state.standings] == [1, 2, 3, 4]
    assert state.tally(0) == Tally(2, 0, 1)
    assert [row.sonneborn_berger for row in state.standings] == [2.5, 2.0, 2.25, 0.75]
    assert [row.buchholz for row in state.standings] == [4.0, 4.0, 4.5, 5.5]


def test_players_that_nothing_separates_share_a_place() -> None:
    state = finished(small("a", "b", "c", games=1), [(0, 1, 0.5), (1, 2, 0.5), (2, 0, 0.5)])
    assert [row.place for row in state.standings] == [1, 1, 1]


def test_a_bye_counts_as_a_won_meeting_but_not_as_a_game() -> None:
    tournament = small("a", "b", "c", games=2, kind="swiss")
    state = finished(tournament, [(0, 1, 1.0), (1, 0, 0.0)], byes=(2,))
    assert [(row.name, row.points, row.tally.games) for row in state.standings][:2] == [("a", 2.0, 2), ("c", 2.0, 0)]
    assert state.ratings.elo[2] is None


def test_a_gauntlet_is_ordered_by_rating() -> None:
    tournament = small("hero", "weak", "strong", kind="gauntlet", games=4)
    results = [(0, 1, 1.0)] * 3 + [(0, 1, 0.5)] + [(0, 2, 0.0)] * 3 + [(0, 2, 1.0)]
    assert [row.name for row in finished(tournament, results).standings] == ["strong", "hero", "weak"]


# Playing


def test_a_round_robin_of_levels_is_played_and_told() -> None:
    heard: list[TournamentEvent] = []
    tournament = small("level:1", "level:3", "random", games=2)
    state = play_tournament(tournament, workers=0, watchers=[lambda event, _: heard.append(event)])
    assert len(state.bouts) == state.planned == 6
    assert state.is_over
    assert sum(row.points for row in state.standings) == 6
    assert [type(event) for event in heard] == [RoundPaired, *[BoutBegan, BoutEnded] * 6]
    answer = json.loads(json.dumps(state.as_json()))
    assert [row["name"] for row in answer["standings"]] == [row.name for row in state.standings]
    assert answer["cross_table"][0][0] is None
    assert sum(each for row in answer["cross_table"] for each in row if each) == 6


def test_checkers_and_functions_play_too() -> None:
    def first(position: Any) -> Any:
        return position.legal_moves()[0]

    state = play_tournament(small(first, "level:1", "random", game="checkers", max_plies=40), workers=0)
    assert state.names[0] == "first"
    assert len(state.bouts) == 6


def test_a_swiss_tournament_is_played(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    tournament = small("level:1", "level:2", "random", "level:3", "level:1", kind="swiss", rounds=3)
    state = play_tournament(tournament, workers=0, path=path)
    assert len(state.bouts) == state.planned == 3 * 2 * 2
    assert len(state.byes) == 3
    again = play_tournament(tournament, workers=0, path=path)
    assert table(again) == table(state)


BOTS = {
    "broken.py": "import nowhere",
    "empty.py": "x = 1",
    "good.py": "def choose(position):\n    return position.legal_moves()[0]\n",
    "late.py": "def choose(position):\n    return position.legal_moves()[0] if position.plies < 8 else 1 / 0\n",
}


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    for name, text in BOTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_players_that_cannot_start_are_left_out_and_named(bots: Path) -> None:
    heard: list[TournamentEvent] = []
    players = [f"{bots}/broken.py:choose", f"{bots}/good.py:choose", f"{bots}/empty.py:choose", "random", "searcher"]
    names = ("broken", "good", "empty", "random", "searcher")
    tournament = small(*players, f"{bots}/no.py:choose", names=(*names, "no"), openings="start")
    state = play_tournament(tournament, workers=0, watchers=[lambda event, _: heard.append(event)])
    assert [type(event) for event in heard[:4]] == [PlayerAbsent] * 4
    reasons = {state.names[each.player]: each for each in state.absent}
    assert "No module named 'nowhere'" in reasons["broken"].reason
    assert any("import nowhere" in line for line in reasons["broken"].trace)
    assert "no function 'choose'" in reasons["empty"].reason
    assert "plays only Checkers" in reasons["searcher"].reason
    assert "no file" in reasons["no"].reason
    assert {row.name for row in state.standings} == {"good", "random"}
    assert len(state.bouts) == 2


def test_a_crash_loses_the_game_and_its_traceback_is_kept(bots: Path, tmp_path: Path) -> None:
    tournament = small(f"{bots}/late.py:choose", f"{bots}/good.py:choose", names=("late", "good"), openings="start")
    state = play_tournament(tournament, workers=0, path=tmp_path / "games.pdn")
    assert [row.name for row in state.standings] == ["good", "late"]
    for failed in (state.failures(0), play_tournament(tournament, workers=0, path=tmp_path / "games.pdn").failures(0)):
        assert len(failed) == 2
        assert "ZeroDivisionError" in failed[0].failure
        assert failed[0].trace[-1] == "ZeroDivisionError: division by zero"
        assert any(line.startswith("    return position") for line in failed[0].trace)


# Resuming


def table(state: TournamentState) -> list[Any]:
    """All that must be the same in two runs: everything but times and the order in which games ended."""
    rows = [replace(row, error=round(row.error or 0, 6), elo=round(row.elo or 0, 6)) for row in state.standings]
    games = sorted((each.key, each.sides, each.points, each.moves, each.failure, each.trace) for each in state.bouts)
    return [rows, games, state.absent, state.byes]


def test_a_longer_tournament_continues_a_shorter_one(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    short = small("level:1", "random", "level:2", games=2)
    play_tournament(short, workers=0, path=path)
    longer = play_tournament(replace(short, games=4), workers=0, path=path)
    assert table(longer) == table(play_tournament(replace(short, games=4), workers=0))
    content = path.read_bytes()
    with pytest.raises(NotationError, match="fewer games"):
        play_tournament(short, workers=0, path=path)
    for other in (replace(short, seed=2), replace(short, players=("level:1", "random", "level:3"), names=())):
        with pytest.raises(NotationError, match=r"other (terms|players)"):
            play_tournament(other, workers=0, path=path)
    with pytest.raises(NotationError, match="another kind"):
        play_tournament(replace(short, kind="gauntlet"), workers=0, path=path)
    assert path.read_bytes() == content


def test_a_stopped_tournament_keeps_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pdn"
    tournament = small("level:1", "random", "level:2", games=4)
    run = TournamentRun(tournament, path=path, workers=0)
    run.watch(lambda event, state: run.stop() if len(state.bouts) == 5 else None)
    assert len(run.run().bouts) == 5
    assert table(play_tournament(tournament, workers=0, path=path)) == table(play_tournament(tournament, workers=0))


@pytest.mark.slow
def test_a_tournament_on_a_cluster_has_the_same_table(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="the cluster is an extra")
    heard: list[TournamentEvent] = []
    tournament = small("level:1", "level:2", "random", games=2)
    here = play_tournament(tournament, workers=0)
    there = play_tournament(
        tournament,
        workers=2,
        cluster="local",
        path=tmp_path / "games.pdn",
        watchers=[lambda event, _: heard.append(event)],
    )
    assert table(there) == table(here)
    begun = [event.pairing.round for event in heard if isinstance(event, BoutBegan)]
    ended = [event.bout.key for event in heard if isinstance(event, BoutEnded)]
    assert set(begun) == set(ended)
    again = play_tournament(tournament, path=tmp_path / "games.pdn", workers=0)  # the file of the cluster's run
    assert table(again) == table(here)


def test_a_pause_begins_no_more_games_and_reports_come_from_a_pool() -> None:
    heard: list[TournamentEvent] = []
    paused = threading.Event()
    with ProcessPool(1) as pool, pooled_workers(pool, 1, owner="me") as workers:
        run = TournamentRun(small("level:1", "random", games=6), hands=Hands(workers))

        def hear(event: TournamentEvent, state: TournamentState) -> None:
            heard.append(event)
            if isinstance(event, BoutEnded) and len(state.bouts) == 2:
                run.pause()
                paused.set()

        run.watch(hear)
        thread = threading.Thread(target=run.run)
        thread.start()
        assert paused.wait(60)
        assert len(run.state.bouts) == 2
        assert isinstance(heard[-1], BoutEnded)  # nothing has begun since
        run.go_on()
        thread.join(60)
    assert len(run.state.bouts) == 6
    moved = [event for event in heard if isinstance(event, BoutMoved)]
    assert moved
    keys = {event.pairing.round for event in heard if isinstance(event, BoutBegan)}
    assert {event.key for event in moved} <= keys == {bout.key for bout in run.state.bouts}


def test_a_pool_that_rests_ends_its_processes_and_starts_again() -> None:
    with ProcessPool(1) as pool:
        assert pool.submit(Call("math:sqrt", (4.0,))).result(60) == 2
        assert pool.processes()
        until_idle = threading.Event()
        while pool.running:
            until_idle.wait(0.01)
        pool.rest()
        assert pool.processes() == []
        assert pool.submit(Call("math:sqrt", (9.0,))).result(60) == 3
