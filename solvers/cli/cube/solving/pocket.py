"""`puzzle cube solve` for a 2x2x2 cube: the fewest moves, from a table."""

from typing import TYPE_CHECKING, Any

from solvers.cli.cube.input import check_one_given, counted_moves
from solvers.cli.cube.solving.searching import NotReachedError
from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import show_progress
from solvers.rubik.held_cube import looks_like_stickers

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube
    from solvers.rubik.notation import Notation
    from solvers.rubik.pocket.pocket_cube import PocketCube


def solve_pocket(
    cube: "PocketCube",
    target: str | None,
    max_moves: int | None,
    letters: "Notation",
    as_json: bool,
) -> None:
    """Print the shortest way from a cube to the target, or to the solved cube."""
    from solvers.rubik.pocket.pocket_solver import load_distances

    show_progress(load_distances(), "Building a table, once (1 s)")
    answer = pocket_answer(cube, target, max_moves, letters)
    if as_json:
        print_json(answer)
        return
    print(f"For the cube held with {cube.how}:")
    print(answer["moves"] or "Nothing to do: the cube is there already.")
    print(f"{counted_moves(answer['htm'])}, and no solution has fewer.")


def pocket_called(facelets: str | None, scramble: str | None, letters: "Notation") -> "PocketCube":
    """Return the 2x2x2 cube of 24 stickers or of moves; of `facelets` either will do."""
    from solvers.rubik.notation import read_moves
    from solvers.rubik.pocket.pocket_cube import pocket_after, read_pocket

    check_one_given(facelets, scramble)
    if facelets is not None and looks_like_stickers(facelets):
        return read_pocket(facelets)
    return pocket_after(read_moves(facelets or scramble or "", letters))


def pocket_answer(
    cube: "PocketCube", target: str | None, max_moves: int | None, letters: "Notation"
) -> dict[str, Any]:
    """Return the shortest solution, and all that `--json` tells about it.

    Raises NotReachedError if it has more than `max_moves`.
    """
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.notation import format_moves, quarter_turn_metric
    from solvers.rubik.pocket.pocket_solver import pocket_solutions

    goal = SOLVED
    if target is not None:
        goal = pocket_called(target, None, letters).in_hold_of(cube).position
    moves = next(pocket_solutions(goal.inverse().compose(cube.position)))
    if max_moves is not None and len(moves) > max_moves:
        raise NotReachedError(
            f"There is no solution of at most {counted_moves(max_moves)}: this position needs "
            f"{len(moves)}."
        )
    return {
        "size": 2,
        "moves": format_moves(moves, letters),
        "htm": len(moves),
        "qtm": quarter_turn_metric(moves),
        "optimal": True,
        "replayed": _corners(cube.position.apply(moves)) == _corners(goal),
        "centres": cube.faces,
        "stickers": cube.stickers,
    }


def _corners(cube: "CubieCube") -> tuple[tuple[int, ...], tuple[int, ...]]:
    return cube.corner_permutation, cube.corner_twist
