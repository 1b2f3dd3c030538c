"""`cuberobot plan`: what the rig would do for a list of moves."""

from typing import Annotated

import typer

from controller.cli.options import CalibrationOption, RigOption
from controller.motion.planning.planner import Planner
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.command_line.app import JsonOption, print_json


def plan(
    moves: Annotated[str, typer.Argument(help='Face turns, e.g. "R U2 F\'".')],
    planner: Annotated[Planner, typer.Option("--planner")] = Planner.OPTIMAL,
    rig: RigOption = DEFAULT_RIG,
    calibration: CalibrationOption = None,
    german: Annotated[
        bool, typer.Option("--german", help="The moves are the thesis' letters V O H U R L.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Translate face turns into tilts, spins and layer turns, and price them.

    Examples:
      cuberobot plan "R U R' U'"
    """
    from controller.motion.planning.paper_translation import paper_list
    from controller.motion.planning.planner import make_plan
    from solvers.rubik.notation import Notation, format_moves, parse_moves

    notation = Notation.GERMAN if german else Notation.STANDARD
    parsed = parse_moves(moves, notation)
    result = make_plan(parsed, rig_called(rig).setup(calibration).costs, planner)
    if as_json:
        print_json(
            {
                "moves": format_moves(result.moves),
                "planner": planner.value,
                "primitives": [str(primitive) for primitive in result.primitives],
                "robot_seconds": round(result.robot_seconds, 3),
                "tilts": result.tilts,
                "paper_list": paper_list(result.moves),
            }
        )
        return
    for number, primitive in enumerate(result.primitives, start=1):
        print(f"{number:3}  {primitive}")
    print(
        f"{len(result.moves)} moves, {len(result.primitives)} primitives, "
        f"{result.tilts} tilts, {result.robot_seconds:.1f} robot seconds"
    )
