"""What may be said of the cube after a drive: nobody calls it solved whom nobody has shown it."""

from controller.job_events import Sight
from solvers.rubik.cubies import SOLVED, CubieCube


def verdict(seen: Sight | None, target: CubieCube) -> tuple[str, str]:
    """Return one word for what became of the cube, and the sentence that tells why."""
    if seen is None:
        return "Driven", "Nobody has looked at the cube; with --camera it would be verified."
    if not seen.target_reached:
        return "Driven", "The camera does NOT see the cube as it was to be."
    word = "Solved" if target == SOLVED else "Reached"
    return word, "The camera sees the cube as it was to be."
