"""`puzzle slide solve`: the fewest moves from one board to another."""

import time
from typing import Annotated

import typer

from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.sliding_tile.algorithm import Algorithm
from solvers.sliding_tile.board import format_board, parse_board


def solve(
    start: Annotated[str, typer.Argument(help="Letters a to h and o (the blank), or numbers.")],
    goal: Annotated[str, typer.Argument(help="The board to end with.")],
    algorithm: Annotated[
        Algorithm, typer.Option(help="All find a shortest solution.")
    ] = Algorithm.AUTO,
    width: Annotated[
        int | None, typer.Option(min=2, help="Cells in a row, of a board that is not square.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a sliding-tile puzzle in the fewest moves; u, d, l, r say where the blank goes."""
    from solvers.sliding_tile.solver import solve as find_solution

    first, last = parse_board(start, width), parse_board(goal, width)
    began = time.process_time()
    with stderr.status("Looking for a solution") as status:
        solution = find_solution(
            first,
            last,
            algorithm,
            lambda bound, count: status.update(f"Trying {bound} moves; {count:,} positions"),
            lambda name, _share: status.update(f"Making the table {name}"),
        )
    seconds = time.process_time() - began
    replayed = first.moved(solution.moves) == last
    if as_json:
        print_json(
            {
                "start": format_board(first),
                "goal": format_board(last),
                "moves": solution.moves,
                "length": len(solution.moves),
                "algorithm": solution.algorithm.value,
                "generated": solution.generated,
                "seconds": round(seconds, 6),
                "replayed": replayed,
            }
        )
        return
    print(solution.moves or "Nothing to do: start and goal are the same.")
    print(
        f"{len(solution.moves)} moves, the fewest possible ({solution.algorithm.value}, "
        f"{solution.generated:,} positions, {seconds:.2f} s), checked by replaying."
    )
