"""Choose the compiled core: wheels for Linux on x86-64 have two, one for any processor and one for newer ones.

The second one is compiled for the instruction sets of x86-64-v3 (AVX2, BMI2 and others: processors from about 2013
on), and lies in a folder of its own. A local build has only one core, compiled for the processor of that machine.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = "_x86_64_v3"
NEEDS = frozenset(("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "popcnt", "xsave"))
"""The names that Linux gives to the instruction sets of x86-64-v3; Linux calls lzcnt "abm"."""
VARIABLE = "OUTPLAY_PROCESSOR"
"""If this environment variable is "any", the core that runs on every processor is used."""


def folders(package: Path) -> list[str]:
    """Return a list with the folder of the core for newer processors; an empty list to use the package's own core."""
    variant = package / FOLDER
    if not variant.is_dir() or os.environ.get(VARIABLE) == "any" or not flags() >= NEEDS:
        return []
    return [str(variant)]


def flags(file: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """Return the features of the first processor, by the names that Linux gives them."""
    try:
        with file.open(encoding="ascii", errors="replace") as lines:
            found = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return frozenset()
    return frozenset(found.partition(":")[2].split())
