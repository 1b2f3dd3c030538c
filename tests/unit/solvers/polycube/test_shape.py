"""Shapes, their orientations, and the table of rotations behind them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, transform
from solvers.polycube.lattices import REFLECTIONS, ROTATIONS
from solvers.polycube.puzzle import Shape
from solvers.polycube.text_drawing import draw, parse_drawing

coordinates = st.integers(-3, 3)
shapes = st.sets(st.tuples(coordinates, coordinates, coordinates), min_size=1, max_size=7).map(
    lambda cells: Shape(frozenset(cells))
)

L_TROMINO = Shape.from_layers([["##", "#."]])
SCREW = Shape.from_layers([["##", "#."], ["..", "#."]])


def test_the_table_holds_the_24_rotations() -> None:
    matrices = [np.array(matrix) for matrix in ROTATIONS]
    assert len({matrix.tobytes() for matrix in matrices}) == 24
    assert (matrices[0] == np.eye(3)).all()
    for matrix in matrices:
        assert (matrix @ matrix.T == np.eye(3)).all()
        assert round(np.linalg.det(matrix)) == 1
    assert all(round(np.linalg.det(np.array(matrix))) == -1 for matrix in REFLECTIONS)


@pytest.mark.parametrize(
    ("layers", "turned", "with_mirror_images"),
    [
        ([["#"]], 1, 1),
        ([["##"]], 3, 3),
        ([["##", "#."]], 12, 12),
        ([["##", "##"], ["##", "##"]], 1, 1),
        ([["##", "#."], ["..", "#."]], 12, 24),
        ([["####", "#.#."], ["....", "...#"]], 24, 48),
    ],
)
def test_number_of_orientations(
    layers: list[list[str]], turned: int, with_mirror_images: int
) -> None:
    shape = Shape.from_layers(layers)
    assert len(shape.rotations()) == turned
    assert len(shape.rotations(reflections=True)) == with_mirror_images


@settings(deadline=None)
@given(shapes, st.sampled_from(ROTATIONS), st.tuples(coordinates, coordinates, coordinates))
def test_turning_and_moving_change_nothing_that_matters(
    shape: Shape, matrix: tuple[Cell, Cell, Cell], offset: Cell
) -> None:
    turned = Shape(frozenset(transform(matrix, cell) for cell in shape.translated(offset)))
    assert turned.volume == shape.volume
    assert sorted(turned.bounding_box) == sorted(shape.bounding_box)
    assert turned in shape.rotations()
    assert set(turned.rotations()) == set(shape.rotations())
    assert turned.canonical() == shape.canonical()


@settings(deadline=None)
@given(shapes)
def test_shapes_start_at_the_origin_and_survive_drawing(shape: Shape) -> None:
    assert [min(cell[axis] for cell in shape.cells) for axis in range(3)] == [0, 0, 0]
    drawn = draw(shape.cells, dict.fromkeys(shape.cells, "#"))
    marks = parse_drawing(drawn, "#.")
    assert Shape(frozenset(cell for cell, mark in marks.items() if mark == "#")) == shape


def test_mirror_images_are_told_apart() -> None:
    mirrored = Shape(frozenset((-x, y, z) for x, y, z in SCREW.cells))
    assert mirrored not in SCREW.rotations()
    assert mirrored in SCREW.rotations(reflections=True)
    assert mirrored.canonical() != SCREW.canonical()
    assert mirrored.canonical(reflections=True) == SCREW.canonical(reflections=True)


def test_layers_are_z_rows_y_columns_x() -> None:
    assert SCREW.cells == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)}
    assert L_TROMINO.translated((1, 2, 3)) == {(1, 2, 3), (2, 2, 3), (1, 3, 3)}


def test_impossible_shapes_are_refused() -> None:
    with pytest.raises(PuzzleError, match="at least one cube"):
        Shape(frozenset())
    with pytest.raises(PuzzleError, match="listed twice"):
        Shape.of([(0, 0, 0), (1, 0, 0), (0, 0, 0)])
    with pytest.raises(PuzzleError, match="'x'"):
        Shape.from_layers([["#x"]])


def test_a_full_cube_has_one_orientation() -> None:
    cube = Shape.of(product(range(3), repeat=3))  # type: ignore[arg-type]
    assert cube.rotations(reflections=True) == (cube,)
