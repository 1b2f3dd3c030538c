"""Boxes of coloured cubes by trying everything, with a geometry of its own.

A cube is a function from the six directions in space to colours. It is turned by the matrices that
exchange the axes and their senses and keep a right hand a right hand; nothing else of the product's
way to number corners, sides and turns is used, except the order in which a file names the sides.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product

Vector = tuple[int, int, int]  # right, front, up
Cube = Mapping[Vector, int]
Box = dict[Vector, Cube]

TOP, BOTTOM = (0, 0, 1), (0, 0, -1)
FRONT, BACK = (0, 1, 0), (0, -1, 0)
RIGHT, LEFT = (1, 0, 0), (-1, 0, 0)
IN_A_FILE = (TOP, FRONT, RIGHT, BACK, LEFT, BOTTOM)

Fits = Callable[[Box, Vector], bool]


def cube(labels: Sequence[int]) -> Cube:
    """Return the cube of a line of a file."""
    return dict(zip(IN_A_FILE, labels, strict=True))


def labels_of(turned: Cube) -> tuple[int, ...]:
    """Return a cube as a line of a file."""
    return tuple(turned[direction] for direction in IN_A_FILE)


def turns(some: Cube) -> list[Cube]:
    """Return the distinct orientations of a cube."""
    found = {}
    for axes, senses in product(permutations(range(3)), product((1, -1), repeat=3)):
        inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        if (-1) ** inversions * senses[0] * senses[1] * senses[2] == 1:
            turned = {_image(side, axes, senses): colour for side, colour in some.items()}
            found[labels_of(turned)] = turned
    return list(found.values())


def _image(side: Vector, axes: tuple[int, ...], senses: tuple[int, ...]) -> Vector:
    x, y, z = (side[axis] * sense for axis, sense in zip(axes, senses, strict=True))
    return x, y, z


def box(width: int, depth: int, height: int) -> list[Vector]:
    """Return the places of a box, from the lowest layer up, each from the back to the front."""
    return [(x, y, z) for z in range(height) for y in range(depth) for x in range(width)]


def neighbour(place: Vector, side: Vector) -> Vector:
    """Return the place on that side of a place."""
    return place[0] + side[0], place[1] + side[1], place[2] + side[2]


def touching_equal(laid: Box, place: Vector) -> bool:
    """Return whether the cube at a place shows every neighbour the label that it shows."""
    return all(
        laid[place][side] == laid[other][(-side[0], -side[1], -side[2])]
        for side in IN_A_FILE
        if (other := neighbour(place, side)) in laid
    )


def fillings(places: Sequence[Vector], cubes: Sequence[Cube], fits: Fits) -> Iterator[Box]:
    """Yield all ways to fill the places with these cubes, each used once at most."""
    ways = [turns(some) for some in cubes]

    def fill(laid: Box, left: Sequence[int]) -> Iterator[Box]:
        if len(laid) == len(places):
            yield dict(laid)
            return
        place = places[len(laid)]
        for number in left:
            for laid[place] in ways[number]:
                if fits(laid, place):
                    yield from fill(laid, [other for other in left if other != number])
        del laid[place]

    return fill({}, range(len(cubes)))
