"""Cubies move as the stickers of a cube in space do, and form a group."""

from hypothesis import given
from hypothesis import strategies as st

from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move, parse_moves
from solvers.rubik.scramble import POSITIONS, nth_state

cubes = st.integers(0, POSITIONS - 1).map(nth_state)

Vector = tuple[int, int, int]

# Normals of U R F D L B, and for each face the directions in which its rows and columns are read.
NORMALS: list[Vector] = [(0, 1, 0), (1, 0, 0), (0, 0, 1), (0, -1, 0), (-1, 0, 0), (0, 0, -1)]
RIGHT: list[Vector] = [(1, 0, 0), (0, 0, -1), (1, 0, 0), (1, 0, 0), (0, 0, 1), (-1, 0, 0)]
DOWN: list[Vector] = [(0, 0, 1), (0, -1, 0), (0, -1, 0), (0, 0, -1), (0, -1, 0), (0, -1, 0)]


def stickers() -> list[tuple[Vector, Vector]]:
    """Return place and normal of the 54 stickers of a cube with coordinates -1, 0 and 1."""

    def place(face: int, row: int, column: int) -> Vector:
        x, y, z = (
            NORMALS[face][i] + (column - 1) * RIGHT[face][i] + (row - 1) * DOWN[face][i]
            for i in range(3)
        )
        return x, y, z

    return [
        (place(face, row, column), NORMALS[face])
        for face in range(6)
        for row in range(3)
        for column in range(3)
    ]


def turned_clockwise(vector: Vector, axis: Vector) -> Vector:
    """Return the vector turned by -90 degrees about `axis`, by Rodrigues' formula."""
    along = sum(a * v for a, v in zip(axis, vector, strict=True))
    cross = (
        vector[1] * axis[2] - vector[2] * axis[1],
        vector[2] * axis[0] - vector[0] * axis[2],
        vector[0] * axis[1] - vector[1] * axis[0],
    )
    x, y, z = (along * a + c for a, c in zip(axis, cross, strict=True))
    return (x, y, z)


def turn_in_space(facelets: str, move: Move) -> str:
    """Return the stickers after a move, by turning the layer's stickers in space."""
    places = stickers()
    result = list(facelets)
    axis = NORMALS[move.face]
    for index, (place, normal) in enumerate(places):
        if sum(a * p for a, p in zip(axis, place, strict=True)) == 1:
            for _ in range(move.quarter_turns):
                place, normal = turned_clockwise(place, axis), turned_clockwise(normal, axis)
            result[places.index((place, normal))] = facelets[index]
    return "".join(result)


@given(cubes, st.sampled_from(Move))
def test_moves_agree_with_turning_stickers_in_space(cube: CubieCube, move: Move) -> None:
    assert format_facelets(cube.apply([move])) == turn_in_space(format_facelets(cube), move)


@given(cubes, cubes, cubes)
def test_cubes_form_a_group(a: CubieCube, b: CubieCube, c: CubieCube) -> None:
    assert a.compose(b).compose(c) == a.compose(b.compose(c))
    assert a.compose(SOLVED) == SOLVED.compose(a) == a
    assert a.compose(a.inverse()).is_solved
    assert a.inverse().compose(a).is_solved
    assert a.compose(b).inverse() == b.inverse().compose(a.inverse())


@given(cubes, st.lists(st.sampled_from(Move), max_size=8))
def test_applying_moves_is_composing_with_their_position(
    cube: CubieCube, moves: list[Move]
) -> None:
    assert cube.apply(moves) == cube.compose(SOLVED.apply(moves))


def test_order_of_some_known_sequences() -> None:
    for text, order in (("R U R' U'", 6), ("R U", 105), ("F", 4)):
        cube, count = SOLVED.apply(parse_moves(text)), 1
        while not cube.is_solved:
            cube = cube.apply(parse_moves(text))
            count += 1
        assert count == order
