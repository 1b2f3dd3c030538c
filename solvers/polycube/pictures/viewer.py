"""A page that shows solutions in the browser: self-contained, to be turned and taken apart."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from solvers.polycube.pictures.bores import BoredCell
from solvers.polycube.pictures.isometric import piece_colours
from solvers.polycube.pictures.story import Story

MAX_SOLUTIONS = 500  # the page holds them all; more would make it slow to load


@dataclass(frozen=True)
class Shown:
    """The story of a solution, and which of its cubes are bored."""

    story: Story
    bored: frozenset[BoredCell] = frozenset()


def to_html(solutions: Sequence[Shown], title: str) -> str:
    """Return a complete page for at most MAX_SOLUTIONS solutions.

    The page loads nothing from elsewhere. Parts of its address set the view:
    `#solution=2&step=3.5&explode=0.4&yaw=-0.7&pitch=0.5&zoom=1` (angles in radians).
    """
    shown = [as_data(solution) for solution in solutions[:MAX_SOLUTIONS]]
    data = json.dumps({"solutions": shown}, ensure_ascii=False, separators=(",", ":"))
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
    story = solution.story
    colours = piece_colours([placement.piece for placement in story.pieces])
    return {
        "pieces": [
            {
                "name": placement.piece,
                "colour": colours[placement.piece],
                "cells": sorted(placement.cells),
                "bored": sorted(
                    (*cell, axis) for cell, axis in solution.bored if cell in placement.cells
                ),
            }
            for placement in story.pieces
        ],
        "start": story.start,
        "frames": [
            {"places": frame.places, "way": frame.way, "words": frame.words}
            for frame in story.frames
        ],
        "ending": story.ending,
        "puts_together": story.puts_together,
    }


def _text(name: str) -> str:
    return (resources.files("solvers.polycube.pictures") / name).read_text(encoding="utf-8")
