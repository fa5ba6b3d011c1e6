"""The lab: search techniques to watch step by step (minimax, alpha-beta, move ordering, the hash table, deepening).

Pure Python, for both games, written to be read. A good order to read it in:

    score.py        the scores of a search
    minimax.py      look at everything
    alphabeta.py    skip what cannot matter
    ordering.py     the best moves first
    table.py        remember positions
    deepening.py    depth 1, 2, 3, ...; clock.py: until the time is up
    quiescence.py   do not stop in the middle of an exchange
    root.py         from a score to a choice
    five_phase.py   a player that uses all of these; mcts.py: one that works in another way
    evaluate/       estimates of how good a position is, with their tables of weights
    compare.py      what each technique saves; trace.py: a search recorded position by position

>>> from outplay import connect4
>>> from outplay.lab import ladder, find_evaluation
>>> position = connect4.Position.from_moves("4453")
>>> for row in ladder(position, 4, find_evaluation("classic", "connect4")):
...     print(f"{row.title:16} {row.nodes:5} positions, score {row.score}")
minimax           2717 positions, score 10
+ alpha-beta       909 positions, score 10
+ table            823 positions, score 10
+ deepening        327 positions, score 10
+ move ordering    254 positions, score 10
+ killer moves     242 positions, score 10
"""

from outplay.lab.compare import Row, ladder
from outplay.lab.engine import LabEngine
from outplay.lab.evaluate import EVALUATIONS, Evaluation, find_evaluation
from outplay.lab.five_phase import FivePhase
from outplay.lab.mcts import MonteCarlo
from outplay.lab.players import LAB_PLAYERS, LabPlayer, make_player
from outplay.lab.techniques import TECHNIQUES, Techniques
from outplay.lab.trace import Trace, trace

__all__ = [
    "EVALUATIONS",
    "LAB_PLAYERS",
    "TECHNIQUES",
    "Evaluation",
    "FivePhase",
    "LabEngine",
    "LabPlayer",
    "MonteCarlo",
    "Row",
    "Techniques",
    "Trace",
    "find_evaluation",
    "ladder",
    "make_player",
    "trace",
]
