"""How commands fail: a sentence or JSON on standard error, and the exit code of the error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperGroup

from outplay.cli.usage import help_command, usage_message
from outplay.errors import EXIT_CODES, MissingTableError, OutplayError
from outplay.notation.builder import GameTextError

INTERRUPTED = 130
"""The exit code after Ctrl-C, the same as in shells."""
USAGE = 2
"""The exit code for wrong arguments: that of the command-line parser."""
FAILED = 1
CLOSED_PIPE = 141
"""The exit code if the reader of the output ends first, such as `| head`: 128 plus the number of SIGPIPE."""
_ARGUMENTS = "outplay.arguments"


class Commands(TyperGroup):
    """The group of all commands: an error is reported in one line, and only our own bugs print a traceback.

    Ctrl-C is a `KeyboardInterrupt`. A command that has more to say raises a new one with a message.
    """

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        arguments = list(args)
        with self._one_line(arguments):
            context = super().make_context(info_name, args, parent, **extra)
            context.meta[_ARGUMENTS] = arguments
            return context

    def invoke(self, ctx: Any) -> Any:
        with self._one_line(ctx.meta[_ARGUMENTS]):
            return super().invoke(ctx)

    @contextmanager
    def _one_line(self, arguments: list[str]) -> Iterator[None]:
        """Turn an error into one line on standard error and an exit code."""
        as_json = "--json" in arguments
        try:
            yield
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has seen enough
            forget_output()
            raise typer.Exit(CLOSED_PIPE) from None
        except KeyboardInterrupt as interrupt:
            say_interrupted(str(interrupt), as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
        except typer.Abort:  # Ctrl-C at a question
            say_interrupted(as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
        except typer.TyperException as error:
            _tell(error, arguments, help_command(self, arguments))
            raise typer.Exit(error.exit_code) from error
        except SystemExit as left:  # rich ends the program when a pipe is closed
            raise typer.Exit(CLOSED_PIPE) if isinstance(left.__context__, BrokenPipeError) else left from None
        except (OutplayError, ValueError, OSError) as error:
            _tell(error, arguments)
            raise typer.Exit(exit_code(error)) from error


def forget_output() -> None:
    """Send the rest of the output nowhere, because its reader is gone."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_interrupted(message: str = "", *, as_json: bool = False) -> None:
    """Print one line: Ctrl-C ended the command. `message` says how much was done by then."""
    message = f"interrupted: {message}" if message else "interrupted"
    body = json.dumps({"error": {"kind": "interrupted", "message": message}}, ensure_ascii=False)
    typer.echo(body if as_json else f"outplay: {message}", err=True)


def exit_code(error: Exception) -> int:
    """Return the exit code of an error: that of its class, or of the nearest base class that has an exit code."""
    codes = (EXIT_CODES[ancestor] for ancestor in type(error).__mro__ if ancestor in EXIT_CODES)
    return next(codes, USAGE if isinstance(error, ValueError) else FAILED)


def as_dict(error: Exception) -> dict[str, Any]:
    """Return an error as JSON shows it: its kind, its message and its details."""
    details = ("text", "reason", "reasons", "where", "line", "ply")
    found = {name: getattr(error, name) for name in details if getattr(error, name, None) not in (None, "")}
    return {"kind": _kind(error), "message": _message(error), **found}


def _kind(error: Exception) -> str:
    if isinstance(error, typer.TyperException):
        return "usage"
    if isinstance(error, OSError):
        return "file"
    named = next((ancestor for ancestor in type(error).__mro__ if ancestor in EXIT_CODES), None)
    if named is None:
        return "invalid"
    return re.sub(r"(?<!^)(?=[A-Z])", "-", named.__name__.removesuffix("Error")).lower()


def _message(error: Exception) -> str:
    if isinstance(error, typer.TyperException):
        return usage_message(error)
    if isinstance(error, MissingTableError) and error.material.isdecimal() and len(error.material) == 4:
        pieces = sum(map(int, error.material))
        return f"{error}; this builds it: outplay tablebase build --pieces {pieces}"
    if isinstance(error, GameTextError) and (error.name, error.game, error.line) == ("text", 1, 1):
        return f"ply {error.ply}: {error.reason}" if error.ply else error.reason  # typed, not from a file
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _tell(error: Exception, arguments: list[str], explained_by: str = "") -> None:
    hint = f"; see '{explained_by}'" if explained_by else ""
    if "--json" in arguments:
        line = json.dumps({"error": as_dict(error)}, ensure_ascii=False)
    elif "--log=json" in arguments or ("--log", "json") in pairwise(arguments):
        from outplay.web.http.logs import json_line

        line = json_line(_message(error) + hint)
    else:
        line = f"outplay: {_message(error)}{hint}"
    typer.echo(line, err=True)
