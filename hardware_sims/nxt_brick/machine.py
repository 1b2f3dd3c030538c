"""The parts of a brick, and the mechanism that hangs on its motors."""

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from hardware_sims.nxt_brick.faults import DEFAULT_BATTERY_MV
from hardware_sims.nxt_brick.flash_files import FlashFiles
from hardware_sims.nxt_brick.inputs import Inputs
from hardware_sims.nxt_brick.mailboxes import Mailboxes
from hardware_sims.nxt_brick.motor_control import FILE_NAME, FILE_SIZE
from hardware_sims.nxt_brick.motor_state import MotorArray
from hardware_sims.nxt_brick.motor_ticks import advance_free_motors
from hardware_sims.nxt_brick.outputs import Outputs

TONES_REMEMBERED = 100


class Mechanism(Protocol):
    """What the motors drive; it moves the motors along with itself."""

    def attach(self, motors: MotorArray) -> None:
        """Take hold of the shafts of three motors that stand at zero."""

    def advance(self, tick: int, ticks: int, battery_v: float) -> None:
        """Let `ticks` milliseconds pass from `tick` on."""


class FreeMotors:
    """Motors that lie on the table."""

    def attach(self, motors: MotorArray) -> None:
        """Remember the motors."""
        self._motors = motors

    def advance(self, tick: int, ticks: int, battery_v: float) -> None:
        """Let `ticks` milliseconds pass from `tick` on."""
        advance_free_motors(self._motors, tick, ticks, battery_v)


@dataclass
class Machine:
    """The state behind the telegrams. Times are seconds of the brick's clock."""

    name: bytes = b"NXT"
    battery_mv: int = DEFAULT_BATTERY_MV
    sleep_timeout_s: float = 0.0
    awake_since_s: float = 0.0
    now_s: float = 0.0
    is_off: bool = False
    program: bytes | None = None
    outputs: Outputs = field(default_factory=Outputs)
    inputs: Inputs = field(default_factory=Inputs)
    mailboxes: Mailboxes = field(default_factory=Mailboxes)
    files: FlashFiles = field(default_factory=FlashFiles)
    tones: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=TONES_REMEMBERED))

    def __post_init__(self) -> None:
        """Install the program that every owner of a motor-controlled robot has on the brick."""
        self.files.store(FILE_NAME, bytes(FILE_SIZE))

    def beep(self, frequency_hz: int, duration_ms: int) -> None:
        """Play a tone; the last hundred are remembered in `tones`."""
        self.tones.append((frequency_hz, duration_ms))

    def stay_awake(self) -> None:
        """Start the sleep timer again."""
        self.awake_since_s = self.now_s
