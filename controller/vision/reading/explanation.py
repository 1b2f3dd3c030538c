"""The mistake that explains best why six pictures do not show a cube that turning can solve.

Each mistake is a cube and a way to have seen it: a wrongly assembled cube, a picture that was
turned, and so on. Its cost is that of the stickers if it happened, and it pays for the number of
ways in which it can happen, so that a mistake that could explain anything wins only where no other
one does. Stickers that were merely misread are one of the explanations.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import log
from typing import Final

import numpy as np

from controller.vision.reading import colour_model, legal_reader
from controller.vision.reading.evidence import best_exchange, best_turn, facelets_after_moves
from controller.vision.reading.legal_reader import CENTRES, COLOURS, FACELETS
from controller.vision.reading_order import QUARTER_TURNED, turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import FACE_LETTERS, check_solvable, facelet_name
from solvers.rubik.rotations import Face

# Two pictures of one face differ by noise alone; in weighted Lab, mean over nine stickers. In poor
# light that is up to 5.3, and as little lies between two faces of a solved cube of similar colours:
# there it says why a scan is broken, but does not make it so.
SAME_FACE_DISTANCE: Final = 4.0
SAME_FACE_OF_BROKEN: Final = 8.0
# Centres nearer than this are one colour to the eye; red and orange in poor light have 9 to 16.
LEAST_CENTRE_DISTANCE: Final = 4.0

# What misread stickers pay, so that a mistake that explains them as well is named: the reading is
# refused anyhow, and two exchanged pieces of similar colours hardly cost more misread. This and the
# next two were chosen on generated lists (tests/eyes/mistakes.py); half or double changes little.
MISREAD: Final = 5.0
# What a cube pays that was put together wrongly in more than one way, such as a corner twisted and
# two edges exchanged: of similar colours one of them is often seen where there is none.
SECOND_MISTAKE: Final = 2.5
# What stickers pay that somebody has peeled off and exchanged.
PEELED: Final = 3.0
# What a layer turned in between pays, or a picture that is turned, exchanged or of another cube: of
# similar colours one of them often explains as much as two exchanged pieces. 0 to 3 name as many.
OF_PICTURES: Final = 2.0
# What such a picture pays more where the legal cube costs little more than the best assignment of
# nine stickers to each colour: it seldom costs so little then.
HIDDEN_FACE: Final = 3.0

# Four mistakes are equally likely: a corner twisted, an edge flipped, two corners exchanged, two
# edges exchanged. The colours show a twist's sense, but not which of the last two it was.
_WAYS_TO_TWIST, _WAYS_TO_FLIP, _WAYS_TO_EXCHANGE = 8, 4, 2

_TURN_NAMES = {1: "a quarter clockwise", 2: "a half", 3: "a quarter counter-clockwise"}
_STICKERS_OF_FACE = 8  # without the centre, which names the face


@dataclass(frozen=True, slots=True)
class Explanation:
    """What may have happened: its cost, that of its number of ways included, and a sentence."""

    cost: float
    sentence: str


def repeated_face_reasons(
    rgb: Float64Array, same_distance: float = SAME_FACE_DISTANCE
) -> tuple[str, ...]:
    """Say which two of the six pictures, colours of shape (54, 3), show the same face."""
    faces = colour_model.weighted_lab(
        colour_model.grey_balanced(colour_model.linear_light(rgb))
    ).reshape(6, 9, 3)
    turned = faces[:, turned_orders()]
    apart = np.linalg.norm(faces[:, None, None] - turned, axis=-1).mean(axis=-1).min(axis=-1)
    for first, second in combinations(range(6), 2):
        if apart[first, second] < same_distance:
            names = f"{FACE_LETTERS[first]} and {FACE_LETTERS[second]}"
            return (
                f"The pictures of faces {names} show the same colours everywhere: one face "
                f"was shown twice, or their centres look the same. Scan both again.",
            )
    return ()


def similar_centre_reasons(rgb: Float64Array) -> tuple[str, ...]:
    """Return the sentence about two centres of a scan, colours (54, 3), that look the same."""
    centres = colour_model.weighted_lab(colour_model.grey_balanced(colour_model.linear_light(rgb)))[
        CENTRES
    ]
    for first, second in combinations(range(6), 2):
        if np.linalg.norm(centres[first] - centres[second]) < LEAST_CENTRE_DISTANCE:
            names = f"{FACE_LETTERS[first]} and {FACE_LETTERS[second]}"
            return (f"The centres of faces {names} look the same; scan these two faces again.",)
    return ()


def explain(costs: Float64Array, of_pieces: Float64Array, *, is_broken: bool = True) -> str:
    """Return what most likely happened, "" if stickers were only misread.

    `costs` (54, 6) are those of the stickers as they look (see `colour_model.picture_costs`),
    `of_pieces` those of real pieces however they were put in (`piece_costs`).
    `is_broken` if the legal cube costs so much that a whole picture may be wrong.
    """
    legal = legal_reader.cheapest_legal(costs)
    misread = Explanation(legal.cost + MISREAD, "")
    hidden = OF_PICTURES + (0.0 if is_broken else HIDDEN_FACE)
    of_pictures = [*_turned_pictures(costs), *_exchanged_pictures(costs), *_foreign_face(costs)]
    mistakes = [
        *_assembled_wrongly(of_pieces, legal.cost),
        *(
            replace(each, cost=each.cost + OF_PICTURES)
            for each in _turned_layer(costs, legal.colours)
        ),
        *_exchanged_stickers(costs, legal),
        *(replace(each, cost=each.cost + hidden) for each in of_pictures),
    ]
    return min([misread, *mistakes], key=lambda each: each.cost).sentence


def worst_face(costs: Float64Array) -> int:
    """Return the face without whose evidence a legal cube fits best."""
    gaps = []
    for face in range(6):
        without = _without(costs, face)
        gaps.append(
            legal_reader.cheapest_legal(without).cost
            - legal_reader.cheapest_per_colour(without).cost
        )
    return int(np.argmin(gaps))


def _without(costs: Float64Array, face: int) -> Float64Array:
    """Return the costs without what a face's stickers say."""
    without = costs.copy()
    without[9 * face : 9 * face + 9] = 0
    return without


