"""How long telegrams take, and what goes wrong with a simulated brick and its line."""

from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias


@dataclass(frozen=True)
class Latency:
    """What telegrams cost in seconds: one with a reply there, its reply back, one without."""

    there_s: float
    back_s: float
    command_s: float

    @property
    def reply_s(self) -> float:
        """How long a telegram and its reply take together."""
        return self.there_s + self.back_s


NO_LATENCY: Final = Latency(0.0, 0.0, 0.0)
USB_LATENCY: Final = Latency(0.003, 0.0, 0.001)  # how it divides is not known
# The brick has obeyed when it starts to turn the radio round for its answer, which takes it 30 ms
# (LEGO's Bluetooth developer kit).
BLUETOOTH_LATENCY: Final = Latency(0.015, 0.030, 0.003)
LATENCIES: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}


DEFAULT_BATTERY_MV: Final = 8000
# Of six AA cells: Energizer's alkaline handbook gives 0.15 to 0.3 ohm for a fresh one. That it is
# 0.2, and the same for a battery at 8.0 V, is assumed.
DEFAULT_BATTERY_OHM: Final = 1.2
SLEEP_TIMEOUT_S: Final = 600.0  # the brick's menu offers never, 2, 5, 10, 30, 60 minutes
MOTOR_LETTERS: Final = "ABC"


@dataclass(frozen=True, slots=True)
class Stall:
    """A motor is held for a while, from a point of time or from the n-th telegram on."""

    port: int
    seconds: float
    time_s: float | None = None
    telegram: int | None = None


@dataclass(frozen=True, slots=True)
class Restart:
    """The brick goes off at a point of time or at the n-th telegram, and comes on again.

    What is not in flash is gone: counts, program, mailboxes. The rig stays as it stands.
    """

    off_s: float
    time_s: float | None = None
    telegram: int | None = None


@dataclass(frozen=True, slots=True)
class SensorChange:
    """A sensor that is plugged in, as an operator writes it (`1:touch=1`), and when."""

    plug: str
    time_s: float = 0.0


Event: TypeAlias = Stall | Restart | SensorChange


@dataclass(frozen=True, slots=True)
class Faults:
    """Everything that goes wrong or changes; telegrams are counted from 1.

    `drop` cuts the line, and the telegram is lost with it; `lose` keeps back one reply. At `die_at`
    the brick goes off in the middle of its reply. Of a battery `battery_mv` is the open voltage at
    the start, from which it falls by `drain_mv_per_minute`; `battery_ohm` makes it sag under load.
    """

    seed: int = 0
    drop_at: tuple[int, ...] = ()
    drop_chance: float = 0.0
    lose_at: tuple[int, ...] = ()
    lose_chance: float = 0.0
    silent_from: int | None = None
    delay_s: float = 0.0
    jitter_s: float = 0.0
    hiccup_chance: float = 0.0
    hiccup_s: float = 0.0
    die_at: int | None = None
    restarts: tuple[Restart, ...] = ()
    stalls: tuple[Stall, ...] = ()
    battery_mv: int = DEFAULT_BATTERY_MV
    battery_ohm: float = DEFAULT_BATTERY_OHM
    drain_mv_per_minute: float = 0.0
    sleep_timeout_s: float = SLEEP_TIMEOUT_S
    sensors: tuple[SensorChange, ...] = ()

    @property
    def timed(self) -> list[tuple[float, Event]]:
        """What happens at a point of time, and when."""
        events: tuple[Event, ...] = (*self.sensors, *self.stalls, *self.restarts)
        return [(event.time_s, event) for event in events if event.time_s is not None]

    def at_telegram(self, number: int) -> list[Event]:
        """Return what happens as a telegram comes."""
        events: tuple[Stall | Restart, ...] = (*self.stalls, *self.restarts)
        return [event for event in events if event.telegram == number]


class LineFaults:
    """What goes wrong with each telegram; what is random is drawn only where it may happen."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._random = Random(faults.seed)

    def is_cut(self, telegram: int) -> bool:
        """Return whether the line is cut as a telegram comes."""
        faults = self._faults
        return telegram in faults.drop_at or self._happens(faults.drop_chance)

    def is_unanswered(self, telegram: int) -> bool:
        """Return whether the reply to a telegram is lost."""
        faults = self._faults
        is_silent = faults.silent_from is not None and telegram >= faults.silent_from
        return is_silent or telegram in faults.lose_at or self._happens(faults.lose_chance)

    def delay_s(self) -> float:
        """Return how late a reply is."""
        faults = self._faults
        hiccup_s = faults.hiccup_s if self._happens(faults.hiccup_chance) else 0.0
        return faults.delay_s + faults.jitter_s * self._random.random() + hiccup_s

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self._random.random() < chance


NO_FAULTS: Final = Faults()
