"""The drives by name, the usual one first. A new one is a module beside the others and a line."""

from collections.abc import Callable
from typing import Final

from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.drives.direct_drive import DirectDrive
from controller.rigs.nxt_cradle.drives.drive import Drive
from solvers.foundation.clock import Clock

DRIVES: Final[dict[str, Callable[[BrickLink, Clock, float], Drive]]] = {
    "direct": DirectDrive,
}
"""What makes each drive of a link, a clock, and the seconds after which a motor is stalled."""
