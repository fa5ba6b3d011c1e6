"""Turn a name into a player.

human                        a person who types or clicks
random                       plays a random legal move
level:N                      an opponent of the strength ladder, from level:1 to level:8
searcher[,option=value ...]  our checkers engine, such as searcher,threads=2 or searcher,without=futility+history
solver[,option=value ...]    our perfect player of Connect Four, such as solver,table_mib=256
lab:NAME[,option=value ...]  a player of the lab, such as lab:minimax,depth=6
hub:COMMAND                  checkers: a program that speaks the Hub protocol, such as hub:./engine --hub
cmd:COMMAND                  Connect Four: a program that speaks the Drop protocol, such as cmd:./engine
FILE.py:FUNCTION             your own bot: a function of a position that returns a move
FILE.py                      the same; its function is `choose`, or `play`, or the only one in the file
guest:NAME                   a bot or a program that others wrote, in a sandbox: guest:FILE.py, guest:cmd:COMMAND;
                             guest,sandbox=limits,memory_mib=512:NAME sets the sandbox (bubblewrap, limits or none)
                             and its memory

Instead of a name you may give a function of a position that returns a move, or an engine object.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import shutil
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast

from outplay.engine.bot import BotEngine, FunctionEngine, name_of
from outplay.engine.outside import OutsideEngine
from outplay.engine.protocols.dialect import DIALECTS
from outplay.engine.random import RandomEngine
from outplay.engine.task import EngineProcess, Recipe
from outplay.engine.types import Engine, Limit
from outplay.errors import NotationError
from outplay.rules import RULES, AnyPosition, M
from outplay.work.supervise import GRACE_MS

Kind = Literal["human", "random", "native", "level", "lab", "bot", "hub", "cmd", "seated"]
"""`seated` is a bot that a server offers: if it fails, the game waits for another player."""
Option = int | float | bool | str


class UnknownPlayerError(NotationError):
    """No player has this name; the message lists the known names."""


@dataclass(frozen=True, slots=True)
class EngineRecipe:
    """A picklable description of an engine: any process can build it by `build(*arguments, seed=seed, **options)`."""

    name: str
    build: Callable[..., Engine]
    """A class or function at the top level of a module, so that it pickles by name."""
    arguments: tuple[object, ...] = ()
    options: tuple[tuple[str, Option], ...] = ()
    seed: int | None = None
    is_reusable: bool = True
    needs_process: bool = False
    edition: int = 0
    """A different number makes a different recipe: used when a bot's file has changed."""

    def __call__(self) -> Engine:
        return self.build(*self.arguments, seed=self.seed, **dict(self.options))


@dataclass(frozen=True, slots=True)
class Player:
    """The player of one side. Make one with `player(name)`."""

    name: str
    label: str
    """The name shown to people: "Human", "Five-phase", "mybot.py:play"."""
    kind: Kind
    seed: int | None = None
    _recipe: Callable[[int | None], Recipe] | None = field(default=None, repr=False, compare=False)
    """Returns the recipe for one ply; for None, a recipe that serves all plies."""
    only: str = ""
    """The only game that the player plays; empty if it plays both."""

    @property
    def is_human(self) -> bool:
        return self.kind == "human"

    @property
    def loses_by_failure(self) -> bool:
        """True for outside programs and bots.

        They lose the game in which they fail. If one of our own engines fails, the game waits and can go on.
        """
        return self.kind in ("bot", "hub", "cmd")

    def recipe(self, ply: int | None = None) -> Recipe:
        """Return the recipe of the player's engine, from which any process can build it.

        With a seed, every ply has its own engine: its choice does not depend on earlier questions, and can be repeated
        on any machine. Your own bot keeps one engine for all plies, so it keeps what it remembers.
        """
        if self._recipe is None:
            raise ValueError(f"{self.name} is not an engine")
        return self._recipe(ply)

    def engine(self, *, grace_ms: int = GRACE_MS) -> Engine:
        """Return the player's engine for use in this process. Your own bot runs in a process of its own."""
        recipe = self.recipe()
        return EngineProcess(recipe, grace_ms=grace_ms) if recipe.needs_process else recipe()


HUMAN = Player("human", "Human", "human")
PlayerLike = str | Player | Engine | Callable[..., Any]
"""What functions accept as a player: a name, a function of a position that returns a move, an engine, or a `Player`."""


