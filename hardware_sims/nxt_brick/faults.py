"""What shall go wrong with a simulated brick and its line."""

from dataclasses import dataclass
from typing import Final

DEFAULT_BATTERY_MV: Final = 8000
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
class SensorChange:
    """A sensor that is plugged in, as an operator writes it (`1:touch=1`), and when."""

    plug: str
    time_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Faults:
    """Everything that goes wrong or changes; telegrams are counted from 1."""

    seed: int = 0
    drop_at: tuple[int, ...] = ()
    silent_from: int | None = None
    delay_s: float = 0.0
    jitter_s: float = 0.0
    stalls: tuple[Stall, ...] = ()
    battery_mv: int = DEFAULT_BATTERY_MV
    sleep_timeout_s: float = SLEEP_TIMEOUT_S
    sensors: tuple[SensorChange, ...] = ()


NO_FAULTS: Final = Faults()
