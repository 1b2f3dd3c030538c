"""What people do wrong when they show a cube, as lists of colours: no picture is drawn.

A case has the colours that a camera saw and the cube that the person holds in the end. A reading
of anything else that is accepted is a wrong one. Everything random comes from the seed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np

from controller.vision.reading.colour_model import grey_balanced, linear_light, weighted_lab
from controller.vision.reading_order import turned_orders
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import (
    CORNER_FACELETS,
    EDGE_FACELETS,
    FACE_LETTERS,
    format_facelets,
    parse_facelets,
)
from solvers.rubik.notation import Move
from solvers.rubik.pocket import pocket_stickers
from solvers.rubik.scramble import random_state
from tests.vision_data import DAYLIGHT, real_scans, srgb_of_light

ROBOT_ORDER: Final = (0, 1, 2, 3, 4, 5)
GUIDE_ORDER: Final = (2, 1, 5, 4, 0, 3)
"""F, to the left three times, towards the camera, over twice."""

_CORNER_CELLS: Final = (0, 2, 6, 8)
_EDGE_CELLS: Final = (1, 3, 5, 7)


class Mistake(Enum):
    """A kind of mistake, and what is asked of the reading."""

    NONE = "no mistake"
    MIRRORED = "A mirrored pictures, by hand"
    LAYER_6 = "B layer turned before face 6"
    LAYER_5 = "B layer turned before face 5"
    LAYER_4 = "B layer turned before face 4"
    FOREIGN = "C a face of another cube"
    EXCHANGED = "C a corner and an edge sticker of one face exchanged"
    IMPOSSIBLE = "D impossible cube, near colours, poor light"
    REARRANGED = "E nearly solved, two edges exchanged, by hand"
    GLARING = "D impossible cube, bright light, four strong glares"


@dataclass(frozen=True, slots=True, eq=False)
class ShownCube:
    """Six faces as they were seen, (6, 9, 3) sRGB in the order `order` of their letters.

    `truth` is the cube in the person's hand, None if turning cannot solve it or if it cannot be
    known. `by_hand` leaves order and rotations to be found out.

    `again` are the same faces when the person shows all of them once more: in light of the same
    kind, with the glares elsewhere, and after a layer was turned in between all after it.
    """

    colours: Float64Array
    again: Float64Array
    order: tuple[int, ...]
    by_hand: bool
    truth: str | None

    @property
    def rgb(self) -> Float64Array:
        """The colours in URFDLB order, (54, 3)."""
        return np.asarray(self.rgb_of_looks[0])

    @property
    def rgb_of_looks(self) -> Float64Array:
        """The colours of both looks in URFDLB order, (2, 54, 3)."""
        faces = np.empty((2, 6, 9, 3))
        faces[:, list(self.order)] = self.colours, self.again
        return faces.reshape(2, 54, 3)


@dataclass(frozen=True, slots=True)
class Light:
    """How much the light differs from face to face, as shares, and what the sensor adds."""

    gain: float = 0.05
    white: float = 0.03
    gradient: float = 0.05
    noise: float = 2.0
    glares: int = 0
    glare: tuple[float, float] = (0.1, 0.6)  # square roots of their least and greatest share
    exposure: float = 1.0
    near: float = 0.0  # the two most alike colours are no further apart, in weighted Lab


USUAL: Final = Light()
UNEVEN: Final = Light(0.15, 0.06, 0.10, 4.0, glares=2)
POOR: Final = Light(0.15, 0.06, 0.10, 4.0, exposure=0.3, near=12.0)
LIGHTS: Final = (USUAL, UNEVEN, POOR)
GLARING: Final = Light(glares=4, glare=(0.5, 0.97))


@cache
def palettes(*, held_out: bool) -> tuple[Float64Array, ...]:
    """Return the stickers of real cubes and a painted one, (6, 9, 3) each, letters as on the cube.

    `held_out` are others than those that thresholds were chosen on.
    """
    scans = {}
    for scan in real_scans():
        if scan.truth and "checkerboard" not in scan.name and "solved" not in scan.name:
            scans[scan.truth] = scan  # one of several scans of a position
    chosen = list(scans.values())[int(held_out) :: 2]
    real = [
        np.array(
            [
                np.array(scan.rgb)[[i for i in range(54) if (scan.truth or "")[i] == letter]]
                for letter in FACE_LETTERS
            ]
        )
        for scan in chosen
    ]
    return (np.repeat(DAYLIGHT[:, None], 9, axis=1), *real)


def seen(
    facelets: str, palette: Float64Array, light: Light, rng: np.random.Generator
) -> Float64Array:
    """Return the colours (54, 3) that a camera sees of 54 letters."""
    return _lit(_stickers(facelets, palette, light, rng), light, rng)


def _seen_twice(
    facelets: str,
    palette: Float64Array,
    light: Light,
    rng: np.random.Generator,
    then: str | None = None,
) -> Float64Array:
    """Return the colours (2, 54, 3) of two looks at the same stickers.

    `then` are the letters in the second look; without it the same as in the first one.
    """
    (later,) = rng.spawn(1)
    stickers = _stickers(facelets, palette, light, rng)
    first = _lit(stickers, light, rng)
    if then is not None:
        other = _stickers(then, palette, light, later)
        is_same = np.array([a == b for a, b in zip(facelets, then, strict=True)])
        stickers = np.where(is_same[:, None], stickers, other)
    return np.stack([first, _lit(stickers, light, later)])


def _stickers(
    facelets: str, palette: Float64Array, light: Light, rng: np.random.Generator
) -> Float64Array:
    """Return stickers with these letters as linear light, (54, 3)."""
    letters = np.array([FACE_LETTERS.index(letter) for letter in facelets])
    stickers = linear_light(palette[letters, rng.integers(9, size=54)])
    return _moved_together(stickers, letters, light.near) if light.near else stickers


def _lit(stickers: Float64Array, light: Light, rng: np.random.Generator) -> Float64Array:
    """Return what a camera sees of stickers in a light, sRGB (54, 3)."""
    faces = stickers.reshape(6, 9, 3) * light.exposure
    faces *= 1 + rng.uniform(-light.gain, light.gain, (6, 1, 1))
    faces *= 1 + rng.uniform(-light.white, light.white, (6, 1, 3))
    slope = rng.uniform(-light.gradient, light.gradient, (6, 1, 2))
    cells = np.array([[cell % 3 - 1, cell // 3 - 1] for cell in range(9)])
    faces *= 1 + (slope * cells).sum(axis=2)[..., None]
    lit = faces.reshape(54, 3)
    for facelet in rng.choice(54, light.glares, replace=False):
        share = rng.uniform(*light.glare) ** 2
        lit[facelet] = (1 - share) * lit[facelet] + share * light.exposure
    noisy = srgb_of_light(lit) + rng.normal(0, light.noise, (54, 3))
    return np.asarray(np.clip(np.round(noisy), 0, 255))


def _moved_together(stickers: Float64Array, letters: Int64Array, apart: float) -> Float64Array:
    """Return the stickers with the two colours that look most alike no further apart than that."""
    middles = np.array([np.median(stickers[letters == colour], axis=0) for colour in range(6)])
    lab = weighted_lab(grey_balanced(middles))
    distances = {(a, b): np.linalg.norm(lab[a] - lab[b]) for a, b in combinations(range(6), 2)}
    first, second = min(distances, key=lambda pair: distances[pair])
    share = max(0.0, 1 - apart / float(distances[first, second]))
    moved = stickers.copy()
    moved[letters == second] += share * (middles[first] - middles[second])
    return np.maximum(moved, 0)


def shown_cube(mistake: Mistake, seed: int, *, held_out: bool) -> ShownCube:
    """Return a case; the same seed gives other cases when `held_out`."""
    rng = np.random.default_rng([seed, list(Mistake).index(mistake), int(held_out)])
    return _MAKERS[mistake](rng, held_out)


def _drawn(rng: np.random.Generator, held_out: bool) -> tuple[Float64Array, Light]:
    sets = palettes(held_out=held_out)
    return sets[rng.integers(len(sets))], LIGHTS[rng.integers(len(LIGHTS))]


def _state(rng: np.random.Generator) -> CubieCube:
    return random_state(int(rng.integers(1 << 60)))


def _by_robot(rgb: Float64Array, truth: str | None) -> ShownCube:
    first, again = rgb.reshape(2, 6, 9, 3)
    return ShownCube(first, again, ROBOT_ORDER, False, truth)


def _by_hand(rgb: Float64Array, truth: str | None, rng: np.random.Generator) -> ShownCube:
    """Show the faces as the guide asks for, or in any order and turned anyhow."""
    faces = rgb.reshape(2, 6, 9, 3)
    if rng.random() < 0.5:
        first, again = faces[:, list(GUIDE_ORDER)]
        return ShownCube(first, again, GUIDE_ORDER, True, truth)
    order = tuple(rng.permutation(6).tolist())
    turned = [faces[:, face][:, turned_orders()[rng.integers(4)]] for face in order]
    first, again = np.stack(turned, axis=1)
    return ShownCube(first, again, order, True, truth)


def _shown(rgb: Float64Array, truth: str | None, rng: np.random.Generator) -> ShownCube:
    return _by_robot(rgb, truth) if rng.random() < 0.5 else _by_hand(rgb, truth, rng)


def _sound(rng: np.random.Generator, held_out: bool) -> ShownCube:
    facelets = format_facelets(_state(rng))
    return _shown(_seen_twice(facelets, *_drawn(rng, held_out), rng), facelets, rng)


def _mirrored(rng: np.random.Generator, held_out: bool) -> ShownCube:
    facelets = format_facelets(_state(rng))
    rgb = _seen_twice(facelets, *_drawn(rng, held_out), rng)
    pictures = rgb.reshape(2, 6, 3, 3, 3)[:, :, :, ::-1]
    return _by_hand(pictures, facelets, rng)


def _layer_turned(before: int) -> Callable[[np.random.Generator, bool], ShownCube]:
    """Return what makes cases of a layer that is turned before that many-th face is shown."""

    def case(rng: np.random.Generator, held_out: bool) -> ShownCube:
        while True:
            cube = _state(rng)
            first = format_facelets(cube)
            turned = format_facelets(cube.apply([Move(int(rng.integers(18)))]))
            order = GUIDE_ORDER if rng.random() < 0.5 else tuple(rng.permutation(6).tolist())
            faces = [first[9 * face : 9 * face + 9] for face in range(6)]
            for face in order[before - 1 :]:
                faces[face] = turned[9 * face : 9 * face + 9]
            mixed = "".join(faces)
            # Only what the remaining pictures can show: some other way than turned as a whole.
            is_seen = any(
                faces[face] not in _rotations(first[9 * face : 9 * face + 9]) for face in range(6)
            )
            if is_seen and not is_cube(mixed):
                break
        rgb = _seen_twice(mixed, *_drawn(rng, held_out), rng, then=turned)
        if rng.random() < 0.5:
            return _by_robot(rgb, turned)
        first_look, again = rgb.reshape(2, 6, 9, 3)[:, list(order)]
        return ShownCube(first_look, again, order, True, turned)

    return case


def _rotations(face: str) -> set[str]:
    return {"".join(face[cell] for cell in order) for order in turned_orders().tolist()}


def _foreign_face(rng: np.random.Generator, held_out: bool) -> ShownCube:
    while True:
        own, other = format_facelets(_state(rng)), format_facelets(_state(rng))
        face = int(rng.integers(6))
        mixed = own[: 9 * face] + other[9 * face : 9 * face + 9] + own[9 * face + 9 :]
        if not is_cube(mixed):
            break
    return _shown(_seen_twice(mixed, *_drawn(rng, held_out), rng), None, rng)


def _exchanged_stickers(rng: np.random.Generator, held_out: bool) -> ShownCube:
    while True:
        letters = list(format_facelets(_state(rng)))
        face = 9 * int(rng.integers(6))
        corner, edge = face + int(rng.choice(_CORNER_CELLS)), face + int(rng.choice(_EDGE_CELLS))
        letters[corner], letters[edge] = letters[edge], letters[corner]
        if letters[corner] != letters[edge]:
            break
    return _shown(_seen_twice("".join(letters), *_drawn(rng, held_out), rng), None, rng)


def _impossible(rng: np.random.Generator, held_out: bool) -> ShownCube:
    palette, _ = _drawn(rng, held_out)
    facelets = impossible_facelets(rng, _state(rng))
    return _by_robot(_seen_twice(facelets, palette, POOR, rng), None)


def _glaring(rng: np.random.Generator, held_out: bool) -> ShownCube:
    palette, _ = _drawn(rng, held_out)
    facelets = impossible_facelets(rng, _state(rng))
    return _shown(_seen_twice(facelets, palette, GLARING, rng), None, rng)


def _rearranged(rng: np.random.Generator, held_out: bool) -> ShownCube:
    cube = SOLVED.apply([Move(int(rng.integers(18))) for _ in range(rng.integers(1, 4))])
    facelets = format_facelets(exchanged_edges(rng, cube))
    return _by_hand(_seen_twice(facelets, *_drawn(rng, held_out), rng), None, rng)


_MAKERS: Final[dict[Mistake, Callable[[np.random.Generator, bool], ShownCube]]] = {
    Mistake.NONE: _sound,
    Mistake.MIRRORED: _mirrored,
    Mistake.LAYER_6: _layer_turned(6),
    Mistake.LAYER_5: _layer_turned(5),
    Mistake.LAYER_4: _layer_turned(4),
    Mistake.FOREIGN: _foreign_face,
    Mistake.EXCHANGED: _exchanged_stickers,
    Mistake.IMPOSSIBLE: _impossible,
    Mistake.REARRANGED: _rearranged,
    Mistake.GLARING: _glaring,
}


@dataclass(frozen=True, slots=True, eq=False)
class ShownPocket:
    """Six faces of a 2x2x2 cube as they were seen, (6, 4, 3) sRGB, and its 24 letters."""

    colours: Float64Array
    truth: str


_POCKET_FACELETS: Final = [9 * face + cell for face in range(6) for cell in _CORNER_CELLS]


def shown_pocket(seed: int, *, is_mirrored: bool, held_out: bool) -> ShownPocket:
    """Return a 2x2x2 cube shown by hand, by a camera that may mirror its pictures."""
    rng = np.random.default_rng([seed, 200 + is_mirrored, int(held_out)])
    cube = _state(rng)
    rgb = seen(format_facelets(cube), *_drawn(rng, held_out), rng)
    rows = rgb[_POCKET_FACELETS].reshape(6, 2, 2, 3)
    faces = (rows[:, :, ::-1] if is_mirrored else rows).reshape(6, 4, 3)
    if rng.random() < 0.5:
        shown = faces[list(GUIDE_ORDER)]
    else:
        order = rng.permutation(6)
        shown = np.array([faces[face][turned_orders(2)[rng.integers(4)]] for face in order])
    return ShownPocket(shown, pocket_stickers(cube))


def is_cube(facelets: str) -> bool:
    """Return whether turning can solve the cube with these letters."""
    try:
        parse_facelets(facelets)
    except FaceletError:
        return False
    return True


def impossible_facelets(rng: np.random.Generator, cube: CubieCube) -> str:
    """Return a cube with a corner twisted, an edge flipped, or two pieces exchanged."""
    kind = rng.integers(4)
    if kind == 0:
        return format_facelets(twisted_corner(rng, cube))
    if kind == 1:
        return format_facelets(flipped_edge(rng, cube))
    return format_facelets((exchanged_corners if kind == 2 else exchanged_edges)(rng, cube))


def twisted_corner(rng: np.random.Generator, cube: CubieCube) -> CubieCube:
    """Return the cube with one corner twisted in its place."""
    twists = list(cube.corner_twist)
    place = rng.integers(len(CORNER_FACELETS))
    twists[place] = (twists[place] + int(rng.integers(1, 3))) % 3
    return CubieCube(cube.corner_permutation, tuple(twists), cube.edge_permutation, cube.edge_flip)


def flipped_edge(rng: np.random.Generator, cube: CubieCube) -> CubieCube:
    """Return the cube with one edge flipped in its place."""
    flips = list(cube.edge_flip)
    flips[rng.integers(len(EDGE_FACELETS))] ^= 1
    return CubieCube(
        cube.corner_permutation, cube.corner_twist, cube.edge_permutation, tuple(flips)
    )


def exchanged_corners(rng: np.random.Generator, cube: CubieCube) -> CubieCube:
    """Return the cube with two corners exchanged."""
    order = _two_exchanged(rng, 8)
    return CubieCube(
        tuple(cube.corner_permutation[place] for place in order),
        tuple(cube.corner_twist[place] for place in order),
        cube.edge_permutation,
        cube.edge_flip,
    )


def exchanged_edges(rng: np.random.Generator, cube: CubieCube) -> CubieCube:
    """Return the cube with two edges exchanged."""
    order = _two_exchanged(rng, 12)
    return CubieCube(
        cube.corner_permutation,
        cube.corner_twist,
        tuple(cube.edge_permutation[place] for place in order),
        tuple(cube.edge_flip[place] for place in order),
    )


def _two_exchanged(rng: np.random.Generator, pieces: int) -> list[int]:
    order = list(range(pieces))
    first, second = rng.choice(pieces, 2, replace=False).tolist()
    order[first], order[second] = order[second], order[first]
    return order


class Named(Enum):
    """A mistake whose reason has to be named."""

    TWIST = "a twisted corner"
    FLIP = "a flipped edge"
    CORNERS = "two corners exchanged"
    EDGES = "two edges exchanged"
    TURNED = "a picture that is turned"
    REPEATED = "a face shown twice"
    FOREIGN = "a face of another cube"


@dataclass(frozen=True, slots=True, eq=False)
class NamedCase:
    """54 colours in URFDLB order with a mistake in them, their light, and words that name it.

    A cube does not show which of its corners was twisted, or which two pieces were exchanged: any
    one will do whose repair makes it solvable.
    """

    rgb: Float64Array
    light: Light
    words: str


def named_case(kind: Named, seed: int, *, held_out: bool) -> NamedCase:
    """Return a case; the same seed gives other cases when `held_out`."""
    rng = np.random.default_rng([seed, 100 + list(Named).index(kind), int(held_out)])
    cube = _state(rng)
    face = int(rng.integers(6))
    letters = format_facelets(cube)
    faces = [letters[9 * each : 9 * each + 9] for each in range(6)]
    match kind:
        case Named.TWIST:
            letters, words = format_facelets(twisted_corner(rng, cube)), "corner is twisted"
        case Named.FLIP:
            letters, words = format_facelets(flipped_edge(rng, cube)), "edge is flipped"
        case Named.CORNERS:
            letters, words = format_facelets(exchanged_corners(rng, cube)), "pieces are swapped"
        case Named.EDGES:
            letters, words = format_facelets(exchanged_edges(rng, cube)), "pieces are swapped"
        case Named.TURNED:
            faces[face] = sorted(_rotations(faces[face]) - {faces[face]})[0]
            letters = "".join(faces)
            words = f"Face {FACE_LETTERS[face]} fits if its picture is turned"
        case Named.FOREIGN:
            faces[face] = format_facelets(_state(rng))[9 * face : 9 * face + 9]
            letters = "".join(faces)
            words = f"Face {FACE_LETTERS[face]} does not belong"
        case Named.REPEATED:
            again = int(rng.choice([each for each in range(6) if each != face]))
            first, second = sorted((face, again))
            words = f"faces {FACE_LETTERS[first]} and {FACE_LETTERS[second]}"
    palette, light = _drawn(rng, held_out)
    rgb = seen(letters, palette, light, rng)
    if kind is Named.REPEATED:
        shown = rgb.reshape(6, 9, 3)
        noise = rng.normal(0, 2, (9, 3))  # the same face in the same light a moment later
        shown[again] = np.clip(shown[face] + noise, 0, 255)[turned_orders()[rng.integers(4)]]
    return NamedCase(rgb, light, words)
