"""What may be said of the cube after a drive: nobody calls it solved whom nobody has shown it."""

from collections.abc import Sequence

from controller.job_events import Sight
from controller.motion.driving.recovery import Recovery
from solvers.rubik.cubies import SOLVED, CubieCube


def verdict(seen: Sight | None, target: CubieCube, unseen: str = "") -> tuple[str, str]:
    """Return one word for what became of the cube, and the sentence that tells why.

    `unseen` is why a camera that was there could not look.
    """
    if unseen:
        return "Driven", f"Nobody could look at the cube in the end. {unseen}"
    if seen is None:
        return "Driven", "Nobody has looked at the cube; with --camera it would be verified."
    if not seen.target_reached:
        return "Driven", "The camera does NOT see the cube as it was to be."
    word = "Solved" if target == SOLVED else "Reached"
    return word, "The camera sees the cube as it was to be."


def recoveries_as_text(recoveries: Sequence[Recovery]) -> str:
    """Return a line for each remedy that was carried out."""
    lines = []
    for recovery in recoveries:
        at = "" if recovery.primitive is None else f" at primitive {recovery.primitive + 1}"
        lines.append(f"{recovery.remedy}{at}, {recovery.seconds:.1f} s: {recovery.reason}\n")
    return "".join(lines)
