"""Describe a match in words and tables."""

from __future__ import annotations

from outplay.match.elo import Estimate
from outplay.match.result import Result, Tally
from outplay.match.sprt import Sprt
from outplay.match.versions import outdated_text
from outplay.rules import RULES

COLUMNS = ("", "games", "won", "drawn", "lost", "points")


def headline(result: Result) -> str:
    """Return a title such as `level:5 v level:4, Checkers, 3move, 100 ms a move`."""
    match = result.match
    return f"{' v '.join(match.names)}, {RULES[match.game].title}, {match.openings}, {match.limit_text}"


def cross_table(result: Result) -> list[tuple[str, ...]]:
    """Return the rows of the table, without its header COLUMNS: A's games by side, and all games."""
    first, second = RULES[result.match.game].sides
    return [
        _row(f"{result.match.names[0]} as {first}", result.tally_as(1)),
        _row(f"{result.match.names[0]} as {second}", result.tally_as(2)),
        _row("all", result.tally),
    ]


def _row(title: str, tally: Tally) -> tuple[str, ...]:
    points = "" if tally.share is None else f"{tally.points:g} ({tally.share:.1%})"
    return title, str(tally.games), str(tally.wins), str(tally.draws), str(tally.losses), points


def sentences(result: Result) -> list[str]:
    """Return the sentences below the table: Elo, pairs, the test, failures and times."""
    counts = " ".join(map(str, result.pairs.counts))
    lines = [elo_text(result.estimate), f"Pairs with 0, ½, 1, 1½, 2 points: {counts}"]
    if result.sprt is not None:
        lines.append(sprt_text(result, result.sprt))
    if result.outdated:
        lines.append(outdated_text(result.outdated))
    for player, name in enumerate(result.match.names):
        clock, failures = result.clock(player), result.failures(player)
        if clock.moves:
            mean = 1000 * clock.seconds / clock.moves
            lines.append(f"{name}: {mean:.1f} ms a move, at most {1000 * clock.longest:.0f} ms")
        if failures:
            games = "game" if len(failures) == 1 else "games"
            lines.append(
                f"{name} failed in {len(failures)} {games}; the first is {failures[0].round}: {failures[0].failure}"
            )
    return lines


def elo_text(found: Estimate) -> str:
    """Return a text such as `Elo +35.4 ± 12.1 (95 %), likelihood of superiority 99.8 %`."""
    if found.elo is None:
        return "Elo: no number yet"
    error = "" if found.error is None else f" ± {found.error:.1f} (95 %)"
    likelihood = "" if found.superiority is None else f", likelihood of superiority {found.superiority:.1%}"
    return f"Elo {found.elo:+.1f}{error}{likelihood}"


def sprt_text(result: Result, sprt: Sprt) -> str:
    """Return a text such as `SPRT of Elo 0 against 5: log-likelihood ratio 1.31 in (-2.94, 2.94), open`."""
    low, high = sprt.bounds
    said = {
        "H0": f"H0 accepted: not stronger by {sprt.elo1:g}",
        "H1": f"H1 accepted: stronger by more than {sprt.elo0:g}",
        None: "open",
    }
    llr = sprt.llr(result.pairs)
    head = f"SPRT of Elo {sprt.elo0:g} against {sprt.elo1:g}"
    return f"{head}: log-likelihood ratio {llr:.2f} in ({low:.2f}, {high:.2f}), {said[result.verdict]}"


def short(result: Result) -> str:
    """Return one line for a progress bar: `+12 =80 -8  Elo +13.9 ± 16.2`."""
    tally, found = result.tally, result.estimate
    elo = "" if found.elo is None else f"  Elo {found.elo:+z.0f}"
    error = "" if found.error is None else f" ± {found.error:.0f}"
    test = "" if result.sprt is None else f"  LLR {result.sprt.llr(result.pairs):.2f}"
    return f"+{tally.wins} ={tally.draws} -{tally.losses}{elo}{error}{test}"
