"""Start `outplay play` in a plain terminal: choose the game, then run its program."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import typer

from outplay.cli.failure import INTERRUPTED
from outplay.cli.plain.checkers import CheckersProgram
from outplay.cli.plain.connect4 import Connect4Program
from outplay.cli.plain.console import Console, Leave
from outplay.cli.plain.game import new_game
from outplay.cli.plain.program import PlayOptions, Program
from outplay.errors import EngineError, OutplayError
from outplay.live import LiveGame, Terms
from outplay.match.trial import check_player
from outplay.rules import RULES

PROGRAMS: dict[str, type[Program]] = {"connect4": Connect4Program, "checkers": CheckersProgram}
GAME_HELP = "1 for Connect Four, 2 for checkers, a position or moves to begin there, quit to leave."


def run(game: str | None, options: PlayOptions) -> None:
    """Run the program of a game; ask first if none is named."""
    console = Console(has_words=options.has_words)
    try:
        game, options = _chosen(game, options, console)
        PROGRAMS[game](options, console).run()
    except Leave:
        console.say("Goodbye.")
    except KeyboardInterrupt:
        console.say("\nGoodbye.")
        raise typer.Exit(INTERRUPTED) from None


def _chosen(game: str | None, options: PlayOptions, console: Console) -> tuple[str, PlayOptions]:
    """Return the game to play, and its options. If no game is named, the position decides; without a position, ask."""
    if options.position.strip() not in ("", "start"):
        return options.at(options.position, game)
    return (game, options) if game is not None else _choose_game(options, console)


def _check_players(game: str, options: PlayOptions) -> None:
    """Refuse an engine that plays only the other game. Own bots are not checked: if one fails, the game says why."""
    for who in (options.first, options.second):
        if who is not None and who.kind not in ("human", "bot"):
            check_player(who, RULES[game].start())


def _choose_game(options: PlayOptions, console: Console) -> tuple[str, PlayOptions]:
    while True:
        answer = console.ask("Connect Four or checkers? (1/2)", GAME_HELP)
        if answer in ("1", "2"):
            return ("connect4", "checkers")[int(answer) - 1], options
        if answer in ("undo", "hint"):
            console.say(GAME_HELP)
            continue
        with suppress(OutplayError):
            if len(answer) > 1:
                return options.at(answer, None)
        console.say(f"Please answer 1 or 2, not {answer!r}.")


def play_once(game: str, options: PlayOptions) -> dict[str, Any]:
    """Play one game of the two named engines, and return it as plain data."""
    _check_players(game, options)
    position, seats, _ = PROGRAMS[game](options, Console()).seats_named()
    rules = RULES[game]
    record = new_game(position, options.no_progress)
    with LiveGame(record, Terms(seats, time_ms=options.time_ms, limit=options.limit)) as live:
        live.start()
        state = live.wait(lambda state: state.status in ("over", "failed"))
    if state.outcome is None:
        assert state.failure is not None
        raise EngineError(state.failure.message, state.failure.transcript)
    winner = state.outcome.winner
    return {
        "game": game,
        "start": state.start.fen(),
        "first": seats[0].name,
        "second": seats[1].name,
        "moves": state.texts,
        "winner": None if winner is None else rules.side_name(winner),
        "reason": state.outcome.reason.value,
        "failure": None if state.failure is None else state.failure.message,
    }
