"""How much patience a job has with what goes wrong, as data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecoveryPolicy:
    """Bounds in tries and in robot seconds."""

    most_losses: int = 3
    """How often in a job the whole cube may have to be looked at anew."""
    most_episodes: int = 6
    """How often in a job something may go wrong that one more try of the primitive does not mend, a
    lost link as well; what goes wrong while that is being mended belongs to it."""
    most_faults: int = 6
    """How many faults an episode may have."""
    most_s: float = 480.0
    """After so long in remedies nothing new is begun. To level a layer takes a minute or two over
    a line that is slow at times."""
    home_pauses_s: tuple[float, ...] = (1.0, 3.0, 8.0)
    """Before home is found again, in an episode: what holds a motor may let it go."""
    reconnect_pauses_s: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 25.0)
    """Before each try to connect again; a brick takes some seconds to start."""
    reconnect_s: float = 90.0
    """From the first try on; a try itself may take long."""
    camera_pauses_s: tuple[float, ...] = (1.0, 5.0, 10.0)
    """Before a camera that gave no picture is opened again."""
    most_looks: int = 2
    """How often the cube is looked at on its way."""
    look_s: float = 0.6
    """What a look takes besides the way home and back: some frames."""
    fault_rate: float = 0.01
    """How likely a primitive goes wrong unseen. Nobody has measured that on a real rig: at one in a
    hundred a plan of usual length pays for its looks, at one in a thousand none does."""


NO_RECOVERY = RecoveryPolicy(most_episodes=0, most_looks=0)
"""Lets the first fault end the job."""
