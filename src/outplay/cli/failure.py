"""How commands fail: a sentence or JSON on standard error, and the exit code of the error."""

from __future__ import annotations

import json
import re
from typing import Any

import typer
from typer.core import TyperGroup

from outplay.errors import EXIT_CODES, MissingTableError, OutplayError

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""
USAGE = 2
"""The exit code for wrong arguments, as the parser of the command line has it."""
FAILED = 1


class Commands(TyperGroup):
    """The group of all commands: what goes wrong is told in one line, and only our own bugs leave a traceback.

    Ctrl-C is a `KeyboardInterrupt`; a command that has more to say about it raises one with a message.
    """

    def invoke(self, ctx: Any) -> Any:
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader has seen enough; typer ends quietly
            raise
        except KeyboardInterrupt as interrupt:
            say_interrupted(str(interrupt), as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
        except (OutplayError, ValueError, OSError) as error:
            _tell(error, as_json)
            raise typer.Exit(exit_code(error)) from error
        except typer.TyperException as error:
            if not as_json:
                raise  # typer tells how the command is used
            _tell(error, as_json)
            raise typer.Exit(error.exit_code) from error


def say_interrupted(message: str = "", *, as_json: bool = False) -> None:
    """Print one line: Ctrl-C ended the command. `message` says how much was done by then."""
    message = f"interrupted: {message}" if message else "interrupted"
    body = json.dumps({"error": {"kind": "interrupted", "message": message}}, ensure_ascii=False)
    typer.echo(body if as_json else f"outplay: {message}", err=True)


def exit_code(error: Exception) -> int:
    """Return the exit code of an error, or of its nearest ancestor that has one."""
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
        return error.format_message()
    if isinstance(error, MissingTableError) and error.material.isdecimal() and len(error.material) == 4:
        return f"{error}; this builds it: outplay tablebase build --pieces {sum(map(int, error.material))}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _tell(error: Exception, as_json: bool) -> None:
    body = json.dumps({"error": as_dict(error)}, ensure_ascii=False)
    typer.echo(body if as_json else f"outplay: {_message(error)}", err=True)
