"""What all tests share: a home of their own, ids by which workers tell tests apart, hypothesis without deadlines."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from tests.support.home import move_into
from tests.support.postgres import Postgres, postgres

# machines are noisy and timings are not tests
settings.register_profile("outplay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("outplay")


def pytest_configure(config: pytest.Config) -> None:
    """Move into a new home, one for each worker. The process that starts the workers runs no tests."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        return
    home = TemporaryDirectory(prefix="outplay-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    config.add_cleanup(move_into(home.name))
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in a shell's background, where Ctrl-C would test nothing
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Complete the ids of Schemathesis' tests: pytest 9.2 leaves the operation out of them."""
    if item.parent is not None and not item.nodeid.endswith(item.name):
        item._id = item.parent.id.child(item.name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse two tests with one id: pytest-xdist would run only one of them, and say nothing."""
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:
        raise pytest.UsageError(f"tests with the same id: {', '.join(twice)}")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A real PostgreSQL for the whole run; each test asks it for a database of its own."""
    with postgres() as server:
        yield server
