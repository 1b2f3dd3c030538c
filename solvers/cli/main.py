"""The `puzzle` command: every command of every group."""

from typing import NoReturn

from solvers.foundation.command_line.app import run
from solvers.foundation.command_line.commands import Group, new_app

app = new_app(
    "Solve cubes, sliding tiles, packing puzzles and edge-matching puzzles.",
    {
        "cube": Group(
            "Solve, scramble and show Rubik's cube.",
            {
                "solve": "solvers.cli.cube.solve:solve",
                "scramble": "solvers.cli.cube.scramble:scramble",
                "show": "solvers.cli.cube.show:show",
                "apply": "solvers.cli.cube.moves:apply",
                "invert": "solvers.cli.cube.moves:invert",
                "prepare": "solvers.cli.cube.prepare:prepare",
            },
        ),
        "pack": Group(
            "Solve packing puzzles: pieces of unit cubes that fill a target.",
            {
                "solve": "solvers.cli.pack.solve:solve",
                "list": "solvers.cli.pack.listing:list_puzzles",
                "convert": "solvers.cli.pack.convert:convert",
                "print": "solvers.cli.pack.printing:print_pieces",
                "design": "solvers.cli.pack.design:design",
            },
        ),
        "slide": Group(
            "Solve sliding-tile puzzles: the 8-puzzle, the 15-puzzle and other sizes.",
            {"solve": "solvers.cli.slide:solve"},
        ),
        "tiles": Group(
            "Lay tiles so that all touching edges match.",
            {"solve": "solvers.cli.tiles:solve", "list": "solvers.cli.tiles:list_puzzles"},
        ),
        "ubongo": Group(
            "Solve and make cards of Ubongo 3-D.",
            {
                "pieces": "solvers.cli.ubongo.pieces:show_pieces",
                "generate": "solvers.cli.ubongo.generate:generate",
                "solve": "solvers.cli.ubongo.solve:solve",
                "ask": "solvers.cli.ubongo.ask:ask",
            },
        ),
        "prepare": "solvers.cli.prepare:prepare",
    },
)


def main() -> NoReturn:
    """Run the `puzzle` command."""
    run(app)
