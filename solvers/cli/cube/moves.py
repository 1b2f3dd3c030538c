"""`puzzle cube apply` and `puzzle cube invert`: what moves do, and what undoes them."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.cli.cube.input import (
    MovesArgument,
    NotationName,
    NotationOption,
    how_held,
    notation_called,
)
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from solvers.rubik.notation import Notation, WrittenMoves


def apply(
    moves: MovesArgument,
    to: Annotated[
        str | None, typer.Option(help="Stickers or moves to begin with; default: solved.")
    ] = None,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Do moves to a cube: they are written out as face turns, and the stickers after them.

    Examples:
      puzzle cube apply "(R U R' U')2 M2 y"
    """
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.held_cube import HeldCube, read_position
    from solvers.rubik.notation import read_moves

    letters = notation_called(notation)
    start = HeldCube(SOLVED) if to is None else read_position(to, letters)
    written = read_moves(moves, letters)
    after = start.then(written)
    result: dict[str, Any] = {
        **_written_out(written, letters),
        **how_held(after),
        "solved": after.position.is_solved,
    }
    if as_json:
        print_json(result)
        return
    print(result["moves"])
    if result["rotation"]:
        print(f"The cube is then held with {after.how} (rotated by {result['rotation']}).")
    print(after.stickers)


def invert(
    moves: MovesArgument,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Print the moves that undo moves, for the cube as it is held after them.

    Examples:
      puzzle cube invert "[R, U]"
    """
    from solvers.rubik.notation import inverse_moves, read_moves

    letters = notation_called(notation)
    written = read_moves(moves, letters)
    undone = type(written)(inverse_moves(written.as_held_after), written.lies.inverse())
    result = _written_out(undone, letters)
    if as_json:
        print_json(result)
    else:
        print(f"{result['moves']} {result['rotation']}".strip())


def _written_out(written: "WrittenMoves", letters: "Notation") -> dict[str, Any]:
    from solvers.rubik.notation import cancel, format_moves, quarter_turn_metric
    from solvers.rubik.rotations import rotation_name

    plain = cancel(written.moves)
    return {
        "moves": format_moves(plain, letters),
        "rotation": rotation_name(written.lies),
        "htm": len(plain),
        "qtm": quarter_turn_metric(plain),
    }
