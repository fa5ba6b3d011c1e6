"""The command line: called in this process, or really, in a process of its own."""

import json
import subprocess
import sys
from typing import Any

from typer.testing import CliRunner, Result

from outplay.cli.app import app


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def answer(*arguments: str, stdin: str | None = None, code: int = 0) -> Any:
    """The JSON answer, which is all that a command prints."""
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == code, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def refusal(*arguments: str) -> tuple[int, Any]:
    """Exit code and JSON error of a command that fails, which prints no answer."""
    result = run(*arguments, "--json")
    assert result.stdout == ""
    return result.exit_code, json.loads(result.stderr)["error"]


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The real command, in a process of its own."""
    run_by = [sys.executable, "-m", "outplay.cli", *arguments]
    return subprocess.run(run_by, capture_output=True, text=True, encoding="utf-8", timeout=60, **options)
