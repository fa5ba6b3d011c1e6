"""The examples: each runs as a program and as a notebook, with small settings, and learns what it says."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT

FOLDER = ROOT / "examples"
SMALL: dict[str, list[str]] = {
    "learn_value": ["--positions", "1500", "--steps", "400", "--games", "2"],
    "q_learning": ["--lessons", "20", "--games", "2"],
    "alphazero": [
        *("--iterations", "2", "--self-play", "8", "--simulations", "8"),
        *("--games", "2", "--match-simulations", "8", "--levels", "1"),
    ],
    "regret": ["level:2", "--positions", "20"],
    "kaggle_agent": ["--player", "level:2", "--games", "2"],
}
ALLOWED = {"numpy", "outplay"}


def example(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module(name)


def test_every_example_is_here_and_uses_numpy_only(monkeypatch: pytest.MonkeyPatch) -> None:
    notebooks = example("notebooks", monkeypatch)
    assert {path.stem for path in FOLDER.glob("*.py")} == {*SMALL, "notebooks", "drop_bot"}
    assert set(notebooks.EXAMPLES) == set(SMALL)
    for path in FOLDER.glob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        used = {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        used |= {(node.module or "").split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}
        assert used - set(sys.stdlib_module_names) <= ALLOWED, path.name


def test_the_alphazero_has_less_than_300_lines() -> None:
    assert len((FOLDER / "alphazero.py").read_text(encoding="utf-8").splitlines()) < 300


@pytest.mark.parametrize("wrong", [["--levels", "x"], ["--levels", "2,9"], ["--minutes", "0"]])
def test_the_alphazero_refuses_wrong_settings_before_it_learns(
    wrong: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alphazero = example("alphazero", monkeypatch)
    monkeypatch.setattr(alphazero, "self_play", None)  # it learns nothing
    with pytest.raises(SystemExit):
        alphazero.main(wrong)
    assert f"argument {wrong[0]}: " in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_notebook_has_all_of_its_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = example("notebooks", monkeypatch).notebook_of(name)["cells"]
    code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    there = {node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert there == {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert len(cells) >= 4
    assert cells[-1]["source"] == "main([])"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SMALL))
def test_an_example_runs(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert example(name, monkeypatch).main(SMALL[name]) is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_notebook_runs_and_prints(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a real kernel, which makes its outputs."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: pip install --group notebook")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.from_dict(example("notebooks", monkeypatch).notebook_of(name, SMALL[name]))
    done = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [output["text"] for output in done.cells[-1].outputs if output["output_type"] == "stream"]
    assert any(printed)


@pytest.mark.slow
def test_a_value_is_learned_from_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    learn_value = example("learn_value", monkeypatch)
    right, _ = learn_value.main(["--positions", "8000", "--steps", "3000", "--games", "2"])
    assert right > 0.7, "guessing is right in half of them"


def test_the_trees_of_the_alphazero_find_a_win_and_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    alphazero = example("alphazero", monkeypatch)
    from outplay import connect4

    player = alphazero.AlphaZero(alphazero.Network(hidden=16), 150)
    assert player(connect4.Position.from_moves("112233")) == 3
    assert player(connect4.Position.from_moves("11223")) == 3


def test_the_network_s_gradient_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small step against it makes the loss smaller, for each layer."""
    alphazero = example("alphazero", monkeypatch)
    import numpy as np

    rng = np.random.default_rng(0)
    planes = (rng.random((64, 84)) < 0.3).astype(np.float32)
    targets, results = rng.dirichlet([1.0] * 7, 64).astype(np.float32), rng.choice([-1, 0, 1], 64).astype(np.float32)
    network = alphazero.Network(hidden=24, seed=1)
    losses = [network.learn(planes, targets, results, 0.01) for _ in range(60)]
    assert losses[-1] < losses[0] - 0.3
