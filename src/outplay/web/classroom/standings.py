"""The tournament of a class: who meets whom in the next round, and the table so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from outplay.match.swiss import BYE_POINTS, Entrant, SwissRound, pair_round
from outplay.players import HUMAN
from outplay.store import Summary
from outplay.store.classes import ClassTournament, Format


@dataclass(slots=True)
class ClassStanding:
    """The games of one person so far."""

    person: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    opponents: tuple[str, ...] = ()
    colours: tuple[int, ...] = ()
    buchholz: float = 0.0

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2 + self.byes * BYE_POINTS


def rounds_of(form: Format, people: int) -> int:
    """Return how many rounds let everyone meet everyone (round robin), or are enough to find a winner (Swiss)."""
    if form == "round-robin":
        return max(1, people - 1 + people % 2)
    return max(1, (people - 1).bit_length())


def table(people: Sequence[str], games: Sequence[Summary], byes: Sequence[str] = ()) -> dict[str, ClassStanding]:
    """Return the standing of each person, from the finished games of these people against each other.

    A game still counts for a player if the opponent has been forgotten since then.
    """
    rows = {person: ClassStanding(person) for person in people if person}
    for game in reversed(games):  # the list has the newest first
        if game.reason is None or game.people[0] == game.people[1]:
            continue
        for number, (person, other) in enumerate((game.people, game.people[::-1])):
            is_forgotten = not other and game.seats[1 - number] == HUMAN.name
            if person not in rows or not (other in rows or is_forgotten):
                continue
            row = rows[person]
            row.won += game.winner == number
            row.lost += game.winner == 1 - number
            row.drawn += game.winner is None
            row.opponents += (other,)
            row.colours += (number,)
    for person in byes:
        if person in rows:
            rows[person].byes += 1
    for row in rows.values():
        row.buchholz = sum(rows[other].points for other in row.opponents if other in rows)
    return rows


def ranked(rows: Mapping[str, ClassStanding]) -> list[tuple[int, ClassStanding]]:
    """Return the rows with their places, from 1; people with equal points, Buchholz scores and wins share a place."""
    order = sorted(rows.values(), key=_rank)
    places: list[tuple[int, ClassStanding]] = []
    for number, row in enumerate(order, 1):
        is_tied = bool(places) and _rank(places[-1][1]) == _rank(row)
        places.append((places[-1][0] if is_tied else number, row))
    return places


def _rank(row: ClassStanding) -> tuple[float, float, int]:
    return -row.points, -row.buchholz, -row.won


def next_pairs(people: Sequence[str], rows: Mapping[str, ClassStanding]) -> tuple[list[tuple[str, str]], str | None]:
    """Pair people by points, with no rematch if possible; return the pairs, and the person who is left over."""
    numbers = {person: number for number, person in enumerate(people)}
    entrants = [
        Entrant(
            number,
            rows[person].points,
            tuple(numbers[other] for other in rows[person].opponents if other in numbers),
            rows[person].colours,
            has_had_bye=rows[person].byes > 0,
        )
        for person, number in numbers.items()
    ]
    found: SwissRound = pair_round(entrants)
    pairs = [(people[first], people[second]) for first, second in found.pairs]
    return pairs, None if found.bye is None else people[found.bye]


def circle_round(people: Sequence[str], number: int) -> tuple[list[tuple[str, str]], str | None]:
    """Return the pairs of a round (from 1), and who has no opponent. Over all rounds, everyone meets everyone once.

    One person keeps the same place; the others move on by one place each round.
    """
    places: list[str | None] = [*people, *([None] if len(people) % 2 else [])]
    turned = places[1:]
    shift = (number - 1) % max(1, len(turned))
    circle = [places[0], *turned[shift:], *turned[:shift]]
    half = len(circle) // 2
    meetings = list(zip(circle[:half], reversed(circle[half:]), strict=True))
    # the side changes with the place for those who move on, and with the round for the one who stays
    pairs = [(one, other) if (place or number) % 2 else (other, one) for place, (one, other) in enumerate(meetings)]
    resting = next((one or other for one, other in pairs if one is None or other is None), None)
    return [(one, other) for one, other in pairs if one is not None and other is not None], resting


def round_of(
    tournament: ClassTournament, games: Sequence[Summary], staying: Collection[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs of the next round, and those who have a bye.

    Only the people in `staying` are paired. In a round robin, the planned opponent of a person who does not stay has
    a bye.
    """
    if tournament.format == "round-robin":
        planned, resting = circle_round(tournament.people, tournament.round + 1)
        pairs = [pair for pair in planned if pair[0] in staying and pair[1] in staying]
        alone = [person for pair in planned if pair not in pairs for person in pair] + ([resting] if resting else [])
        return pairs, [person for person in alone if person in staying]
    rested = [person for _, person in tournament.byes]
    here = [person for person in tournament.people if person in staying]
    pairs, left_over = next_pairs(here, table(tournament.people, games, rested))
    return pairs, [] if left_over is None else [left_over]
