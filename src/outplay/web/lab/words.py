"""The options of the lab in words: techniques, evaluations, move orders, and a glossary."""

from __future__ import annotations

from typing import cast

from outplay.lab.compare import TITLES
from outplay.lab.evaluate import EVALUATIONS, Evaluation
from outplay.lab.ordering import ORDERS
from outplay.lab.task import TIME_MS
from outplay.web.lab import wire
from outplay.web.wire import GameName

_TECHNIQUES: dict[str, tuple[str, str]] = {
    # name: one line, the page with more about it
    "alphabeta": ("skip moves that cannot change the answer", "lab/alphabeta"),
    "ordering": ("try good moves early", "lab/ordering"),
    "killers": ("try moves that refuted a sibling position", "lab/ordering"),
    "table": ("remember positions", "lab/table"),
    "mirror": ("mirror images share an entry", "lab/table"),
    "deepening": ("depth 1, then 2, then 3", "lab/deepening"),
    "quiescence": ("do not stop in an exchange", "lab/quiescence"),
}
_USELESS = {"connect4": {"quiescence"}, "checkers": {"mirror"}}
"""Techniques without effect in a game: Connect Four has no exchanges, checkers no mirror images."""

_ORDERS = {
    "distance": "columns by their distance from the centre",
    "front": "the middle columns come to the front, the rest stay",
    "captures": "larger captures, crowning, then advanced men",
}
_EXAMPLES = {
    "connect4": ["4453", "44", "44444226"],
    "checkers": ["B:W18,19,21,22,25,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,12", "B:W22,23,27,28,32:B5,7,12,14,K30"],
}
_TERMS = (
    (
        "minimax",
        "Minimax",
        "I take my best move, knowing that you will then take yours.",
        "lab/minimax",
    ),
    ("alpha", "Alpha", "The score that the first side is already sure of.", "lab/alphabeta"),
    ("beta", "Beta", "The score to which the other side can already hold the first side.", "lab/alphabeta"),
    ("window", "Window", "From alpha to beta: only a score in between changes anything.", "lab/alphabeta"),
    ("cut", "Cut", "One reply is enough to show that this move is too bad to be chosen.", "lab/alphabeta"),
    ("main line", "Main line", "What both sides would play if both see what this search sees.", "lab/minimax"),
    ("value", "Value", "What a move is worth to the side to move at the start.", "lab/minimax"),
    ("evaluation", "Evaluation", "An estimate of how good a position is, without looking ahead.", "lab/evaluate"),
    ("depth", "Depth", "How many moves of either side the search looks ahead.", "lab/minimax"),
    ("order", "Order", "The moves that are tried first decide how much can be cut.", "lab/ordering"),
    ("ladder", "The ladder", "The same position and depth, one technique more on each rung.", "lab/index"),
    ("tree", "Search tree", "Every position that was searched, below the one it came from.", "lab/trace"),
)


def info() -> wire.LabInfo:
    return wire.LabInfo(
        games=[_game("connect4"), _game("checkers")],
        terms=[wire.Term(name=name, title=title, about=about, docs=docs) for name, title, about, docs in _TERMS],
        max_depth=wire.MAX_DEPTH,
        time_ms=TIME_MS,
    )


def _game(game: GameName) -> wire.LabGame:
    names = [cast(wire.TechniqueName, name) for name in _TECHNIQUES if name not in _USELESS[game]]
    return wire.LabGame(
        game=game,
        techniques=[_technique(game, name) for name in names],
        presets=[
            wire.Preset(title="Minimax", about="Look at everything.", techniques=[]),
            wire.Preset(title="Alpha-beta", about="With the best moves first.", techniques=["alphabeta", "ordering"]),
            wire.Preset(title="Five-phase", about="What the five-phase player searches with.", techniques=names),
        ],
        evaluations=[_evaluation(evaluation) for evaluation in EVALUATIONS[game].values()],
        orders=[wire.OrderInfo(name=name, about=_ORDERS[name]) for name in ORDERS[game]],
        examples=_EXAMPLES[game],
    )


def _technique(game: str, name: wire.TechniqueName) -> wire.Technique:
    about, docs = _TECHNIQUES[name]
    title = "Centre first" if (game, name) == ("connect4", "ordering") else TITLES[name].capitalize()
    return wire.Technique(name=name, title=title, about=about, docs=docs)


def _evaluation(evaluation: Evaluation) -> wire.EvaluationInfo:
    weights = [wire.Weight(what=what, value=int(value)) for what, value in evaluation.weights]
    return wire.EvaluationInfo(name=evaluation.name, about=evaluation.about, weights=weights)
