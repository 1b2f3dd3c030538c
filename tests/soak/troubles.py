"""What goes wrong with one cube: drawn from a seed, of all that the simulator knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from hardware_sims.nxt_brick.faults import Faults, Restart, Stall
from hardware_sims.rigs.cradle.camera.levels import CameraFault, FaultKind
from hardware_sims.rigs.cradle.faults import Build, RigFaults, Stuck
from hardware_sims.rigs.faults import Double, Short, Skip, Slip, Throw, Yaw

# A solve with a camera takes about 73 robot seconds, 1650 telegrams, 35 tilts, 17 quarters of
# spins, 28 of layer turns, and the arm leaves the cube 50 times.
TILTS: Final = 36
SPUN_QUARTERS: Final = 18
TURNED_QUARTERS: Final = 28
LEAVINGS: Final = 50
TELEGRAMS: Final = 1650
SECONDS: Final = 73.0

Part: TypeAlias = Mapping[str, Any]
"""Fields of the faults of one part."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that goes wrong: fields of brick's and rig's faults, and a camera's fault."""

    brick: Part | None = None
    rig: Part | None = None
    camera: CameraFault | None = None


@dataclass(frozen=True, slots=True)
class Troubles:
    """All that goes wrong with one cube, and its names."""

    names: tuple[str, ...]
    brick: Faults
    rig: RigFaults
    camera: tuple[CameraFault, ...]


class Dice:
    """Draws where in a number of cubes, solved one after the other, something happens."""

    def __init__(self, chance: Random, cubes: int) -> None:
        self._chance = chance
        self._cubes = cubes
        self.between, self.whole, self.one_of = chance.uniform, chance.randint, chance.choice

    def among(self, in_a_cube: int) -> int:
        """Return one of the occasions, `in_a_cube` in each cube."""
        return self._chance.randint(1, in_a_cube * self._cubes)

    def time_s(self) -> float:
        """Return a point of time."""
        return self._chance.uniform(0, SECONDS * self._cubes)

    def askew_deg(self) -> float:
        """Return how a cube lies that does not lie in its cradle."""
        return self._chance.choice((-1, 1)) * self._chance.uniform(5, 25)


Draw: TypeAlias = Callable[[Dice], Trouble]


def _camera(kind: FaultKind) -> Draw:
    def drawn(dice: Dice) -> Trouble:
        start_s = dice.time_s()
        return Trouble(camera=CameraFault(kind, start_s, start_s + dice.between(0.5, 6)))

    return drawn


UNSEEN: Final[dict[str, Draw]] = {
    "slip": lambda dice: Trouble(rig={"slip": (Slip(tilt=dice.among(TILTS)),)}),
    "double": lambda dice: Trouble(rig={"double": (Double(tilt=dice.among(TILTS)),)}),
    "throw": lambda dice: Trouble(
        rig={"throw": (Throw(tilt=dice.among(TILTS), quarters=dice.one_of((-1, 1))),)}
    ),
    "yaw": lambda dice: Trouble(rig={"yaw": (Yaw(spin=dice.among(SPUN_QUARTERS)),)}),
}
"""What no counter tells."""

FELT: Final[dict[str, Draw]] = {
    "slip askew": lambda dice: Trouble(
        rig={"slip": (Slip(tilt=dice.among(TILTS), askew_deg=dice.askew_deg()),)}
    ),
    "throw askew": lambda dice: Trouble(
        rig={"throw": (Throw(tilt=dice.among(TILTS), askew_deg=dice.askew_deg()),)}
    ),
    "short": lambda dice: Trouble(rig={"short": (Short(turn=dice.among(TURNED_QUARTERS)),)}),
    "skip": lambda dice: Trouble(rig={"skip": (Skip(turn=dice.among(TURNED_QUARTERS)),)}),
    "stuck": lambda dice: Trouble(
        rig={"stuck": (Stuck(leaving=dice.among(LEAVINGS), seconds=dice.between(1, 8)),)}
    ),
    "stall": lambda dice: Trouble(
        brick={"stalls": (Stall(dice.whole(0, 2), dice.between(0.5, 6), dice.time_s()),)}
    ),
    "rig": lambda dice: Trouble(
        rig={"rig": Build(dice.between(14, 18), dice.between(1, 2.5), dice.between(0, 0.005))}
    ),
    "battery": lambda dice: Trouble(
        brick={
            "battery_mv": dice.whole(7200, 9000),
            "battery_ohm": dice.between(0.2, 1.2),
            "drain_mv_per_minute": dice.between(0, 50),
        }
    ),
}
"""What stops a motor, or changes how it moves."""

LINE: Final[dict[str, Draw]] = {
    "drop": lambda dice: Trouble(brick={"drop_at": (dice.among(TELEGRAMS),)}),
    "lose": lambda dice: Trouble(brick={"lose_at": (dice.among(TELEGRAMS),)}),
    "delay": lambda dice: Trouble(brick={"delay_s": dice.between(0, 0.06), "jitter_s": 0.03}),
    "hiccup": lambda dice: Trouble(
        brick={"hiccup_chance": 0.002, "hiccup_s": dice.between(0.5, 3)}
    ),
    "restart": lambda dice: Trouble(
        brick={"restarts": (Restart(dice.between(1, 6), telegram=dice.among(TELEGRAMS)),)}
    ),
}

CAMERA: Final = {kind.value: _camera(kind) for kind in FaultKind}

BY_HAND: Final[dict[str, Draw]] = {
    "die": lambda dice: Trouble(brick={"die_at": dice.among(TELEGRAMS)}),
    "blind": lambda dice: Trouble(camera=CameraFault(FaultKind.UNPLUGGED, dice.time_s())),
}
"""What nobody but the owner mends: he switches the brick on, he plugs the camera in."""
RARE: Final = 0.005

MENDABLE: Final = {**UNSEEN, **FELT, **LINE, **CAMERA}
HOW_MANY: Final = (0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3)


def draw(seed: int, cubes: int = 1) -> Troubles:
    """Return what goes wrong with cube number `seed`, or with several from there on, one brick.

    With each it is mostly one thing, at times up to three.
    """
    chance = Random(seed)
    dice = Dice(chance, cubes)
    names: list[str] = []
    for _ in range(cubes):
        is_rare = chance.random() < RARE
        names += chance.sample(*((sorted(BY_HAND), 1) if is_rare else _some(chance)))
    known = {**MENDABLE, **BY_HAND}
    return together(names, [known[name](dice) for name in names], seed)


def _some(chance: Random) -> tuple[list[str], int]:
    return sorted(MENDABLE), chance.choice(HOW_MANY)


def together(names: list[str], drawn: list[Trouble], seed: int) -> Troubles:
    """Return several troubles as the faults of each part."""
    brick: dict[str, Any] = {"seed": seed}
    rig: dict[str, Any] = {"seed": seed}
    for trouble in drawn:
        for fields, part in ((brick, trouble.brick), (rig, trouble.rig)):
            for name, value in (part or {}).items():
                is_list = isinstance(value, tuple)
                fields[name] = (*fields.get(name, ()), *value) if is_list else value
    cameras = tuple(trouble.camera for trouble in drawn if trouble.camera is not None)
    return Troubles(tuple(names), Faults(**brick), RigFaults(**rig), cameras)
