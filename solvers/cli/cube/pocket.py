"""`puzzle cube solve` for a 2x2x2 cube: the fewest moves, from a table of all positions."""

from typing import TYPE_CHECKING, Any

from solvers.cli.cube.input import SolveRequest, check_one_given, counted_moves
from solvers.cli.cube.solving import NotReachedError
from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import show_progress
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.held_cube import looks_like_stickers
from solvers.rubik.notation import Notation, format_moves, quarter_turn_metric, read_moves

if TYPE_CHECKING:
    from solvers.rubik.pocket import PocketCube


def solve_pocket_cube(request: SolveRequest) -> None:
    """Print the shortest way from a cube to the target, or to the solved cube."""
    from solvers.rubik.pocket import load_distances

    cube = _read_pocket_cube(request.facelets, request.scramble, request.letters)
    show_progress(load_distances(), "Building a table, once (1 s)")
    answer = pocket_answer(cube, request)
    if request.as_json:
        print_json(answer)
        return
    print(f"For the cube held with {cube.how}:")
    print(answer["moves"] or "Nothing to do: the cube is there already.")
    print(f"{counted_moves(answer['htm'])}, and no solution has fewer.")


def pocket_answer(cube: "PocketCube", request: SolveRequest) -> dict[str, Any]:
    """Return the shortest solution, and all that `--json` prints about it.

    Raises NotReachedError if it has more than `max_moves`.
    """
    from solvers.rubik.pocket import pocket_solutions

    goal = SOLVED
    if request.target is not None:
        goal = _read_pocket_cube(request.target, None, request.letters).held_like(cube).position
    moves = next(pocket_solutions(goal.inverse().compose(cube.position)))
    if request.max_moves is not None and len(moves) > request.max_moves:
        raise NotReachedError(
            f"There is no solution of at most {counted_moves(request.max_moves)}: this position "
            f"needs {len(moves)}."
        )
    return {
        "size": 2,
        "moves": format_moves(moves, request.letters),
        "htm": len(moves),
        "qtm": quarter_turn_metric(moves),
        "optimal": True,
        "replayed": _corners(cube.position.apply(moves)) == _corners(goal),
        "centres": cube.faces,
        "stickers": cube.stickers,
    }


def _read_pocket_cube(
    facelets: str | None, scramble: str | None, letters: Notation
) -> "PocketCube":
    """Return the cube given by 24 stickers or by moves; `facelets` may be either."""
    from solvers.rubik.pocket import pocket_after, read_pocket

    check_one_given(facelets, scramble)
    if facelets is not None and looks_like_stickers(facelets):
        return read_pocket(facelets)
    return pocket_after(read_moves(facelets or scramble or "", letters))


# Edges stand for nothing on a 2x2x2 cube, and face turns move them.
def _corners(cube: CubieCube) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return cube.corner_permutation, cube.corner_twist
