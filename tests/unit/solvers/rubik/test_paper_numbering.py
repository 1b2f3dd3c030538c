"""The numbers printed in the 2010 paper come out."""

import pytest

from solvers.rubik.cubies import MOVE_CUBES, SOLVED
from solvers.rubik.notation import Face, Move, Notation, parse_moves
from solvers.rubik.two_phase import coordinates
from tests.oracles.paper_numbering import FACES, paper_cube, paper_move

# The paper's transformation arrays, by face: at place i comes the piece from P[i], and its twist or
# flip grows by D[i].
CORNER_P = {
    "V": (4, 0, 2, 3, 5, 1, 6, 7),
    "O": (1, 2, 3, 0, 4, 5, 6, 7),
    "H": (0, 1, 7, 2, 4, 5, 3, 6),
    "U": (0, 1, 2, 3, 6, 4, 7, 5),
    "R": (0, 5, 1, 3, 4, 7, 6, 2),
    "L": (3, 1, 2, 6, 0, 5, 4, 7),
}
CORNER_D = {
    "V": (2, 1, 0, 0, 1, 2, 0, 0),
    "O": (0,) * 8,
    "H": (0, 0, 2, 1, 0, 0, 2, 1),
    "U": (0,) * 8,
    "R": (0, 2, 1, 0, 0, 1, 0, 2),
    "L": (1, 0, 0, 2, 2, 0, 1, 0),
}
EDGE_P = {
    "V": (9, 5, 2, 3, 4, 0, 6, 7, 8, 1, 10, 11),
    "O": (0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11),
    "H": (0, 1, 11, 7, 4, 5, 6, 2, 8, 9, 10, 3),
    "U": (0, 1, 2, 3, 4, 5, 6, 7, 11, 8, 9, 10),
    "R": (0, 10, 6, 3, 4, 5, 1, 7, 8, 9, 2, 11),
    "L": (4, 1, 2, 8, 3, 5, 6, 7, 0, 9, 10, 11),
}
EDGE_D = {
    "V": (1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0),
    "H": (0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1),
}


@pytest.mark.parametrize("letter", FACES)
def test_a_quarter_turn_of_each_face_is_the_papers_array(letter: str) -> None:
    cube = paper_cube(SOLVED.apply(parse_moves(letter, Notation.GERMAN)))
    assert cube.corners == CORNER_P[letter]
    assert cube.twists == CORNER_D[letter]
    assert cube.edges == EDGE_P[letter]
    assert cube.flips == EDGE_D.get(letter, (0,) * 12)


def test_position_after_v_o_u_r_l_h() -> None:
    cube = paper_cube(SOLVED.apply(parse_moves("V O U R L H", Notation.GERMAN)))
    assert cube.corners == (4, 5, 3, 2, 0, 1, 7, 6)
    assert cube.twists == (0, 0, 1, 2, 0, 0, 1, 2)
    assert cube.edges == (0, 1, 10, 4, 3, 6, 5, 7, 9, 8, 2, 11)
    assert cube.flips == (1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1)


@pytest.mark.parametrize(
    ("moves", "corners", "twist", "edges", "flip"),
    [
        ("V O U R L H", 5638, 792, 29_803_134, 463),
        ("R L H V O U", 11_543, 2075, 366_259_669, 1375),
    ],
)
def test_the_four_coordinates(moves: str, corners: int, twist: int, edges: int, flip: int) -> None:
    cube = paper_cube(SOLVED.apply(parse_moves(moves, Notation.GERMAN)))
    assert cube.corner_coordinate == corners
    assert cube.twist_coordinate == twist
    assert cube.edge_coordinate == edges
    assert cube.flip_coordinate == flip


def test_corner_twist_walk() -> None:
    cube = SOLVED.apply(parse_moves("R U V", Notation.GERMAN))
    walk = [paper_cube(cube).twist_coordinate]
    for move in parse_moves("V' U' R'", Notation.GERMAN):
        cube = cube.apply([move])
        walk.append(paper_cube(cube).twist_coordinate)
    assert walk == [1796, 1473, 258, 0]


def test_move_numbers() -> None:
    assert [paper_move(move) for move in parse_moves("V O H U R L", Notation.GERMAN)] == [
        0,
        3,
        6,
        9,
        12,
        15,
    ]
    assert paper_move(Move.of(Face.F, 3)) == 2
    assert paper_move(Move.of(Face.L, 2)) == 16


def test_table_sizes() -> None:
    four_edges = coordinates.four_edges_moves()
    corners = coordinates.corner_moves()
    sizes = [
        coordinates.twist_moves().shape[0],
        coordinates.flip_moves().shape[0],
        coordinates.slice_moves(four_edges).shape[0],
        coordinates.phase_2_corner_moves(corners).shape[0],
        coordinates.phase_2_edge_moves().shape[0],
        coordinates.phase_2_slice_moves(four_edges).shape[0],
    ]
    assert sizes == [2187, 2048, 495, 40_320, 40_320, 24]
    assert len(MOVE_CUBES) == 18
    assert len(coordinates.PHASE_2_MOVES) == 10
