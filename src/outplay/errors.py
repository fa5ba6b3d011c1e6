"""The exceptions of outplay. A wrong argument raises a plain ValueError or TypeError instead.

    OutplayError
    ├── NotationError         (ValueError)   the text cannot be read
    ├── IllegalPositionError  (ValueError)   the text is fine, but the position is impossible: see .reasons
    ├── IllegalMoveError      (ValueError)   not a move here: see .move, .position
    ├── GameOverError         (ValueError)   there is no move left to play
    ├── MissingTableError     (LookupError)  there is no endgame table for a position: see .material
    ├── CorruptTableError                    a file does not match its checksum: see .path
    ├── EngineError                          an engine failed: see .transcript
    ├── JobError                             a batch job failed: see .job
    └── MissingExtraError (ModuleNotFoundError)  an optional package is not installed: see .extra

Each one can be pickled, so it keeps its details when it passes from one process to another. `EXIT_CODES` has the exit
code of a command for each error, and `HTTP_STATUSES` the status with which the web server answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class OutplayError(Exception):
    """The root of the tree: catch this to catch all of outplay's own errors."""


class NotationError(OutplayError, ValueError):
    """The text cannot be read: `.text` is the input, `.reason` the fault, `.where` its place in a long text."""

    def __init__(self, text: str, reason: str, where: str = "") -> None:
        super().__init__(text, reason, where)
        self.text, self.reason, self.where = text, reason, where

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"{self.where + ': ' if self.where else ''}cannot read {shown!r}: {self.reason}"


class IllegalPositionError(OutplayError, ValueError):
    """The position is impossible: `.reasons` lists everything that is wrong with it."""

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(self.reasons)

    def __str__(self) -> str:
        return "illegal position: " + "; ".join(self.reasons)


class IllegalMoveError(OutplayError, ValueError):
    """The move is not legal here. `.move` is the move as given, `.reason` names the rule that forbids it."""

    def __init__(self, move: object, position: Any, reason: str) -> None:
        super().__init__(move, position, reason)
        self.move, self.position, self.reason = move, position, reason

    def __str__(self) -> str:
        return f"illegal move {self.move} in {self.position.fen()}: {self.reason}"


class GameOverError(OutplayError, ValueError):
    """There is no move left to play in `.position`."""

    def __init__(self, position: Any, reason: str) -> None:
        super().__init__(position, reason)
        self.position, self.reason = position, reason

    def __str__(self) -> str:
        return f"the game is over ({self.reason}) in {self.position.fen()}"


class MissingTableError(OutplayError, LookupError):
    """There is no endgame table for `.material`."""

    def __init__(self, material: str) -> None:
        super().__init__(material)
        self.material = material

    def __str__(self) -> str:
        return f"no endgame table for {self.material}"


class CorruptTableError(OutplayError):
    """The file at `.path` is damaged."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} is damaged: {self.reason}"


class EngineError(OutplayError):
    """An engine failed; `.transcript` holds the last lines of its output or of the conversation with it."""

    def __init__(self, message: str, transcript: Iterable[str] = ()) -> None:
        self.message, self.transcript = message, tuple(transcript)
        super().__init__(message, self.transcript)

    def __str__(self) -> str:
        return self.message


class JobError(OutplayError):
    """The batch job `.job` failed."""

    def __init__(self, job: str, reason: str) -> None:
        super().__init__(job, reason)
        self.job, self.reason = job, reason

    def __str__(self) -> str:
        return f"job {self.job} failed: {self.reason}"


class MissingExtraError(OutplayError, ModuleNotFoundError):
    """The optional package `.package` is not installed; `.extra` names the extra that installs it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(package, extra)
        self.package, self.extra = package, extra

    def __str__(self) -> str:
        return f"{self.package} is not installed: pip install 'outplay[{self.extra}]'"


def wrong_type(name: str, wanted: str, given: object) -> TypeError:
    """Return the error for an argument of a wrong type, worded as in the compiled core.

    >>> raise wrong_type("side", "a Side", "Red")
    Traceback (most recent call last):
    TypeError: side must be a Side, not 'Red' (str)
    """
    whole = " ".join(repr(given).split())  # an array has many lines
    shown = f"{whole:.40}" + ("..." if len(whole) > 40 else "")
    kind = type(given)
    name_of_kind = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    of_kind = "" if given is None else f" ({name_of_kind.removeprefix('outplay._core.')})"
    return TypeError(f"{name} must be {wanted}, not {shown}{of_kind}")


def wrong_call(shown: str, signature: str, values: tuple[object, ...], named: dict[str, object]) -> TypeError:
    """Return the error for a call of a compiled function with a missing argument, or with one too many.

    `shown` is the name of the function, or of the class for a constructor. `signature` is its definition, such as "def
    is_win(self, side: Side) -> bool". Python itself finds the fault: the same call is made to a function with this
    signature that does nothing.
    """
    name, _, rest = signature.removeprefix("def ").partition("(")
    taken = re.sub(r"\b(?:collections\.abc|typing)\.", "", rest.rpartition(")")[0])
    if taken.startswith("self"):
        taken, values = re.sub(r"^self(, /)?(, )?", "", taken), values[1:]
    scope: dict[str, Any] = {}
    exec(f"from __future__ import annotations\ndef {name}({taken}): ...", scope)  # our own text, never a user's
    try:
        scope[name](*values, **named)
        reason = f"{shown}() does not take these arguments"
    except TypeError as error:
        reason = str(error).replace(f"{name}()", f"{shown}()")
    return TypeError(f"{reason}; write {shown}({taken})")


_ANSWERS: dict[type[OutplayError], tuple[int, int]] = {
    # error: (exit code of a command, status of an HTTP answer); 2 is the command line's own "usage"
    OutplayError: (1, 500),
    NotationError: (3, 422),
    IllegalPositionError: (4, 422),
    IllegalMoveError: (5, 409),
    GameOverError: (6, 409),
    MissingTableError: (7, 404),
    CorruptTableError: (8, 500),
    EngineError: (9, 502),
    JobError: (10, 500),
    MissingExtraError: (11, 501),
}
EXIT_CODES = {error: code for error, (code, _) in _ANSWERS.items()}
HTTP_STATUSES = {error: status for error, (_, status) in _ANSWERS.items()}
