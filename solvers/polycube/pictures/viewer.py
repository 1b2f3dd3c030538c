"""A page that shows solutions in the browser: self-contained, to be turned and taken apart."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.faces import Cell, in_space, minus
from solvers.polycube.lattice.lattice import Lattice
from solvers.polycube.pictures.bores import BoredCell
from solvers.polycube.pictures.solids import shades
from solvers.polycube.pictures.story import Story, labels

MAX_SOLUTIONS = 500  # the page holds them all; more would make it slow to load


@dataclass(frozen=True)
class Shown:
    """The story of a solution, which of its cubes are bored, and of what cells it is made."""

    story: Story
    bored: frozenset[BoredCell] = frozenset()
    lattice: Lattice = CUBES


def to_html(solutions: Sequence[Shown], title: str) -> str:
    """Return a complete page for at most MAX_SOLUTIONS solutions of one puzzle.

    The page loads nothing from elsewhere. Parts of its address set the view:
    `#solution=2&step=3.5&explode=0.4&yaw=-0.7&pitch=0.5&zoom=1` (angles in radians).
    """
    shown = [_told(solution) for solution in solutions[:MAX_SOLUTIONS]]
    page = {"lattice": _lattice(solutions[:MAX_SOLUTIONS]), "solutions": shown}
    data = json.dumps(page, ensure_ascii=False, separators=(",", ":"))
    text = _text("viewer.html").replace("__VIEW__", view_script())
    # "<" never stands in the data as such, so no piece's name can end the script.
    return text.replace("__TITLE__", escape(title)).replace(
        "__DATA__", data.replace("<", "\\u003c")
    )


def view_script() -> str:
    """Return the JavaScript module that draws a solution on a canvas: its class SolutionView."""
    return _text("solution_view.js")


def as_data(solution: Shown) -> dict[str, Any]:
    """Return a solution as SolutionView's `show` takes it, in plain JSON values."""
    return {**_told(solution), "lattice": _lattice([solution])}


def _told(solution: Shown) -> dict[str, Any]:
    story = solution.story
    colours = shades([placement.piece for placement in story.pieces])
    return {
        "pieces": [
            {
                "name": name,
                "colour": colour,
                "cells": sorted(placement.cells),
                "bored": sorted(
                    (*cell, axis) for cell, axis in solution.bored if cell in placement.cells
                ),
            }
            for placement, name, colour in zip(
                story.pieces, labels(story.pieces), colours, strict=True
            )
        ],
        "start": story.start,
        "frames": [
            {"places": frame.places, "way": frame.way, "words": frame.words}
            for frame in story.frames
        ],
        "ending": story.ending,
        "puts_together": story.puts_together,
    }


def _lattice(solutions: Sequence[Shown]) -> dict[str, Any]:
    """Return the cells of some solutions in space, of each kind that is moved to another one.

    A cell is of the kind of the rests that its coordinates leave when divided by the period.
    """
    lattice = solutions[0].lattice
    a, b, c = (step * (2 if lattice.even else 1) for step in lattice.steps)
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
    """Return a cell's faces as seen from it: the way to the cell behind each, and its corners."""
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
