"""When the file of a bot has changed, its earlier games do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from outplay import Limit
from outplay.match import Match, Tournament, play_match, play_tournament, report, tournament_report
from outplay.match.versions import version_of

LEFT = "def choose(position):\n    return position.legal_moves()[0]\n"
RIGHT = "def choose(position):\n    return position.legal_moves()[-1]\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "ada.py"
    path.write_text(LEFT)
    return path


def test_a_version_is_that_of_the_bots_own_files(bot: Path) -> None:
    seen = [version_of(str(bot))]
    assert {version_of(text) for text in (f"{bot}:choose", f"guest:{bot}", f"guest,sandbox=limits:{bot}:choose")} == {
        seen[0]
    }
    bot.write_text(RIGHT)
    seen.append(version_of(str(bot)))
    (bot.parent / "ada").mkdir()
    (bot.parent / "ada" / "weights.txt").write_text("1 2 3")
    seen.append(version_of(str(bot)))
    (bot.parent / "ada" / "__pycache__").mkdir()
    (bot.parent / "ada" / "__pycache__" / "x.pyc").write_text("")
    assert version_of(str(bot)) == seen[-1]
    assert len(set(seen)) == 3
    assert version_of(f"cmd:python3 {bot}") == version_of(f"guest:cmd:python3 {bot}") != ""


@pytest.mark.parametrize("who", ["level:3", "lab:mcts,playouts=5", "bots/none.py", "cmd:none", "random"])
def test_other_players_have_no_version(who: str) -> None:
    assert version_of(who) == ""


def test_a_changed_bot_plays_its_match_again(bot: Path) -> None:
    match = Match(str(bot), "random", "connect4", limit=Limit(depth=1))
    path = bot.parent / "games.pdn"
    before = play_match(match, 4, path=path, workers=0)
    assert (len(before.played), before.outdated) == (4, 0)
    bot.write_text(RIGHT)
    after = play_match(match, 2, path=path, workers=0)
    assert (len(after.played), after.outdated) == (2, 4)
    assert "4 earlier games do not count: the file of a player has changed since." in report.sentences(after)
    assert path.read_text().count("[Event ") == 6  # nothing is thrown away
    bot.write_text(LEFT)
    again = play_match(match, 4, path=path, workers=0)
    assert (again.played, again.outdated) == (before.played, 2)


def test_only_a_changed_bot_plays_its_tournament_again(bot: Path) -> None:
    other = bot.with_name("ben.py")
    other.write_text(LEFT)
    tournament = Tournament((str(bot), str(other), "random"), limit=Limit(depth=1))
    path = bot.parent / "games.pdn"
    assert play_tournament(tournament, path=path, workers=0).outdated == 0
    bot.write_text(RIGHT)
    state = play_tournament(tournament, path=path, workers=0)
    assert (len(state.bouts), state.outdated) == (6, 4)
    assert path.read_text().count("[Event ") == 6 + 4
    assert any(text.startswith("4 earlier games do not count") for text in tournament_report.sentences(state))
