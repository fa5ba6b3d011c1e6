"""Make the JSON of saved games, and read the filters of a page."""

from __future__ import annotations

from collections.abc import Mapping

from outplay.explain import outcome_sentence
from outplay.live.catalogue import players_called, titles_of
from outplay.notation.any import counted
from outplay.outcome import Outcome, Reason, Side
from outplay.rules import RULES
from outplay.store import Filter, Store, Summary, people
from outplay.web.library import wire
from outplay.web.wire import GameName
from outplay.web.words import TITLE, clipped

SHOWN_PLIES = {"connect4": 6, "checkers": 3}
"""The number of opening moves shown in a list; a checkers ballot has three."""


def filter_of(
    game: GameName | None,
    player: str,
    outcome: wire.OutcomeFilter | None,
    since: str,
    until: str,
    opening: str,
    *,
    is_mine: bool,
    person: str,
    store: Store,
) -> Filter:
    """Return a filter for these conditions. Levels are also found by the title that the page shows."""
    return Filter(
        game=game,
        player=player,
        players=players_called(player),
        people=people.people_called(store, player),
        outcome=outcome,
        since=since,
        until=until,
        opening=opening,
        played_by=person if is_mine else None,
        person=person,
        is_played=is_mine,
    )


def summary_view(saved: Summary, names: Mapping[str, str], person: str) -> wire.GameSummary:
    """Return the view of an entry for a person; `names` are those that people have chosen, by person."""
    known = {} if saved.people[0] == saved.people[1] else names  # at one screen the sides tell the players apart
    first, second = (name or known.get(holder, "") for name, holder in zip(saved.names, saved.people, strict=True))
    rules = RULES[saved.game]
    outcome = None
    if saved.reason is not None:
        outcome = Outcome(None if saved.winner is None else Side(saved.winner), Reason(saved.reason))
    return wire.GameSummary(
        id=saved.id,
        game="connect4" if saved.game == "connect4" else "checkers",
        title=rules.title,
        seats=[clipped(title, TITLE) for title in titles_of(saved.game, saved.seats, (first, second))],
        plies=saved.plies,
        result="*" if outcome is None else outcome.result,  # type: ignore[arg-type]
        winner=None if outcome is None or outcome.winner is None else (1 if outcome.winner else 0),
        sentence=_progress(saved) if outcome is None else outcome_sentence(outcome, rules.sides),
        is_over=outcome is not None,
        opening=clipped(" ".join(saved.opening[: SHOWN_PLIES[saved.game]]), TITLE),
        event=clipped(saved.event, TITLE),
        date=saved.date,
        is_imported=saved.is_imported,
        is_study=saved.is_study,
        is_yours=bool(person) and saved.owner == person,
        changed=saved.changed.isoformat(timespec="seconds"),
    )


def _progress(saved: Summary) -> str:
    if saved.plies == 0:
        return "A position."
    return f"After {counted(saved.plies, 'move')}."
