"""Choose the compiled core: wheels for Linux on x86-64 have two, one for any processor and one for newer ones.

The second one is compiled for AVX2, BMI2 and what comes with them (x86-64-v3, processors from about 2013 on), and lies
in a folder of its own. A local build has only one core, made for its own processor.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = "_x86_64_v3"
NEEDS = frozenset(("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "popcnt", "xsave"))
"""What Linux calls the parts of x86-64-v3; lzcnt is abm there."""
VARIABLE = "OUTPLAY_PROCESSOR"
"""Set to "any" in the environment: the core for every processor is used."""


def folders(package: Path) -> list[str]:
    """Return the folder whose core comes before that of the package; an empty list if there is none to prefer."""
    variant = package / FOLDER
    if not variant.is_dir() or os.environ.get(VARIABLE) == "any" or not flags() >= NEEDS:
        return []
    return [str(variant)]


def flags(file: Path = Path("/proc/cpuinfo")) -> frozenset[str]:
    """Return what the first processor can do, as Linux says it."""
    try:
        with file.open(encoding="ascii", errors="replace") as lines:
            found = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return frozenset()
    return frozenset(found.partition(":")[2].split())
