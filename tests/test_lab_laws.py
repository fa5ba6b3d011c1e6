"""The law of the lab: every exact technique, in any combination, finds the score of plain minimax at equal depth."""

from itertools import combinations
from random import Random

import pytest

from outplay import checkers, connect4
from outplay.lab.compare import run
from outplay.lab.evaluate import EVALUATIONS, find_evaluation
from outplay.lab.minimax import Minimax
from outplay.lab.ordering import ORDERS
from outplay.lab.root import Root
from outplay.lab.score import WIN
from outplay.lab.search import Evaluate
from outplay.lab.techniques import TECHNIQUES, Techniques, make_search
from outplay.rules import Position, rules_of
from tests.support.positions import random_checkers_fens

EXACT = [name for name in TECHNIQUES if name != "quiescence"]
SETS = [Techniques.of(",".join(names)) for size in range(1, len(EXACT) + 1) for names in combinations(EXACT, size)]
PER_POSITION = 5  # of the 63 sets, others for each position


def connect4_positions(count: int) -> list[Position]:
    """Positions of random games that are not over, most of them on the usual board."""
    chance = Random(3)
    sizes = [(7, 6)] * 6 + [(5, 4), (4, 5), (8, 8), (10, 10)]
    found: list[Position] = []
    for number in range(count):
        width, height = sizes[number % len(sizes)]
        position, plies = connect4.Position(width, height), chance.randrange(width * height)
        while position.plies < plies and position.outcome() is None:
            before, position = position, position.play(chance.choice(position.legal_moves()))
        found.append(position if position.outcome() is None else before)
    return found


def checkers_positions(count: int) -> list[Position]:
    found: list[Position] = [checkers.Position.from_fen(fen) for fen in random_checkers_fens(11, count * 3 // 2)]
    return [position for position in found if position.outcome() is None][:count]


POSITIONS = {"connect4": connect4_positions(300), "checkers": checkers_positions(300)}


def test_there_are_hundreds_of_positions() -> None:
    assert all(len(positions) >= 250 for positions in POSITIONS.values())


def evaluation_for(number: int, position: Position) -> Evaluate:
    """Each position has another evaluation of its game, in turn."""
    known = list(EVALUATIONS[rules_of(position).name].values())
    return known[number % len(known)].score


def plain(position: Position, depth: int, evaluate: Evaluate, *, quiescence: bool) -> float:
    return Minimax(evaluate, quiescence=quiescence).look(position, depth).score


def textbook(position: Position, depth: int, evaluate: Evaluate, ply: int = 0) -> float:
    """Minimax as the textbooks have it: the first side takes the largest, the second the smallest. No signs turned."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else WIN - ply if outcome.winner == 0 else ply - WIN
    if depth == 0:
        return evaluate(position) if position.side == 0 else -evaluate(position)
    choose = max if position.side == 0 else min
    return choose(textbook(position.play(move), depth - 1, evaluate, ply + 1) for move in position.legal_moves())


@pytest.mark.parametrize("game", POSITIONS)
def test_minimax_is_that_of_the_textbooks(game: str) -> None:
    for number, position in enumerate(POSITIONS[game][:100]):
        evaluate = evaluation_for(number, position)
        for depth in (1, 2, 3):
            expected = textbook(position, depth, evaluate) * (1 if position.side == 0 else -1)
            assert plain(position, depth, evaluate, quiescence=False) == expected, position.fen()


@pytest.mark.parametrize("quiescence", [False, True], ids=["", "quiescence"])
@pytest.mark.parametrize("game", POSITIONS)
def test_every_set_of_techniques_finds_the_score_of_minimax(game: str, quiescence: bool) -> None:
    orders = [None, *ORDERS[game]]
    quiet_game = quiescence and game == "connect4"  # nothing to capture: a few positions show that nothing changes
    for number, position in enumerate(POSITIONS[game][: 40 if quiet_game else None]):
        evaluate = evaluation_for(number, position)
        depth = 3 + number % 2 if game == "checkers" or number % 10 == 0 else 3
        expected = plain(position, depth, evaluate, quiescence=quiescence)
        for step in range(PER_POSITION):
            techniques = SETS[(PER_POSITION * number + step) % len(SETS)]
            names = (*techniques.names(), "quiescence") if quiescence else techniques.names()
            in_use = Techniques.of(",".join(names))
            search = make_search(in_use, position, evaluate, order=orders[step % len(orders)])
            found = run(search, position, depth, deepening=in_use.deepening)
            assert found.score == expected, (position.fen(), depth, str(in_use))
            assert found.line
            assert found.line[0] in position.legal_moves()


@pytest.mark.parametrize("game", POSITIONS)
def test_the_line_leads_to_the_score(game: str) -> None:
    """Without a table the expected line is whole: its last position is worth what the root is said to be."""
    for number, position in enumerate(POSITIONS[game][:100]):
        evaluate = evaluation_for(number, position)
        found = make_search(Techniques(alphabeta=True, ordering=True), position, evaluate).look(position, 3)
        after, sign = position, 1
        for move in found.line:
            after, sign = after.play(move), -sign
        rest = 3 - len(found.line)
        leaf = Minimax(evaluate).node(after, rest, 0, 0, len(found.line))
        assert sign * leaf == found.score, position.fen()


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("names", ["none", "alphabeta", "alphabeta,ordering,killers,table,mirror"])
def test_the_best_moves_at_the_root_are_exactly_those_of_minimax(game: str, names: str) -> None:
    for number, position in enumerate(POSITIONS[game][:120]):
        evaluate = evaluation_for(number, position)
        exact = {move: -Minimax(evaluate).node(position.play(move), 2, 0, 0, 1) for move in position.legal_moves()}
        best = max(exact.values())
        ranking = Root(make_search(Techniques.of(names), position, evaluate), position).look(3)
        assert {found.move for found in ranking.best()} == {move for move in exact if exact[move] == best}
        every = Root(make_search(Techniques.of(names), position, evaluate), position, every_score=True).look(3)
        assert {found.move: found.score for found in every.moves} == exact, position.fen()


@pytest.mark.parametrize("game", POSITIONS)
def test_a_mirror_image_or_a_turned_board_has_the_same_score(game: str) -> None:
    for number, position in enumerate(POSITIONS[game][:60]):
        evaluate = evaluation_for(number, position)
        if isinstance(position, connect4.Position):
            image: Position = position.mirror()
        else:
            assert isinstance(position, checkers.Position)
            image = position.flip()
        scores = [plain(one, 2, evaluate, quiescence=True) for one in (position, image)]
        assert scores[0] == scores[1], position.fen()


@pytest.mark.parametrize("game", POSITIONS)
def test_alpha_beta_without_pruning_looks_at_what_minimax_looks_at(game: str) -> None:
    """And what minimax looks at is what the rules count: every line of play up to the depth."""
    evaluate = find_evaluation(None, game).score
    for position in POSITIONS[game][:40]:
        search = Minimax(evaluate)
        search.look(position, 3)
        ordered = make_search(Techniques(ordering=True), position, evaluate)
        ordered.look(position, 3)
        assert search.nodes == ordered.nodes == sum(position.perft(depth) for depth in range(4))
