"""What tests share besides the oracle: positions, servers, engines that misbehave, and browser input."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder of the project."""
DATA = ROOT / "tests" / "data"
