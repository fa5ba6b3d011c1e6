"""A tournament as one HTML file to share: standings, cross table, every game to replay, and what failed.

It needs no server, no network and no other file. All games share one board. A game is stored as the cells that change
with each move, so that the page need not know the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from outplay.draw import checkers_svg, connect4_svg
from outplay.draw.svg import COLOURS, plain
from outplay.match.bout import Bout
from outplay.match.standings import Standing, TournamentState
from outplay.match.tournament_report import TIE_BREAKS, headline, rating_text, smoothing_text
from outplay.record import Game
from outplay.rules import RULES, Rules

DATA = Path(__file__).parent.parent / "data"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""The letters that stand for the cells of a board, in order."""
EMPTY = "."
MOST_TRACES = 20
"""The largest number of failures that are shown for a player, each with its traceback; equal ones count once."""
BAR_WIDTH = 240


def tournament_html(state: TournamentState) -> str:
    """Return the whole page."""
    rules = RULES[state.tournament.game]
    title = f"{rules.title} tournament"
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title} - outplay</title>\n<style>\n{_file('tournament.css')}</style>\n</head>\n<body>",
            f'<header><h1>{title}</h1><p class="muted">{_text(headline(state))}</p>{_progress(state)}</header>',
            "<main>",
            _standings(state),
            _cross_table(state),
            _games(state),
            _failures(state),
            _reading(state),
            "</main>",
            f'<script type="application/json" id="data">{_json(_data(state, rules))}</script>',
            f"<script>\n{_file('tournament.js')}</script>\n</body>\n</html>\n",
        ]
    )


