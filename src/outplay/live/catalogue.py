"""The players that can be chosen for a seat, with their titles and descriptions, in the order of a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from outplay import players
from outplay.levels import LEVELS
from outplay.players import Player, UnknownPlayerError
from outplay.rules import RULES

SIZES = ((7, 6), (5, 4), (6, 5), (8, 7), (8, 8), (9, 7), (10, 10))
"""The Connect Four boards that are listed; any other size may be requested."""
OPPONENT = "level:2"
"""The default opponent of a first visit."""
ADVISOR = "level:8"
"""The player that gives the hints."""

_LAB = {
    "lab:minimax": "Plain minimax to a fixed depth, as in textbooks.",
    "lab:alphabeta": "Minimax that skips moves that cannot change the answer.",
    "lab:five-phase": "Wins at once, blocks, then looks deeper and deeper until its time is up.",
    "lab:mcts": "Plays thousands of random games from the position and counts who wins.",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A player on offer."""

    player: str
    kind: Literal["human", "level", "lab", "engine", "bot"]
    title: str
    sentence: str
    """A description of the player; for a level, its weakness."""
    level: int | None = None
    short: str = ""
    """A short description beside the seat: "looks 6 moves ahead", "from the lab"."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A player that only this server offers: one of its bots."""

    card: Card
    games: tuple[str, ...]
    make: Callable[[int | None], Player]
    """Makes the player from a seed."""


_GUESTS: dict[str, Guest] = {}


def invite(guests: Sequence[Guest]) -> None:
    """Offer these guests, and no others, from now on."""
    _GUESTS.clear()
    _GUESTS.update({guest.card.player: guest for guest in guests})


def seatable(game: str) -> dict[str, Card]:
    """Return the players of a game by name, in the order in which they are listed; guests last."""
    return _own(game) | {name: guest.card for name, guest in _GUESTS.items() if game in guest.games}


@cache
def _own(game: str) -> dict[str, Card]:
    human = Card("human", "human", "Human", "A person at this screen.")
    levels = [
        Card(f"level:{level.number}", "level", level.name, level.misses, level.number, level.sees)
        for level in LEVELS[game]
    ]
    chance = Card("random", "engine", "Random", "Any move the rules allow.", short="plays at random")
    lab = [_lab_card(name) for name in _LAB if name in players.known_names()]
    return {card.player: card for card in (human, *levels, chance, *lab)}


def _lab_card(name: str) -> Card:
    return Card(name, "lab", players.player(name).label, _LAB[name], short="from the lab")


def find(game: str, name: str, seed: int | None = None) -> Player:
    """Return the player of that name with its title. UnknownPlayerError if it is not on offer."""
    card = seatable(game).get(name)
    if card is None:
        raise UnknownPlayerError(name, f"there is no player {name} here")
    if name in _GUESTS:
        return _GUESTS[name].make(seed)
    return replace(players.player(name, seed=seed), label=card.title)


def seated(game: str, player: Player, seed: int | None = None) -> Player:
    """Return the player of a saved seat with its title; a human if that player is no longer on offer."""
    card = seatable(game).get(player.name)
    if card is None:
        return players.HUMAN
    return _GUESTS[player.name].make(seed) if player.name in _GUESTS else replace(player, label=card.title)


def titles_of(game: str, seats: tuple[str, str], names: tuple[str, str]) -> list[str]:
    """Return the titles of both sides: the names in the game, or else the players' titles."""
    cards = seatable(game)
    sides = RULES[game].sides
    titles = []
    for side, (seat, name) in enumerate(zip(seats, names, strict=True)):
        title = cards[seat].title if seat in cards else seat
        titles.append(name or (sides[side] if seats == ("human", "human") else title))
    return titles


def players_called(part: str) -> tuple[str, ...]:
    """Return the players with this name, or with a title that begins with it: "plan" finds Planner, "ann" does not."""
    cards = [card for game in RULES for card in seatable(game).values()] if part else []
    return tuple({card.player for card in cards if card.title.lower().startswith(part.lower()) or part == card.player})
