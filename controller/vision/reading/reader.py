"""Read a cube from 54 colours, and say how far the reading can be trusted."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from controller.vision.errors import InvalidScanError
from controller.vision.reading.colour_model import LearntCosts, learnt_costs
from controller.vision.reading.diagnosis import (
    alike_centre_reasons,
    broken_scan_reasons,
    repeated_face_reasons,
)
from controller.vision.reading.legal_reader import (
    CENTRES,
    COLOURS,
    Assignment,
    Posterior,
    cheapest_legal,
    cheapest_per_colour,
    posterior,
)
from controller.vision.reading.result import ScanResult, Verdict
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import FACE_LETTERS, facelet_name
from solvers.rubik.rotations import all_orientations

# Stickers of one face share their errors, so the costs overstate what is known. Dividing them by
# this makes the confidence agree with how often readings of degraded cubes are right
# (tests/benchmarks/bench_vision.py prints the reliability; no labelled real scan took part).
TEMPERATURE: Final = 1.7
ACCEPTED_CONFIDENCE: Final = 0.95

# How much dearer the legal cube may be than the best assignment of four and four stickers to each
# colour, in units of the costs. Sound scans stay below 3 unless several stickers glare; a turned,
# shifted, repeated or exchanged face costs 10 to 80 and seldom less than 6.
SUSPICIOUS_GAP: Final = 3.0
BROKEN_GAP: Final = 6.0

# How much dearer one centre may be than the others in the colour that its face's stickers have.
# Real scans reach 5.3; with more, a glare lies on the centre or the colour was learnt wrongly.
UNFITTING_CENTRE: Final = 6.5


def read_cube(rgb: npt.ArrayLike, corrections: Mapping[int, str] | None = None) -> ScanResult:
    """Return the most likely legal cube for 54 sRGB colours 0..255 in URFDLB order.

    `rgb` has shape (54, 3), or (looks, 54, 3) for several looks at the same cube. `corrections`
    maps facelet indices to letters set by hand; they are certain, and the rest is read again.

    Raises InvalidScanError for other shapes and values, ImpossibleFixError for corrections that
    belong to no cube.
    """
    looks = checked_looks(rgb)
    fixed = {facelet: FACE_LETTERS.index(name) for facelet, name in (corrections or {}).items()}
    # Looks at the same stickers are not independent: two of them tell less than twice as much.
    scale = 1 / np.sqrt(len(looks))
    learnt = [learnt_costs(look, fixed) for look in looks]
    stickers = scale * np.sum([costs.stickers for costs in learnt], axis=0)
    centres = np.mean([costs.centres for costs in learnt], axis=0)
    return _judged(LearntCosts(stickers, centres), looks[0])


def checked_looks(rgb: npt.ArrayLike) -> Float64Array:
    """Return colours as shape (looks, 54, 3); raises InvalidScanError if they are none."""
    try:
        colours = np.asarray(rgb, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidScanError("The colours are not 54 triples of numbers 0 to 255.") from error
    if colours.shape[-2:] != (54, 3) or colours.ndim not in (2, 3) or not colours.size:
        raise InvalidScanError(
            f"A scan has 54 colours of 3 numbers each, but this has the shape {colours.shape}."
        )
    if not np.isfinite(colours).all() or colours.min() < 0 or colours.max() > 255:
        raise InvalidScanError("A colour has a value outside 0 to 255.")
    return colours.reshape(-1, 54, 3)


def _judged(learnt: LearntCosts, rgb: Float64Array) -> ScanResult:
    costs = learnt.stickers
    legal = cheapest_legal(costs)
    balanced = cheapest_per_colour(costs)
    belief = posterior(costs / TEMPERATURE)
    gap = legal.cost - balanced.cost
    repeated = repeated_face_reasons(rgb)
    sound = 0.0 if repeated else _probability_of_sound_scan(gap)
    right_if_sound = np.exp(belief.free_energy - legal.cost / TEMPERATURE)
    named, misnamed = _centre_certainty(learnt.centres)
    confidence = min(1.0, float(right_if_sound)) * sound * named
    plausible = balanced if gap > SUSPICIOUS_GAP else legal
    doubtful: tuple[str, ...] = ()
    if confidence < ACCEPTED_CONFIDENCE:
        doubtful = misnamed or _doubtful(belief, legal, plausible)
    if confidence >= ACCEPTED_CONFIDENCE:
        verdict, reasons = Verdict.ACCEPTED, tuple[str, ...]()
    elif repeated:
        verdict, reasons = Verdict.RESCAN, repeated
    elif gap > BROKEN_GAP:
        verdict = Verdict.RESCAN
        reasons = alike_centre_reasons(rgb) + broken_scan_reasons(costs, balanced.cost)
    else:
        verdict = Verdict.DOUBTFUL
        reasons = _centre_doubts(misnamed) if misnamed else _doubts(doubtful)
    return ScanResult(legal.cube, confidence, doubtful, verdict, reasons, belief.stickers)


def _centre_certainty(costs: Float64Array) -> tuple[float, tuple[str, ...]]:
    """Return how probable it is that each face has its own centre's colour, and doubtful centres.

    Turning all six colours over like a whole cube gives another legal cube, so that only the
    centres can tell the 24 apart; with a glare on them they cannot.
    """
    names = np.array([orientation.faces for orientation in all_orientations()])
    totals = costs[np.arange(COLOURS), names].sum(axis=1) / TEMPERATURE
    weights = np.exp(totals.min() - totals)
    weights /= weights.sum()
    right = [float(weights[names[:, face] == face].sum()) for face in range(COLOURS)]
    own = np.diag(costs)
    excess = own - np.median(own)
    fitting = 1 / (1 + np.exp((excess - UNFITTING_CENTRE) / 0.4))
    certain = np.minimum(right, fitting)
    doubtful = [face for face in np.argsort(certain) if certain[face] < ACCEPTED_CONFIDENCE]
    return float(weights[0] * fitting.min()), tuple(
        facelet_name(int(CENTRES[face])) for face in doubtful
    )


def _probability_of_sound_scan(gap: float) -> float:
    """Return how probable it is that a scan with this cost gap shows a cube at all.

    A logistic curve half way between the two thresholds; a gap of 0 leaves 0.998.
    """
    middle = (SUSPICIOUS_GAP + BROKEN_GAP) / 2
    return float(1 / (1 + np.exp((gap - middle) / 0.75)))


def _doubtful(belief: Posterior, legal: Assignment, plausible: Assignment) -> tuple[str, ...]:
    """Return the stickers with a low posterior or with two different plausible colours.

    Where many small doubts add up and none is large, the four largest: most often two pieces.
    """
    certainty = belief.stickers[np.arange(54), legal.colours]
    uncertain = (certainty < ACCEPTED_CONFIDENCE) | (legal.colours != plausible.colours)
    order = np.argsort(certainty, kind="stable")
    return tuple(facelet_name(int(i)) for i in order if uncertain[i]) or tuple(
        facelet_name(int(i)) for i in order[:4]
    )


def _centre_doubts(misnamed: tuple[str, ...]) -> tuple[str, ...]:
    faces = sorted((name[0] for name in misnamed), key=FACE_LETTERS.index)
    return (
        f"At {', '.join(faces)} the centre does not look like the stickers that should have its "
        "colour, probably for a glare. Show these faces once more, turned differently.",
    )


def _doubts(doubtful: tuple[str, ...]) -> tuple[str, ...]:
    names = " ".join(doubtful[:6]) + (" and others" if len(doubtful) > 6 else "")
    faces = sorted({name[0] for name in doubtful}, key=FACE_LETTERS.index)
    plural = "s" if len(faces) > 1 else ""
    return (
        f"The colours of {names} are uncertain. Show face{plural} {', '.join(faces)} once more, "
        "or set these stickers by hand.",
    )
