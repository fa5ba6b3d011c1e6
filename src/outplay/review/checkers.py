"""Judge checkers games with the endgame tables where they know the result, otherwise with the searcher."""

from __future__ import annotations

from collections.abc import Sequence

from outplay import checkers
from outplay.engine.native import SearcherEngine
from outplay.engine.tables import move_score, proved, tablebase, verdict_score
from outplay.engine.types import Analysis, Limit, Line, Score
from outplay.explain import Proofs, chance_of, verdict_of
from outplay.review.grades import INACCURACY, MISTAKE
from outplay.review.judge import Judgement, StoppedError
from outplay.rules import Position

NODES = 300_000
"""The number of nodes for each position that must be searched, in a game of usual length."""
GAME_NODES = 80 * NODES
"""The total number of nodes of the first searches in a game; in a long game each position gets fewer."""
CLOSER = 4
"""A likely mistake is searched again, together with all other moves, with the usual number of nodes times this."""
MOST_LINES = 64
SHOWN_LINE = 11
"""The largest number of moves that a line shows after its first move."""


class CheckersJudge:
    """Judges moves with the tables, otherwise with the searcher. A mistake counts only if a longer search agrees.

    Every search has one thread, an empty hash table and a fixed number of nodes, so two reviews of a game are equal.
    """

    def __init__(self, *, nodes: int | None = None) -> None:
        self._engine = SearcherEngine()
        self._nodes = nodes or NODES
        self._proofs = Proofs(search_nodes=self._nodes)
        self._found: dict[Position, Line] = {}
        """The best line of each position that was searched."""
        self._is_stopped = False

    @property
    def proofs(self) -> Proofs:
        return self._proofs

    def stop(self) -> None:
        self._is_stopped = True
        self._engine.stop()

    def position(self, position: checkers.Position, history: Sequence[Position]) -> Score:
        return self._best(position, history).score

    def _best(self, position: checkers.Position, history: Sequence[Position]) -> Line:
        if position not in self._found:
            known = _table_lines(position)
            lines = known or self._search(position, history, Limit(nodes=self._nodes)).lines
            self._found[position] = lines[0]
        return self._found[position]

    def move(
        self, position: checkers.Position, move: checkers.Move, history: Sequence[Position], after: Score
    ) -> Judgement:
        best = self._best(position, history)
        played = best.score if move == best.move else turned(after)
        loss = loss_of(best.score, played)
        if loss >= INACCURACY:
            return self._closer(position, move, history)
        is_best = played.value >= best.score.value  # a later search may score it above every move of the first search
        return Judgement(best.score, best.score if is_best else played, 0.0 if is_best else loss, is_best)

    def keeps(self, score: Score, best: Score) -> bool:
        """Return True if a move keeps the result (scores of the tables) or is no mistake (scores of a search)."""
        if score.known_by == best.known_by == "table":
            return verdict_of(score) == verdict_of(best)
        return loss_of(best, score) < MISTAKE

    def _closer(self, position: checkers.Position, move: checkers.Move, history: Sequence[Position]) -> Judgement:
        """Search every move in one search, so that their scores can be compared."""
        limit = Limit(nodes=CLOSER * self._nodes, lines=min(MOST_LINES, len(position.legal_moves())))
        lines = _table_lines(position) or self._search(position, history, limit).lines
        self._found[position] = lines[0]
        scores = {line.move: line.score for line in lines}
        best, played = lines[0].score, scores.get(move, lines[-1].score)
        loss = loss_of(best, played)
        if loss < INACCURACY:
            return Judgement(best, played, loss, is_best=move == lines[0].move)
        better = tuple(line.move for line in lines if loss_of(best, line.score) < INACCURACY)
        reply = self._found.get(position.play(move))
        return Judgement(
            best, played, loss, False, better, lines[0].moves, () if reply is None else reply.moves, scores
        )

    def _search(self, position: checkers.Position, history: Sequence[Position], limit: Limit) -> Analysis:
        def watch(_: Analysis) -> None:
            if self._is_stopped:  # the stop came between two searches
                self._engine.stop()

        if self._is_stopped:
            raise StoppedError
        self._engine.clear()
        found = self._engine.analyse(position, limit, history=history, report=watch)
        if self._is_stopped:
            raise StoppedError
        return proved(position, found)


class TablesJudge:
    """Judges moves with the tables alone; other positions stay unknown."""

    @property
    def proofs(self) -> None:
        """Return None: this judge gives no reasons."""

    def stop(self) -> None:
        """Do nothing: this judge is always quick."""

    def position(self, position: checkers.Position, history: Sequence[Position]) -> Score:
        verdict = tablebase().get(position)
        return Score(0, unit="men") if verdict is None else verdict_score(verdict)

    def move(
        self, position: checkers.Position, move: checkers.Move, history: Sequence[Position], after: Score
    ) -> Judgement:
        lines = _table_lines(position)
        if lines is None:
            return Judgement(Score(0, unit="men"), Score(0, unit="men"), None, is_best=False)
        scores = {line.move: line.score for line in lines}
        best, played = lines[0].score, scores[move]
        loss = loss_of(best, played)
        if not loss:
            return Judgement(best, played, loss, is_best=played.value >= best.value)
        better = tuple(line.move for line in lines if not loss_of(best, line.score))
        return Judgement(best, played, loss, False, better, lines[0].moves, scores=scores)

    def keeps(self, score: Score, best: Score) -> bool:
        """Return True if the move keeps the result."""
        return verdict_of(score) == verdict_of(best)


def _table_lines(position: checkers.Position) -> tuple[Line, ...] | None:
    """Return every move with its table score, best first; None if the tables do not know all of them."""
    scores = _table_scores(position)
    if scores is None:
        return None
    return tuple(Line(move, score, (move, *_table_line(position.play(move)))) for move, score in scores)


def _table_scores(position: checkers.Position) -> list[tuple[checkers.Move, Score]] | None:
    if tablebase().get(position) is None:
        return None
    found = [(move, move_score(position, move)) for move in position.legal_moves()]
    known = [(move, score) for move, score in found if score is not None]
    return sorted(known, key=lambda each: -each[1].value) if len(known) == len(found) else None


def _table_line(position: checkers.Position) -> list[checkers.Move]:
    """Return the best continuation, as far as the tables know the number of plies to the end."""
    moves: list[checkers.Move] = []
    while len(moves) < SHOWN_LINE and position.outcome() is None:
        scores = _table_scores(position)
        if scores is None or scores[0][1].plies is None:
            break
        moves.append(scores[0][0])
        position = position.play(moves[-1])
    return moves


def fitting_nodes(plies: int, nodes: int = NODES) -> int:
    """Return the nodes for each position of a game with `plies` moves: `nodes`, or fewer if the game is long."""
    return max(1, min(nodes, GAME_NODES // (plies + 1)))


def loss_of(best: Score, played: Score) -> float:
    """Return the share of the winning chances that a move gave away."""
    return max(0.0, chance_of(best) - chance_of(played))


def turned(score: Score) -> Score:
    """Return a score seen from the other side, one ply earlier."""
    plies = None if score.plies is None else score.plies + 1
    return Score(-score.value, score.known_by, score.depth, plies, score.unit)
