"""Where in a drive the camera views the cube: where a view saves most for the seconds it takes.

Every primitive may go wrong unseen: a tilt slips or rolls the cube twice, a spin leaves it yawed by
a quarter, a layer does not follow. Each of these is replayed on a virtual cube. A view shows
the upper face; if that differs from the one expected, the rest of the plan is not driven in vain.
What that saves, on average, is weighed against the price of the view.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from controller.motion.primitives import CostModel, Primitive, Spin, Tilt, price_all
from controller.motion.virtual_cube import VirtualCube
from controller.recovery.escalation import RecoveryPolicy
from controller.vision.scans.viewing import facelets_in_picture
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets

DIFFERING: Final = 2
"""Stickers of a face that make a difference; a single one can be glare."""
_CANDIDATES: Final = 12


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place to look: before primitive `index`; `saves_s` if it shows a fault, at `price_s`."""

    index: int
    saves_s: float
    price_s: float


def up_face(cube: VirtualCube) -> str:
    """Return the nine letters that a camera above sees, the back of the rig on top."""
    own = format_facelets(cube.position)
    return "".join(own[index] for index in facelets_in_picture(cube.orientation))


def differs(one: str, other: str) -> bool:
    """Return whether two faces, as `up_face` gives them, surely differ."""
    return sum(a != b for a, b in zip(one, other, strict=True)) >= DIFFERING


def worthwhile_views(
    start: CubieCube,
    primitives: Sequence[Primitive],
    costs: CostModel,
    policy: RecoveryPolicy,
    fault_rate: float,
) -> tuple[int, ...]:
    """Return before which primitives to look; empty if no look is worth its price.

    `fault_rate` is how likely a primitive goes wrong unseen.
    """
    candidates = _candidates(primitives, costs, policy)
    faults = list(_faults(start, primitives, [each.index for each in candidates]))

    def worth(places: tuple[_Candidate, ...]) -> float:
        saved_s = 0.0
        for weight, shown_at in faults:
            saved_s += weight * next((c.saves_s for c in places if c.index in shown_at), 0.0)
        return fault_rate * saved_s - sum(place.price_s for place in places)

    choices = [
        places for many in range(policy.max_views + 1) for places in combinations(candidates, many)
    ]
    return tuple(place.index for place in max(choices, key=worth))


def _candidates(
    primitives: Sequence[Primitive], costs: CostModel, policy: RecoveryPolicy
) -> list[_Candidate]:
    step = max(1, len(primitives) // (_CANDIDATES + 1))
    return [
        _Candidate(
            index,
            price_all(costs, primitives[index:], primitives[index - 1]),
            policy.view_s
            + costs.ending
            + costs.price(primitives[index], None)
            - costs.price(primitives[index], primitives[index - 1]),
        )
        for index in range(step, len(primitives), step)
    ]


def _faults(
    start: CubieCube, primitives: Sequence[Primitive], looks: Sequence[int]
) -> Iterator[tuple[float, set[int]]]:
    """Yield for each fault how likely it is among those of its primitive, and where it shows."""
    cube = VirtualCube(start)
    cubes = [cube := cube.after(primitive) for primitive in primitives]
    expected = {index: up_face(cubes[index - 1]) for index in looks}
    for number, primitive in enumerate(primitives):
        before = cubes[number - 1] if number else VirtualCube(start)
        wrong = list(_gone_wrong(primitive))
        for done in wrong:
            faulty = before.after_all(done)
            shown = set()
            for index in range(number + 1, len(primitives)):
                if index in expected and differs(up_face(faulty), expected[index]):
                    shown.add(index)
                faulty = faulty.after(primitives[index])
            yield 1 / len(wrong), shown


def _gone_wrong(primitive: Primitive) -> Iterable[tuple[Primitive, ...]]:
    """Return what may happen instead of a primitive."""
    match primitive:
        case Tilt():
            return [(), (Tilt(), Tilt())]
        case Spin():
            return [(primitive, Spin(1)), (primitive, Spin(-1))]
    return [()]
