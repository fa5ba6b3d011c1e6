"""The clocks of both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from outplay.live.timers import Timers
from outplay.outcome import Side
from outplay.record import AnyNode


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """What each side has for the whole game, and what it is given back for every move."""

    initial_ms: int
    increment_ms: int = 0

    def __post_init__(self) -> None:
        if self.initial_ms <= 0 or self.increment_ms < 0:
            raise ValueError("a clock has a positive initial time and an increment of at least 0")


@dataclass(frozen=True, slots=True)
class ClockState:
    """Time left when it was looked at; `running` is the side whose time goes by."""

    left_ms: tuple[int, int]
    running: Side | None
    setting: ClockSetting


class Clocks:
    """Counts both sides' time. It does not look at the time itself: every call says when it is, in seconds."""

    def __init__(self, setting: ClockSetting) -> None:
        self.setting = setting
        self.running: Side | None = None
        self._left = [setting.initial_ms / 1000, setting.initial_ms / 1000]
        self._since = 0.0

    def left(self, side: Side, now: float) -> float:
        """Seconds left; not below 0."""
        gone = now - self._since if self.running is side else 0.0
        return max(0.0, self._left[side] - gone)

    def start(self, side: Side, now: float) -> None:
        """From now on the time of this side goes by."""
        self.halt(now)
        self.running, self._since = side, now

    def halt(self, now: float) -> None:
        """Nobody's time goes by."""
        if self.running is not None:
            self._left[self.running] = self.left(self.running, now)
            self.running = None

    def moved(self, side: Side, now: float) -> None:
        """The side has moved: its time halts and it is given its increment."""
        self.halt(now)
        self._left[side] += self.setting.increment_ms / 1000

    def save(self, now: float) -> tuple[float, float]:
        """Seconds left of both sides, for `restore`."""
        return self.left(Side.FIRST, now), self.left(Side.SECOND, now)

    def restore(self, left: tuple[float, float]) -> None:
        """Nobody's time goes by, and this much is left: a move was taken back."""
        self.running = None
        self._left = list(left)

    def state(self, now: float) -> ClockState:
        first, second = (round(1000 * seconds) for seconds in self.save(now))
        return ClockState((first, second), self.running, self.setting)


class GameClock:
    """The clock of a game in progress: it runs by itself, and says when it changes and when a flag falls."""

    def __init__(
        self,
        setting: ClockSetting,
        timers: Timers,
        *,
        left_ms: tuple[int, int] | None = None,
        on_change: Callable[[ClockState], None],
        on_flag: Callable[[], None],
    ) -> None:
        """`on_flag` is called on a thread of the timers whenever a flag may have fallen: see `fallen`."""
        self.setting = setting
        self._clock, self._timers = Clocks(setting), timers
        if left_ms is not None:
            self._clock.restore((left_ms[0] / 1000, left_ms[1] / 1000))
        self._on_change, self._on_flag = on_change, on_flag
        self._call_off: Callable[[], None] = lambda: None
        self._before: dict[AnyNode, tuple[float, float]] = {}

    def state(self) -> ClockState:
        return self._clock.state(self._timers.now())

    def left_ms(self, side: Side) -> int:
        return int(1000 * self._clock.left(side, self._timers.now()))

    def run(self, side: Side | None) -> None:
        """Let the time of this side go by, or nobody's."""
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
        """The side has moved, to this node."""
        now = self._timers.now()
        self._call_off()
        self._before[node] = self._clock.save(now)
        self._clock.moved(side, now)

    def back_before(self, node: AnyNode) -> None:
        """The time that was left when this node's move was made, which has been taken back."""
        self._call_off()
        self._clock.halt(self._timers.now())
        if node in self._before:
            self._clock.restore(self._before[node])

    def fallen(self) -> Side | None:
        """The side whose time goes by and has none left."""
        running = self._clock.running
        if running is None or self._clock.left(running, self._timers.now()) > 0:
            return None
        return running
