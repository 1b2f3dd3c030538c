"""Has the brick's kernels compiled before anybody waits for an answer."""

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.mechanism import Mechanism


def warm_up(rig: Mechanism | None = None) -> None:
    """Load or compile the kernels, which takes seconds the very first time.

    A simulation in real time would otherwise lose them in the middle of its first telegrams.
    """
    clock = VirtualClock()
    brick = SimulatedBrick(clock, rig)
    brick.handle(bytes.fromhex("80 04 00 01 01 00 00 20 00 00 00 00"))
    clock.sleep(0.01)
    brick.advance()