def _file(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(plain(text))


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _progress(state: TournamentState) -> str:
    if state.is_over:
        return ""
    return f'<p class="bad">Not finished: {len(state.bouts)} of {state.planned} games.</p>'


# Tables


def half(points: float) -> str:
    """Return points as people write them: 7, 7½, ½."""
    whole, rest = divmod(points, 1)
    return (f"{whole:.0f}" if whole or not rest else "") + ("½" if rest else "")


def _section(title: str, note: str, body: str) -> str:
    head = f'<div><h2>{title}</h2><p class="muted">{note}</p></div>'
    return f'<section class="card" aria-label="{title}">{head}{body}</section>'


def _scroll(label: str, table: str) -> str:
    """Return a table that scrolls sideways inside its card, by keyboard too."""
    return f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{table}</div>'


def _standings(state: TournamentState) -> str:
    names = ("", "Player", "Points", "Won", "Drawn", "Lost", "Rating", "95 % interval", "Failed")
    heads = "".join(
        f'<th scope="col"{" class=name" if name == "Player" else ""}>{name or "<span>#</span>"}</th>' for name in names
    )
    low, high = _range(state.standings)
    rows = "".join(_standing(row, low, high) for row in state.standings)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    order = f"Order: {TIE_BREAKS[state.tournament.kind]}."
    note = f"{order} The mean rating is 0. Where two intervals overlap, the games do not show who is stronger."
    return _section("Standings", note, _scroll("Table of the standings", table))


def _standing(row: Standing, low: float, high: float) -> str:
    tally = row.tally
    bye = f' <span class="muted">({row.byes} bye)</span>' if row.byes else ""
    failed = f'<span class="bad">{row.failures}</span>' if row.failures else "0"
    cells = [half(row.points) + bye, *map(str, (tally.wins, tally.draws, tally.losses)), rating_text(row) or "none"]
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    return (
        f'<tr><td>{row.place}</td><th scope="row">{_text(row.name)}</th>{numbers}'
        f'<td class="bar">{_bar(row, low, high)}</td><td>{failed}</td></tr>'
    )


def _range(rows: Iterable[Standing]) -> tuple[float, float]:
    ends = [row.elo + sign * (row.error or 0) for row in rows if row.elo is not None for sign in (-1, 1)]
    return min(ends, default=-1.0) - 1, max(ends, default=1.0) + 1


def _bar(row: Standing, low: float, high: float) -> str:
    """Draw a rating as a dot on its interval."""
    if row.elo is None:
        return ""

    def x(elo: float) -> str:
        return f"{8 + (BAR_WIDTH - 16) * (elo - low) / (high - low):.1f}"

    error = row.error or 0
    words = f"from {row.elo - error:+z.0f} to {row.elo + error:+z.0f}"
    zero = x(min(max(0, low), high))
    return (
        f'<svg viewBox="0 0 {BAR_WIDTH} 24" role="img" aria-label="{words}">'
        f'<line class="axis" x1="{zero}" x2="{zero}" y1="0" y2="24"/>'
        f'<line class="span" x1="{x(row.elo - error)}" x2="{x(row.elo + error)}" y1="12" y2="12"/>'
        f'<circle class="dot" cx="{x(row.elo)}" cy="12" r="5"/></svg>'
    )


def _cross_table(state: TournamentState) -> str:
    order = state.standings
    heads = "".join(
        f'<th scope="col"><abbr title="{_text(row.name)}">{number}</abbr></th>' for number, row in enumerate(order, 1)
    )
    rows = "".join(_cross_row(state, number, row) for number, row in enumerate(order, 1))
    table = (
        f'<table class="cross"><thead><tr><th scope="col" class="name">Row against column</th>{heads}'
        f'<th scope="col">Points</th></tr></thead><tbody>{rows}</tbody></table>'
    )
    return _section(
        "Cross table", "Points of the row. Choose a cell to see its games.", _scroll("Table of the meetings", table)
    )


def _cross_row(state: TournamentState, number: int, row: Standing) -> str:
    cells = "".join(_cross_cell(state, row.player, column.player) for column in state.standings)
    name = f'<th scope="row">{number} {_text(row.name)}</th>'
    return f'<tr>{name}{cells}<td class="sum">{half(row.points)}</td></tr>'


def _cross_cell(state: TournamentState, a: int, b: int) -> str:
    if a == b:
        return '<td class="self"></td>'
    if (a, b) not in state.by_pair:
        return "<td></td>"
    tally = state.tally(a, [b])
    points, lost = tally.points, tally.games - tally.points
    kind = "w" if points > lost else "l" if points < lost else "d"
    score = f"{half(points)}–{half(lost)}"  # noqa: RUF001
    label = f"{_text(state.names[a])} against {_text(state.names[b])}: {score}"
    button = f'<button type="button" disabled data-pair="{a} {b}" aria-label="{label}">{score}</button>'
    return f'<td class="{kind}">{button}</td>'


# Games


def _games(state: TournamentState) -> str:
    options = "".join(f'<option value="{number}">{_text(name)}</option>' for number, name in enumerate(state.names))
    choices = "".join(
        f'<label>{label}<select data-part="{part}"><option value="-1">anyone</option>{options}</select></label>'
        for label, part in (("Player", "first-player"), ("Against", "second-player"))
    )
    steps = "".join(
        f'<button type="button" data-go="{name}" aria-label="{label}">{escape(sign)}</button>'
        for name, sign, label in (
            ("first", "|<", "First position"),
            ("previous", "<", "Previous move"),
            ("next", ">", "Next move"),
            ("last", ">|", "Last position"),
        )
    )
    return (
        '<section class="card" aria-label="Games" data-part="games" hidden><h2>Games</h2>'
        f'<div class="tools">{choices}<p data-part="count" aria-live="polite"></p></div>'
        '<div class="games"><div><ol class="list" data-part="list" tabindex="0" aria-label="Games"></ol>'
        '<p class="tools"><button type="button" data-part="more" hidden>Show more games</button></p></div>'
        '<div class="replay" role="group" aria-label="Replay" data-part="replay" hidden>'
        '<h3 data-part="title" tabindex="-1"></h3><div data-part="board"></div>'
        f'<p data-part="caption" aria-live="polite"></p><p class="steps">{steps}</p>'
        '<p class="bad" data-part="failure"></p><p class="muted" data-part="opening"></p>'
        '<p class="muted moves" data-part="moves"></p></div></div></section>'
        '<p data-part="still">Turn on scripts to replay the games.</p>'
    )


def _data(state: TournamentState, rules: Rules) -> dict[str, Any]:
    """Return what the page's script needs: the board, the pieces on each cell, and the games."""
    bouts = sorted(state.bouts, key=lambda bout: bout.order)
    starts = list(dict.fromkeys(bout.start for bout in bouts))
    reasons = list(dict.fromkeys(str(bout.reason) for bout in bouts))
    openings = list(dict.fromkeys(bout.opening for bout in bouts))
    board, pieces, rings = _stage(rules)
    return {
        "names": [plain(name) for name in state.names],
        "sides": rules.sides,
        "letters": LETTERS,
        "reasons": reasons,
        "openings": [plain(opening) for opening in openings],
        "starts": [rules.cells(rules.read(start)) for start in starts],
        "board": board,
        "pieces": pieces,
        "rings": rings,
        "games": [
            [
                *(bout.key, *bout.sides, round(2 * bout.points), reasons.index(str(bout.reason))),
                *(starts.index(bout.start), " ".join(_steps(bout, rules)), " ".join(bout.moves)),
                *(int(rules.read(bout.start).side), openings.index(bout.opening), plain(bout.failure)),
            ]
            for bout in bouts
        ],
    }


def _steps(bout: Bout, rules: Rules) -> Iterable[str]:
    """Yield the cells that each move changes, each with what stands on it afterwards: `Ab`; `A.Bb` if a piece moved."""
    game = Game(rules.read(bout.start))
    before = rules.cells(game.position)
    for move in bout.moves:
        game.play(move)
        after = rules.cells(game.position)
        yield "".join(
            LETTERS[cell] + now for cell, (was, now) in enumerate(zip(before, after, strict=True)) if was != now
        )
        before = after


def _stage(rules: Rules) -> tuple[str, dict[str, list[str]], list[str]]:
    """Return the empty board, each piece on each cell as SVG, and a ring round each cell."""
    width, height = rules.size(rules.start())
    if rules.name == "connect4":
        empty = [[0] * width for _ in range(height)]
        svg = connect4_svg(empty, title="Board")
        pieces = {
            str(side): [
                _new_lines(svg, connect4_svg(_with_disc(empty, cell, side), title="Board"))
                for cell in range(width * height)
            ]
            for side in (1, 2)
        }
        centres = [(16 + 90 * (cell % width + 0.5), 16 + 90 * (cell // width + 0.5)) for cell in range(width * height)]
        return _image(svg), pieces, [_ring(*centre, 41.25) for centre in centres]
    svg = checkers_svg({}, title="Board")
    pieces = {
        piece: [_new_lines(svg, checkers_svg({square: piece}, title="Board")) for square in range(1, 33)]
        for piece in "bBwW"
    }
    squares = [(74 * (2 * (n % 4) + (n // 4 + 1) % 2 + 0.5), 74 * (n // 4 + 0.5)) for n in range(32)]
    return _image(svg), pieces, [_ring(*centre, 33) for centre in squares]


def _with_disc(rows: Sequence[Sequence[int]], cell: int, side: int) -> list[list[int]]:
    made = [list(row) for row in rows]
    made[cell // len(rows[0])][cell % len(rows[0])] = side
    return made


def _new_lines(before: str, after: str) -> str:
    """Return the lines of SVG that only the second drawing has: they draw the piece."""
    known = set(before.splitlines())
    return "".join(line for line in after.splitlines() if line not in known)


def _image(svg: str) -> str:
    """Return the drawing without its title, because the script describes the board."""
    return svg.replace("<title>Board</title>", "")


def _ring(x: float, y: float, radius: float) -> str:
    style = f'fill="none" stroke="{COLOURS["mark"]}" stroke-width="3.5"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


# What went wrong


def _failures(state: TournamentState) -> str:
    parts = [
        f"<details open><summary><b>{_text(state.names[each.player])}</b> could not start: "
        f"{_text(each.reason)}</summary>{_trace(each.trace)}</details>"
        for each in state.absent
    ]
    for row in state.standings:
        parts += _failures_of(state, row)
    body = "".join(parts) or "<p>None: every player answered every time.</p>"
    return _section("Crashes and time losses", "A player that fails loses the game.", f"<div>{body}</div>")


def _failures_of(state: TournamentState, row: Standing) -> Iterable[str]:
    """Yield the failures of a player; games that failed in the same way are listed together."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[Bout]] = {}
    for bout in state.failures(row.player):
        alike.setdefault((str(bout.reason), bout.failure, bout.trace), []).append(bout)
    kinds = sorted(alike.items(), key=lambda item: -len(item[1]))
    for (reason, failure, trace), bouts in kinds[:MOST_TRACES]:
        games = "1 game" if len(bouts) == 1 else f"{len(bouts)} games"
        keys = " ".join(
            f'<button type="button" disabled data-game="{bout.key}">{bout.key}</button>' for bout in bouts[:10]
        )
        yield (
            f'<details><summary><b>{_text(row.name)}</b>, {games} ({_text(reason)}): <span class="bad">'
            f'{_text(failure)}</span></summary><p class="tools">{keys}</p>{_trace(trace)}</details>'
        )
    if len(kinds) > MOST_TRACES:
        yield f"<p>{_text(row.name)} failed in {len(kinds) - MOST_TRACES} more ways.</p>"


def _trace(lines: Sequence[str]) -> str:
    shown = "\n".join(
        escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)) for line in lines
    )
    return f'<pre tabindex="0">{shown}</pre>' if shown else ""


def _reading(state: TournamentState) -> str:
    lines = [
        "A rating says how strong a player was in these games, against the mean of all players. A rating that is 200 "
        "higher means about three points out of four. The line is the 95 % interval: more games make it shorter.",
        "The game 3.7.2.1 belongs to round 3 and board 7; it is the first of the two games with the second opening.",
    ]
    if state.ratings.is_smoothed:
        lines.append(smoothing_text())
    if state.protection:
        lines.append(state.protection)
    body = "".join(f"<p>{_text(line)}</p>" for line in lines)
    return _section("How to read this", "", body)
