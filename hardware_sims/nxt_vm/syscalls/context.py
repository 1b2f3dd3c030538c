"""What system calls share while a program runs."""

import random
from dataclasses import dataclass, field

from hardware_sims.nxt_vm.peripherals import Peripherals


@dataclass(slots=True)
class CallContext:
    """The brick's parts, and what the command module remembers for the running program."""

    peripherals: Peripherals
    random: random.Random
    file_names: dict[int, tuple[bytes, bool]] = field(default_factory=dict)
    """Files that the program has opened: handle to name, and whether it writes."""
    semaphores: list[int] = field(default_factory=lambda: [0, 0])
    """Motors in use, motors asked for: bits that LEGO's motor blocks set."""
    calibrations: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    """Sensor name to its smallest and largest reading."""
    draws: bool = False
    """Whether the program has taken over the screen."""
