"""The players that a page may choose, as JSON. No files and no commands: only those of `live.catalogue`."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import cast

from outplay import explain, players
from outplay.live.catalogue import OPPONENT, SIZES, seatable
from outplay.players import Player
from outplay.rules import NO_PROGRESS, RULES
from outplay.web.wire import GameInfo, GameName, NoProgressInfo, NoProgressName, PlayerInfo, SizeInfo

_GAMES: tuple[GameName, ...] = ("connect4", "checkers")


def seated(game: str, player: Player) -> Player:
    """Return the player with the page's title; a human if that player is no longer listed."""
    card = seatable(game).get(player.name)
    return players.HUMAN if card is None else replace(player, label=card.title)


def game_infos() -> list[GameInfo]:
    return [
        GameInfo(
            game=game,
            title=RULES[game].title,
            sides=list(RULES[game].sides),
            sizes=[SizeInfo(width=width, height=height) for width, height in SIZES if game == "connect4"],
            players=[PlayerInfo(**asdict(card)) for card in seatable(game).values()],
            opponent=OPPONENT,
            human_side=0,
            no_progress=_limits() if game == "checkers" else [],
        )
        for game in _GAMES
    ]


def _limits() -> list[NoProgressInfo]:
    return [
        NoProgressInfo(name=cast(NoProgressName, name), words=explain.no_progress_words(limit))
        for name, limit in NO_PROGRESS.items()
    ]
