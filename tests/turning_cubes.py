"""Turning interlocking cubes of 4x4x4, as published for printing: layers from below.

László Molnár's are Thingiverse 4768768 to 4768771; all are in the Printable Puzzle Project. In
print their edges are bevelled.
"""

from itertools import product
from typing import Final

from solvers.polycube.lattice import Cell
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target
from solvers.polycube.solving.solver import solutions

TURNING_CUBES: Final = {
    "Convolution's Cousin": (
        ("#... #... #... #...", "#... .... #### ...#"),
        (
            ".#.. ##.. .#.. .#.#",
            ".... #... .... ####",
            ".... #... .... ....",
            ".... #... .... ....",
        ),
        (
            "..## ..## ..#. ..#.",
            ".... ...# .... ....",
            "#### ...# .... ....",
            "#... ...# .... ....",
        ),
        (
            "##.. .#.. ##.. ##..",
            ".... .... #... ....",
            ".... .... #... ####",
            ".... .... #... ...#",
        ),
        ("..#. ####", "..#. ...."),
    ),
    "Ennui": (
        ("#... #... ##..", "#... .... .#.#", "#... .... ...#", "#### #..# #..#"),
        ("...# #..# #..# ####", ".### .... .... ....", ".##. .... .... ...."),
        ("#... #..# ####", "###. .... ...#"),
        ("###. #... #### ..#.", "#... #... .... ...."),
        ("#.# ### #..", "#.. ... ..."),
        ("### #..",),
    ),
    "Roughhouse": (
        ("#... #... ####", "#... .... ...#", "#... .... ...#", "##.. ###. #..."),
        (
            ".### .#.. #... ###.",
            "...# .... .... ..#.",
            "...# .... ..#. ..#.",
            "..## ..#. ..#. ....",
        ),
        (".... .... #### ...#", ".... .... #..# ...#", "##.. #... #... ...."),
        (".##. .##. .###", ".##. ###. .###", ".... #... ...."),
        ("#. ##",),
    ),
    "Sliproad": (
        (
            "#..# #..# #..# ####",
            "#..# .... .... ....",
            "#..# .... .#.. ....",
            "#..# ...# .### ....",
        ),
        ("..## #.## ####", "..#. .... ....", "..#. .... .##.", "..#. ..#. .##."),
        (".... ###. #...", "..## #.#. #...", "...# #... #..."),
        ("### ###", "..# .#."),
        ("## ##", "#. #."),
    ),
    "Wedlock": (
        (
            ".### .#.. ##.. ....",
            "...# .... #... ....",
            "...# .... .... ##..",
            "...# ...# ...# ####",
        ),
        (
            ".... #... ###. ..#.",
            ".... #... #... ..#.",
            "#... .... ..## ..#.",
            "#### ...# ...# ....",
        ),
        ("#### .### ....", "##.. .##. ....", ".... ..## ...#"),
        (".## ...", "..# #.#", ".## ###"),
        (".# .# ##",),
    ),
}
"""Stewart Coffin's is the first one."""


def cells(*layers: str) -> frozenset[Cell]:
    """Return the cells of layers from below, each of rows that are words."""
    return frozenset(
        (x, y, z)
        for z, layer in enumerate(layers)
        for y, row in enumerate(layer.split())
        for x, mark in enumerate(row)
        if mark == "#"
    )


def assembled(name: str) -> PackingSolution:
    """Return the one assembly of a cube."""
    shapes = [cells(*layers) for layers in TURNING_CUBES[name]]
    pieces = tuple(Piece(str(number), Shape(shape)) for number, shape in enumerate(shapes))
    cube = frozenset(product(range(4), range(4), range(4)))
    # Some have hollows inside.
    fills = sum(map(len, shapes)) == len(cube)
    target = Target(cube) if fills else Target(frozenset(), cube)
    (solution,) = solutions(PackingPuzzle("tic", name, target, pieces))
    return solution
