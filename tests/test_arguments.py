"""Wrong arguments: every function of the compiled core, and of what stands on it, refuses them in words of ours."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import outplay._core as core
from outplay import Game, Limit, LiveGame, Match, Side, checkers, connect4, play_match
from outplay.errors import IllegalMoveError, NotationError, OutplayError
from outplay.lab.evaluate import find_evaluation
from outplay.tablebase import Tablebase, open_endgames, shipped_folder

WRONG = [None, "text", "4", 3.5, 10**30, -(10**30), -1, connect4.Position(4, 4), checkers.Position(), object(), [None]]
CLEAR = (OutplayError, TypeError, ValueError, LookupError, OSError)


class Parameter(NamedTuple):
    module: str
    owner: str
    function: str
    name: str

    def __str__(self) -> str:
        return "-".join(part for part in self if part)


def signature(function: Any) -> ast.arguments:
    text: str = function.__nb_signature__[0][0]
    definition = ast.parse(f"{text}: ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition.args


def functions() -> Iterator[tuple[str, str, str, Any]]:
    """Module, class and name of every function of the core, and the function itself."""
    for module in ("connect4", "checkers", "tablebase"):
        for name, value in vars(getattr(core, module)).items():
            if hasattr(value, "__nb_signature__"):
                yield module, "", name, value
            elif isinstance(value, type):
                for member, inner in vars(value).items():
                    if hasattr(inner, "__nb_signature__") and member not in ("__eq__", "__setstate__"):
                        yield module, name, member, inner


def parameters() -> Iterator[Parameter]:
    for module, owner, name, function in functions():
        arguments = signature(function)
        for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if parameter.arg != "self":
                yield Parameter(module, owner, name, parameter.arg)


@cache
def table_file() -> Any:
    return core.tablebase.TableFile(str(shipped_folder() / "1010.table"))


@cache
def small_tables() -> checkers.Endgames:
    return open_endgames(shipped_folder())


@cache
def instance(module: str, owner: str) -> Any:
    """Something whose methods can be called."""
    files = [table_file()]
    return {
        ("connect4", "Position"): connect4.Position(),
        ("connect4", "Members"): connect4.Members.of(4, 4, 1),
        ("connect4", "BookCore"): connect4.Book.shipped().core,
        ("connect4", "DeepBookCore"): connect4.DeepBook.shipped().core,
        ("connect4", "SolverCore"): core.connect4.SolverCore(table_mib=1, threads=1),
        ("connect4", "Positions"): connect4.Positions.start(1),
        ("connect4", "VectorGames"): connect4.VectorGames(1),
        ("checkers", "Position"): checkers.Position(),
        ("checkers", "Positions"): checkers.Positions.start(1),
        ("checkers", "VectorGames"): checkers.VectorGames(1),
        ("checkers", "Searcher"): checkers.Searcher(table_mib=1),
        ("tablebase", "Prober"): core.tablebase.Prober(files, 1 << 20),
    }[module, owner]


def good(parameter: Parameter) -> Any:
    """A value that the function takes, and that keeps it short."""
    position = checkers.Position() if parameter.module != "connect4" else connect4.Position(4, 4)
    by_function = {
        ("Prober", "position"): checkers.Position.from_fen("B:WK32:BK1"),
        ("Move", "text"): "11-15",
        ("", "nodes"): 500,
        ("", "endgames"): small_tables(),
        ("DeepBookCore", "plies"): 12,
        ("DeepBookCore", "levels"): [(1, bytes(4))],
        ("SolverCore", "book"): None,
        ("SolverCore", "deep_book"): None,
        ("SolverCore", "positions"): connect4.Positions.start(0),
        ("Searcher", "positions"): checkers.Positions.start(0),
        ("Prober", "positions"): checkers.Positions.start(0),
        ("Positions", "rows"): [[[0] * 4] * 4],
        ("Positions", "keys"): [0],
        ("Positions", "pieces"): None,
        ("VectorGames", "sides"): None,
    }
    if parameter.function == "find_all":
        return []
    by_name = {
        "width": 4, "height": 4, "plies": 1, "depth": 1, "column": 0, "index": 0, "bits": 1, "score": 0, "first": 1,
        "threads": 1, "table_mib": 1, "cache_mib": 1, "cache_bytes": 0, "nodes": 1, "time_ms": 1, "clock_ms": 1,
        "increment_ms": 0, "lines": 1, "epochs": 1, "games": 1, "seed": 1, "count": 1, "pieces": 2,
        "rate": 0.1, "prior": 0.3, "result_share": 0.3, "scale": 100.0,
        "moves": "44", "text": "4", "table": "1010", "path": str(shipped_folder() / "1010.table"),
        "rows": [[0] * 7] * 6, "scores": [0] * 4, "keys": [1], "numbers": b"\1", "bytes": b"", "data": b"",
        "retrieval": b"", "samples": [], "files": [], "file": table_file(), "tables": [], "history": [],
        "positions": [], "without": [], "weights": None, "endgames": None, "report": None, "stop": None,
        "position": position, "move": position.legal_moves()[0], "side": Side.FIRST,
        "merged": False, "sign_only": False, "vector": True, "evens": True, "threats": True, "order": True,
        "sprint": True, "distances": True, "is_together": False,
        "texts": [], "check": True, "own": [0], "mask": [0], "no_immediate_win": False, "progress": None,
        "black": [1], "white": [1 << 31], "kings": [0], "sides": [0], "actions": [0], "dtype": "int8",
        "channels": "first", "out": None, "planes": None, "masks": None, "rewards": None, "finished": None,
        "draw_plies": 80,
    }  # fmt: skip
    return by_function.get((parameter.owner, parameter.name), by_name[parameter.name])


def call_with(parameter: Parameter, wrong: Any) -> None:
    kind = getattr(core, parameter.module)
    if parameter.owner:
        kind = getattr(kind, parameter.owner)
    function = vars(kind)[parameter.function]
    arguments = signature(function)
    is_static = "self" not in [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    values = {
        each.arg: wrong if each.arg == parameter.name else good(parameter._replace(name=each.arg))
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        if each.arg != "self"
    }
    positional = [values.pop(each.arg) for each in arguments.posonlyargs if each.arg != "self"]
    if parameter.function == "__init__":
        kind(*positional, **values)
    elif is_static:
        getattr(kind, parameter.function)(*positional, **values)
    else:
        getattr(instance(parameter.module, parameter.owner), parameter.function)(*positional, **values)


def assert_clear(error: Exception, name: str = "") -> None:
    assert isinstance(error, CLEAR), repr(error)
    assert not isinstance(error, OverflowError)
    assert "incompatible function arguments" not in str(error)
    if type(error) is TypeError and name:
        assert str(error).startswith(("progress" if name == "report" else name, "a score", name)), str(error)


@pytest.mark.parametrize("parameter", list(parameters()), ids=str)
def test_no_wrong_argument_meets_the_binding_library(parameter: Parameter) -> None:
    for wrong in WRONG:
        try:
            call_with(parameter, wrong)
        except Exception as error:
            assert_clear(error, parameter.name)


@pytest.mark.parametrize("module", ["connect4", "checkers", "tablebase"])
def test_every_module_of_the_core_is_asked(module: str) -> None:
    assert sum(parameter.module == module for parameter in parameters()) > 20


SOLVER = connect4.Solver(table_mib=1, book=False)
EMPTY = connect4.Position(4, 4)
FACES: dict[str, Callable[[Any], Any]] = {
    "Game": lambda wrong: Game(wrong),
    "Game.play": lambda wrong: Game(connect4.Position()).play(wrong),
    "Game.play, checkers": lambda wrong: Game(checkers.Position()).play(wrong),
    "Node.add": lambda wrong: Game(connect4.Position()).root.add(wrong),
    "Solver.solve": lambda wrong: SOLVER.solve(wrong, nodes=1),
    "Solver.solve(nodes)": lambda wrong: SOLVER.solve(EMPTY, nodes=wrong, time_ms=1),
    "Solver.solve(time_ms)": lambda wrong: SOLVER.solve(EMPTY, nodes=1, time_ms=wrong),
    "Solver.solve(progress)": lambda wrong: SOLVER.solve(EMPTY, nodes=1, progress=wrong),
    "Solver.line": lambda wrong: SOLVER.line(wrong, most=1, time_ms=1),
    "Solver(threads)": lambda wrong: connect4.Solver(threads=wrong, book=False),
    "Book.get": lambda wrong: connect4.Book.shipped().get(wrong),
    "Book.positions": lambda wrong: connect4.Book.positions(wrong, width=4, height=4),
    "Book.from_scores": lambda wrong: connect4.Book.from_scores(1, [wrong] * 4, width=4, height=4),
    "DeepBook.get": lambda wrong: connect4.DeepBook.shipped().get(wrong),
    "DeepBook.members": lambda wrong: connect4.DeepBook.members(wrong, width=4, height=4),
    "DeepBook.from_scores": lambda wrong: connect4.DeepBook.from_scores(1, [wrong] * 2, width=4, height=4),
    "Tablebase.probe": lambda wrong: Tablebase.open(Path("none")).probe(wrong),
    "Tablebase.get": lambda wrong: Tablebase.open(Path("none")).get(wrong),
    "Tablebase.get_all": lambda wrong: Tablebase.open(Path("none")).get_all([wrong]),
    "Tablebase.best": lambda wrong: Tablebase.open(Path("none")).best(wrong),
    "cell_of": lambda wrong: checkers.cell_of(wrong),
    "square_at": lambda wrong: checkers.square_at(wrong, 0),
}


@pytest.mark.parametrize("name", FACES)
def test_nor_does_one_that_is_given_to_a_face_of_it(name: str) -> None:
    for wrong in WRONG:
        try:
            FACES[name](wrong)
        except Exception as error:
            assert_clear(error)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: EMPTY.play("4"), r"move must be a column, counted from 0 \(parse\(\) reads text\), not '4' \(str\)"),  # type: ignore[arg-type]
        (lambda: EMPTY.play(None), "move must be a column, .*, not None"),  # type: ignore[arg-type]
        (lambda: EMPTY.play(3.0), r"move must be a column, .*, not 3.0 \(float\)"),  # type: ignore[arg-type]
        (lambda: checkers.Position().play("11-15"), r"move must be a checkers.Move .*, not '11-15' \(str\)"),  # type: ignore[arg-type]
        (lambda: SOLVER.solve(None), "position must be a connect4.Position, not None"),  # type: ignore[arg-type]
        (lambda: SOLVER.solve(checkers.Position()), r"a connect4.Position, not .* \(checkers.Position\)"),  # type: ignore[arg-type]
        (lambda: checkers.Searcher().analyse(None), "position must be a checkers.Position, not None"),  # type: ignore[arg-type]
        (lambda: EMPTY.perft("x"), r"depth must be a whole number, not 'x' \(str\)"),  # type: ignore[arg-type]
        (lambda: EMPTY.legal_moves(side="Red"), r"side must be a Side, not 'Red' \(str\)"),  # type: ignore[arg-type]
        (lambda: connect4.Position.from_moves(44), r"moves must be a str, not 44 \(int\)"),  # type: ignore[arg-type]
    ],
)
def test_the_message_names_the_argument_what_it_must_be_and_what_it_was(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"{message}$"):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: EMPTY.is_win(), r"is_win() missing 1 required positional argument: 'side'; write is_win(side: Side)"),  # type: ignore[call-arg]
        (lambda: checkers.Position("x"), "Position() takes 0 positional arguments but 1 was given; write Position()"),  # type: ignore[call-arg]
        (
            lambda: checkers.Position.from_rows([], first=2),  # type: ignore[call-arg]
            "from_rows() got an unexpected keyword argument 'first'; "
            "write from_rows(rows: Iterable[Iterable[Any]], *, side: Side | None = None)",
        ),
        (lambda: checkers.Position().rows(1), "rows() takes 0 positional arguments but 1 was given; write rows()"),  # type: ignore[call-arg]
        (lambda: EMPTY.is_legal(move=1), "is_legal() got some positional-only arguments passed as keyword"),  # type: ignore[call-arg]
    ],
)
def test_a_missing_argument_or_one_too_many_is_told_with_the_right_call(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        call()


@pytest.mark.parametrize(("module", "owner", "name", "function"), list(functions()), ids=lambda part: str(part)[:20])
def test_no_call_with_strange_arguments_meets_the_binding_library(
    module: str, owner: str, name: str, function: Any
) -> None:
    for values, named in (((), {"strange": 1}), ((None,) * 30, {})):
        if name.startswith("__") and name != "__init__":
            continue
        kind = getattr(getattr(core, module), owner) if owner else getattr(core, module)
        call = kind if name == "__init__" else getattr(kind, name)
        with pytest.raises(TypeError) as caught:
            call(*values, **named)
        assert_clear(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Limit(depth="3"), r"depth must be a whole number or None, not '3' \(str\)"),  # type: ignore[arg-type]
        (lambda: Limit(lines=None), "lines must be a whole number, not None"),  # type: ignore[arg-type]
        (lambda: find_evaluation("classic", connect4), "game must be the name of a game, connect4 or checkers, not "),  # type: ignore[arg-type]
        (lambda: find_evaluation(3, "connect4"), "name must be the name of an evaluation, or None, not 3"),  # type: ignore[arg-type]
        (lambda: LiveGame(EMPTY, len), "terms must be Terms or a list of two players, not <built-in function len>"),  # type: ignore[arg-type]
        (lambda: LiveGame(EMPTY, "random"), "a game has two players, not 'random'"),
        (lambda: play_match(None), "match must be a Match, not None"),  # type: ignore[arg-type]
        (lambda: Match("random", "random", limit=3), "limit must be a Limit, not 3"),  # type: ignore[arg-type]
    ],
)
def test_what_python_checks_is_refused_in_the_same_words(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}"):
        call()


def test_a_game_that_is_unknown_is_told_with_the_known_ones() -> None:
    for call in (lambda: find_evaluation("classic", "chess"), lambda: Match("random", "random", "chess")):  # type: ignore[arg-type]
        with pytest.raises(NotationError, match="cannot read 'chess': the games are connect4, checkers"):
            call()


@pytest.mark.parametrize("column", [99, -1, 7, 10**30, -(10**30)])
def test_an_illegal_column_is_told_as_the_number_that_was_given(column: int) -> None:
    with pytest.raises(IllegalMoveError, match=f"illegal move {column} in .*: the board has columns 0 to 6") as caught:
        connect4.Position().play(column)
    assert caught.value.move == column


def test_a_full_column_is_counted_as_it_was_given() -> None:
    position = connect4.Position.from_moves("444444")
    with pytest.raises(IllegalMoveError, match=r"illegal move 3 in .*: column 3 is full"):
        position.play(3)
    with pytest.raises(IllegalMoveError, match=r"illegal move 4 in .*: column 4 is full"):
        position.parse("4")


def test_a_number_past_every_machine_word_is_out_of_range() -> None:
    with pytest.raises(ValueError, match=f"depth is out of range: {10**30}"):
        connect4.Position().perft(10**30)


@pytest.mark.parametrize("position", [connect4.Position(), checkers.Position()])
def test_without_numpy_the_matrix_says_how_to_get_it(position: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(ModuleNotFoundError, match=r"NumPy is not installed: pip install 'outplay\[numpy\]'"):
        position.matrix()
