"""A connection to a brick that nobody else uses meanwhile."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

from controller.errors import BrickBusyError
from controller.rigs.nxt_cradle.brick.address import BrickAddress
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from solvers.foundation.device_lock import DeviceLock


@contextmanager
def own_link(address: BrickAddress) -> Iterator[BrickLink]:
    """Connect to a brick. Raises BrickBusyError with the name of who uses it, and RobotError."""
    name = f"The brick at {_device(address)}"
    with closing(DeviceLock(name, BrickBusyError)), BrickLink(address) as link:
        yield link


def _device(address: BrickAddress) -> str:
    """Return what a brick is called whoever names it: a link stands for what it leads to."""
    if address.backend == "devfile":
        return os.path.realpath(str(address.filters["filename"]))
    return str(address)