def player(who: PlayerLike, *, seed: int | None = None) -> Player:
    """Return the player of this name; with a seed, one whose choices can be repeated.

    `who` may also be a function of a position that returns a move, or an engine object. For an unknown name,
    UnknownPlayerError lists the known names.
    """
    if isinstance(who, Player):
        return who
    if not isinstance(who, str):
        return _given(who, seed)
    name = who.strip()
    kind, _, rest = name.partition(":")
    if name == "human":
        return HUMAN
    if name == "random":
        return _seeded(Player(name, "Random", "random", seed), RandomEngine)
    if name.split(",")[0] in _NATIVE:
        return _native(name, seed)
    if kind == "lab":
        return _lab_player(name, rest, seed)
    if kind == "level":
        return _level(name, rest, seed)
    if kind in ("hub", "cmd"):
        return _program(name, seed)
    if kind.split(",")[0] == "guest":
        return _guest(name, kind, rest, seed)
    if file_and_function(name) is not None:
        return _bot(name, seed)
    known = ", ".join(known_names())
    others = "hub:COMMAND, cmd:COMMAND, FILE.py:FUNCTION and guest:NAME"
    raise UnknownPlayerError(name, f"no such player; the players are {known}, {others}")


def opponent_player(who: PlayerLike, game: str, *, seat: str = "opponent") -> Player:
    """Return the player to use as an opponent; ValueError if it is a person or does not play this game."""
    found = player(who)
    if found.is_human:
        raise ValueError(f"the {seat} cannot be {found.name!r}: it is a person, not an engine")
    if found.only not in ("", game):
        raise ValueError(f"the {seat} cannot be {found.name!r}: it plays only {RULES[found.only].title}")
    return found


def _given(who: Engine | Callable[..., Any], seed: int | None) -> Player:
    """Return a player made from a function or an engine of this process."""
    given = _Given(who)
    if callable(getattr(who, "analyse", None)) and not isinstance(who, type):
        name = cast(Engine, who).name
        return Player(name, name, "bot", seed, _Always(EngineRecipe(name, _same, (given,))))
    if not callable(who):
        raise TypeError(f"a player is a name, an engine or a function of a position, not {who!r}")
    name = name_of(who)
    recipe = EngineRecipe(name, _of_function, (given,), seed=seed)
    return Player(name, name.rpartition(".")[2], "bot", seed, _Always(recipe))


@dataclass(frozen=True, slots=True)
class _Given:
    """A function or an engine object, identified by a token.

    The object need not be hashable. A copy in another process counts as the same object and keeps what it remembers.
    """

    thing: Any = field(compare=False)
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


def _same(given: _Given, *, seed: int | None = None) -> Engine:
    engine: Engine = given.thing
    return engine


def _of_function(given: _Given, *, seed: int | None = None) -> Engine:
    return FunctionEngine(given.thing, seed=seed)


# The ways to find the recipe for a ply. They are plain data, so that players can be pickled.


@dataclass(frozen=True, slots=True)
class _Always:
    recipe: EngineRecipe

    def __call__(self, ply: int | None) -> Recipe:
        return self.recipe


@dataclass(frozen=True, slots=True)
class _Seeded:
    """A recipe whose seed differs for every ply."""

    recipe: EngineRecipe

    def __call__(self, ply: int | None) -> Recipe:
        seed = self.recipe.seed
        if seed is not None and ply is not None:
            seed = random.Random(f"{seed} at {ply}").getrandbits(32)
        return replace(self.recipe, seed=seed, is_reusable=seed is None)


@dataclass(frozen=True, slots=True)
class _OfFile:
    """A recipe that changes when the bot's file changes."""

    recipe: EngineRecipe
    path: Path

    def __call__(self, ply: int | None) -> Recipe:
        changed = self.path.stat().st_mtime_ns if self.path.exists() else 0
        return replace(self.recipe, edition=changed)


def known_names() -> list[str]:
    """Return the names that `player` knows, without options; files and programs are left out."""
    from outplay.lab.players import LAB_PLAYERS
    from outplay.levels import LEVELS

    levels = range(1, 1 + max(map(len, LEVELS.values())))
    return [
        "human",
        "random",
        "searcher",
        "solver",
        *(f"level:{number}" for number in levels),
        *(f"lab:{name}" for name in LAB_PLAYERS),
    ]


