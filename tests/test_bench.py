"""`python -m bench`: a name that it does not know is refused before anything is measured."""

import pytest

from bench import __main__ as bench


@pytest.mark.parametrize("names", [["solvr"], ["perft", "engine"]])
def test_a_name_it_does_not_know_is_refused(names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        bench.main(names)
    said = capsys.readouterr()
    assert refused.value.code == 2
    assert said.out == ""
    assert f"no bench named {names[-1]}" in said.err
    assert all(name in said.err for name in bench.NAMES)


def test_only_what_is_named_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    measured: list[list[str]] = []
    monkeypatch.setattr(bench, "compare_speed", measured.append)
    bench.main(["tablebase", "perft"])
    assert measured == [["perft", "tablebase"]]
    assert capsys.readouterr().out.startswith("Python ")
