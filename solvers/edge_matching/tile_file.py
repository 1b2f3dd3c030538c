"""Tile files of the competition (39th Bundeswettbewerb Informatik, round 1, task 2).

Line 1 is the number m of figures, line 2 the number n of tiles; n lines follow with one whole
number per side of the tile, z for the upper and -z for the lower half of figure z (1 to m), in a
fixed sense round the tile. Three numbers make a triangle, four a square. Beyond the competition's
format six make a hexagon or, where the board is made for it, a cube: top, front, right, back, left,
bottom; and 0 is a side without a figure, which fits another such side.
"""

from dataclasses import dataclass
from pathlib import Path

from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.lattice import LATTICES
from solvers.edge_matching.lattice.lattice import Labels
from solvers.foundation.files import read_text

MAX_FILE_BYTES = 100_000
MAX_TILES = 400
MAX_FIGURES = 1000


@dataclass(frozen=True)
class TileSet:
    """Tiles with equally many sides; `figures` is the largest label."""

    figures: int
    tiles: tuple[Labels, ...]

    @property
    def sides(self) -> int:
        """Sides of every tile."""
        return len(self.tiles[0])


def load_tiles(path: Path) -> TileSet:
    """Read a tile file.

    Raises:
        TileFileError: the file cannot be read; the message names the line.
    """
    if not path.exists():
        raise TileFileError(
            f"{path} cannot be read: there is no such file. `puzzle tiles list` shows the "
            "puzzles that need no file."
        )
    text = read_text(path, TileFileError, "The tile file", MAX_FILE_BYTES)
    return parse_tiles(text, str(path))


def parse_tiles(text: str, source: str) -> TileSet:
    """Return the tiles of a file's text; `source` names it in messages.

    Raises:
        TileFileError: a line is missing, too much or wrong.
    """
    lines = text.rstrip().splitlines()
    figures = _count(lines, 1, "the number of figures", MAX_FIGURES, source)
    tile_count = _count(lines, 2, "the number of tiles", MAX_TILES, source)
    found = len(lines) - 2
    if found < tile_count:
        raise TileFileError(
            f"{source}, line 2 announces {tile_count} tiles, but the file ends after {found} "
            f"(line {len(lines)})."
        )
    if found > tile_count:
        raise TileFileError(
            f"{source}, line {tile_count + 3}: unexpected text after the {tile_count} tiles "
            "that line 2 announces."
        )
    tiles = [_labels(lines[at], figures, f"{source}, line {at + 1}") for at in range(2, len(lines))]
    for at, tile in enumerate(tiles):
        if len(tile) != len(tiles[0]):
            raise TileFileError(
                f"{source}, line {at + 3} has {len(tile)} numbers, but the tile in line 3 has "
                f"{len(tiles[0])}."
            )
    return TileSet(figures, tuple(tiles))


def _count(lines: list[str], number: int, what: str, largest: int, source: str) -> int:
    if len(lines) < number:
        raise TileFileError(f"{source}, line {number} is missing: it must be {what}.")
    try:
        value = int(lines[number - 1])
    except ValueError:
        value = 0
    if not 1 <= value <= largest:
        shown = lines[number - 1][:40]
        raise TileFileError(
            f"{source}, line {number} must be {what}, 1 to {largest}, but reads {shown!r}."
        )
    return value


def _labels(line: str, figures: int, where: str) -> Labels:
    try:
        labels = tuple(map(int, line.split()))
    except ValueError:
        raise TileFileError(f"{where} must hold whole numbers, but reads {line[:40]!r}.") from None
    if all(len(labels) != len(lattice.sides) for lattice in LATTICES.values()):
        wanted = [f"a {lattice.tile} has {len(lattice.sides)}" for lattice in LATTICES.values()]
        raise TileFileError(f"{where} has {len(labels)} numbers; {', '.join(wanted)}.")
    for label in labels:
        if abs(label) > figures:
            raise TileFileError(
                f"{where}: {label} names no half of a figure; line 1 allows 1 to {figures}, "
                f"-1 to -{figures}, and 0 for a side without one."
            )
    return labels
