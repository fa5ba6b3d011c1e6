"""One game in progress: seats, moves, take-back, hints, clocks, and engines that think in the background."""

from outplay.live.clock import ClockSetting, ClockState
from outplay.live.game import LiveGame
from outplay.live.guarded import NotNowError, StaleError
from outplay.live.state import (
    Allowed,
    ClockChanged,
    EngineFailed,
    Event,
    Failure,
    LiveState,
    Moved,
    Opinion,
    Over,
    StateChanged,
    Status,
    Thinking,
)
from outplay.live.terms import DEFAULT_TIME_MS, Terms

__all__ = [
    "DEFAULT_TIME_MS",
    "Allowed",
    "ClockChanged",
    "ClockSetting",
    "ClockState",
    "EngineFailed",
    "Event",
    "Failure",
    "LiveGame",
    "LiveState",
    "Moved",
    "NotNowError",
    "Opinion",
    "Over",
    "StaleError",
    "StateChanged",
    "Status",
    "Terms",
    "Thinking",
]
