"""Mistakes of people who show a cube

Lists of colours with a mistake in them: how many are accepted as a cube that is not in the hand,
and how far a confidence can be trusted.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from controller.vision.reading.pocket_reader import PocketReading, read_pocket_shown
from controller.vision.reading.reader import read_cube
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.reading.shown_reader import read_shown
from controller.vision.scans.shown_faces import CONFIDENCE_AFTER_DOUBT
from controller.vision.scans.viewing import shows
from solvers.rubik.cubies import whole_cube_rotations
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.pocket import pocket_stickers, read_pocket
from tests.eyes.mistakes import (
    LIGHTS,
    Mistake,
    Named,
    ShownCube,
    named_case,
    shown_cube,
    shown_pocket,
)

CASES: Final = 500  # a row
AGAIN: Final = 50  # of these, those that are shown a second time after a doubt
FIRST_SEED: Final = 1_000_000  # others than those that anything was chosen on
IN_ORDER: Final = np.repeat(np.arange(12.0).reshape(2, 6, 1), 2, axis=2)
"""When the six faces are seen, twice."""
BINS: Final = (0.0, 0.3, 0.6, 0.8, 0.95, 0.99, 1.0001)


def read(shown: ShownCube) -> ScanResult:
    """Read a case as it was shown: by hand from any order and rotation, else in robot order."""
    return (
        read_shown(shown.colours, times=IN_ORDER[:1])[0] if shown.by_hand else read_cube(shown.rgb)
    )


def read_again(shown: ShownCube) -> Iterator[ScanResult]:
    """Yield the readings that may be accepted after a doubt, when all faces were shown again.

    Those of both looks and of the second one alone, as `robot_scan` and `ShownFaces` have them.
    """
    if not shown.by_hand:
        yield read_cube(shown.rgb_of_looks)
        yield read_cube(shown.rgb_of_looks[1])
        return
    yield read_shown(np.stack([shown.colours, shown.again]), times=IN_ORDER)[0]
    alone, _ = read_shown(shown.again, times=IN_ORDER[1:])
    if alone.confidence >= CONFIDENCE_AFTER_DOUBT:
        yield alone


def is_right(result: ScanResult, shown: ShownCube) -> bool:
    """Return whether a reading is the cube in the hand; by hand in any orientation."""
    if shown.truth is None:
        return False
    if shown.by_hand:
        return shows(result, parse_facelets(shown.truth))
    return result.facelets == shown.truth


def is_pocket(reading: PocketReading, letters: str) -> bool:
    """Return whether a reading is the 2x2x2 cube with these letters, in any orientation.

    Its colours are those of the stickers' cube, on which a letter may be any of them.
    """
    truth = read_pocket(letters).position
    turned = map(truth.compose, whole_cube_rotations())
    positions = {read_pocket(pocket_stickers(cube)).position for cube in turned}
    return reading.cube is not None and reading.cube.position in positions


def run() -> str:
    """Return the section of RESULTS.md."""
    pairs: list[tuple[float, bool]] = []
    return "\n".join(
        [
            f"{CASES} lists a row (tests/eyes/mistakes.py), seeds {FIRST_SEED} to "
            f"{FIRST_SEED + CASES - 1}: nothing was chosen on them. "
            "Colours are apart from those of the lists that the bars were chosen on, though some "
            "bars were corrected after failures with these: stickers of real cubes and painted "
            "ones, a third each in usual, uneven and poor light (D as it says). Half are "
            "shown by hand, half of these in the guide's order, the others in any order and turned "
            "anyhow. Right is the cube in the hand at the end. "
            f"The first {AGAIN} are shown a second time where the reading is not accepted, in "
            "light of the same kind, the glares elsewhere; a layer that was turned stays turned.",
            "",
            *_table(pairs),
            *_pocket_rows(),
            "",
            "Confidence, over all rows of 3x3x3 cubes but A and E (which only the order of faces "
            "or their colours can tell):",
            "",
            *_calibration(pairs),
            "",
            f"{CASES} further lists a row in robot order: how often a reason names what is wrong. "
            "A cube does not show which of its corners is twisted, so any that mends it will do.",
            "",
            *_named(),
        ]
    )


def _table(pairs: list[tuple[float, bool]]) -> Iterator[str]:
    yield (
        "| mistake | wrong and accepted | right and accepted | wrong, shown twice "
        "| right, shown twice |"
    )
    yield "|---|---|---|---|---|"
    for mistake in Mistake:
        once, twice = Counter[bool](), Counter[bool]()
        for seed in range(FIRST_SEED, FIRST_SEED + CASES):
            shown = shown_cube(mistake, seed, held_out=True)
            result = read(shown)
            if mistake not in (Mistake.MIRRORED, Mistake.REARRANGED):
                pairs.append((result.confidence, is_right(result, shown)))
            accepted = [is_right(result, shown)] if result.verdict is Verdict.ACCEPTED else []
            once.update(accepted)
            if seed < FIRST_SEED + AGAIN:
                if not accepted:
                    again = read_again(shown)
                    is_accepted = (each for each in again if each.verdict is Verdict.ACCEPTED)
                    accepted = [is_right(each, shown) for each in is_accepted]
                if accepted:  # a wrong one counts, whatever the others are
                    twice[all(accepted)] += 1
        cells = f"{once[False]}/{CASES} | {once[True]}/{CASES}"
        yield f"| {mistake.value} | {cells} | {twice[False]}/{AGAIN} | {twice[True]}/{AGAIN} |"


def _pocket_rows() -> Iterator[str]:
    for name, is_mirrored in (("no mistake", False), ("mirrored pictures", True)):
        wrong = right = 0
        for seed in range(FIRST_SEED, FIRST_SEED + CASES):
            shown = shown_pocket(seed, is_mirrored=is_mirrored, held_out=True)
            reading = read_pocket_shown(shown.colours)
            is_accepted = reading.verdict is Verdict.ACCEPTED
            correct = is_accepted and is_pocket(reading, shown.truth)
            wrong += is_accepted and not correct
            right += correct
        yield f"| 2x2x2 by hand: {name} | {wrong}/{CASES} | {right}/{CASES} | - | - |"


def _calibration(pairs: list[tuple[float, bool]]) -> Iterator[str]:
    yield "| confidence | lists | mean confidence | right |"
    yield "|---|---|---|---|"
    for low, high in pairwise(BINS):
        inside = [pair for pair in pairs if low <= pair[0] < high]
        if inside:
            said, right = np.mean(inside, axis=0)
            yield f"| {low:g} to {min(high, 1):g} | {len(inside)} | {said:.3f} | {right:.3f} |"


def _named() -> Iterator[str]:
    yield "| what is wrong | named | in usual light | in uneven light | in poor light | accepted |"
    yield "|---|---|---|---|---|---|"
    for kind in Named:
        named: list[list[bool]] = [[] for _ in LIGHTS]
        accepted = 0
        for seed in range(FIRST_SEED, FIRST_SEED + CASES):
            case = named_case(kind, seed, held_out=True)
            result = read_cube(case.rgb)
            accepted += result.verdict is Verdict.ACCEPTED
            named[LIGHTS.index(case.light)].append(case.words in " ".join(result.reasons))
        everywhere = [each for light in named for each in light]
        shares = [f"{np.mean(each):.1%}" for each in (everywhere, *named)]
        yield f"| {kind.value} | {' | '.join(shares)} | {accepted} |"
