"""The cube that 54 colours show, how far the reading can be trusted, and why if it cannot."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from controller.vision.errors import InvalidScanError
from controller.vision.reading import colour_model, explanation, legal_reader
from controller.vision.reading.colour_model import TEMPERATURE
from controller.vision.reading.evidence import (
    NO_QUESTION,
    NO_QUESTION_IN_LIGHT,
    NO_TURN,
    Evidence,
    SeenLooks,
    is_dark,
    turns_between,
    weigh,
    with_lamps,
)
from controller.vision.reading.result import ScanResult, Verdict
from solvers.foundation.arrays import BoolArray, Float64Array, Int64Array
from solvers.rubik.facelets import CENTRE_FACELETS, FACE_LETTERS, facelet_name
from solvers.rubik.rotations import all_orientations

_FACELET_OF_NAME = {facelet_name(index): index for index in range(54)}


def parse_corrections(texts: Iterable[str]) -> dict[int, str]:
    """Return facelet indices and letters for texts such as "F3=R".

    Raises InvalidScanError for anything else, and for a centre, which gives its face the name.
    """
    corrections: dict[int, str] = {}
    for text in texts:
        name, _, letter = text.strip().upper().partition("=")
        facelet = _FACELET_OF_NAME.get(name)
        if facelet is None or len(letter) != 1 or letter not in FACE_LETTERS:
            raise InvalidScanError(
                f"{text!r} sets no sticker. Write a face and a number 1 to 9, then the face whose "
                "colour the sticker has: F3=R."
            )
        if facelet in CENTRE_FACELETS:
            raise InvalidScanError(
                f"{text!r} sets a centre, but a face is named after its centre. Set other stickers."
            )
        corrections[facelet] = letter
    return corrections


ACCEPTED_CONFIDENCE: Final = 0.95

# Where each sticker costs so much more in any other colour no turn can explain as much, and nothing
# is compared.
CLEAR_MARGIN: Final = -NO_TURN

# How much dearer the legal cube may be than the best assignment of four and four stickers to each
# colour, in units of the costs. Sound scans stay below 3 unless several stickers glare; a turned,
# shifted, repeated or exchanged face costs 10 to 80 and seldom less than 6.
SUSPICIOUS_GAP: Final = 3.0
BROKEN_GAP: Final = 6.0

# How much dearer one centre may be than the others in the colour that its face's stickers have.
# Real scans reach 5.3; with more, there is glare on the centre or the colour was learnt wrongly.
# One that would be this much dearer in any other colour has a little of a lamp on it, no more.
UNFITTING_CENTRE: Final = 6.5
CLEAR_CENTRE: Final = 5.0


def read_cube(
    rgb: npt.ArrayLike,
    corrections: Mapping[int, str] | None = None,
    times: Float64Array | None = None,
) -> ScanResult:
    """Return the most likely legal cube for 54 sRGB colours 0..255 in URFDLB order.

    `rgb` has shape (54, 3), or (looks, 54, 3) for several looks at the same cube, one after the
    other. `corrections` maps facelet indices to letters set by hand; they are certain, and the rest
    is read again. `times` (looks, 6, 2) says when each face was seen, in any unit, from and to;
    without it the faces of a look may have been shown in any order.

    Raises InvalidScanError for other shapes and values, ImpossibleFixError for corrections that
    belong to no cube.
    """
    looks = checked_looks(rgb)
    fixed = {facelet: FACE_LETTERS.index(name) for facelet, name in (corrections or {}).items()}
    is_new = _is_new(looks)
    when = _one_by_one(len(looks)) if times is None else times
    learnt = [colour_model.learnt_costs(look, fixed) for look in looks]
    stickers = SeenLooks(np.array([costs.stickers for costs in learnt]), is_new, when)
    centres = np.mean([costs.centres for costs in learnt], axis=0)

    @cache
    def as_seen() -> SeenLooks:
        each = [
            colour_model.costs_as_seen(look, fixed, costs.stickers)
            for look, costs in zip(looks, learnt, strict=True)
        ]
        return SeenLooks(np.array(each), is_new, when)

    def normal(cube: Int64Array) -> list[SeenLooks]:
        each = np.array([colour_model.normal_costs(look, fixed, cube) for look in looks])
        return [SeenLooks(costs, is_new, when) for costs in each.swapaxes(0, 1)]

    @cache
    def of_pieces() -> Float64Array:
        each = [
            colour_model.piece_costs(look, fixed, costs.stickers)
            for look, costs in zip(looks, learnt, strict=True)
        ]
        return SeenLooks(np.array(each), is_new, when).together

    def mistake(*, is_broken: bool) -> str:
        each = [
            colour_model.picture_costs(look, fixed, seen)
            for look, seen in zip(looks, as_seen().costs, strict=True)
        ]
        of_pictures = SeenLooks(np.array(each), is_new, when).together
        return explanation.explain(of_pictures, of_pieces(), is_broken=is_broken)

    return _judged(stickers, centres, looks, as_seen, normal, of_pieces, mistake)


def _one_by_one(looks: int) -> Float64Array:
    """Return times (looks, 6, 2) of looks one after the other, in each of them in any order."""
    began = np.repeat(np.arange(looks)[:, None], 6, axis=1)
    return np.stack([began, began + 0.5], axis=2)


def _is_new(looks: Float64Array) -> BoolArray:
    """Return whether each face of each look, colours (looks, 54, 3), is new, (looks, 6)."""
    faces = looks.reshape(len(looks), 6, -1)
    return np.array(
        [(faces[number] != faces[:number]).any(axis=2).all(axis=0) for number in range(len(looks))]
    )


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


def _judged(
    stickers: SeenLooks,
    centres: Float64Array,
    looks: Float64Array,
    as_seen: Callable[[], SeenLooks],
    normal: Callable[[Int64Array], list[SeenLooks]],
    of_pieces: Callable[[], Float64Array],
    mistake: Callable[..., str],
) -> ScanResult:
    rgb = looks[0]
    costs = stickers.together
    legal = legal_reader.cheapest_legal(costs)
    balanced = legal_reader.cheapest_per_colour(costs)
    belief = legal_reader.posterior(costs / TEMPERATURE)
    gap = legal.cost - balanced.cost
    repeated = explanation.repeated_face_reasons(rgb)
    evidence = _evidence(stickers, legal, belief, as_seen)
    in_the_dark = all(map(is_dark, looks))
    evidence = _compared_by_normal(
        evidence, legal.colours, normal, as_seen, in_the_dark=in_the_dark
    )
    right_if_sound = np.exp(belief.free_energy - legal.cost / TEMPERATURE)
    well_named, misnamed = _centre_certainty(centres)
    right = 0.0 if repeated else min(1.0, float(right_if_sound)) * well_named
    right *= _probability_of_sound_scan(gap)
    confidence = right * evidence.sound
    if confidence >= ACCEPTED_CONFIDENCE and stickers.margin(legal.colours) < CLEAR_MARGIN:
        odds = legal_reader.impossible_odds(of_pieces())
        confidence = right * replace(evidence, by_pieces=odds).sound
    if confidence >= ACCEPTED_CONFIDENCE:
        return ScanResult(legal.cube, confidence, (), Verdict.ACCEPTED, belief.stickers)
    plausible = balanced if gap > SUSPICIOUS_GAP else legal
    doubtful = misnamed or _doubtful(belief, legal, plausible, evidence)
    is_broken = bool(repeated) or gap > BROKEN_GAP

    @cache
    def why() -> tuple[str, ...]:
        if repeated:
            return repeated
        if is_broken:
            if again := explanation.repeated_face_reasons(rgb, explanation.SAME_FACE_OF_BROKEN):
                return again
            named = mistake(is_broken=True) or _worst_face(costs)
            return (*explanation.similar_centre_reasons(rgb), named)
        reasons = _centre_doubts(misnamed) if misnamed else _doubts(doubtful)
        if named := mistake(is_broken=False):
            reasons += (f"If another look changes nothing: {named}",)
        return reasons

    verdict = Verdict.RESCAN if is_broken else Verdict.DOUBTFUL
    return ScanResult(legal.cube, confidence, doubtful, verdict, belief.stickers, why)


def _evidence(
    stickers: SeenLooks,
    legal: legal_reader.Assignment,
    belief: legal_reader.Posterior,
    as_seen: Callable[[], SeenLooks],
) -> Evidence:
    """Return what speaks against the legal cube; nothing where each sticker looks its colour."""
    odds = TEMPERATURE * belief.impossible
    margin = stickers.margin(legal.colours)
    if margin >= CLEAR_MARGIN:
        return Evidence(0.0, -np.inf, 0.0, odds)
    if margin >= 0:
        return weigh(stickers, legal.colours, odds)
    seen = as_seen()
    impossible = legal_reader.impossible_odds(seen.together / TEMPERATURE)
    return weigh(seen, legal.colours, TEMPERATURE * impossible)


def _compared_by_normal(
    evidence: Evidence,
    cube: Int64Array,
    normal: Callable[[Int64Array], list[SeenLooks]],
    as_seen: Callable[[], SeenLooks],
    *,
    in_the_dark: bool,
) -> Evidence:
    """Return evidence that normal distributions decide, too, where the costs leave it open.

    They take a glare for another colour. So in light they are not asked about impossible cubes if a
    sticker looks odd, and about a turn both have to agree; else one that tells similar colours
    apart will do.
    """
    if in_the_dark:
        is_open = evidence.impossible > NO_QUESTION
    else:
        is_open = evidence.impossible > NO_QUESTION_IN_LIGHT and not evidence.stickers
    is_turn_open = evidence.turned > NO_TURN
    by_normal = normal(cube) if is_open or is_turn_open else []
    impossible = turned = -np.inf
    if is_open:
        impossible = max(legal_reader.impossible_odds(each.together) for each in by_normal)
    if is_turn_open:
        compared = with_lamps(by_normal, as_seen(), cube)
        turned = min(turns_between(each, cube)[0] for each in compared)
    return replace(evidence, by_normal=(impossible, turned))


def _centre_certainty(costs: Float64Array) -> tuple[float, tuple[str, ...]]:
    """Return how probable it is that each face has its own centre's colour, and doubtful centres.

    Turning all six colours over like a whole cube gives another legal cube, so that only the
    centres can distinguish the 24; with a glare on them they cannot.
    """
    names = np.array([orientation.faces for orientation in all_orientations()])
    totals = costs[np.arange(legal_reader.COLOURS), names].sum(axis=1) / TEMPERATURE
    weights = np.exp(totals.min() - totals)
    weights /= weights.sum()
    right = [float(weights[names[:, face] == face].sum()) for face in range(legal_reader.COLOURS)]
    own = np.diag(costs)
    others = np.where(np.eye(legal_reader.COLOURS, dtype=bool), np.inf, costs).min(axis=1)
    excess = np.where(others - own > CLEAR_CENTRE, 0.0, own - np.median(own))
    fitting = 1 / (1 + np.exp((excess - UNFITTING_CENTRE) / 0.4))
    certain = np.minimum(right, fitting)
    doubtful = [face for face in np.argsort(certain) if certain[face] < ACCEPTED_CONFIDENCE]
    return float(weights[0] * fitting.min()), tuple(
        facelet_name(int(legal_reader.CENTRES[face])) for face in doubtful
    )


def _probability_of_sound_scan(gap: float) -> float:
    """Return how probable it is that a scan with this cost gap shows a cube at all.

    A logistic curve half way between the two thresholds; a gap of 0 leaves 0.9999.
    """
    middle = (SUSPICIOUS_GAP + BROKEN_GAP) / 2
    return float(1 / (1 + np.exp((gap - middle) / 0.5)))


def _doubtful(
    belief: legal_reader.Posterior,
    legal: legal_reader.Assignment,
    plausible: legal_reader.Assignment,
    evidence: Evidence,
) -> tuple[str, ...]:
    """Return the stickers with a low posterior, two plausible colours, or the look of another.

    Where many small doubts add up and none is large, the four largest: most often two pieces.
    """
    certainty = belief.stickers[np.arange(54), legal.colours]
    uncertain = (certainty < ACCEPTED_CONFIDENCE) | (legal.colours != plausible.colours)
    uncertain[list(evidence.stickers)] = True
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


def _worst_face(costs: Float64Array) -> str:
    face = FACE_LETTERS[explanation.worst_face(costs)]
    return (
        f"No legal cube fits these colours; face {face} fits worst. Scan face {face} again and "
        "see that the grid is on its nine stickers."
    )


def _doubts(doubtful: tuple[str, ...]) -> tuple[str, ...]:
    names = " ".join(doubtful[:6]) + (" and others" if len(doubtful) > 6 else "")
    faces = sorted({name[0] for name in doubtful}, key=FACE_LETTERS.index)
    plural = "s" if len(faces) > 1 else ""
    return (
        f"The colours of {names} are uncertain. Show face{plural} {', '.join(faces)} once more, "
        "or set these stickers by hand.",
    )
