"""The `puzzle` command: every command of every group."""

from collections.abc import Callable
from typing import Any, Final, NoReturn

import typer

from solvers.cli import slide, tiles
from solvers.cli.cube.moves import apply as apply_moves
from solvers.cli.cube.moves import invert as invert_moves
from solvers.cli.cube.prepare import prepare as prepare_cube
from solvers.cli.cube.scramble import scramble as scramble_cube
from solvers.cli.cube.show import show as show_cube
from solvers.cli.cube.solve import solve as solve_cube
from solvers.cli.pack.convert import convert as convert_packing
from solvers.cli.pack.listing import list_puzzles
from solvers.cli.pack.solve import solve as solve_packing
from solvers.cli.ubongo.ask import ask as ask_for_card
from solvers.cli.ubongo.generate import generate as generate_cards
from solvers.cli.ubongo.solve import solve as solve_cards
from solvers.foundation.command_line.app import new_app, run

Command = Callable[..., Any]

# Group: its summary, and its commands by name.
GROUPS: Final[dict[str, tuple[str, dict[str, Command]]]] = {
    "cube": (
        "Solve, scramble and show Rubik's cube.",
        {
            "solve": solve_cube,
            "scramble": scramble_cube,
            "show": show_cube,
            "apply": apply_moves,
            "invert": invert_moves,
            "prepare": prepare_cube,
        },
    ),
    "pack": (
        "Solve packing puzzles: pieces of unit cubes that fill a target.",
        {"solve": solve_packing, "list": list_puzzles, "convert": convert_packing},
    ),
    "slide": (
        "Solve sliding-tile puzzles: the 8-puzzle, the 15-puzzle and other sizes.",
        {"solve": slide.solve},
    ),
    "tiles": ("Lay tiles so that all touching edges match.", {"solve": tiles.solve}),
    "ubongo": (
        "Solve and make cards of Ubongo 3-D.",
        {"solve": solve_cards, "ask": ask_for_card, "generate": generate_cards},
    ),
}


def _group(summary: str, commands: dict[str, Command]) -> typer.Typer:
    group = new_app(summary)
    # A callback keeps the command's name even where a group has one command only.
    group.callback()(lambda: None)
    for name, command in commands.items():
        group.command(name)(command)
    return group


app = new_app("Solve cubes, sliding tiles, packing puzzles and edge-matching puzzles.")
for _name, (_summary, _commands) in GROUPS.items():
    app.add_typer(_group(_summary, _commands), name=_name)


def main() -> NoReturn:
    """Entry point of the `puzzle` command."""
    run(app)