def _assembled_wrongly(costs: Float64Array, legal: float) -> Iterator[Explanation]:
    """Yield the likeliest way in which real pieces were put in so that turning cannot solve them.

    `legal` is the cost of the best cube that turning can solve. Here all cubes count, not the best:
    of similar colours many are as good, and the best of them may have a mistake too many.
    """
    odds = legal_reader.assembly_odds(costs / colour_model.TEMPERATURE)
    rated = {
        assembly: _paid_for(assembly) - colour_model.TEMPERATURE * odd
        for assembly, odd in odds.items()
    }
    likeliest = min(rated, key=lambda assembly: rated[assembly])
    wrong = legal_reader.cheapest_assembled(costs, likeliest)
    try:
        check_solvable(wrong.cube)
    except FaceletError as error:
        yield Explanation(
            legal + rated[likeliest],
            f"{error} Or these stickers were misread.",
        )


def _paid_for(assembly: legal_reader.Assembly) -> float:
    """Return what a cube pays for being put together wrongly in this way."""
    ways = [
        _WAYS_TO_TWIST if assembly.twist else 1,
        _WAYS_TO_FLIP if assembly.flip else 1,
        _WAYS_TO_EXCHANGE if assembly.is_odd else 1,
    ]
    return float(np.log(ways).sum()) + SECOND_MISTAKE * (assembly.mistakes > 1)


def _turned_pictures(costs: Float64Array) -> Iterator[Explanation]:
    for face, letter in enumerate(FACE_LETTERS):
        order = np.arange(FACELETS).reshape(6, 9)
        for turns in (1, 2, 3):
            order[face] = order[face][QUARTER_TURNED]
            cost = legal_reader.cheapest_legal(costs[order.ravel()]).cost
            reason = f"Face {letter} fits if its picture is turned {_TURN_NAMES[turns]}."
            yield Explanation(cost + log(18), f"{reason} Show it upright.")


def _exchanged_pictures(costs: Float64Array) -> Iterator[Explanation]:
    for first, second in combinations(range(6), 2):
        faces = np.arange(6)
        faces[[first, second]] = second, first
        order = np.arange(FACELETS).reshape(6, 9)[faces].ravel()
        cost = legal_reader.cheapest_legal(costs[order][:, faces]).cost
        reason = f"Faces {FACE_LETTERS[first]} and {FACE_LETTERS[second]} seem to be exchanged"
        if (first, second) == (Face.R, Face.L):
            # Exchanging them and mirroring every picture sideways cannot be distinguished.
            reason += ", or the camera shows mirror images: switch mirroring off"
        yield Explanation(cost + log(15), f"{reason}. Scan them again.")


def _turned_layer(costs: Float64Array, cube: Int64Array) -> Iterator[Explanation]:
    """Yield the turn of a layer that some pictures show before it and some after it.

    First the turn and the pictures that suit the best legal cube; then the best cube for them.
    """
    _, move, is_after = best_turn(costs, cube)
    if not is_after.any() or is_after.all():
        return
    evidence = np.zeros_like(costs)
    shown = np.where(np.repeat(is_after, 9), facelets_after_moves()[move], np.arange(FACELETS))
    np.add.at(evidence, shown, costs)
    cost = legal_reader.cheapest_legal(evidence).cost
    letters = [letter for letter, after in zip(FACE_LETTERS, is_after, strict=True) if after]
    faces = ("face " if len(letters) == 1 else "faces ") + " ".join(letters)
    yield Explanation(
        cost + log(18 * 2**6),
        f"Layer {FACE_LETTERS[move // 3]} seems to have been turned before {faces} was seen, or "
        "after it. Scan the whole cube again, without turning a layer in between.",
    )


def _exchanged_stickers(
    costs: Float64Array, legal: legal_reader.Assignment
) -> Iterator[Explanation]:
    gain, (first, second) = best_exchange(costs, legal.colours)
    names = f"{facelet_name(first)} and {facelet_name(second)}"
    yield Explanation(
        legal.cost - gain + PEELED + log(6 * 28),  # pairs of the eight around each centre
        f"Stickers {names} seem to be exchanged: no piece has them this way. Put them right, or "
        f"scan face {FACE_LETTERS[first // 9]} again.",
    )


def _foreign_face(costs: Float64Array) -> Iterator[Explanation]:
    nearest = costs.min(axis=1)
    nearest[CENTRES] = 0
    ways = log(6 * COLOURS**_STICKERS_OF_FACE)
    for face, letter in enumerate(FACE_LETTERS):
        rest = legal_reader.cheapest_legal(_without(costs, face)).cost
        yield Explanation(
            rest + float(nearest[9 * face : 9 * face + 9].sum()) + ways,
            f"Face {letter} does not belong to this cube: the other five fit together without it. "
            f"Scan face {letter} again and see that the grid is on its nine stickers.",
        )
