"""The suite reads nothing of its user: data, caches and settings lie in a folder of its own, in every process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from outplay import places
from outplay.tablebase.files import tables_folder
from tests.support import ROOT
from tests.support.home import FOLDERS, of_the_suite, of_the_user

FOUND = """
import json
from outplay import places
from outplay.tablebase.files import tables_folder
print(json.dumps([str(path) for path in (places.cache_folder(), places.data_folder(), tables_folder())]))
"""
MOVED = """
import json, os
from tests.support.home import move_into
back = move_into("/new")
moved = dict(os.environ)
back()
print(json.dumps([moved, dict(os.environ)]))
"""


def told_by(script: str, environment: dict[str, str]) -> Any:
    """What a process of its own prints."""
    told = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(told.stdout)


def test_data_caches_and_tables_lie_in_the_home_of_the_suite() -> None:
    home = Path(os.environ["HOME"])
    assert str(home) != of_the_user()["HOME"]
    assert all(path.is_relative_to(home) for path in (places.cache_folder(), places.data_folder(), tables_folder()))


def test_processes_that_a_test_starts_live_there_too() -> None:
    ours = [str(path) for path in (places.cache_folder(), places.data_folder(), tables_folder())]
    assert told_by(FOUND, dict(os.environ)) == ours
    assert told_by(FOUND, of_the_suite()) == ours


def test_what_the_user_has_set_stays_behind_until_the_way_back() -> None:
    before = {
        "HOME": "/user",
        "XDG_CACHE_HOME": "/user/cache",
        "OUTPLAY_TABLES": "/user/tables",
        "OUTPLAY_CORPORA": "/games",
        "PYTHONPATH": str(ROOT),
    }
    moved, back = told_by(MOVED, before)
    assert not [name for name in FOLDERS if not moved[name].startswith("/new")]
    assert not [name for name in moved if name.startswith("OUTPLAY_") and name not in (*FOLDERS, "OUTPLAY_CORPORA")]
    assert moved["OUTPLAY_CORPORA"] == "/games"
    assert before.items() <= back.items()
    assert "XDG_DATA_HOME" not in back
