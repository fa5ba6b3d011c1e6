"""`outplay hub`: our checkers engine as a program that others can use, over the Hub protocol."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer

from outplay import __version__
from outplay.cli.failure import forget_output
from outplay.engine.protocols.hub import LARGEST_SEED
from outplay.errors import NotationError

if TYPE_CHECKING:
    from outplay.engine.task import Recipe

STRONGEST = ("searcher", "level:8")
"""Who plays by default: the first of these that is installed."""
IDENTITY = {"name": "outplay", "version": __version__, "author": "the outplay developers"}


def hub(
    name: Annotated[
        str | None,
        typer.Option(
            "--player", metavar="PLAYER", help="Who plays: a name as for 'outplay play'. Default: the strongest."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=LARGEST_SEED, help="Seed of the player's choices. Default: a new one each time."
        ),
    ] = None,
) -> None:
    """Answer over the Hub protocol (version 2) on the standard input and output, so that other programs can use it.

    [bold]Examples[/bold]

    outplay hub
    outplay hub --player level:5
    outplay match checkers 'hub:outplay hub --player level:5' level:5 --games 10
    """
    from outplay.engine.hubserver import HubServer, Parameter
    from outplay.players import known_names

    chosen = name if name is not None else next(each for each in STRONGEST if each in known_names())
    parameters = {
        "player": Parameter(chosen, "string"),
        "seed": Parameter("" if seed is None else str(seed), "string"),
    }

    def make(values: Mapping[str, str]) -> Recipe:
        return make_recipe(values["player"], values["seed"], is_trusted=values["player"] == chosen)

    make({key: parameter.value for key, parameter in parameters.items()})  # reports a wrong name at once
    _check_game(chosen)
    server = HubServer(IDENTITY, parameters, make, _say)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        while line := sys.stdin.readline():
            if not server.hear(line):
                break
    finally:
        server.close()


def make_recipe(name: str, seed: str, *, is_trusted: bool) -> Recipe:
    """Return the recipe of a player. Unless `is_trusted`, it must be a player of outplay: no file and no program."""
    from outplay.players import EngineRecipe, player

    if seed and not (re.fullmatch("[0-9]{1,10}", seed) and int(seed) <= LARGEST_SEED):
        raise NotationError(seed, f"a seed is a whole number up to {LARGEST_SEED}")
    who = player(name, seed=int(seed) if seed else None)
    if who.is_human:
        raise NotationError(name, "a person cannot play over the protocol")
    recipe = who.recipe()
    if not is_trusted and (who.loses_by_failure or recipe.needs_process):
        raise NotationError(name, "only outplay's own players can be chosen over the protocol")
    # With a seed, the whole conversation is repeatable; the engine keeps its hash table between questions.
    return replace(recipe, is_reusable=True) if isinstance(recipe, EngineRecipe) else recipe


def _check_game(name: str) -> None:
    """Refuse a player of Connect Four: the protocol is for checkers."""
    from outplay.match.trial import check_player
    from outplay.players import player
    from outplay.rules import RULES

    who = player(name)
    if not who.loses_by_failure:
        check_player(who, RULES["checkers"].start())


def _say(line: str) -> None:
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:  # the reader is gone; the input will end too
        forget_output()
