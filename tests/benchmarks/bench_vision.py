"""Reading cubes with a camera

Simulated frames at three levels with the 2010 method beside, real scans, and the time per frame.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from controller.vision.errors import ScanFailedError
from controller.vision.finding.grid_finder import SQUARES_TO_CAPTURE, find_grid, find_grid_in_still
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import ScanOutcome
from controller.vision.scans.robot_scan import robot_scan
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.arrays import Float64Array
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import CENTRE_FACELETS, FACE_LETTERS
from solvers.rubik.scramble import random_state
from tests.benchmarks import vision_by_hand as by_hand
from tests.camera_rig import COSTS, CameraRig
from tests.vision_data import PHOTO_FOLDER, photo, real_scans

CUBES = 200


def nearest_centre(rgb: Float64Array) -> str:
    """Read a cube as in 2010: the mean colour of a sticker and the nearest centre in RGB."""
    centres = rgb[list(CENTRE_FACELETS)]
    nearest = ((rgb[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    return "".join(FACE_LETTERS[index] for index in nearest)


@dataclass
class Tally:
    """Counts over the cubes of one level."""

    right: int = 0
    accepted: int = 0
    wrong_accepted: int = 0
    refused: int = 0
    second_looks: int = 0
    nearest_right: int = 0
    reliability: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, outcome: ScanOutcome | None, truth: str) -> None:
        """Count one scan; None where the robot found no face."""
        if outcome is None:
            self.refused += 1
            return
        result = outcome.result
        right = result.facelets == truth
        is_accepted = result.verdict is Verdict.ACCEPTED
        self.right += right
        self.accepted += is_accepted
        above_gate = is_accepted or result.confidence >= ACCEPTED_CONFIDENCE
        self.wrong_accepted += above_gate and not right
        self.refused += result.verdict is Verdict.RESCAN
        self.second_looks += len(outcome.views) > 6
        self.nearest_right += nearest_centre(outcome.rgb[0]) == truth
        self.reliability.append((result.confidence, right))


def scan(seed: int, level: int) -> tuple[ScanOutcome | None, str]:
    """Let the robot scan one random cube; return the outcome and the truth."""
    rig = CameraRig(CradledCube(random_state(seed)), level, seed)
    try:
        outcome = run_job(robot_scan(rig, rig.perform, COSTS))
    except ScanFailedError:
        return None, rig.cube.facelets
    return outcome, rig.cube.facelets


@cache
def simulated() -> dict[int, Tally]:
    """Scan `CUBES` cubes at each level."""
    tallies = {}
    for level in (1, 2, 3):
        tallies[level] = Tally()
        for seed in range(CUBES):
            tallies[level].add(*scan(seed, level))
    return tallies


def levels_table() -> Iterator[str]:
    """Yield the rows of accuracy by level."""
    yield (
        "| level | read right | accepted | wrong and accepted | rescan or no face | looked again "
        "| nearest centre in RGB (2010) |"
    )
    yield "|---|---|---|---|---|---|---|"
    for level, tally in simulated().items():
        yield (
            f"| {level} | {tally.right}/{CUBES} | {tally.accepted} | {tally.wrong_accepted} | "
            f"{tally.refused} | {tally.second_looks} | {tally.nearest_right}/{CUBES} |"
        )


def reliability_table() -> Iterator[str]:
    """Yield how often readings of each confidence were right, over all levels."""
    pairs = [pair for tally in simulated().values() for pair in tally.reliability]
    yield "| confidence | scans | right |"
    yield "|---|---|---|"
    for low, high in ((0.0, 0.3), (0.3, 0.6), (0.6, 0.95), (0.95, 0.99), (0.99, 1.01)):
        inside = [right for confidence, right in pairs if low <= confidence < high]
        share = f"{np.mean(inside):.2f}" if inside else "-"
        yield f"| {low:g} to {min(high, 1):g} | {len(inside)} | {share} |"


def real_cubes() -> Iterator[str]:
    """Yield what is read of the real lists and photos."""
    labelled = [case for case in real_scans() if case.truth]
    results = [(case, read_cube(case.rgb)) for case in labelled]
    right = sum(result.facelets == case.truth for case, result in results)
    wrong_accepted = sum(
        result.facelets != case.truth and result.verdict is Verdict.ACCEPTED
        for case, result in results
    )
    nearest = sum(nearest_centre(np.array(case.rgb)) == case.truth for case in labelled)
    accepted = sum(result.verdict is Verdict.ACCEPTED for _, result in results)
    broken = [read_cube(case.rgb) for case in real_scans() if not case.truth]
    refused = sum(result.verdict is Verdict.RESCAN for result in broken)
    yield (
        f"Real lists: {right}/{len(labelled)} right (nearest centre in RGB {nearest}), "
        f"{accepted} accepted, {wrong_accepted} wrong and accepted; "
        f"{refused}/{len(broken)} broken scans refused."
    )
    grids = [find_grid_in_still(photo(path)) for path in sorted(PHOTO_FOLDER.glob("*/*.png"))]
    found = sum(grid is not None and grid.squares >= SQUARES_TO_CAPTURE for grid in grids)
    yield f"Real photos: faces found in {found}/{len(grids)}."


def cpu_ms(task: Callable[[], object], repeats: int = 20) -> float:
    """Return the mean CPU milliseconds of a task, once warm."""
    task()
    start = time.process_time()
    for _ in range(repeats):
        task()
    return (time.process_time() - start) / repeats * 1000


def times() -> Iterator[str]:
    """Yield what a reading and a frame cost."""
    import cv2

    cv2.setNumThreads(1)
    rig = CameraRig(CradledCube(random_state(1)), level=2, seed=1)
    outcome, _ = scan(1, 2)
    assert outcome is not None
    colours = outcome.rgb[0]
    broken = colours.reshape(6, 9, 3)[[0, 2, 1, 3, 4, 5]].reshape(54, 3)
    picture = rig.read()
    yield "| task, one core | CPU ms |"
    yield "|---|---|"
    tasks: dict[str, Callable[[], object]] = {
        "read 54 colours": lambda: read_cube(colours),
        "read 54 colours of a broken scan and say why": lambda: read_cube(broken).reasons,
        "find the grid in a frame of 640 x 480": lambda: find_grid(picture),
        "render a frame of 640 x 480 as JPEG and decode it": rig.read,
    }
    for name, task in tasks.items():
        yield f"| {name} | {cpu_ms(task):.1f} |"


def run() -> str:
    """Return the section of RESULTS.md."""
    return "\n".join(
        [
            f"{CUBES} uniformly random cubes a level, each with its own light, colours and camera, "
            "scanned by the robot's tour; the robot looks again when a reading is not accepted.",
            "",
            *levels_table(),
            "",
            *reliability_table(),
            "",
            *real_cubes(),
            "",
            "Shown by hand, with stickers of photographs (tests/eyes):",
            "",
            *by_hand.hand_table(),
            "",
            *times(),
        ]
    )
