"""Measure environments: steps a second on one core, with observations and action masks, beside other packages.

Everybody plays legal actions at random, and choosing them is part of the time. outplay and pgx play many games a call:
pgx is compiled by jax first, uses one core, and is measured with several batch sizes, of which the best counts.
`pip install --group bench-rl` installs the others; those that are missing are left out.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

SECONDS = 3.0
Row = tuple[str, str, float]


def steps_a_second(play: Callable[[], int], seconds: float = SECONDS) -> float:
    """Call `play`, which says how many steps it took, for some time."""
    play()
    started, steps = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        steps += play()
    return steps / (time.perf_counter() - started)


def vector(game: str, count: int) -> Callable[[], int]:
    from outplay import checkers, connect4

    games: Any = (connect4 if game == "connect4" else checkers).VectorGames(count)
    actions = games.random_actions()

    def play() -> int:
        for _ in range(50):
            games.step(actions)
            games.random_actions(out=actions)
        return 50 * count

    return play


def agents(env: Any) -> Callable[[], int]:
    """PettingZoo's own loop."""
    import numpy as np

    def play() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                break
            env.step(random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += 1
        return steps

    return play


def open_spiel(name: str) -> Callable[[], int]:
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


PGX = """
import sys, time, jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset
env = pgx.make("connect_four")
step = jax.vmap(auto_reset(env.step, env.init), in_axes=(0, 0, None))
def body(carry, _):
    state, key = carry
    key, chosen, restart = jax.random.split(key, 3)
    logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
    state = step(state, jax.random.categorical(chosen, logits, axis=-1), restart)
    return (state, key), (state.observation.astype(jnp.int8).sum(), state.legal_action_mask.sum())
run = jax.jit(lambda state, key: jax.lax.scan(body, (state, key), None, length=100))
best = 0
for count in (64, 256, 1024, 4096):
    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, count))
    (state, key), seen = run(state, key)
    jax.block_until_ready(seen)
    started, steps = time.perf_counter(), 0
    while time.perf_counter() - started < float(sys.argv[1]):
        (state, key), seen = run(state, key)
        jax.block_until_ready(seen)
        steps += 100 * count
    best = max(best, steps / (time.perf_counter() - started))
print(best)
"""


def pgx_connect_four() -> float:
    """Measured in a process of its own, on one core."""
    flags = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false", "JAX_PLATFORMS": "cpu"}
    command = ["taskset", "-c", "0", sys.executable, "-c", PGX, str(SECONDS)]
    done = subprocess.run(command, env={**os.environ, **flags}, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def measure() -> Iterator[Row]:
    yield "steps of Connect Four, vector", "outplay", steps_a_second(vector("connect4", 1024))
    yield from _peer("steps of Connect Four, vector", "pgx", "pgx", pgx_connect_four)
    name = "steps of Connect Four, vector"
    yield from _peer(name, "open_spiel", "pyspiel", lambda: steps_a_second(open_spiel("connect_four")))
    yield "steps of checkers, vector", "outplay", steps_a_second(vector("checkers", 1024))
    name = "steps of checkers, vector"
    yield from _peer(name, "open_spiel", "pyspiel", lambda: steps_a_second(open_spiel("checkers")))
    from outplay.envs import connect_four_v0

    name = "steps of Connect Four, PettingZoo"
    yield name, "outplay", steps_a_second(agents(connect_four_v0.env()))
    yield from _peer(name, "connect_four_v3", "pygame", lambda: steps_a_second(agents(_connect_four_v3())))


def _connect_four_v3() -> Any:
    from pettingzoo.classic.connect_four.connect_four import env

    return env()


def _peer(what: str, who: str, module: str, measured: Callable[[], float]) -> Iterator[Row]:
    try:
        __import__(module)
    except ImportError:
        return
    yield what, who, measured()


if __name__ == "__main__":
    for row in measure():
        print(*row, sep="\t", flush=True)
