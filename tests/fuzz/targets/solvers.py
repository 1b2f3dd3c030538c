"""Cubes, moves, boards, puzzles, tiles and cards."""

from functools import partial
from pathlib import Path
from typing import Final

import solvers
from solvers.edge_matching import board_file, tile_file
from solvers.polycube import puzzle_file
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.ubongo import card_file
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.held_cube import read_position
from solvers.rubik.notation import Notation, parse_moves
from solvers.sliding_tile.board import parse_board
from tests.fuzz.target import Target, file, files, text, words

DATA: Final = Path(__file__).parents[2] / "data"
PACKAGE: Final = Path(solvers.__file__).parent
BURR: Final = b"""<?xml version="1.0"?>
<puzzle version="2"><gridType type="0"/>
<colors><color red="255" green="0" blue="0"/></colors>
<shapes><voxel x="2" y="1" z="1" type="0">##</voxel><voxel x="1" y="1" z="1" name="a">#</voxel>
<voxel x="3" y="1" z="1" type="0">#+#</voxel></shapes>
<problems><problem name="p" state="2" assemblies="1"><shapes><shape id="0" count="1"/>
<shape id="1" min="0" max="2"/></shapes><result id="2"/></problem></problems>
<comment>A &amp; B</comment></puzzle>"""

BALLS: Final = (
    BURR.replace(b'gridType type="0"', b'gridType type="2"')
    .replace(b'x="2" y="1" z="1" type="0">##', b'x="2" y="2" z="1" type="0">#__#')
    .replace(b'x="3" y="1" z="1" type="0">#+#', b'x="3" y="2" z="1" type="0">#_#_+_')
)


def _cards() -> list[bytes]:
    """Return a file of three cards, as `puzzle ubongo generate` writes it."""
    tasks = (DATA / "puzzles" / "ubongo_tasks.json").read_bytes()
    return [card_file.dumps(list(card_file.parse_json_cards(tasks)[:3])).encode()]


TARGETS: Final = (
    Target(
        "facelets",
        words("U" * 9 + "R" * 9 + "F" * 9 + "D" * 9 + "L" * 9 + "B" * 9),
        text(parse_facelets),
    ),
    Target("stickers", words("WWWWWWWWW rrrrrrrrr" + "GYOB" * 9), text(read_position)),
    Target(
        "moves",
        words("R U2 F' D L' B2", "[Rw: (R U)2'] M // x", "3Rw [f, [y' S2: u]]3"),
        text(parse_moves),
    ),
    Target(
        "german moves", words("V O' H2 R L U"), text(partial(parse_moves, notation=Notation.GERMAN))
    ),
    Target(
        "sliding board",
        words("123456780", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", "1 2/3 0"),
        text(parse_board),
    ),
    Target(
        "packing puzzle",
        files((PACKAGE / "polycube" / "data", "*.toml")),
        file(puzzle_file.load, "puzzle.toml"),
    ),
    Target("BurrTools file", lambda: [BURR, BALLS], file(burrtools.load, "puzzle.xmpuzzle")),
    Target(
        "cards",
        _cards,
        lambda data, _: card_file.parse_toml_cards(data),
    ),
    Target(
        "tasks",
        files((DATA / "puzzles", "ubongo_tasks.json")),
        lambda data, _: card_file.parse_json_cards(data),
    ),
    Target(
        "tiles",
        files((DATA / "puzzles" / "triangles", "*"), (PACKAGE / "edge_matching", "**/*.toml")),
        file(tile_file.load_tiles, "tiles.toml"),
    ),
    Target(
        "board of tiles",
        files((PACKAGE / "edge_matching", "**/*.toml")),
        text(partial(board_file.parse_board, source="the board")),
    ),
)
