"""Describe a tournament in words and tables."""

from __future__ import annotations

from outplay.match.standings import Standing, TournamentState
from outplay.match.versions import outdated_text
from outplay.rules import RULES

COLUMNS = ("", "player", "games", "won", "drawn", "lost", "points", "rating", "failed")
KIND_WORDS = {"round-robin": "everyone against everyone", "gauntlet": "gauntlet", "swiss": "Swiss"}
TIE_BREAKS = {
    "round-robin": "points, then the games between players with equal points, Sonneborn-Berger, wins",
    "swiss": "points, then Buchholz, Sonneborn-Berger, the games between players with equal points, wins",
    "gauntlet": "rating, because the players have different opponents",
}
"""How the players are ordered, in words; see `standings`."""


def headline(state: TournamentState) -> str:
    """Return a title such as `Connect Four, 12 players, everyone against everyone, plies:4, 100 ms a move`."""
    terms = state.tournament.conditions
    players = f"{len(state.names)} players"
    kind = KIND_WORDS[state.tournament.kind]
    return f"{RULES[terms.game].title}, {players}, {kind}, {terms.openings}, {terms.limit_text}"


def table(state: TournamentState) -> list[tuple[str, ...]]:
    """Return the rows of the table, without its header COLUMNS."""
    return [_row(row) for row in state.standings]


def _row(row: Standing) -> tuple[str, ...]:
    tally = row.tally
    failed = str(row.failures) if row.failures else ""
    return (
        *(str(row.place), row.name, str(tally.games), str(tally.wins), str(tally.draws), str(tally.losses)),
        *(f"{row.points:g}", rating_text(row), failed),
    )


def rating_text(row: Standing) -> str:
    """Return a rating with its error, such as `+120 ± 35`."""
    if row.elo is None:
        return ""
    return f"{row.elo:+z.0f}" if row.error is None else f"{row.elo:+z.0f} ± {row.error:.0f}"


def sentences(state: TournamentState) -> list[str]:
    """Return the sentences below the table: how to read it, which players failed, and how far bots were sandboxed."""
    lines = [f"Order: {TIE_BREAKS[state.tournament.kind]}."]
    if any(row.error is not None for row in state.standings):
        lines.append(
            "Rating: the mean of all players is 0; ± is the 95 % interval. "
            "Where two intervals overlap, the games do not show who is stronger."
        )
    if state.ratings.is_smoothed:
        lines.append(smoothing_text())
    if state.outdated:
        lines.append(outdated_text(state.outdated))
    for absence in state.absent:
        lines.append(f"{state.names[absence.player]} could not start: {absence.reason}")
    for row in state.standings:
        failures = state.failures(row.player)
        if failures:
            games = "game" if len(failures) == 1 else "games"
            lines.append(
                f"{row.name} failed in {len(failures)} {games}; the first is {failures[0].key}: {failures[0].failure}"
            )
    if state.protection:
        lines.append(state.protection)
    return lines


def smoothing_text() -> str:
    return (
        "These results alone give no finite ratings, for example because a player won every game. "
        "To keep the ratings finite, a quarter of a win for each side was added to every meeting."
    )
