"""Your own evaluation: `file.py:function`, a function of a position that returns a number."""

from __future__ import annotations

import importlib.util
import math
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.errors import EngineError, NotationError
from outplay.lab.evaluate.types import Evaluation
from outplay.lab.score import bounded


def load(text: str, game: str) -> Evaluation:
    """Return the evaluation that `file.py:function` names. NotationError if there is none."""
    function = _find(text)
    return Evaluation(text, game, f"{text}, your own", _checked(text, function))


def _find(text: str) -> Callable[[Any], Any]:
    file, _, name = text.rpartition(":")
    path = Path(file).expanduser()
    if not path.is_file():
        raise NotationError(text, f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(f"outplay_own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise NotationError(text, f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))  # so that it can import the files beside it
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise EngineError(f"{file} does not load: {error}", traceback.format_exc().splitlines()) from error
    finally:
        sys.path.pop(0)
    function = getattr(module, name, None)
    if not callable(function):
        raise NotationError(text, f"{file} has no function {name}")
    found: Callable[[Any], Any] = function
    return found


def _checked(text: str, function: Callable[[Any], Any]) -> Callable[[Any], float]:
    def score(position: Any) -> float:
        """Return the function's answer if it is a number, limited to less than a win found by search."""
        try:
            answer = function(position)
        except Exception as error:
            raise EngineError(f"{text} failed: {error!r}", traceback.format_exc().splitlines()) from error
        if not isinstance(answer, (int, float)) or math.isnan(answer):
            raise EngineError(f"{text} must return a number, not {answer!r}, in {position.fen()}")
        return bounded(answer)

    return score
