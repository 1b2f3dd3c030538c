"""`cuberobot plan`: what the rig would do for a list of moves."""

from pathlib import Path

import click

from controller.cli import options
from controller.motion.planner import Plan, Planner, make_plan
from controller.motion.primitives import CostModel, prices
from controller.rigs.registry import get_rig
from solvers.foundation.command_line.app import Command, EnumChoice, json_option, print_json
from solvers.foundation.progress import run_job
from solvers.foundation.wording import counted


@click.command("plan", cls=Command)
@click.argument(
    "moves", help='Moves, as "R U2 F\' Rw M [R, U]", or the 24 stickers of a 2x2x2 cube.'
)
@click.option("--planner", type=EnumChoice(Planner), default=Planner.OPTIMAL.value)
@options.rig
@options.calibration
@click.option("--german", is_flag=True, help="The moves are the thesis' letters V O H U R L.")
@json_option
def plan(
    moves: str,
    planner: Planner,
    rig: str,
    calibration: Path | None,
    german: bool,
    as_json: bool,
) -> None:
    """Translate moves into tilts, spins and layer turns, and price them.

    Examples:
      cuberobot plan "R U R' U'"
    """
    from controller.motion.translation import paper_list
    from solvers.rubik.held_cube import looks_like_stickers
    from solvers.rubik.notation import Notation, WrittenMoves, cancel, format_moves, read_moves
    from solvers.rubik.rotations import UPRIGHT, rotation_name

    notation = Notation.GERMAN if german else Notation.STANDARD
    costs = get_rig(rig).setup(calibration).costs
    if looks_like_stickers(moves):
        written = WrittenMoves((), UPRIGHT)
        result = _fastest_for_pocket(moves, costs, planner)
    else:
        written = read_moves(moves, notation)
        # The thesis' planner drives a list as it stands; turns that merge are no plan to others.
        wanted = written.moves if planner is Planner.PAPER else cancel(written.moves)
        result = make_plan(wanted, costs, planner)
    rotation = rotation_name(written.orientation)
    seconds = prices(costs, result.primitives)
    if as_json:
        print_json(
            {
                "moves": format_moves(result.moves),
                "rotation": rotation,
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
    if rotation:
        print(
            f"The moves rotate the cube by {rotation}, which costs the rig nothing: its face turns "
            f"are {format_moves(result.moves) or 'none'}."
        )
    print(
        f"{counted(len(result.moves), 'move')}, {counted(len(result.primitives), 'primitive')}, "
        f"{counted(result.tilts, 'tilt')}, {result.robot_seconds:.1f} robot seconds"
    )


def _fastest_for_pocket(stickers: str, costs: CostModel, planner: Planner) -> Plan:
    """Return the plan for a 2x2x2 cube that takes the least time, of its shortest solutions."""
    from controller.motion.plan_choice import choose_pocket_plan
    from solvers.rubik.pocket import read_pocket

    return run_job(choose_pocket_plan(read_pocket(stickers).position, costs, planner)).plan
