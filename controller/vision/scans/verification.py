"""Whether a cube that the camera sees is in a position, however it lies."""

from controller.vision.reading.result import ScanResult
from controller.vision.scans.viewing import lying_facelets
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.rotations import Face, Orientation, all_orientations


def shows(seen: ScanResult, position: CubieCube) -> bool:
    """Return whether `seen` is a reading of a cube in `position`, in any of its 24 orientations."""
    facelets = format_facelets(position)
    return any(_lying(facelets, orientation) == seen.facelets for orientation in all_orientations())


def _lying(facelets: str, orientation: Orientation) -> str:
    """Return the letters that a scan gives the lying cube: each face is named by its place."""
    letters = (facelets[index] for index in lying_facelets(orientation))
    return "".join(orientation.place_of(Face[letter]).name for letter in letters)
