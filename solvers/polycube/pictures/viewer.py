"""A self-contained page that shows solutions in the browser, to be rotated and taken apart."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from solvers.polycube.lattice import Cell, Lattice, in_space, minus
from solvers.polycube.lattices import CUBES
from solvers.polycube.pictures.signs import Sign
from solvers.polycube.pictures.solids import shades
from solvers.polycube.pictures.story import Frame, Story, labels

MAX_SOLUTIONS = 500  # the page holds them all; more would make it slow to load


@dataclass(frozen=True)
class Shown:
    """A solution to show: its story, the signs of its marks, and its lattice."""

    story: Story
    signs: tuple[Sign, ...] = ()
    lattice: Lattice = CUBES


def to_html(solutions: Sequence[Shown], title: str) -> str:
    """Return a complete page for at most MAX_SOLUTIONS solutions of one puzzle.

    The page loads nothing from elsewhere. The fragment of its address sets the view:
    `#solution=2&step=3.5&explode=0.4&yaw=-0.7&pitch=0.5&zoom=1` (angles in radians).
    """
    shown = [_solution_data(solution) for solution in solutions[:MAX_SOLUTIONS]]
    page = {"lattice": _lattice(solutions[:MAX_SOLUTIONS]), "solutions": shown}
    data = json.dumps(page, ensure_ascii=False, separators=(",", ":"))
    text = _text("viewer.html").replace("__VIEW__", view_script())
    # Escape "<" in the data, so that no piece's name can end the script.
    return text.replace("__TITLE__", escape(title)).replace(
        "__DATA__", data.replace("<", "\\u003c")
    )


def view_script() -> str:
    """Return the JavaScript module with the class SolutionView, which draws on a canvas."""
    return _text("solution_view.js")


def as_data(solution: Shown) -> dict[str, Any]:
    """Return a solution in plain JSON values, as SolutionView's `show` takes it."""
    return {**_solution_data(solution), "lattice": _lattice([solution])}


def _solution_data(solution: Shown) -> dict[str, Any]:
    story = solution.story
    colours = shades([placement.piece for placement in story.pieces])
    return {
        "pieces": [
            {
                "name": name,
                "colour": colour,
                "cells": sorted(placement.cells),
                "signs": [
                    sign._asdict() for sign in solution.signs if sign.cell in placement.cells
                ],
            }
            for placement, name, colour in zip(
                story.pieces, labels(story.pieces), colours, strict=True
            )
        ],
        "start": story.start,
        "frames": [_frame_data(frame) for frame in story.frames],
        "ending": story.ending,
        "puts_together": story.puts_together,
    }


def _frame_data(frame: Frame) -> dict[str, Any]:
    data: dict[str, Any] = {"places": frame.places, "way": frame.way, "words": frame.words}
    if frame.turned:
        data["turned"] = frame.turned
    if frame.turn:
        # The centre in cells, from the middle of cell 0; the angle in quarters.
        centre = [at / 2 for at in frame.turn.centre]
        quarter = -1 if frame.turn.turn % 2 else 1
        data["turn"] = {"axis": frame.turn.axis, "centre": centre, "quarter": quarter}
        data["moved"] = sorted(frame.moved)
    return data


def _lattice(solutions: Sequence[Shown]) -> dict[str, Any]:
    """Return the faces of the cells of some solutions, once for each kind of cell.

    The kind of a cell is the remainder of its coordinates modulo the period.
    """
    lattice = solutions[0].lattice
    # Two steps along an axis are always a translation, even where one is not.
    a, b, c = (step * (2 if lattice.even_steps else 1) for step in lattice.steps)
    pieces = {piece for shown in solutions for piece in shown.story.pieces}
    cells = {cell for piece in pieces for cell in piece.cells}
    kinds = {_rest(cell, (a, b, c)) for cell in cells}
    return {
        "frame": lattice.frame,
        "period": (a, b, c),
        "balls": lattice.balls,
        "kinds": {",".join(map(str, kind)): _faces(kind, lattice) for kind in sorted(kinds)},
    }


def _rest(cell: Cell, period: Cell) -> Cell:
    x, y, z = (at % length for at, length in zip(cell, period, strict=True))
    return x, y, z


def _faces(cell: Cell, lattice: Lattice) -> list[dict[str, Any]]:
    """Return a cell's faces relative to it: the vector to the neighbour, and the corners."""
    here = in_space(lattice.frame, cell)
    return [
        {
            "way": minus(face.beyond, cell),
            "corners": [
                [round(value, 5) for value in minus(corner, here)] for corner in face.corners
            ],
        }
        for face in lattice.faces(cell)
    ]


def _text(name: str) -> str:
    return (resources.files("solvers.polycube.pictures") / name).read_text(encoding="utf-8")
