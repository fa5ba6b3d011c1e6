"""Whatever people paste: library, command line, web and plain terminal read it alike, and use the same words for it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

import outplay
from outplay import connect4
from outplay.draw import checkers_text, connect4_text
from outplay.errors import OutplayError
from outplay.match.openings import find_openings
from outplay.notation import read_anything, read_one, write
from outplay.notation.any import read_file
from outplay.notation.clues import guessed
from outplay.notation.json import as_json
from outplay.record import AnyGame, Game
from outplay.rules import RULES
from tests.support.commands import run
from tests.support.web_server import app_client


def played(game: str, moves: str, start: str = "start") -> AnyGame:
    record: AnyGame = Game(RULES[game].read(start))
    for move in moves.split():
        record.play(move)
    return record


FOUR = played("connect4", "4 4 5 3")
OPENED = played("checkers", "11-15 22-18")
ENDING = played("checkers", "", "B:W18,24,27,K10:B12,16")
WHITE = played("checkers", "", "W:W18,24,27,K10:B12,16")
CONNECT4_FEN, ENDING_FEN = FOUR.position.fen(), ENDING.position.fen()
DISCS_AND_SPACES = CONNECT4_FEN.replace(".", " ").replace("1", "X").replace("2", "O")
BARS = "\n".join(f"|{'|'.join(row)}|" for row in DISCS_AND_SPACES.split("/"))
DISCS = connect4_text(FOUR.position.rows())
MEN = checkers_text(ENDING.position.pieces(), ascii=True, numbers=True)
SQUARES = "\n".join(["........", "........", "...W...b", "......b.", "...w....", "......w.", ".....w..", "........"])
MEN_AND_BARS = "\n".join(f"|{'|'.join(row)}|" for row in SQUARES.replace(".", " ").split("\n"))
PDN = write(OPENED)
BARE = '[Event "Cup"]\n[Black "Ann"]\n[White "Bob"]\n1. 11-15 22-18 *\n'
BROKEN = '[Event "Cup"]\n1. 11-15 11-16 *\n'


@dataclass(frozen=True)
class Kind:
    """A kind of text: what is in it, what it is called, and whether the game has to be guessed."""

    text: str
    end: AnyGame
    what: str
    is_guess: bool = True


C4, MOVES, POSITION = "Connect Four: 4 moves", "checkers: 2 moves", "checkers: a position"
KINDS = {
    "digits": Kind("4453", FOUR, C4),
    "digits with spaces": Kind(" 4 4 5 3 \n", FOUR, C4),
    "digits with commas": Kind("4, 4, 5, 3", FOUR, C4),
    "digits with dots": Kind("4.4.5.3", FOUR, C4),
    "digits in quotes": Kind('"4453"', FOUR, C4),
    "a game per line": Kind("4453\n44533\n", FOUR, "Connect Four: 2 games"),
    "a game per line, one of them bad": Kind("4453\n4448\n", FOUR, "Connect Four: 1 game, 1 not readable"),
    "numbered columns": Kind("1. 4 4 2. 5 3", FOUR, C4),
    "numbered columns and a result": Kind("1. 4 4 2. 5 3 *", FOUR, C4),
    "columns with a remark": Kind("4 4 {the usual} 5 3", FOUR, C4),
    "column letters": Kind("ddec", FOUR, C4),
    "capital column letters": Kind("D D E C", FOUR, C4),
    "cells": Kind("d1 d2 e1 c1", FOUR, C4),
    "labelled moves": Kind("Moves: 4453", FOUR, C4),
    "a board of characters": Kind(CONNECT4_FEN, FOUR, "Connect Four: a position (FEN)"),
    "a board of characters in back quotes": Kind(f"`{CONNECT4_FEN}`", FOUR, "Connect Four: a position (FEN)"),
    "rows of digits": Kind(
        CONNECT4_FEN.replace("/", "\n").replace(".", "0"), FOUR, "Connect Four: a position (rows)"
    ),
    "rows of letters": Kind(
        CONNECT4_FEN.replace("/", "\n").replace("1", "x").replace("2", "o"), FOUR, "Connect Four: a position (rows)"
    ),
    "a list of lists": Kind(json.dumps(FOUR.position.rows()), FOUR, "Connect Four: a position (rows)"),
    "our diagram of discs": Kind(DISCS, FOUR, "Connect Four: a position (rows)"),
    "a diagram in a code fence": Kind(f"```text\n{DISCS}\n```", FOUR, "Connect Four: a position (rows)"),
    "the answer of outplay show": Kind(
        f"{DISCS}\nRed to move: 1 2 3 4 5 6 7\n{CONNECT4_FEN}", FOUR, "Connect Four: a position (FEN)"
    ),
    "our form of PDN": Kind(write(FOUR), FOUR, "Connect Four: 1 game (PDN)", False),
    "columns under headers": Kind('[Event "Cup"]\n1. 4 4 2. 5 3 *', FOUR, "Connect Four: 1 game (PDN)"),
    "JSON of discs": Kind(as_json(FOUR), FOUR, "Connect Four: 1 game (JSON)", False),
    "a link to a board": Kind(
        "http://127.0.0.1:8642/play/connect4?pos=4453&first=human", FOUR, "Connect Four: 4 moves (link)", False
    ),
    "a part of a link": Kind("/lab?game=connect4&pos=4453&depth=4", FOUR, "Connect Four: 4 moves (link)", False),
    "full-width digits": Kind("４４５３", FOUR, C4),  # noqa: RUF001
    "digits of another script": Kind("٤٤٥٣", FOUR, C4),
    "quoted mail": Kind("> 4453", FOUR, C4),
    "colours and columns": Kind("Red 4, Yellow 4, Red 5, Yellow 3", FOUR, C4),
    "columns between semicolons": Kind("1. 4 4; 2. 5 3", FOUR, C4),
    "a list of columns, as Python prints it": Kind("[3, 3, 4, 2]", FOUR, f"{C4} (list, columns from 0)"),
    "a list of columns that can only be from 1": Kind("[7, 1]", played("connect4", "7 1"),
                                                      "Connect Four: 2 moves (list, columns from 1)"),
    "rows between bars": Kind(BARS, FOUR, "Connect Four: a position (rows)"),
    "rows between bars in a frame": Kind(f"+{'-+' * 7}\n{BARS}\n+{'-+' * 7}", FOUR, "Connect Four: a position (rows)"),
    "rows with dashes in a code fence": Kind(
        "```\n" + CONNECT4_FEN.replace("/", "\n").replace(".", "-") + "\n```", FOUR, "Connect Four: a position (rows)"
    ),
    "JSON of outplay show": Kind(run("show", "4453", "--json").stdout, FOUR, "Connect Four: a position (JSON)", False),
    "JSON of outplay games": Kind(run("games", "-", "--to", "json", stdin=write(FOUR)).stdout, FOUR,
                                  "Connect Four: 1 game (JSON)", False),
    "the word start": Kind("start", played("connect4", ""), "Connect Four: the start position"),
    "moves": Kind("11-15 22-18", OPENED, MOVES),
    "numbered moves": Kind("1. 11-15 22-18", OPENED, MOVES),
    "moves without spaces": Kind("1.11-15 22-18 *", OPENED, MOVES),
    "moves with commas": Kind("11-15, 22-18", OPENED, MOVES),
    "moves on two lines": Kind("11-15\n22-18", OPENED, MOVES),
    "moves with long dashes": Kind("11–15 22–18", OPENED, MOVES),  # noqa: RUF001
    "a jump with a colon": Kind("11-15 22-18 15:22", played("checkers", "11-15 22-18 15x22"), "checkers: 3 moves"),
    "moves between semicolons": Kind("11-15; 22-18", OPENED, MOVES),
    "moves after colours": Kind("Black: 11-15\nWhite: 22-18", OPENED, MOVES),
    "moves in quoted mail": Kind("> 11-15\n> 22-18", OPENED, MOVES),
    "squares without dashes": Kind("11 15 22 18", OPENED, MOVES),
    "a list of moves, as Python prints it": Kind(str(OPENED.moves), OPENED, MOVES),
    "a list of texts": Kind('["11-15", "22-18"]', OPENED, MOVES),
    "coordinates": Kind("f6-e5 c3-d4", OPENED, f"{MOVES} (coordinates, a1 at White's left)"),
    "coordinates from the other side": Kind("c3-d4 f6-e5", OPENED, f"{MOVES} (coordinates, a1 at Black's left)"),
    "FEN with counters of moves": Kind(f"{ENDING_FEN}:H0:F1", ENDING, f"{POSITION} (FEN)"),
    "rows of men between bars": Kind(MEN_AND_BARS, ENDING, f"{POSITION} (rows)"),
    "a variation": Kind("1. 11-15 22-18 (1... 23-19) *", OPENED, MOVES),
    "FEN": Kind(ENDING_FEN, ENDING, f"{POSITION} (FEN)"),
    "FEN in quotes": Kind(f"'{ENDING_FEN}.'", ENDING, f"{POSITION} (FEN)"),
    "FEN with a label": Kind(f"FEN: {ENDING_FEN}", ENDING, f"{POSITION} (FEN)"),
    "FEN in a tag": Kind(f'[FEN "{ENDING_FEN}"]', ENDING, f"{POSITION} (FEN)"),
    "small letters": Kind(ENDING_FEN.lower(), ENDING, f"{POSITION} (FEN)"),
    "our diagram of men": Kind(MEN, ENDING, f"{POSITION} (rows)"),
    "rows of men": Kind(SQUARES, ENDING, f"{POSITION} (rows)"),
    "rows and the side to move": Kind(f"{SQUARES}\nWhite to move", WHITE, f"{POSITION} (rows)"),
    "PDN": Kind(PDN, OPENED, "checkers: 1 game (PDN)", False),
    "PDN without a GameType": Kind(BARE, OPENED, "checkers: 1 game (PDN)"),
    "PDN of several games": Kind(BARE * 3, OPENED, "checkers: 3 games (PDN)"),
    "PDN with a broken game": Kind(
        BARE + BROKEN + BARE, OPENED, "checkers: 2 games (PDN), 1 not readable"
    ),
    "PDN of both games": Kind(f"{PDN}\n{write(FOUR)}", OPENED, "checkers and Connect Four: 2 games (PDN)", False),
    "JSON of a list": Kind(f"[{as_json(OPENED)}, {as_json(FOUR)}]", OPENED,
                           "checkers and Connect Four: 2 games (JSON)", False),
    "a link to a FEN": Kind(
        f"https://games.example.org/analyse?game=checkers&pos={ENDING_FEN}", ENDING, f"{POSITION} (link)", False
    ),
}  # fmt: skip
BAD = {
    "words": ("hello there", "neither a game nor a position"),
    "a result alone": ("1-0", "neither a game nor a position"),
    "a column too many": ("4448", "the board has columns 1 to 7"),
    "moves after the end": ("44556671", "four in a row"),
    "a cell in the air": ("d1 d3", "a disc in column d lands on d2"),
    "a list that is no board": ("[1, [2]]", "a board is a list of rows of 0, 1 and 2"),
    "a list with a column too many": ("[3, 9]", "there is no column 9: in a list, columns are numbered 0 to 6"),
    "a full column": ("44444444", "column 4 is full"),
    "moves of chess": ("1. e4 e5 2. Nf3 Nc6", "it looks like chess"),
    "long moves of chess": ("e2-e4 e7-e5", "it looks like chess"),
    "a position of chess": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "it looks like chess"),
    "a file of chess": ('[Event "Cup"]\n\n1. e4 e5 2. Nf3 Nc6 *', "it looks like chess"),
    "rows with a strange cell": ("?......\n" * 6, "is not a cell"),
    "no such square": ("B:W99:B1", "there is no square 99"),
    "a move without a piece": ("11-15 11-16", "there is no piece on 11"),
    "a man on a light square": ("b.......\n" + "........\n" * 7, "light square"),
    "somebody else's link": ("https://games.example.org/", "names no game and no position"),
}


of_each_kind = pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))


def fen_of(game: AnyGame) -> str:
    fen: str = game.root.end().position.fen()
    return fen


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with app_client() as client:
        yield client


@given(st.one_of(st.text(max_size=60), st.text('0123456789BWK:,-x/.[]"abdr \n{}*', max_size=60)))
def test_any_text_is_read_or_refused_with_a_reason(text: str) -> None:
    for game in (None, "connect4", "checkers"):
        for reader in (read_anything, read_one):
            try:
                words = reader(text, game).what
            except OutplayError as error:
                words = str(error)
            assert words


def test_there_are_many_kinds() -> None:
    assert len(KINDS) >= 40


@of_each_kind
def test_the_library_reads_it(kind: Kind) -> None:
    found = read_anything(kind.text)
    assert (found.what, found.is_guess) == (kind.what, kind.is_guess)
    assert fen_of(found.games[0]) == fen_of(kind.end)
    named = read_one(kind.text, kind.end.rules.name)
    assert (named.what, named.is_guess) == (kind.what, False)
    assert named.game.position == kind.end.position


@of_each_kind
def test_the_command_line_reads_it_and_tells_only_a_guess(kind: Kind) -> None:
    shown = run("show", kind.text, "--json")
    assert shown.exit_code == 0, shown.output
    assert (json.loads(shown.stdout)["game"], json.loads(shown.stdout)["fen"]) == (
        kind.end.rules.name,
        fen_of(kind.end),
    )
    assert shown.stderr == (f"outplay: read as {kind.what}\n" if kind.is_guess else "")
    named = run("show", kind.end.rules.name, kind.text, "--json")
    assert (json.loads(named.stdout)["fen"], named.stderr) == (fen_of(kind.end), "")


@of_each_kind
def test_a_file_of_it_is_listed(kind: Kind) -> None:
    listed = run("games", "-", "--json", stdin=kind.text)
    first, *_ = json.loads(listed.stdout)["games"]
    assert (first["game"], first["fen"]) == (kind.end.rules.name, fen_of(kind.end))
    assert listed.stderr == (f"outplay: read as {kind.what}\n" if kind.is_guess else "")
    source = read_file(BytesIO(kind.text.encode()))
    assert [entry.number for entry in source] == list(range(1, 1 + len(read_anything(kind.text).entries)))
    assert source.what == kind.what


@of_each_kind
def test_the_web_reads_it(kind: Kind, client: TestClient) -> None:
    taken = client.post("/api/library/import", json={"text": kind.text}).json()
    assert taken["what"] == kind.what
    game, fen = kind.end.rules.name, fen_of(kind.end)
    exported = client.get(f"/api/games/{taken['ids'][0]}/export", params={"format": "fen"}).json()["text"]
    assert exported == f"{fen}\n"
    asked = client.post("/api/positions", json={"game": game, "text": kind.text}).json()
    assert (asked["what"], asked["position"]["text"]) == (kind.what, fen)
    move = kind.end.position.format(kind.end.position.legal_moves()[0])
    begun = client.post("/api/studies", json={"game": game, "position": kind.text, "moves": [move]})
    assert begun.status_code == 201, begun.text


@of_each_kind
def test_the_plain_terminal_reads_it(kind: Kind) -> None:
    is_connect4, is_default = kind.end.rules.name == "connect4", kind.text == "start"
    game = ["connect4"] if is_default else []
    shown = run("play", *game, "--plain", "--position", kind.text, stdin="no\n" if is_connect4 else "4\n")
    assert shown.exit_code == 0, shown.output
    assert (f"Read as {kind.what}.\n" in shown.stdout) != is_default
    position = kind.end.position
    board = connect4_text(position.rows()) if is_connect4 else checkers_text(position.pieces(), numbers=True)
    rows = [line.strip() for line in shown.stdout.splitlines()]
    assert all(line.strip() in rows for line in board.splitlines())


@pytest.mark.parametrize(("text", "reason"), list(BAD.values()), ids=list(BAD))
def test_what_cannot_be_read_is_told_everywhere_in_the_same_words(text: str, reason: str, client: TestClient) -> None:
    with pytest.raises(OutplayError, match=re.escape(reason)):
        _ = read_one(text)
    for arguments in (("show", text), ("games", "-"), ("play", "--plain", "--position", text)):
        done = run(*arguments, stdin=text)
        assert done.exit_code not in (0, 1), done.output
        assert reason in done.output
    asked = client.post("/api/positions", json={"game": guessed(text), "text": text}).json()
    assert reason.casefold() in " ".join(asked["problems"]).casefold()
    taken = client.post("/api/library/import", json={"text": text})
    assert reason.casefold() in taken.text.casefold()


def test_a_link_to_a_saved_game_is_called_that(client: TestClient) -> None:
    found = read_anything("http://127.0.0.1:8642/game/abc123?ply=3")
    assert (found.link, found.what, found.games) == ("abc123", "a link to a saved game", [])
    saved = client.post("/api/library/import", json={"text": "4453"}).json()["ids"][0]
    assert client.post("/api/library/import", json={"text": f"/game/{saved}"}).json()["what"] == found.what


def test_a_game_of_outplay_play_is_read_back() -> None:
    for game in RULES:
        played = run("play", game, "--first", "random", "--second", "random", "--seed", "1", "--json").stdout
        [found] = read_anything(played).games
        outcome, answer = found.outcome(), json.loads(played)
        assert outcome is not None
        assert [node.text for node in found.main_line()] == answer["moves"]
        winner = None if outcome.winner is None else found.rules.side_name(outcome.winner)
        assert (winner, outcome.reason) == (answer["winner"], answer["reason"])
        assert list(found.headers.values()) == ["random", "random"]


def test_the_games_of_outplay_games_are_read_back_with_their_ends() -> None:
    game = played("checkers", "11-15 22-18")
    game.resign()
    game.headers["Event"] = "Cup"
    text = run("games", "-", "--to", "json", stdin=write(game) + BROKEN).stdout
    found = read_anything(text)
    assert found.games == [game]
    assert found.problems[0].message.endswith("there is no piece on 11")


def test_read_takes_whatever_is_pasted(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    for kind in KINDS.values():
        path.write_text(kind.text, encoding="utf-8")
        for source in (kind.text, path, io.StringIO(kind.text), BytesIO(kind.text.encode())):
            entries = list(outplay.read(source))
            assert fen_of(next(entry.game for entry in entries if entry.game)) == fen_of(kind.end)
    [entry] = found = outplay.read("4455")
    assert (entry.game, found.what) == (played("connect4", "4 4 5 5"), "Connect Four: 4 moves")
    assert list(outplay.read(" ")) == []
    [entry] = outplay.read("hello there")
    assert "neither a game nor a position" in str(entry.error)
    with pytest.raises(OutplayError, match="neither a game nor a position"):
        _ = list(outplay.games("hello there"))


def test_long_files_are_read_as_they_come() -> None:
    long = BARE * 3_000
    for source in (long, io.StringIO(long), BytesIO(long.encode())):
        assert sum(entry.game is not None for entry in outplay.read(source)) == 3_000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: outplay.read(None), "source must be text, a path or an open file, not None"),  # type: ignore[arg-type]
        (lambda: read_anything(None), "text must be a str, not None"),  # type: ignore[arg-type]
        (lambda: outplay.write(None), "game must be a Game, not None"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_text_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        call()
    with pytest.raises(OutplayError, match="cannot read 'chess': the games are connect4, checkers"):
        outplay.read("4455", game="chess")


def test_a_remark_after_a_semicolon_is_kept_and_told() -> None:
    found = read_anything("11-15; then 22-18 is best")
    assert (found.what, found.notes) == ("checkers: 1 move", ["the text after a semicolon is read as a comment"])
    assert found.game.current.comment == "then 22-18 is best"


def test_a_board_that_player_2_began_is_read_back_from_print() -> None:
    for rows in ([[0] * 7] * 6, [[0] * 7] * 5 + [[0, 0, 1, 2, 0, 0, 0]]):
        position = connect4.Position.from_rows(rows, first=2)
        assert repr(read_one(str(position)).game.position) == repr(position)


def test_other_boards_are_named_by_their_size() -> None:
    assert read_anything("44", size=(5, 4)).what == "Connect Four 5x4: 2 moves"
    assert read_one("9a", "connect4", (12, 8)).game.moves == [8, 9]
    assert read_anything("/".join(["....."] * 4)).what == "Connect Four 5x4: the start position (FEN)"


def test_the_game_may_be_chosen_by_pasting_at_the_first_question() -> None:
    shown = run("play", "--plain", stdin=f"{ENDING_FEN}\n5\n")
    assert "Read as checkers: a position (FEN).\n" in shown.stdout
    assert run("play", "--plain", stdin="hello\nquit\n").stdout.count("Please answer 1 or 2, not 'hello'.") == 1


def test_perft_and_analysis_begin_anywhere() -> None:
    assert json.loads(run("perft", "connect4", "1", "--position", "d d d d d d", "--json").stdout)["nodes"] == 6
    assert json.loads(run("perft", "checkers", "1", "--position", MEN, "--json").stdout)["nodes"] == 2
    done = run("analyse", "11-15 22-18", "--depth", "2", "--json")
    assert done.stderr == "outplay: read as checkers: 2 moves\n"
    assert json.loads(done.stdout.splitlines()[-1])["move"] == "15x22"


def test_openings_of_a_match_are_read_from_any_text(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# ours\n4453\nd d e c\n1. 4 4 2. 5 3\n", encoding="utf-8")
    dealt = find_openings(str(path), "connect4")
    assert {dealt(number).game(RULES["connect4"]).position for number in (1, 2, 3)} == {FOUR.position}
    path.write_text(BARE * 2, encoding="utf-8")
    dealt = find_openings(str(path), "checkers")
    assert {dealt(number).game(RULES["checkers"]).position for number in (1, 2)} == {OPENED.position}
