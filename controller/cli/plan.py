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
    from controller.motion.cost_model import prices
    from controller.motion.planning.paper_translation import paper_list
    from controller.motion.planning.planner import make_plan
    from solvers.foundation.wording import counted
    from solvers.rubik.notation import Notation, format_moves, parse_moves

    notation = Notation.GERMAN if german else Notation.STANDARD
    parsed = parse_moves(moves, notation)
    costs = rig_called(rig).setup(calibration).costs
    result = make_plan(parsed, costs, planner)
    seconds = prices(costs, result.primitives)
    if as_json:
        print_json(
            {
                "moves": format_moves(result.moves),
                "planner": planner.value,
                "primitives": [str(primitive) for primitive in result.primitives],
                "seconds": [round(each, 3) for each in seconds],
                "ending_seconds": round(costs.ending, 3),
                "robot_seconds": round(result.robot_seconds, 3),
                "tilts": result.tilts,
                "paper_list": paper_list(result.moves),
            }
        )
        return
    print("  #  primitive   seconds")
    for number, (primitive, each) in enumerate(zip(result.primitives, seconds, strict=True), 1):
        print(f"{number:3}  {primitive!s:<10} {each:8.2f}")
    print(f"     {'home':<10} {costs.ending:8.2f}")
    print(
        f"{counted(len(result.moves), 'move')}, {counted(len(result.primitives), 'primitive')}, "
        f"{counted(result.tilts, 'tilt')}, {result.robot_seconds:.1f} robot seconds"
    )