def _seeded(
    who: Player, build: Callable[..., Engine], *arguments: object, options: Mapping[str, Option] | None = None
) -> Player:
    """Return the player with its recipe; with a seed, every ply has its own recipe."""
    fixed = tuple((options or {}).items())
    needs_process = any(isinstance(value, str) and ".py:" in value for _, value in fixed)  # a user's evaluation
    recipe = EngineRecipe(who.name, build, arguments, fixed, who.seed, needs_process=needs_process)
    return replace(who, _recipe=_Seeded(recipe))


_NATIVE: dict[str, tuple[str, ...]] = {"searcher": ("weights",), "solver": ()}
"""Our own engines by name, and the options of each whose value is a file."""
_COUNTS = ("threads", "table_mib")
"""The options of these engines whose value is a whole number, 1 or more."""


def _native(name: str, seed: int | None) -> Player:
    from outplay.engine.native import SearcherEngine, SolverEngine

    engine, *texts = name.split(",")
    options = dict(_option(name, text) for text in texts)
    for key, value in options.items():
        _check_native_option(name, engine, key, value)
    label = f"{engine.title()} ({', '.join(texts)})" if texts else engine.title()
    build = {"searcher": SearcherEngine, "solver": SolverEngine}[engine]
    only = {"searcher": "checkers", "solver": "connect4"}[engine]
    return _seeded(Player(name, label, "native", seed, only=only), build, options=options)


def _check_native_option(name: str, engine: str, key: str, value: Option) -> None:
    files = _NATIVE[engine]
    if key in files:
        if not Path(str(value)).is_file():
            raise NotationError(name, f"there is no file {value}")
    elif engine == "searcher" and key == "without":
        _check_parts(name, str(value))
    elif key not in _COUNTS or type(value) is not int or value < 1:
        others = ", weights (a file), without (parts of the search)" if files else ""
        raise NotationError(
            name, f"the {engine} has the options {', '.join(_COUNTS)} (whole numbers, 1 or more){others}"
        )


def _check_parts(name: str, text: str) -> None:
    from outplay.engine.native import parts_of_search

    try:
        parts_of_search(text)
    except ValueError as error:
        raise NotationError(name, str(error)) from None


def _lab_player(name: str, text: str, seed: int | None) -> Player:
    from outplay.lab.players import LAB_PLAYERS, make_player

    lab_name, *texts = text.split(",")
    if lab_name not in LAB_PLAYERS:
        names = ", ".join(f"lab:{known}" for known in LAB_PLAYERS)
        raise UnknownPlayerError(name, f"the lab has no player {lab_name!r}; its players are {names}")
    options = dict(_option(name, text) for text in texts)
    try:
        make_player(lab_name, seed=seed, **options)
    except (TypeError, ValueError) as error:
        raise NotationError(name, str(error)) from None
    title = LAB_PLAYERS[lab_name].title
    label = f"{title} ({', '.join(texts)})" if texts else title
    return _seeded(Player(name, label, "lab", seed), make_player, lab_name, options=options)


def _option(name: str, text: str) -> tuple[str, Option]:
    key, is_given, value = text.partition("=")
    if not is_given or not key.isidentifier():
        raise NotationError(name, f"write an option as option=value, not {text!r}")
    return key, _value(value)


def _value(text: str) -> Option:
    words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    if text in words:
        return words[text]
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def _level(name: str, text: str, seed: int | None) -> Player:
    from outplay.levels import LEVELS, LevelEngine

    most = max(map(len, LEVELS.values()))
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise UnknownPlayerError(name, f"there are levels 1 to {most}: level:1 to level:{most}")
    return _seeded(Player(name, f"Level {int(text)}", "level", seed), LevelEngine, int(text))


def file_and_function(name: str) -> tuple[Path, str] | None:
    """Return the parts of FILE.py:FUNCTION or FILE.py; None if the name is not that of a Python file."""
    path, _, function = name.rpartition(":")
    if path.endswith(".py"):
        return Path(path), function
    return (Path(name), "") if name.endswith(".py") else None


def _found_bot(name: str) -> tuple[Path, str, str]:
    """Return the file of a bot, its function (empty if the name has none), and its label."""
    found = file_and_function(name)
    assert found is not None
    path, function = found[0].expanduser().resolve(), found[1]
    if not path.is_file():
        raise NotationError(name, f"there is no file {path}")
    if function and not function.isidentifier():
        raise NotationError(name, "name your own bot as FILE.py:FUNCTION")
    return path, function, f"{path.name}:{function}" if function else path.name


