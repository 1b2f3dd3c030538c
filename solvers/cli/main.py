"""The `puzzle` command: every command of every group."""

from typing import NoReturn

from solvers.foundation.command_line.app import App, LazyGroup, run

# Names of modules instead of imports: a command imports what it needs when it runs.
app = App(
    "Solve cubes, sliding tiles, packing puzzles and edge-matching puzzles.",
    [
        LazyGroup(
            "cube",
            help="Solve, scramble and show Rubik's cube.",
            lazy_commands={
                "solve": "solvers.cli.cube.solve:solve",
                "scramble": "solvers.cli.cube.moves:scramble",
                "show": "solvers.cli.cube.show:show",
                "apply": "solvers.cli.cube.moves:apply",
                "invert": "solvers.cli.cube.moves:invert",
                "prepare": "solvers.cli.prepare:prepare_cube",
            },
        ),
        LazyGroup(
            "pack",
            help="Solve packing puzzles: pieces of unit cubes that fill a target.",
            lazy_commands={
                "solve": "solvers.cli.pack.solve:solve",
                "list": "solvers.cli.pack.files:list_puzzles",
                "convert": "solvers.cli.pack.files:convert",
                "print": "solvers.cli.pack.printing:print_pieces",
                "design": "solvers.cli.pack.design:design",
            },
        ),
        LazyGroup(
            "slide",
            help="Solve sliding-tile puzzles: the 8-puzzle, the 15-puzzle and other sizes.",
            lazy_commands={"solve": "solvers.cli.slide:solve"},
        ),
        LazyGroup(
            "tiles",
            help="Lay tiles so that all touching edges match.",
            lazy_commands={
                "solve": "solvers.cli.tiles:solve",
                "list": "solvers.cli.tiles:list_puzzles",
            },
        ),
        LazyGroup(
            "ubongo",
            help="Solve and make cards of Ubongo 3-D.",
            lazy_commands={
                "pieces": "solvers.cli.ubongo:show_pieces",
                "generate": "solvers.cli.ubongo:generate",
                "solve": "solvers.cli.ubongo:solve",
                "ask": "solvers.cli.ubongo:ask",
            },
        ),
    ],
    {"prepare": "solvers.cli.prepare:prepare"},
)


def main() -> NoReturn:
    """Run the `puzzle` command."""
    run(app)
