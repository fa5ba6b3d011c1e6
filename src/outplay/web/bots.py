"""The bots of `outplay serve --bot`: each is tried once at the start, and then offered to everyone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from outplay.engine.sandbox import Sandbox
from outplay.engine.task import Ask
from outplay.engine.types import Limit
from outplay.errors import EngineError, NotationError
from outplay.match.entries import entries
from outplay.match.seat import GameRecipe, Seat, TrialRecipe
from outplay.players import Player, player
from outplay.rules import RULES
from outplay.work import OverrunError

TRIAL = Limit(depth=1, nodes=1, time_ms=1_000)
MARGIN_MS = 10_000
"""How late a bot may answer at the start, because it may have to load a large file."""
LONGEST_NAME = 31


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot that this server offers."""

    name: str
    """The name by which pages choose it: `bot:first`."""
    title: str
    """The title that people read: `first`."""
    source: str
    """The bot as the command line names it: `bots/first.py:choose`."""
    entry: str
    """The name with which `players` makes the bot in its sandbox."""
    games: tuple[str, ...]
    """The games that it plays."""
    protection: str
    """How this machine is protected from the bot, in words."""

    def player(self, seed: int | None = None) -> Player:
        """Return the bot as a player with the name that pages know."""
        return replace(player(self.entry, seed=seed), name=self.name, label=self.title, kind="seated")


def find_bots(sources: Sequence[str], sandbox: Sandbox) -> tuple[SeatedBot, ...]:
    """Try all bots and return them. NotationError or EngineError if one has no file, cannot start, or plays no game."""
    housed, titles = entries(sources, sandbox)
    found = list[SeatedBot]()
    for source, entry, title in zip(sources, housed, titles, strict=True):
        if entry == source:
            raise NotationError(source, "name a bot as FILE.py:FUNCTION, FILE.py, cmd:COMMAND or hub:COMMAND")
        taken = {bot.name for bot in found}
        found.append(SeatedBot(_name(title, taken), title, source, entry, _games(source, entry), sandbox.promise))
    return tuple(found)


def _name(title: str, taken: set[str]) -> str:
    letters = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME].strip("-") or "bot"
    names = (f"bot:{letters}{f'-{number}' if number > 1 else ''}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _games(source: str, entry: str) -> tuple[str, ...]:
    """Return the games that a bot plays: those in which its first move is legal, or takes too long."""
    who, seat = player(entry), Seat()
    problems = list[str]()
    played = list[str]()
    try:
        start = RULES[who.only or "connect4"].start()
        try:
            seat.ask(Ask(TrialRecipe(who.recipe(), "start"), start, TRIAL), margin_ms=MARGIN_MS)
        except EngineError as error:
            raise EngineError(f"{source}: {error}", error.transcript) from None
        for game in [who.only] if who.only else RULES:
            problem = _problem(who, game, seat)
            if problem:
                problems.append(f"in {RULES[game].title}, {problem}")
            else:
                played.append(game)
    finally:
        seat.close()
    if not played:
        raise EngineError(f"{source} plays no game: {'; '.join(problems)}")
    return tuple(played)


def _problem(who: Player, game: str, seat: Seat) -> str:
    """Return what goes wrong when a bot is asked for its first move; empty if nothing does."""
    try:
        seat.ask(Ask(GameRecipe(who.recipe(), game), RULES[game].start(), TRIAL), margin_ms=MARGIN_MS)
    except OverrunError:
        return ""  # it thinks, but too long
    except EngineError as error:
        return str(error)
    return ""