def _bot(name: str, seed: int | None) -> Player:
    path, function, label = _found_bot(name)
    recipe = EngineRecipe(label, BotEngine, (path, function), seed=seed, needs_process=True)
    return Player(name, label, "bot", seed, _OfFile(recipe, path))


PROTOCOLS: dict[str, tuple[Kind, str, str]] = {"hub": ("hub", "hub", "checkers"), "cmd": ("cmd", "drop", "connect4")}
"""For each prefix of a program's name: the kind of player, its protocol, and the game of the protocol."""


def _command(name: str) -> tuple[str, ...]:
    """Return the words of a program's command; the first one is the path of the program."""
    kind, _, text = name.partition(":")
    try:
        program, *arguments = shlex.split(text) or [""]
    except ValueError as error:
        raise NotationError(name, f"the command cannot be read: {error}") from None
    found = shutil.which(program)
    if found is None:
        raise NotationError(name, f"there is no program {program!r}; name an outside engine as {kind}:COMMAND")
    return str(Path(found).absolute()), *arguments


def _program(name: str, seed: int | None) -> Player:
    command, (kind, protocol, game) = _command(name), PROTOCOLS[name.partition(":")[0]]
    label = Path(command[0]).name
    recipe = EngineRecipe(label, _outside, (command, protocol), seed=seed, needs_process=True)
    return Player(name, label, kind, seed, _Always(recipe), game)


def _outside(command: tuple[str, ...], protocol: str, *, seed: int | None = None) -> Engine:
    return OutsideEngine(command, dialect=DIALECTS[protocol], seed=seed)


def _guest(name: str, head: str, rest: str, seed: int | None) -> Player:
    """Return a bot or program that others wrote, in the sandbox that `head` describes."""
    from outplay.engine.guest import GuestBot, GuestProgram

    options = dict(_option(name, text) for text in head.split(",")[1:])
    _check_guest_options(name, options)
    fixed = tuple(options.items())
    if rest.partition(":")[0] in PROTOCOLS:
        command, (kind, protocol, game) = _command(rest), PROTOCOLS[rest.partition(":")[0]]
        label = Path(command[0]).name
        recipe = EngineRecipe(label, GuestProgram, (command, protocol), fixed, seed, needs_process=True)
        return Player(name, label, kind, seed, _Always(recipe), game)
    if file_and_function(rest) is None:
        raise NotationError(name, "name a guest as guest:FILE.py:FUNCTION, guest:cmd:COMMAND or guest:hub:COMMAND")
    path, function, label = _found_bot(rest)
    recipe = EngineRecipe(label, GuestBot, (path, function), fixed, seed, needs_process=True)
    return Player(name, label, "bot", seed, _OfFile(recipe, path))


def _check_guest_options(name: str, options: Mapping[str, Option]) -> None:
    from outplay.engine.sandbox import KINDS, LEAST_MEMORY_MIB

    for key, value in options.items():
        is_kind = key == "sandbox" and value in KINDS
        if not is_kind and not (key == "memory_mib" and type(value) is int and value >= LEAST_MEMORY_MIB):
            kinds = ", ".join(KINDS)
            raise NotationError(
                name, f"a guest has the options sandbox ({kinds}) and memory_mib (at least {LEAST_MEMORY_MIB})"
            )


ADVISORS = {"connect4": "lab:five-phase", "checkers": "lab:five-phase"}
"""The player that gives the hints of each game by default."""


def advisor_of(game: str) -> Player:
    """Return the player that gives the hints of a game."""
    return player(ADVISORS[game])


def best_move(position: AnyPosition[M], who: PlayerLike = "level:8", *, limit: Limit | None = None) -> M:
    """Return the move that a player chooses here, in one call. GameOverError if there is none.

    The default of `limit` is a search of half a second.
    """
    if not any(isinstance(position, rules.position_type) for rules in RULES.values()):
        raise TypeError(f"position must be a position of Connect Four or checkers, not {position!r:.60}")
    engine = player(who).engine()
    try:
        move: M = engine.analyse(position, limit or Limit(time_ms=500)).move
        return move
    finally:
        if isinstance(engine, EngineProcess):
            engine.close()
