"""The players that a page may choose, as JSON: only those of `live.catalogue`, never a file or a command.

The bots of `outplay serve --bot` are among them: `seat_bots`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import cast

from outplay import explain
from outplay.live.catalogue import OPPONENT, SIZES, Card, Guest, invite, seatable
from outplay.players import UnknownPlayerError
from outplay.rules import NO_PROGRESS, RULES
from outplay.web.bots import SeatedBot
from outplay.web.wire import GameInfo, GameName, NoProgressInfo, NoProgressName, PlayerInfo, SizeInfo

_GAMES: tuple[GameName, ...] = ("connect4", "checkers")
_ENGINES = {
    "connect4": PlayerInfo(
        player="solver",
        kind="engine",
        title="Solver",
        sentence="Finds the best move in every position, if it has enough time.",
        short="our solver",
    ),
    "checkers": PlayerInfo(
        player="searcher",
        kind="engine",
        title="Searcher",
        sentence="Our checkers engine with its endgame tables, at full strength.",
        short="our engine",
    ),
}
"""Engines that play in tournaments. In a game with people they are the highest levels."""
_BOTS: dict[str, SeatedBot] = {}


def seat_bots(bots: Sequence[SeatedBot]) -> None:
    """Offer these bots, and no others, from now on."""
    _BOTS.clear()
    _BOTS.update({bot.name: bot for bot in bots})
    invite([Guest(_bot_card(bot), bot.games, bot.player) for bot in bots])


def _bot_card(bot: SeatedBot) -> Card:
    file = PurePath(bot.source.removeprefix("cmd:").removeprefix("hub:")).name
    sentence = f"A bot of this server, {file}. {bot.protection}"
    return Card(bot.name, "bot", bot.title, sentence, short="a bot of this server")


def bots_sentence() -> str:
    """Return what protects this machine from its bots; empty if there are no bots."""
    return next((bot.protection for bot in _BOTS.values()), "")


def contestants(game: str) -> dict[str, PlayerInfo]:
    """Return the players that can take part in a tournament, by name: all that can be seated, and our own engines."""
    engine = _ENGINES[game]
    others = {name: _info(card) for name, card in seatable(game).items() if card.kind != "human"}
    return {**others, engine.player: engine}


def entry_of(game: str, name: str) -> str:
    """Return the name by which `players` knows a contestant. UnknownPlayerError if no contestant has that name."""
    if name not in contestants(game):
        raise UnknownPlayerError(name, f"there is no player {name} here")
    return _BOTS[name].entry if name in _BOTS else name


def _info(card: Card) -> PlayerInfo:
    return PlayerInfo(**asdict(card))


def game_infos() -> list[GameInfo]:
    return [
        GameInfo(
            game=game,
            title=RULES[game].title,
            sides=list(RULES[game].sides),
            sizes=[SizeInfo(width=width, height=height) for width, height in SIZES if game == "connect4"],
            players=[_info(card) for card in seatable(game).values()],
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
