"""The players that a page may choose, and their titles. No files and no commands: only these.

The bots of `outplay serve --bot` are among them: `seat_bots`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import cast

from outplay import explain, players
from outplay.levels import LEVELS
from outplay.notation.headers import name_of
from outplay.players import Player, UnknownPlayerError
from outplay.rules import NO_PROGRESS, RULES
from outplay.store import SavedGame
from outplay.web.bots import SeatedBot
from outplay.web.wire import GameInfo, GameName, NoProgressInfo, NoProgressName, PlayerInfo, SizeInfo

SIZES = ((7, 6), (5, 4), (6, 5), (8, 7), (8, 8), (9, 7), (10, 10))
"""The Connect Four boards that are listed; any other size may be requested."""
OPPONENT = "level:2"
"""The default opponent of a first visit."""
ADVISOR = "level:8"
"""The player that gives the hints."""

_LAB = {
    "lab:minimax": "Plain minimax to a fixed depth, as the textbooks have it.",
    "lab:alphabeta": "Minimax that skips moves that cannot change the answer.",
    "lab:five-phase": "Wins at once, blocks, then looks deeper and deeper until its time is up.",
    "lab:mcts": "Plays thousands of random games from here and counts who wins.",
}


def seatable(game: str) -> dict[str, PlayerInfo]:
    """Return the players of a game by name, in the order in which the page lists them."""
    return _SEATABLE[game]


def find(game: str, name: str, seed: int | None = None) -> Player:
    """Return the player of that name with the page's title. UnknownPlayerError if pages may not choose it."""
    info = _SEATABLE[game].get(name)
    if info is None:
        raise UnknownPlayerError(name, f"there is no player {name} here")
    if info.kind == "bot":
        return _BOTS[name].player(seed)
    return replace(players.player(name, seed=seed), label=info.title)


def seated(game: str, player: Player, seed: int | None = None) -> Player:
    """Return the player with the page's title; a human if that player is no longer listed."""
    info = _SEATABLE[game].get(player.name)
    if info is None:
        return players.HUMAN
    return _BOTS[player.name].player(seed) if info.kind == "bot" else replace(player, label=info.title)


def contestants(game: str) -> dict[str, PlayerInfo]:
    """Return the players that can take part in a tournament, by name: all that can be seated, and our own engines."""
    engine = _ENGINES[game]
    others = {name: card for name, card in _SEATABLE[game].items() if card.kind != "human"}
    return {**others, engine.player: engine}


def entry_of(game: str, name: str) -> str:
    """Return a contestant as `players` names it. UnknownPlayerError if there is none of that name here."""
    if name not in contestants(game):
        raise UnknownPlayerError(name, f"there is no player {name} here")
    return _BOTS[name].entry if name in _BOTS else name


def seat_bots(bots: Sequence[SeatedBot]) -> None:
    """Offer these bots, and no others, from now on."""
    _BOTS.clear()
    _BOTS.update({bot.name: bot for bot in bots})
    for game in _GAMES:
        cards = [*_cards(game), *(_bot_card(bot) for bot in bots if game in bot.games)]
        _SEATABLE[game] = {card.player: card for card in cards}


def bots_sentence() -> str:
    """Return what protects this machine from its bots; empty if it has none."""
    return next((bot.protection for bot in _BOTS.values()), "")


def game_infos() -> list[GameInfo]:
    return [
        GameInfo(
            game=game,
            title=RULES[game].title,
            sides=list(RULES[game].sides),
            sizes=[SizeInfo(width=width, height=height) for width, height in SIZES if game == "connect4"],
            players=list(_SEATABLE[game].values()),
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


def titles_of(game: str, seats: tuple[str, str], names: tuple[str, str]) -> list[str]:
    """Return the titles of both sides: the names in the game, or else the players' titles."""
    cards = _SEATABLE[game]
    sides = RULES[game].sides
    titles = []
    for side, (seat, name) in enumerate(zip(seats, names, strict=True)):
        title = cards[seat].title if seat in cards else seat
        titles.append(name or (sides[side] if seats == ("human", "human") else title))
    return titles


def seat_titles(saved: SavedGame) -> list[str]:
    """Return the titles of both sides of a saved game."""
    names = (name_of(saved.game, 0), name_of(saved.game, 1))
    return titles_of(saved.game.rules.name, saved.seats, names)


def _cards(game: GameName) -> list[PlayerInfo]:
    human = PlayerInfo(player="human", kind="human", title="Human", sentence="A person at this screen.")
    levels = [
        PlayerInfo(
            player=f"level:{level.number}",
            kind="level",
            title=level.name,
            level=level.number,
            sentence=level.misses,
            short=level.sees,
        )
        for level in LEVELS[game]
    ]
    chance = PlayerInfo(
        player="random", kind="engine", title="Random", sentence="Any move the rules allow.", short="plays by chance"
    )
    return [human, *levels, chance, *(_lab_card(name) for name in _LAB if name in players.known_names())]


def _lab_card(name: str) -> PlayerInfo:
    label = players.player(name).label
    return PlayerInfo(player=name, kind="lab", title=label, sentence=_LAB[name], short="from the lab")


def _bot_card(bot: SeatedBot) -> PlayerInfo:
    file = PurePath(bot.source.removeprefix("cmd:").removeprefix("hub:")).name
    sentence = f"A bot of this server, {file}. {bot.protection}"
    return PlayerInfo(player=bot.name, kind="bot", title=bot.title, sentence=sentence, short="a bot of this server")


_GAMES: tuple[GameName, ...] = ("connect4", "checkers")
_ENGINES = {
    "connect4": PlayerInfo(
        player="solver",
        kind="engine",
        title="Solver",
        sentence="Knows the best move of every position, if it has the time.",
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
_SEATABLE: dict[str, dict[str, PlayerInfo]] = {game: {card.player: card for card in _cards(game)} for game in _GAMES}
