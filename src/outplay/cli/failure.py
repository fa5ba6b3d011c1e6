"""What a command answers when it fails: a sentence, or JSON, on standard error, and the exit code of the error."""

from __future__ import annotations

import json
import re
from typing import Any

import typer
from typer.core import TyperGroup

from outplay.errors import EXIT_CODES, MissingTableError, OutplayError

USAGE = 2
"""The exit code for arguments that cannot be, as the command line parser has it."""
FAILED = 1


class Commands(TyperGroup):
    """The group of all commands. Errors that are nobody's bug end in one line; all others keep their traceback."""

    def invoke(self, ctx: Any) -> Any:
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader has seen enough; typer ends quietly
            raise
        except (OutplayError, ValueError, OSError) as error:
            _tell(error, as_json)
            raise typer.Exit(exit_code(error)) from error
        except typer.TyperException as error:
            if not as_json:
                raise  # typer tells how the command is used
            _tell(error, as_json)
            raise typer.Exit(error.exit_code) from error


def exit_code(error: Exception) -> int:
    """The exit code of an error, or of its nearest ancestor that has one."""
    codes = (EXIT_CODES[ancestor] for ancestor in type(error).__mro__ if ancestor in EXIT_CODES)
    return next(codes, USAGE if isinstance(error, ValueError) else FAILED)


def as_dict(error: Exception) -> dict[str, Any]:
    """An error as JSON shows it: its kind, its message, and the details that it has."""
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
