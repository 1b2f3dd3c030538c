"""`cuberobot plan`: what the rig would do for a list of moves."""

from typing import Annotated

import typer

from controller.cli.options import CalibrationOption, RigOption
from controller.motion.planning.planner import Planner
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.command_line.app import JsonOption, print_json


def plan(
    moves: Annotated[str, typer.Argument(help='Moves, as "R U2 F\' Rw M [R, U]".')],
    planner: Annotated[Planner, typer.Option("--planner")] = Planner.OPTIMAL,
    rig: RigOption = DEFAULT_RIG,
    calibration: CalibrationOption = None,
    german: Annotated[
        bool, typer.Option("--german", help="The moves are the thesis' letters V O H U R L.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Translate moves into tilts, spins and layer turns, and price them."""
    from controller.motion.planning.paper_translation import paper_list
    from controller.motion.planning.planner import make_plan
    from solvers.rubik.notation import Notation, cancel, format_moves, read_moves
    from solvers.rubik.rotations import rotation_name

    notation = Notation.GERMAN if german else Notation.STANDARD
    written = read_moves(moves, notation)
    rotation = rotation_name(written.lies)
    # The thesis' planner drives a list as it stands; turns that merge are no plan to anybody else.
    wanted = written.moves if planner is Planner.PAPER else cancel(written.moves)
    result = make_plan(wanted, rig_called(rig).setup(calibration).costs, planner)
    if as_json:
        print_json(
            {
                "moves": format_moves(result.moves),
                "rotation": rotation,
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
    if rotation:
        print(
            f"The moves rotate the cube by {rotation}, which costs the rig nothing: its face turns "
            f"are {format_moves(result.moves) or 'none'}."
        )
    print(
        f"{len(result.moves)} moves, {len(result.primitives)} primitives, "
        f"{result.tilts} tilts, {result.robot_seconds:.1f} robot seconds"
    )
