"""The programs of the course: short Python in which every line says what the search does there.

The page shows the text and highlights the line that runs. A test executes the same text and compares it with the
recorded search line by line, so every program is a real search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Deed = Literal[
    # every search
    "over?",
    "result",
    "leaf?",
    "estimate",
    "table?",
    "known",
    "begin",
    "each",
    "go",
    "choose",
    "side",
    "alpha",
    "beta",
    "cut?",
    "cut",
    "pick",
    "store",
    "who",
    "highest",
    "lowest",
    "answer",
    # deepening
    "depth",
    "search",
    "remember",
    # Monte Carlo
    "root",
    "down?",
    "down",
    "new?",
    "expand",
    "playout",
    "up",
    "count",
]
"""What a line of a program does. A question mark at the end means that the line only tests something."""


@dataclass(frozen=True, slots=True)
class CourseProgram:
    """The lines of a program, each with what it does; None for a line that never runs by itself."""

    lines: tuple[tuple[str, Deed | None], ...]

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines) + "\n"

    def line_of(self, deed: Deed) -> int | None:
        """Return the number of the line that does this, from 1; None if the program has no such line."""
        return next((number for number, (_, done) in enumerate(self.lines, 1) if done == deed), None)


def minimax_program(side: str) -> CourseProgram:
    """Return the program of minimax. `side` moves at the root and wants the highest value."""
    return CourseProgram(
        (
            ("def search(node):", None),
            ("  if node.is_leaf:", "leaf?"),
            ("    return estimate(node)", "estimate"),
            ("  values = []", "begin"),
            ("  for child in node.children:", "each"),
            ("    values.append(search(child))", "go"),
            (f"  if node.{side}_to_move:", "who"),
            ("    return max(values)", "highest"),
            ("  return min(values)", "lowest"),
        )
    )


TABLE = CourseProgram(
    (
        ("def search(node):", None),
        ("  if node.is_leaf:", "leaf?"),
        ("    return estimate(node)", "estimate"),
        ("  if table.knows(node):", "table?"),
        ("    return table.value(node)", "known"),
        ("  values = []", "begin"),
        ("  for child in node.children:", "each"),
        ("    values.append(search(child))", "go"),
        ("  best = node.choose(values)", "pick"),
        ("  table.store(node, best)", "store"),
        ("  return best", "answer"),
    )
)
"""Minimax that remembers positions."""


def quiescence_program(side: str) -> CourseProgram:
    """Return the program of minimax with quiescence: it does not stop where a piece can be captured."""
    return CourseProgram(
        (
            ("def search(node, depth):", None),
            ("  if node.is_over:", "over?"),
            ("    return result(node)", "result"),
            ("  if depth <= 0 and node.is_quiet:", "leaf?"),
            ("    return estimate(node)", "estimate"),
            ("  values = []", "begin"),
            ("  for child in node.children:", "each"),
            ("    v = search(child, depth - 1)", "go"),
            ("    values.append(v)", "choose"),
            (f"  if node.{side}_to_move:", "who"),
            ("    return max(values)", "highest"),
            ("  return min(values)", "lowest"),
        )
    )


def alphabeta_program(side: str, *, children: str = "node.children", table: bool = False) -> CourseProgram:
    """Return the program of alpha-beta, with or without a table. `children` is the expression for the ordered moves."""
    known: tuple[tuple[str, Deed | None], ...] = (
        ("  if table.knows(node, alpha, beta):", "table?"),
        ("    return table.value(node)", "known"),
    )
    store: tuple[tuple[str, Deed | None], ...] = (("  table.store(node, best)", "store"),)
    return CourseProgram(
        (
            ("def search(node, alpha, beta):", None),
            ("  if node.is_leaf:", "leaf?"),
            ("    return estimate(node)", "estimate"),
            *(known if table else ()),
            ("  best = node.worst", "begin"),
            (f"  for child in {children}:", "each"),
            ("    v = search(child, alpha, beta)", "go"),
            ("    best = node.choose(best, v)", "choose"),
            (f"    if node.{side}_to_move:", "side"),
            ("      alpha = max(alpha, best)", "alpha"),
            ("    else:", None),
            ("      beta = min(beta, best)", "beta"),
            ("    if alpha >= beta:", "cut?"),
            ("      break  # cut", "cut"),
            *(store if table else ()),
            ("  return best", "answer"),
        )
    )


def deepening_program(side: str) -> CourseProgram:
    """Return the program of deepening: alpha-beta with a table, called with growing depths."""
    search = alphabeta_program(side, children="best_first(node)", table=True)
    return CourseProgram(
        (
            ("def deepen(root, depths):", None),
            ("  for depth in depths:", "depth"),
            ("    search(root(depth), -INF, INF)", "search"),
            ("    remember(best_line)", "remember"),
            ("", None),
            *search.lines,
        )
    )


MONTE_CARLO = CourseProgram(
    (
        ("def round(root):", None),
        ("  node = root", "root"),
        ("  while node.is_full:", "down?"),
        ("    node = node.most_promising()", "down"),
        ("  if node.untried:", "new?"),
        ("    node = node.expand()", "expand"),
        ("  winner = play_out(node)", "playout"),
        ("  for seen in node.way_up():", "up"),
        ("    seen.count(winner)", "count"),
    )
)
