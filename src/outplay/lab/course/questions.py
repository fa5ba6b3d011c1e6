"""Predictions: what will the search do next? The answers are read off the recorded run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outplay.errors import NotationError
from outplay.lab.course.moments import CourseMoment, CourseRun, sentence
from outplay.lab.course.replay import SearchReplay
from outplay.lab.course.rounds import GameTally, RecordedMonteCarlo
from outplay.lab.course.rungs import QuestionKind
from outplay.lab.mcts import EXPLORE
from outplay.lab.narrate import bound_text, count_of, move_name, value_text
from outplay.lab.recorder import Visit
from outplay.lab.score import INFINITY

YES, NO = "y", "n"
MOST_QUESTIONS = 5
"""The largest number of questions of a rung. With its first text and its figures, a rung then has seven steps."""


@dataclass(frozen=True, slots=True)
class CourseQuestion:
    """A prediction with two answers, of which one is right."""

    moment: int
    """The index of the moment at which the question is asked: the answer is what happens next."""
    ask: str
    more: str
    """A sentence that helps to find the answer."""
    options: tuple[tuple[str, str], ...]
    """The key of each answer, and its text."""
    answer: str
    """The key of the right answer."""
    right: str
    """The headline after the right answer; `wrong` is the headline after the other one."""
    wrong: str
    why: str

    def judge(self, answer: str) -> bool:
        """Return True for the right answer; NotationError if it is none of the options."""
        if answer not in dict(self.options):
            raise NotationError(answer, f"the answers to this question are {' and '.join(dict(self.options))}")
        return answer == self.answer


def chosen(kinds: Sequence[Sequence[CourseQuestion]], most: int = MOST_QUESTIONS) -> tuple[CourseQuestion, ...]:
    """Return at most `most` questions, spread over the run and in its order; earlier kinds take precedence.

    Each possible answer is right at least once, if the run has such questions.
    """
    found: list[CourseQuestion] = []
    for kind in kinds:
        groups = [[one for one in kind if one.answer == one.options[place][0]] for place in (0, 1)]
        small, large = sorted(groups, key=len)
        room = most - len(found)
        few = _spread(small, min(len(small), room // 2))
        found += [*few, *_spread(large, room - len(few))]
    return tuple(sorted(found, key=lambda question: question.moment))


def _spread(found: list[CourseQuestion], count: int) -> list[CourseQuestion]:
    if count >= len(found):
        return found
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]


# Searches


class SearchQuestions:
    """All predictions that a recorded search offers."""

    def __init__(self, replay: SearchReplay, run: CourseRun, game: str) -> None:
        self._visits, self._run, self._game = replay.visits, run, game

    def of(self, kind: QuestionKind) -> Iterator[CourseQuestion]:
        """Return the predictions of one kind, in order."""
        kinds = {
            "cuts": self.cuts,
            "table": self.table,
            "quiet": self.quiet,
            "values": self.values,
            "minds": self.minds,
        }
        return kinds[kind]()

    def cuts(self) -> Iterator[CourseQuestion]:
        """Yield "Will column 3 be cut here?" for every test with replies left. At the root nothing can be cut.

        At most one question is about a test with an infinite alpha or beta, because such a test never leads to a cut.
        """
        looked: dict[int, int] = {}
        is_first = True
        for number, moment in enumerate(self._run.moments):
            visit = self._visits[moment.at]
            if moment.deed != "cut?" or visit.move is None:
                continue
            looked[moment.at] = looked.get(moment.at, 0) + 1
            left = visit.moves - looked[moment.at]
            window = moment.open[-1]
            is_plain = INFINITY in (-window.alpha, window.beta)
            if not left or (is_plain and not is_first):
                continue
            is_first = is_first and not is_plain
            is_cut = visit.kind == "cut" and looked[moment.at] == visit.looked
            yield self._cut(number, moment, visit, left, is_cut=is_cut)

    def _cut(self, number: int, moment: CourseMoment, visit: Visit, left: int, *, is_cut: bool) -> CourseQuestion:
        name, mover, chooser = self._name(visit), self._mover(visit), self._chooser(visit)
        window = moment.open[-1]
        replies = count_of(left, "reply")
        alpha, beta = bound_text(window.alpha), bound_text(window.beta)
        first = self._run.sides[0]
        sure, limit = (beta, alpha) if visit.ply % 2 else (alpha, beta)
        verb = f"limit {first} to {sure}" if visit.ply % 2 else f"get {sure}"
        if is_cut:
            why = (
                f"Alpha {alpha} is not below beta {beta}. Here {mover} can already {verb}, and {chooser} has {limit} "
                f"elsewhere. The other {replies} cannot change that."
            )
        elif limit in (bound_text(INFINITY), bound_text(-INFINITY)):
            why = (
                f"{chooser} has nothing else to compare it with yet: {'alpha' if visit.ply % 2 else 'beta'} is {limit}."
            )
        else:
            why = (
                f"Alpha {alpha} is below beta {beta}: {name} may still be better for {chooser} than {limit} elsewhere."
            )
        return CourseQuestion(
            number,
            f"Will {name} be cut here?",
            f"{sentence(replies)} of {mover} {'has' if left == 1 else 'have'} not been searched yet.",
            ((YES, f"Yes, skip {'it' if left == 1 else 'them'}"), (NO, "No, look at the next one")),
            YES if is_cut else NO,
            "Right: it is cut" if is_cut else "Right: it is not cut",
            "It is cut" if is_cut else "It is not cut",
            why,
        )

    def table(self) -> Iterator[CourseQuestion]:
        """Yield "Does the table know this position?" wherever two orders of moves could have led to a position."""
        for number, moment in enumerate(self._run.moments):
            visit = self._visits[moment.at]
            if moment.deed != "table?" or visit.ply < 3:
                continue
            is_known = visit.kind == "table"
            way = " ".join(self._way(moment.at))
            why = (
                f"The same moves in another order led here before: {' '.join(self._earlier(moment.at))}."
                if is_known
                else "No other order of moves led here so far."
            )
            yield CourseQuestion(
                number,
                "Does the table know this position?",
                f"The moves were {way}.",
                ((YES, "Yes, it was searched before"), (NO, "No, it is new")),
                YES if is_known else NO,
                "Right: it is known" if is_known else "Right: it is new",
                "The table knows it" if is_known else "It is new",
                why,
            )

    def quiet(self) -> Iterator[CourseQuestion]:
        """Yield "May the search stop here?" wherever the depth is used up."""
        for number, moment in enumerate(self._run.moments):
            visit = self._visits[moment.at]
            if moment.deed != "leaf?" or visit.depth > 0:
                continue
            is_quiet, mover = visit.kind == "leaf", self._mover(visit)
            yield CourseQuestion(
                number,
                "May the search stop here?",
                f"After {' '.join(self._way(moment.at))} the depth is used up. {mover} to move.",
                ((YES, "Yes, evaluate it"), (NO, "No, search further")),
                YES if is_quiet else NO,
                "Right: all is quiet" if is_quiet else "Right: there is a capture",
                "All is quiet here" if is_quiet else "There is a capture",
                f"{mover} has no capture: the pieces can be counted."
                if is_quiet
                else f"{mover} must capture. To count the pieces now would be too soon.",
            )

    def values(self) -> Iterator[CourseQuestion]:
        """Yield "What is column 3 worth?" once all moves of a position are known: the highest, or the lowest?"""
        for number, moment in enumerate(self._run.moments):
            visit = self._visits[moment.at]
            below = [self._value(node.id) for node in self._run.nodes if node.parent == moment.at]
            known = [value for value in below if value is not None]
            if moment.deed != "who" or len(set(known)) < 2:
                continue
            highest, lowest = value_text(max(known)), value_text(min(known))
            mover, is_first = self._mover(visit), visit.ply % 2 == 0
            answer, wants = (highest, "highest") if is_first else (lowest, "lowest")
            yield CourseQuestion(
                number,
                f"What is {self._name(visit)} worth?",
                f"{mover} to move. The moves give {', '.join(map(value_text, known))}.",
                (("1", f"{highest}, the highest"), ("2", f"{lowest}, the lowest")),
                "1" if is_first else "2",
                f"Right: {answer}",
                f"It is worth {answer}",
                f"{mover} chooses, and {mover} wants the {wants} for {self._run.sides[0]}.",
            )

    def minds(self) -> Iterator[CourseQuestion]:
        """Yield "Will the next depth choose the same move?" after each depth but the last."""
        found = [(number, moment) for number, moment in enumerate(self._run.moments) if moment.deed == "remember"]
        for (number, moment), (_, later) in itertools.pairwise(found):
            now, then = self._best(moment.at), self._best(later.at)
            depth = self._visits[later.at].depth
            is_same = now == then
            yield CourseQuestion(
                number,
                f"Will depth {depth} choose {now} too?",
                f"Depth {self._visits[moment.at].depth} thinks {now} is best, and it is tried first now.",
                ((YES, "Yes"), (NO, "No, another move")),
                YES if is_same else NO,
                "Right: the same move" if is_same else "Right: another move",
                f"Depth {depth} chooses {then}",
                f"At depth {depth} the best is {then}. Even if the choice changes, a good move first means more cuts.",
            )

    # What the run says

    def _name(self, visit: Visit) -> str:
        return "the start" if visit.move is None else move_name(self._game, visit.move)

    def _mover(self, visit: Visit) -> str:
        return self._run.sides[visit.ply % 2]

    def _chooser(self, visit: Visit) -> str:
        return self._run.sides[(visit.ply + 1) % 2]

    def _value(self, node: int) -> float | None:
        visit = self._visits[node]
        return None if visit.score is None else visit.score * (1 if visit.ply % 2 == 0 else -1)

    def _way(self, node: int) -> list[str]:
        """Return the moves that lead to a position."""
        way = []
        here = self._run.nodes[node]
        while here.move is not None and here.parent is not None:
            way.append(here.move)
            here = self._run.nodes[here.parent]
        return way[::-1]

    def _earlier(self, node: int) -> list[str]:
        """Return the moves by which the search reached the same position before."""
        here = self._run.nodes[node]
        return next(
            self._way(other.id)
            for other in self._run.nodes
            if other.position == here.position and other.search == here.search and self._visits[other.id].looked
        )

    def _best(self, root: int) -> str:
        """Return the move that the search of this root chose."""
        main = next(
            node for node in self._run.nodes if node.parent == root and self._visits[node.id].is_main and node.move
        )
        return move_name(self._game, str(main.move))


# Monte Carlo


def round_questions(run: CourseRun, search: RecordedMonteCarlo, game: str) -> Iterator[CourseQuestion]:
    """Yield "Will this round go down column 4?" for the move with the best results, once all moves are in the tree."""
    children = [node for node in run.nodes if node.parent == 0]
    begins = [number for number, moment in enumerate(run.moments) if moment.deed == "root"]
    for number, played in zip(begins, search.rounds, strict=False):
        tried = [child for child in children if child.id < len(played.before)]
        if len(tried) < len(children):
            continue
        tallies = {child: played.before[child.id] for child in tried}
        best = max(tried, key=lambda child: (tallies[child].wins / tallies[child].games, -tallies[child].games))
        taken = next(child for child in tried if child.id == played.way[1])
        is_best = taken is best
        games = played.before[0].games
        name = move_name(game, str(best.move))
        yield CourseQuestion(
            number + 1,
            f"Will this round go down {name}?",
            f"It has done best so far: {tallies[best].text} won.",
            ((YES, "Yes"), (NO, "No, another move")),
            YES if is_best else NO,
            f"Right: {move_name(game, str(taken.move))}",
            f"It goes down {move_name(game, str(taken.move))}",
            " ".join(_promise(move_name(game, str(child.move)), tallies[child], games) for child in tried)
            + " The highest sum is tried: the share of wins, and a bonus for a move that was tried rarely.",
        )


def _promise(name: str, tally: GameTally, games: int) -> str:
    share = tally.wins / tally.games
    total = tally.promise(games, EXPLORE)
    return f"{sentence(name)}: {share:.2f} + {total - share:.2f} = {total:.2f}."
