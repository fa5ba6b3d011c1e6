"""`outplay puzzles`: mine, check and list puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from outplay.cli.answer import help_if_alone, say_json, whole_file
from outplay.cli.arguments import GameName, Json
from outplay.cli.failure import FAILED
from outplay.cli.progress import Bar
from outplay.errors import NotationError

if TYPE_CHECKING:
    from outplay.learn.puzzle import GradedPuzzle

puzzles = typer.Typer(
    name="puzzles",
    invoke_without_command=True,
    callback=help_if_alone,
    help="Puzzles with measured grades: find new ones, check them and list them.",
)

Source = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE", help="A puzzle file. Default: the puzzles that come with outplay."),
]
OneGame = Annotated[
    Literal["connect4", "checkers"] | None,
    typer.Option("--game", metavar="GAME", help="connect4 or checkers. Default: both."),
]
Tables = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="Folder of more endgame tables for the proofs. Default: only those that come with outplay.",
    ),
]


@puzzles.command()
def mine(
    game: GameName,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="Puzzle file to write; new puzzles are added to an existing one."),
    ],
    count: Annotated[int, typer.Option("--count", min=1, max=9999, help="Number of new puzzles.")] = 10,
    games: Annotated[
        int, typer.Option("--games", min=1, max=1_000_000, help="Largest number of games to play.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, max=1_000_000, help="Seed of the games.")] = 1,
    per_grade: Annotated[
        int | None,
        typer.Option("--per-grade", min=1, help="Largest number of puzzles of each grade. Default: no limit."),
    ] = None,
    endings: Annotated[
        bool,
        typer.Option(
            "--endings", help="Begin every checkers game with four pieces or fewer. Default: only some games."
        ),
    ] = False,
    tables: Tables = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=1024, help="Number of processes.")] = 1,
) -> None:
    """Play games, find puzzles in them, and write each one to a file with its best move, line, themes and grade.

    Each puzzle is written when it is found, so nothing is lost if you stop it.

    [bold]Example[/bold]

    outplay puzzles mine connect4 --out new.tsv --count 20
    """
    from outplay.jobs.puzzles import mine as mined
    from outplay.work import open_workers

    known = _read(out) if out.exists() else []
    found = list(known)
    _save(out, found)
    with open_workers(workers) as pool, Bar("puzzles") as bar:
        for puzzle in mined(
            pool, game, count,
            seed=seed, most_games=games, known=known, most_of_grade=per_grade, tables=tables, only_endings=endings,
        ):  # fmt: skip
            found.append(puzzle)
            _save(out, found)
            bar.tell((len(found) - len(known)) / count)
    typer.echo(f"{out}: {len(found) - len(known)} new puzzles, {len(found)} in all")


@puzzles.command()
def check(
    file: Source = None,
    game: OneGame = None,
    grades: Annotated[
        bool,
        typer.Option(
            "--grades", help="Also measure the grades again, which takes longer. Default: only prove the answers."
        ),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", min=1, help="Check only N puzzles, evenly spread. Default: all."),
    ] = None,
    tables: Tables = None,
) -> None:
    """Prove every puzzle again: the answers reach the goal, no other move does, and the themes fit.

    The exit code is 1 if anything is wrong.

    [bold]Example[/bold]

    outplay puzzles check --game connect4 --sample 10
    """
    from outplay.learn.check import grade_fault, puzzle_faults
    from outplay.learn.proof import Prover

    prover, wrong = Prover(tables=tables), 0
    chosen = _sampled(_chosen(file, game), sample)
    if not chosen:
        raise NotationError(str(file), f"there is no puzzle{'' if game is None else f' of {game}'} in it")
    for puzzle in chosen:
        faults = list(puzzle_faults(puzzle, prover))
        faults += [fault] if grades and (fault := grade_fault(puzzle)) else []
        wrong += bool(faults)
        for fault in faults:
            typer.echo(f"{puzzle.id}: {fault}", err=True)
    typer.echo(f"{len(chosen) - wrong} of {len(chosen)} puzzles are right")
    if wrong:
        raise typer.Exit(FAILED)


@puzzles.command("list")
def list_puzzles(
    file: Source = None,
    game: OneGame = None,
    table: Annotated[
        bool,
        typer.Option(
            "--table", help="Count puzzles by theme and grade, in Markdown. Default: one line for each puzzle."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """List puzzles: their ids, grades, themes and tasks.

    [bold]Example[/bold]

    outplay puzzles list --game checkers --table
    """
    from outplay.learn.tables import puzzle_table

    chosen = _chosen(file, game)
    if json:
        say_json([_as_dict(puzzle) for puzzle in chosen])
    elif table:
        typer.echo(puzzle_table(chosen))
    else:
        for puzzle in chosen:
            typer.echo(f"{puzzle.id}  grade {puzzle.grade}  {', '.join(puzzle.themes):<32} {puzzle.sentence}")


def _as_dict(puzzle: GradedPuzzle) -> dict[str, object]:
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "grade": puzzle.grade,
        "themes": list(puzzle.themes),
        "task": puzzle.sentence,
        "position": puzzle.position.fen(),
        "moves": puzzle.own_moves,
    }


def _read(file: Path) -> list[GradedPuzzle]:
    from outplay.learn.puzzle import read_puzzles

    return read_puzzles(file.read_text(encoding="utf-8"), str(file))


def _save(file: Path, found: list[GradedPuzzle]) -> None:
    from outplay.learn.puzzle import write_puzzles

    with whole_file(file) as text:
        text.write(write_puzzles(found))


def _chosen(file: Path | None, game: str | None) -> list[GradedPuzzle]:
    from outplay.learn.puzzle import PREFIXES, shipped_puzzles

    found = _read(file) if file is not None else [each for name in PREFIXES for each in shipped_puzzles(name)]
    return [puzzle for puzzle in found if game in (None, puzzle.game)]


def _sampled(found: list[GradedPuzzle], count: int | None) -> list[GradedPuzzle]:
    if count is None or count >= len(found):
        return found
    return [found[place * len(found) // count] for place in range(count)]
