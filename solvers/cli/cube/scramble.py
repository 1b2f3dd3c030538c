"""`puzzle cube scramble`: moves to a position drawn uniformly from all."""

from random import SystemRandom
from typing import Annotated

import typer

from solvers.cli.cube.input import NotationName, NotationOption, notation_called
from solvers.foundation.command_line.app import JsonOption, print_json


def scramble(
    seed: Annotated[int | None, typer.Option(help="Draw the same position again.")] = None,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Print moves to a random position, each of all positions being equally likely.

    Examples:
      puzzle cube scramble --seed 1
    """
    from solvers.cli.cube.loading import load_search
    from solvers.rubik.facelets import format_facelets
    from solvers.rubik.notation import format_moves
    from solvers.rubik.scramble import random_state
    from solvers.rubik.two_phase.solver import moves_to

    if seed is None:
        seed = SystemRandom().randrange(2**32)
    load_search()
    cube = random_state(seed)
    moves = moves_to(cube)
    text = format_moves(moves, notation_called(notation))
    if as_json:
        facelets = format_facelets(cube)
        print_json({"seed": seed, "moves": text, "htm": len(moves), "facelets": facelets})
    else:
        print(text)
        print(format_facelets(cube))
        print(f"Seed {seed}")
