"""`puzzle cube solve` for a 2x2x2 cube: the fewest moves, from a table."""

from typing import TYPE_CHECKING

from solvers.cli.cube.input import counted_moves
from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import show_progress

if TYPE_CHECKING:
    from solvers.rubik.notation import Move, Notation
    from solvers.rubik.pocket.pocket_cube import PocketCube


def solve_pocket(facelets: str | None, scramble: str, letters: "Notation", as_json: bool) -> None:
    """Print the shortest solution of 24 stickers, or of moves from the solved cube."""
    from solvers.rubik.notation import format_moves, quarter_turn_metric, read_moves
    from solvers.rubik.pocket.pocket_cube import pocket_after, read_pocket
    from solvers.rubik.pocket.pocket_solver import load_distances, pocket_solutions

    if facelets is not None:
        cube = read_pocket(facelets)
    else:
        cube = pocket_after(read_moves(scramble, letters))
    show_progress(load_distances(), "Building a table, once (1 s)")
    moves = next(pocket_solutions(cube.position))
    text = format_moves(moves, letters)
    if as_json:
        print_json(
            {
                "size": 2,
                "moves": text,
                "htm": len(moves),
                "qtm": quarter_turn_metric(moves),
                "optimal": True,
                "replayed": _is_solved(cube, moves),
                "centres": cube.faces,
                "stickers": cube.stickers,
            }
        )
        return
    print(f"For the cube held with {cube.how}:")
    print(text or "Nothing to do: the cube is there already.")
    print(f"{counted_moves(len(moves))}, and no solution has fewer.")


def _is_solved(cube: "PocketCube", moves: "tuple[Move, ...]") -> bool:
    from solvers.rubik.cubies import SOLVED

    after = cube.position.apply(moves)
    corners = (after.corner_permutation, after.corner_twist)
    return corners == (SOLVED.corner_permutation, SOLVED.corner_twist)
