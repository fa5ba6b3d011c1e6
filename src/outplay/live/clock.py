"""The clocks of both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from outplay.live.timers import Timers, ignore
from outplay.outcome import Side
from outplay.record import AnyNode


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """A time control: the initial time of each side, and the increment added after each of its moves."""

    initial_ms: int
    increment_ms: int = 0

    def __post_init__(self) -> None:
        if self.initial_ms <= 0 or self.increment_ms < 0:
            raise ValueError("a clock needs an initial time above 0 and an increment of at least 0")


@dataclass(frozen=True, slots=True)
class ClockState:
    """The time left on both clocks at one moment; `running` is the side whose clock runs."""

    left_ms: tuple[int, int]
    running: Side | None
    setting: ClockSetting


class Clocks:
    """Both sides' clocks as plain arithmetic: the caller passes the current time, in seconds, to every call."""

    def __init__(self, setting: ClockSetting) -> None:
        self.setting = setting
        self.running: Side | None = None
        self._left = [setting.initial_ms / 1000, setting.initial_ms / 1000]
        self._since = 0.0

    def left(self, side: Side, now: float) -> float:
        """Return the seconds left, at least 0."""
        gone = now - self._since if self.running is side else 0.0
        return max(0.0, self._left[side] - gone)

    def start(self, side: Side, now: float) -> None:
        """Start the clock of this side."""
        self.halt(now)
        self.running, self._since = side, now

    def halt(self, now: float) -> None:
        """Stop both clocks."""
        if self.running is not None:
            self._left[self.running] = self.left(self.running, now)
            self.running = None

    def moved(self, side: Side, now: float) -> None:
        """Stop the clock of the side that moved, and add its increment."""
        self.halt(now)
        self._left[side] += self.setting.increment_ms / 1000

    def save(self, now: float) -> tuple[float, float]:
        """Return the seconds left of both sides, for `restore`."""
        return self.left(Side.FIRST, now), self.left(Side.SECOND, now)

    def restore(self, left: tuple[float, float]) -> None:
        """Stop both clocks and set the time left, after a move was taken back."""
        self.running = None
        self._left = list(left)

    def state(self, now: float) -> ClockState:
        first, second = (round(1000 * seconds) for seconds in self.save(now))
        return ClockState((first, second), self.running, self.setting)


class GameClock:
    """The clock of a game in progress: it runs on real time, and reports changes and the end of a side's time."""

    def __init__(
        self,
        setting: ClockSetting,
        timers: Timers,
        *,
        left_ms: tuple[int, int] | None = None,
        on_change: Callable[[ClockState], None],
        on_flag: Callable[[], None],
    ) -> None:
        """`on_flag` is called on a timer thread when a side may be out of time: check `fallen`."""
        self.setting = setting
        self._clock, self._timers = Clocks(setting), timers
        if left_ms is not None:
            self._clock.restore((left_ms[0] / 1000, left_ms[1] / 1000))
        self._on_change, self._on_flag = on_change, on_flag
        self._call_off: Callable[[], None] = lambda: None
        self._before: dict[AnyNode, tuple[float, float]] = {}

    def state(self) -> ClockState:
        return self._clock.state(self._timers.now())

    def close(self) -> None:
        """Stop reporting, and release the callbacks. The clock itself keeps running."""
        self._call_off()
        self._on_change = self._on_flag = ignore

    def left_ms(self, side: Side) -> int:
        return int(1000 * self._clock.left(side, self._timers.now()))

    def run(self, side: Side | None) -> None:
        """Start the clock of this side; None stops both clocks."""
        if self._clock.running is side:
            return
        now = self._timers.now()
        self._call_off()
        if side is None:
            self._clock.halt(now)
        else:
            self._clock.start(side, now)
            self._call_off = self._timers.call_later(self._clock.left(side, now), self._on_flag)
        self._on_change(self._clock.state(now))

    def moved(self, side: Side, node: AnyNode) -> None:
        """Record that this side made the move that led to this node."""
        now = self._timers.now()
        self._call_off()
        self._before[node] = self._clock.save(now)
        self._clock.moved(side, now)

    def back_before(self, node: AnyNode) -> None:
        """Set the clocks to the times before this node's move, which was taken back."""
        self._call_off()
        self._clock.halt(self._timers.now())
        if node in self._before:
            self._clock.restore(self._before[node])

    def fallen(self) -> Side | None:
        """Return the side whose clock runs and has reached 0, or None."""
        running = self._clock.running
        if running is None or self._clock.left(running, self._timers.now()) > 0:
            return None
        return running
