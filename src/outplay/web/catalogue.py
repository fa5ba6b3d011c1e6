"""The players that a page may choose, and their titles. No files and no commands: only these."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from outplay import explain, players
from outplay.levels import LEVELS
from outplay.notation.headers import name_of
from outplay.players import Player, UnknownPlayerError
from outplay.rules import NO_PROGRESS, RULES
from outplay.store import SavedGame
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
    return replace(players.player(name, seed=seed), label=info.title)


def seated(game: str, player: Player) -> Player:
    """Return the player with the page's title; a human if that player is no longer listed."""
    info = _SEATABLE[game].get(player.name)
    return players.HUMAN if info is None else replace(player, label=info.title)


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


_GAMES: tuple[GameName, ...] = ("connect4", "checkers")
_SEATABLE: dict[str, dict[str, PlayerInfo]] = {game: {card.player: card for card in _cards(game)} for game in _GAMES}
