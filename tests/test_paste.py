"""Whatever people paste: library, command line, web and plain terminal read it alike, and use the same words for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from outplay.draw import checkers_text, connect4_text
from outplay.errors import OutplayError
from outplay.match.openings import find_openings
from outplay.notation import read_anything, read_one, write
from outplay.notation.any import guessed, read_file
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
DISCS = connect4_text(FOUR.position.rows())
MEN = checkers_text(ENDING.position.pieces(), ascii=True, numbers=True)
SQUARES = "\n".join(["........", "........", "...W...b", "......b.", "...w....", "......w.", ".....w..", "........"])
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
    "the word start": Kind("start", played("connect4", ""), "Connect Four: the start position"),
    "moves": Kind("11-15 22-18", OPENED, MOVES),
    "numbered moves": Kind("1. 11-15 22-18", OPENED, MOVES),
    "moves without spaces": Kind("1.11-15 22-18 *", OPENED, MOVES),
    "moves with commas": Kind("11-15, 22-18", OPENED, MOVES),
    "moves on two lines": Kind("11-15\n22-18", OPENED, MOVES),
    "moves with long dashes": Kind("11–15 22–18", OPENED, MOVES),  # noqa: RUF001
    "a jump with a colon": Kind("11-15 22-18 15:22", played("checkers", "11-15 22-18 15x22"), "checkers: 3 moves"),
    "a variation": Kind("1. 11-15 22-18 (1... 23-19) *", OPENED, MOVES),
    "FEN": Kind(ENDING_FEN, ENDING, f"{POSITION} (FEN)"),
    "FEN in quotes": Kind(f"'{ENDING_FEN}.'", ENDING, f"{POSITION} (FEN)"),
    "FEN with a label": Kind(f"FEN: {ENDING_FEN}", ENDING, f"{POSITION} (FEN)"),
    "FEN in a tag": Kind(f'[FEN "{ENDING_FEN}"]', ENDING, f"{POSITION} (FEN)", False),
    "small letters": Kind(ENDING_FEN.lower(), ENDING, f"{POSITION} (FEN)"),
    "our diagram of men": Kind(MEN, ENDING, f"{POSITION} (rows)"),
    "rows of men": Kind(SQUARES, ENDING, f"{POSITION} (rows)"),
    "rows and the side to move": Kind(f"{SQUARES}\nWhite to move", WHITE, f"{POSITION} (rows)"),
    "PDN": Kind(PDN, OPENED, "checkers: 1 game (PDN)", False),
    "PDN without a GameType": Kind(BARE, OPENED, "checkers: 1 game (PDN)", False),
    "PDN of several games": Kind(BARE * 3, OPENED, "checkers: 3 games (PDN)", False),
    "PDN with a broken game": Kind(
        BARE + BROKEN + BARE, OPENED, "checkers: 2 games (PDN), 1 not readable", False
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
    "a list that is no board": ("[1, 2]", "a board is a list of rows of 0, 1 and 2"),
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
    is_position = kind.what.endswith("a position (FEN)")  # of a tag: a file cannot know before its end
    assert source.what == kind.what or is_position


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
