"""`puzzle cube scramble`, `apply` and `invert`: random moves, their effect, and their inverse."""

from random import SystemRandom
from typing import Any

import click

from solvers.cli.cube import input as cube_input
from solvers.foundation.command_line.app import Command, json_option, print_json
from solvers.rubik.cubies import SOLVED
from solvers.rubik.held_cube import HeldCube, read_position
from solvers.rubik.notation import (
    Notation,
    WrittenMoves,
    cancel,
    format_moves,
    inverse_moves,
    quarter_turn_metric,
    read_moves,
)
from solvers.rubik.rotations import rotation_name


@click.command("scramble", cls=Command)
@click.option("--seed", type=int, help="Draw the same position again.")
@cube_input.notation_option
@json_option
def scramble(
    seed: int | None,
    notation: cube_input.NotationName,
    as_json: bool,
) -> None:
    """Print moves to a random position, each of all positions being equally likely.

    Examples:
      puzzle cube scramble --seed 1
    """
    from solvers.cli.cube.solving import load_search
    from solvers.rubik.facelets import format_facelets
    from solvers.rubik.scramble import random_state
    from solvers.rubik.two_phase.solver import moves_to

    # Chosen here and printed, so that a scramble without a seed can be repeated as well.
    if seed is None:
        seed = SystemRandom().randrange(2**32)
    load_search()
    cube = random_state(seed)
    moves = moves_to(cube)
    text = format_moves(moves, cube_input.get_notation(notation))
    if as_json:
        facelets = format_facelets(cube)
        print_json({"seed": seed, "moves": text, "htm": len(moves), "facelets": facelets})
    else:
        print(text)
        print(format_facelets(cube))
        print(f"Seed {seed}")


@click.command("apply", cls=Command)
@cube_input.moves_argument
@click.option("--to", help="Stickers or moves to start from; default: solved.")
@cube_input.notation_option
@json_option
def apply(
    moves: str,
    to: str | None,
    notation: cube_input.NotationName,
    as_json: bool,
) -> None:
    """Do moves to a cube: they are written out as face turns, and the stickers after them.

    Examples:
      puzzle cube apply "(R U R' U')2 M2 y"
    """
    letters = cube_input.get_notation(notation)
    start = HeldCube(SOLVED) if to is None else read_position(to, letters)
    written = read_moves(moves, letters)
    after = start.then(written)
    result: dict[str, Any] = {
        **_written_out(written, letters),
        **cube_input.hold_as_json(after),
        "solved": after.position.is_solved,
    }
    if as_json:
        print_json(result)
        return
    print(result["moves"])
    if result["rotation"]:
        print(f"The cube is then held with {after.how} (rotated by {result['rotation']}).")
    print(after.stickers)


@click.command("invert", cls=Command)
@cube_input.moves_argument
@cube_input.notation_option
@json_option
def invert(
    moves: str,
    notation: cube_input.NotationName,
    as_json: bool,
) -> None:
    """Print the moves that undo moves, for the cube as it is held after them.

    Examples:
      puzzle cube invert "[R, U]"
    """
    letters = cube_input.get_notation(notation)
    written = read_moves(moves, letters)
    undone = type(written)(inverse_moves(written.as_held_afterwards), written.orientation.inverse())
    result = _written_out(undone, letters)
    if as_json:
        print_json(result)
    else:
        print(f"{result['moves']} {result['rotation']}".strip())


def _written_out(written: WrittenMoves, letters: Notation) -> dict[str, Any]:
    plain = cancel(written.moves)
    return {
        "moves": format_moves(plain, letters),
        "rotation": rotation_name(written.orientation),
        "htm": len(plain),
        "qtm": quarter_turn_metric(plain),
    }
