"""What tests share but the oracle: makers of positions, servers, engines that misbehave, a browser's hands."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder of the project."""
DATA = ROOT / "tests" / "data"
