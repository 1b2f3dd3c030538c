"""Plans: face turns translated into what the rig can do, priced and replayed.

Two planners: `paper` is the routine of the thesis of 2010, kept as the baseline; `optimal` finds
the cheapest translation of a given list of moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from controller.errors import InvalidPlanError
from controller.motion.primitives import CostModel, Primitive, Tilt, price_all
from controller.motion.translation import cheapest_primitives, paper_primitives
from controller.motion.virtual_cube import VirtualCube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move


class Planner(StrEnum):
    """The ways to translate face turns into primitives."""

    PAPER = "paper"
    OPTIMAL = "optimal"


@dataclass(frozen=True, slots=True)
class Plan:
    """A list of primitives that makes `moves` of the cube, and its price in seconds."""

    moves: tuple[Move, ...]
    primitives: tuple[Primitive, ...]
    robot_seconds: float

    @property
    def tilts(self) -> int:
        """How often the cube is tilted."""
        return sum(isinstance(primitive, Tilt) for primitive in self.primitives)


Translation = Callable[[Sequence[Move], CostModel], tuple[Primitive, ...]]

TRANSLATIONS: dict[Planner, Translation] = {
    Planner.PAPER: lambda moves, _costs: paper_primitives(moves),
    Planner.OPTIMAL: cheapest_primitives,
}


def make_plan(moves: Sequence[Move], costs: CostModel, planner: Planner = Planner.OPTIMAL) -> Plan:
    """Translate `moves` for a cube held as it was scanned, up face up and front face in front.

    Raises InvalidPlanError if the replay on a virtual cube differs from the moves.
    """
    primitives = TRANSLATIONS[planner](moves, costs)
    if VirtualCube(SOLVED).after_all(primitives).position != SOLVED.apply(moves):
        raise InvalidPlanError(
            f"The {planner} plan does not do what its {len(moves)} moves do; "
            "nothing was moved. Please report this with the moves."
        )
    return Plan(tuple(moves), primitives, priced(primitives, costs))


def priced(primitives: tuple[Primitive, ...], costs: CostModel) -> float:
    """Return the robot seconds of a plan, with those of its end if there is anything to end."""
    return price_all(costs, primitives) + (costs.ending if primitives else 0.0)
