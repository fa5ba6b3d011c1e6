"""Review a game from the last move back to the first, so that later results help with earlier moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from outplay import explain
from outplay.engine.types import Score
from outplay.explain import UNTOLD, MoveReason, Voice
from outplay.openings import opening_of
from outplay.outcome import Outcome, Side
from outplay.record import AnyGame, AnyNode
from outplay.review.checkers import NODES, CheckersJudge, fitting_nodes
from outplay.review.connect4 import Connect4Judge
from outplay.review.grades import accuracy, grade_of
from outplay.review.judge import Judge, Judgement, StoppedError
from outplay.review.ranks import ranked
from outplay.review.types import Answer, Grade, JudgedMove, Review, SideReview, TurningPoint, Worth
from outplay.rules import Position, Rules

Progress = Callable[[Review], None]
"""A function called after every position, with the review so far."""


def judge_for(game: AnyGame, *, nodes: int | None = None) -> Judge:
    """Return the standard judge for a game; `nodes` replaces its usual number of nodes for each position."""
    if game.rules.name == "connect4":
        return Connect4Judge(nodes=nodes)
    return CheckersJudge(nodes=fitting_nodes(len(game.main_line()), nodes or NODES))


def review(
    game: AnyGame,
    *,
    judge: Judge | None = None,
    nodes: int | None = None,
    voice: Voice | None = None,
    progress: Progress | None = None,
) -> Review:
    """Judge the main line of a game, which need not be finished. `judge.stop()` from another thread ends it early.

    Two reviews of a game are equal: the judges count nodes, not time. `voice` names the sides. Default: by colour.
    """
    chosen = voice or explain.voice_of(game.start)

    def tell(found: Review) -> None:
        if progress is not None:
            progress(found.told(chosen))

    return _Reviewing(game, judge or judge_for(game, nodes=nodes), tell).run().told(chosen)


class _Reviewing:
    """One review in progress. All sentences are templates: `Review.told` names the sides."""

    def __init__(self, game: AnyGame, judge: Judge, progress: Progress) -> None:
        self._game, self._judge, self._progress = game, judge, progress
        self._began = perf_counter()
        self._nodes = _played(game)
        self._judged: list[JudgedMove] = []  # the last move first
        self._end: tuple[float, str] = (0.0, "")
        self._ends: tuple[Worth, Worth] | None = None

    def run(self) -> Review:
        try:
            after = self._judge_end()
            self._ends = _worths(self._position(len(self._nodes)), after)
            self._tell()
            for ply in range(len(self._nodes), 0, -1):
                after = self._judge_move(ply, after)
                self._tell()
        except StoppedError:
            return self._review(is_complete=False)
        return self._review(is_complete=True)

    def _tell(self) -> None:
        self._progress(self._review(is_complete=False))

    def _position(self, ply: int) -> Position:
        """Return the position after `ply` moves."""
        found: Position = self._nodes[ply - 1].position if ply else self._game.start
        return found

    def _history(self, ply: int) -> list[Position]:
        return [self._position(before) for before in range(ply)]

    def _judge_end(self) -> Score:
        """Return the score of the last position for the side to move there."""
        ply = len(self._nodes)
        position, outcome = self._position(ply), _outcome_at_end(self._game, self._nodes)
        if outcome is not None:
            score = _ended(position, outcome)
            self._end = (_ended_gauge(outcome), explain.outcome_sentence(outcome, UNTOLD))
            return score
        score = self._judge.position(position, self._history(ply))
        self._end = (explain.gauge_of(position, score), explain.headline_of(position, score, UNTOLD))
        return score

    def _judge_move(self, ply: int, after: Score) -> Score:
        before, node = self._position(ply - 1), self._nodes[ply - 1]
        history = self._history(ply - 1)
        found = self._judge.move(before, node.move, history, after)
        self._judged.append(_judged_move(ply, before, node, found, self._judge))
        return found.best

    def _review(self, *, is_complete: bool) -> Review:
        moves = tuple(reversed(self._judged))
        rules = self._game.rules
        return Review(
            game=rules.name,
            start=self._game.start.fen(),
            plies=len(self._nodes),
            moves=moves,
            sides=(_side_review(Side.FIRST, moves, rules), _side_review(Side.SECOND, moves, rules)),
            turning_point=_turning_point(moves),
            gauge=self._end[0],
            headline=self._end[1],
            opening=opening_of([self._game.start, *(node.position for node in self._nodes)]),
            seconds=perf_counter() - self._began,
            is_complete=is_complete,
            ends=self._ends,
            ranked=ranked(moves),
        )


def _played(game: AnyGame) -> list[AnyNode]:
    """Return the main line up to the end of the game."""
    nodes = game.main_line()
    ends = [number for number, node in enumerate(nodes, 1) if node.ending is not None]
    return nodes[: ends[0]] if ends else nodes


def _outcome_at_end(game: AnyGame, nodes: Sequence[AnyNode]) -> Outcome | None:
    """Return the outcome by the rules; None if they do not end the game, for example if a side resigned.

    Without such an outcome, the last position is judged.
    """
    end = nodes[-1] if nodes else game.root
    return game.outcome_at(end) if end.ending is None else end.position.outcome()


def _ended(position: Position, outcome: Outcome) -> Score:
    """Return the score of a game that the rules ended, for the side to move. No judge is asked here."""
    if outcome.winner is None:
        return Score(0, "solved")
    return Score(explain.CERTAIN + 1 if outcome.winner is position.side else -explain.CERTAIN - 1, "solved", plies=0)


def _ended_gauge(outcome: Outcome) -> float:
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner is Side.FIRST else -1.0


def _worth(position: Position, score: Score) -> Worth:
    return Worth(
        explain.label_of(score),
        explain.verdict_of(score),
        explain.chance_of(score),
        score.known_by,
        explain.known_of(score),
        score.plies,
    )


def _worths(position: Position, score: Score) -> tuple[Worth, Worth]:
    """Return what a position is worth for each side, given its score for the side to move."""
    own, other = _worth(position, score), _worth(position, replace(score, value=-score.value))
    return (own, other) if position.side is Side.FIRST else (other, own)


def _judged_move(ply: int, before: Position, node: AnyNode, found: Judgement, judge: Judge) -> JudgedMove:
    grade = _grade(before, found)
    refutation, missed = _reasons(before, node, found, judge) if grade.is_flaw else (None, None)
    texts = [before.format(move) for move in found.better]
    return JudgedMove(
        ply=ply,
        side=before.side,
        move=node.text,
        grade=grade,
        before=_worth(before, found.best),
        after=_worth(before, found.played),
        loss=found.loss or 0.0,
        sentence=_sentence(before, node, found, refutation, missed) if grade.is_flaw else "",
        better=tuple(texts) if grade.is_flaw else (),
        line=tuple(explain.line_text(before, found.line, most=64).split()) if grade.is_flaw else (),
        answers=_answers(before, found, judge) if grade is not Grade.FORCED else (),
        gauge=explain.gauge_of(before, found.best),
        headline=explain.headline_of(before, found.best, UNTOLD),
        let_go=explain.turning_sentence(before, found.best, found.played, UNTOLD) if grade is Grade.BLUNDER else "",
        refutation=refutation,
        missed=missed,
    )


def _reasons(
    before: Position, node: AnyNode, found: Judgement, judge: Judge
) -> tuple[MoveReason | None, MoveReason | None]:
    """Return how a flaw is answered, and why the best move was better."""
    if judge.proofs is None:
        return None, None
    refutation = explain.refutation(before, node.move, voice=UNTOLD, proofs=judge.proofs)
    best = found.line[:1] or found.better[:1]
    missed = explain.reason_for_move(before, best[0], voice=UNTOLD, proofs=judge.proofs) if best else None
    return refutation, missed


def _grade(before: Position, found: Judgement) -> Grade:
    if len(before.legal_moves()) == 1:
        return Grade.FORCED
    if found.loss is None:
        return Grade.UNKNOWN
    return grade_of(found.loss, is_best=found.is_best, is_exact=found.is_exact)


def _sentence(
    before: Position, node: AnyNode, found: Judgement, refutation: MoveReason | None, missed: MoveReason | None
) -> str:
    return explain.mistake_sentence(
        before, node.move, found.best, found.played, better=found.better, refutation=refutation, missed=missed
    )


def _answers(before: Position, found: Judgement, judge: Judge) -> tuple[Answer, ...]:
    answers = []
    for move, score in sorted(found.scores.items(), key=lambda each: -each[1].value):
        is_good = judge.keeps(score, found.best)
        sentence = explain.answer_sentence(before, move, score, found.best, is_good=is_good)
        answers.append(Answer(before.format(move), _worth(before, score), is_good, sentence))
    return tuple(answers)


def _side_review(side: Side, moves: Sequence[JudgedMove], rules: Rules) -> SideReview:
    own = [move for move in moves if move.side is side]
    counts = {grade: sum(move.grade is grade for move in own) for grade in Grade}
    chosen = [move.loss for move in own if move.grade not in (Grade.FORCED, Grade.UNKNOWN)]
    told = [f"{counts[grade]} {one if counts[grade] == 1 else many}" for grade, one, many in _NAMED if counts[grade]]
    told += [f"{counts[Grade.UNKNOWN]} not judged"] if counts[Grade.UNKNOWN] else []
    return SideReview(
        side=side,
        name=rules.sides[side],
        accuracy=accuracy(chosen),
        inaccuracies=counts[Grade.INACCURACY],
        mistakes=counts[Grade.MISTAKE],
        blunders=counts[Grade.BLUNDER],
        sentence=", ".join(told) or "no mistakes",
    )


_NAMED = (
    (Grade.BLUNDER, "blunder", "blunders"),
    (Grade.MISTAKE, "mistake", "mistakes"),
    (Grade.INACCURACY, "inaccuracy", "inaccuracies"),
)


def _turning_point(moves: Sequence[JudgedMove]) -> TurningPoint | None:
    """Return the last blunder, or None."""
    last = next((move for move in reversed(moves) if move.grade is Grade.BLUNDER), None)
    if last is None:
        return None
    return TurningPoint(last.ply, last.side, last.move, last.let_go)
