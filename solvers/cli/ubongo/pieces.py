"""`puzzle ubongo pieces`: the sixteen pieces with their numbers."""

from collections.abc import Sequence
from typing import Final

from solvers.foundation.command_line.app import JsonOption, print_json

GAP: Final = "   "
PIECES_A_ROW: Final = 4


def show_pieces(as_json: JsonOption = False) -> None:
    """Show the pieces with the numbers that cards name them by, layer by layer, the lowest first.

    Examples:
      puzzle ubongo pieces
    """
    from solvers.polycube.files.library import ubongo_pieces

    pieces = ubongo_pieces()
    if as_json:
        rows = [
            {"piece": int(each.name), "cells": sorted(map(list, each.shape.cells))}
            for each in pieces
        ]
        print_json({"pieces": rows})
        return
    pictures = [_picture(each.name, each.shape.cells) for each in pieces]
    rows_of_four = range(0, len(pictures), PIECES_A_ROW)
    print("\n\n".join(_beside(pictures[at : at + PIECES_A_ROW]) for at in rows_of_four))


def _picture(name: str, cells: frozenset[tuple[int, int, int]]) -> list[str]:
    from solvers.polycube.drawing import draw
    from solvers.polycube.lattice.cubes import CUBES

    text = draw(cells, dict.fromkeys(cells, "#"), CUBES)
    return [f"piece {name}", *(line.rstrip() for line in text.strip("\n").splitlines())]


def _beside(pictures: Sequence[list[str]]) -> str:
    width = max(len(line) for picture in pictures for line in picture)
    height = max(map(len, pictures))
    lines = (
        GAP.join((each[row] if row < len(each) else "").ljust(width) for each in pictures)
        for row in range(height)
    )
    return "\n".join(line.rstrip() for line in lines)
