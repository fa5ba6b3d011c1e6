"""Write our players as files with one function `agent`, which is what Kaggle's ConnectX accepts.

A file carries nothing else (outplay must be installed where it runs), outplay itself, or a stand-in: a replacement for
outplay in plain Python.
"""

from __future__ import annotations

import ast
import base64
import io
import re
import sys
import zipfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

import outplay
from outplay.engine.bot import only_function
from outplay.errors import EngineError, wrong_type
from outplay.levels import level
from outplay.players import Player, file_and_function, player

Carries = Literal["nothing", "outplay", "stand-in"]


def write_agent(who: str, path: str | Path, *, carries: Carries = "nothing") -> None:
    """Write a player as a file with one function `agent`. ValueError says why a player cannot be written.

    A bot of your own, FILE.py:FUNCTION, is written with its source.

    `carries`: with "nothing", the function imports outplay, which must be installed where it runs. With "outplay", the
    file contains the parts of outplay that play Connect Four, about 6 MB, and needs only the same system and version of
    Python. With "stand-in", the file is a small program in plain Python that replaces a level or the solver. It looks
    as many moves ahead as the level and is as careless, but its evaluation is simpler. A stand-in for the solver or
    level 8 looks as far ahead as its time allows.
    """
    if not isinstance(who, str):
        raise wrong_type("who", "the name of a player", who)
    if carries not in get_args(Carries):
        raise ValueError(f"carries must be one of {', '.join(get_args(Carries))}, not {carries!r}")
    chosen = player(who)
    text = _stand_in(who) if carries == "stand-in" else _agent(who, chosen, has_outplay=carries == "outplay")
    Path(path).write_text(text, encoding="utf-8")


def _agent(who: str, chosen: Player, *, has_outplay: bool) -> str:
    _check_player(who, chosen)
    needs = "Carries outplay." if has_outplay else "Needs outplay: pip install outplay."
    parts = [f'"""{chosen.label} of outplay as an agent for ConnectX. {needs}"""\n']
    if has_outplay:
        parts.append(_CARRIED.format(system=sys.platform, python=tuple(sys.version_info[:2]), archive=_archive()))
    bot = file_and_function(who)
    if bot is not None:
        source, function = _bot_source(*bot)
        parts.append(_BOT.format(source=source, function=function))
    begin = "    unpack_outplay()\n" if has_outplay else ""
    parts.append(_AGENT.format(begin=begin, who="bot()" if bot else repr(who)))
    return "\n\n".join(parts)


def _check_player(who: str, chosen: Player) -> None:
    reason = ""
    if chosen.is_human:
        reason = "it is a person"
    elif chosen.only == "checkers":
        reason = "it plays checkers only"
    elif chosen.kind in ("hub", "cmd"):
        reason = "it is another program"
    elif who.startswith("guest"):
        reason = "an agent cannot contain a sandbox; name the bot's file without 'guest:'"
    elif chosen.kind == "lab" and chosen.recipe().needs_process:
        reason = "its evaluation is in another file"
    if reason:
        raise ValueError(f"{who!r} cannot be written as an agent: {reason}")


def _bot_source(path: Path, function: str) -> tuple[str, str]:
    """Return the source of a bot's file, and the name of its function."""
    source = path.expanduser().read_text(encoding="utf-8")
    tree = ast.parse(source, str(path))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    function = function or only_function(path, functions)
    if function not in functions:
        raise EngineError(f"{path.name} has no function {function!r}; it has {', '.join(functions) or 'none'}")
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            if (path.expanduser().parent / f"{name.partition('.')[0]}.py").is_file():
                raise ValueError(f"{path.name} cannot be written as an agent: it imports {name}, a file beside it")
    return source, function


# What an agent that carries outplay has: everything that chooses a move, and nothing that shows or keeps games.

LEFT_OUT = frozenset(("web", "tui", "cli", "live", "learn", "notebook", "jobs", "review", "envs", "store"))
BOOKS = ("connect4-7x6.book", "connect4-7x6.deep")


def _archive() -> str:
    """Return a zip archive of outplay and of the one package that it needs, as text."""
    package = Path(outplay.__file__).parent
    folders = {"outplay": package, "platformdirs": _file_of("platformdirs").parent}
    cores = sorted(package.rglob("_core.*.so"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, folder in folders.items():
            for path in sorted(folder.rglob("*.py")):
                if path.relative_to(folder).parts[0] not in LEFT_OUT:
                    archive.write(path, Path(name) / path.relative_to(folder))
        for book in BOOKS:
            archive.write(package / "data" / book, f"outplay/data/{book}")
        for core in cores:
            archive.write(core, Path("outplay") / core.relative_to(package))
        if not cores:  # a local build keeps it elsewhere
            core = _file_of("outplay._core")
            archive.write(core, f"outplay/{core.name}")
    return base64.b85encode(buffer.getvalue()).decode("ascii")


def _file_of(module: str) -> Path:
    found = find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin)


_CARRIED = '''def unpack_outplay():
    """Make outplay importable: unpack it once into a temporary folder."""
    import sys

    if "outplay" in sys.modules:
        return
    if (sys.platform, sys.version_info[:2]) != ({system!r}, {python}):
        raise RuntimeError("this agent carries outplay for {system} and Python {python[0]}.{python[1]}")
    import atexit
    import base64
    import io
    import shutil
    import tempfile
    import zipfile

    folder = tempfile.mkdtemp(prefix="outplay-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    zipfile.ZipFile(io.BytesIO(base64.b85decode(OUTPLAY))).extractall(folder)
    sys.path.insert(0, folder)


OUTPLAY = "{archive}"
'''

_BOT = '''BOT = {source!r}
BOTS = []


def bot():
    """Return the bot's function, the same at every move."""
    import sys
    import types

    if not BOTS:
        module = sys.modules["outplay_bot"] = types.ModuleType("outplay_bot")
        exec(compile(BOT, "bot.py", "exec"), module.__dict__)
        BOTS.append(module.{function})
    return BOTS[0]
'''

_AGENT = """def agent(observation, configuration):
{begin}    from outplay import best_move
    from outplay.connect4 import Position

    if configuration.get("inarow", 4) != 4:
        raise ValueError(f"outplay plays four in a row, not {{configuration['inarow']}}")
    width = configuration["columns"]
    board = list(observation["board"])
    mark = observation["mark"]
    discs = sum(cell != 0 for cell in board)
    rows = [board[start : start + width] for start in range(0, len(board), width)]
    position = Position.from_rows(rows, first=mark if discs % 2 == 0 else 3 - mark)
    return best_move(position, {who})
"""


def _stand_in(who: str) -> str:
    """Return the source of the agent in plain Python, with the depth and the slack of a player."""
    found = re.fullmatch(r"level:(\d)", who)
    if found is None and who != "solver":
        raise ValueError(
            f"{who!r} has no stand-in: only level:1 to level:8 and solver have one. Write it with carries='outplay'"
        )
    rung = level("connect4", int(found[1]) if found else 8)
    depth, slack = (0, 0) if rung.is_native else (rung.depth, round(rung.slack / 4))
    source = files("outplay.envs").joinpath("kaggle_stand_in.py").read_text(encoding="utf-8")
    return source.replace("DEPTH, SLACK = 0, 0", f"DEPTH, SLACK = {depth}, {slack}  # {who}")
