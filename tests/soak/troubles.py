"""What goes wrong with one cube: drawn from a seed, of all that the simulator knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from hardware_sims.cube_rig.camera.faults import CameraFault, FaultKind
from hardware_sims.cube_rig.faults import (
    Build,
    Double,
    RigFaults,
    Short,
    Skip,
    Slip,
    Stuck,
    Throw,
    Yaw,
)
from hardware_sims.nxt_brick.faults import Faults, Restart, Stall

# A solve with a camera takes about 60 robot seconds, 2700 telegrams (a scan's alone 500), 35 tilts,
# 17 quarters of spins, 28 of layer turns, and the arm leaves the cube 50 times.
TILTS: Final = 36
SPUN_QUARTERS: Final = 18
TURNED_QUARTERS: Final = 28
LEAVINGS: Final = 50
TELEGRAMS: Final = 2700
SECONDS: Final = 65.0

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


def _askew(chance: Random) -> float:
    return chance.choice((-1, 1)) * chance.uniform(5, 25)


def _camera(kind: FaultKind) -> Callable[[Random], Trouble]:
    def drawn(chance: Random) -> Trouble:
        start_s = chance.uniform(0, SECONDS)
        return Trouble(camera=CameraFault(kind, start_s, start_s + chance.uniform(0.5, 6)))

    return drawn


def _tilt(chance: Random) -> int:
    return chance.randint(1, TILTS)


def _turn(chance: Random) -> int:
    return chance.randint(1, TURNED_QUARTERS)


def _telegram(chance: Random) -> int:
    return chance.randint(1, TELEGRAMS)


UNSEEN: Final[dict[str, Callable[[Random], Trouble]]] = {
    "slip": lambda chance: Trouble(rig={"slip": (Slip(tilt=_tilt(chance)),)}),
    "double": lambda chance: Trouble(rig={"double": (Double(tilt=_tilt(chance)),)}),
    "throw": lambda chance: Trouble(
        rig={"throw": (Throw(tilt=_tilt(chance), quarters=chance.choice((-1, 1))),)}
    ),
    "yaw": lambda chance: Trouble(rig={"yaw": (Yaw(spin=chance.randint(1, SPUN_QUARTERS)),)}),
}
"""What no counter tells."""

FELT: Final[dict[str, Callable[[Random], Trouble]]] = {
    "slip askew": lambda chance: Trouble(
        rig={"slip": (Slip(tilt=_tilt(chance), askew_deg=_askew(chance)),)}
    ),
    "throw askew": lambda chance: Trouble(
        rig={"throw": (Throw(tilt=_tilt(chance), askew_deg=_askew(chance)),)}
    ),
    "short": lambda chance: Trouble(rig={"short": (Short(turn=_turn(chance)),)}),
    "skip": lambda chance: Trouble(rig={"skip": (Skip(turn=_turn(chance)),)}),
    "stuck": lambda chance: Trouble(
        rig={"stuck": (Stuck(leaving=chance.randint(1, LEAVINGS), seconds=chance.uniform(1, 8)),)}
    ),
    "stall": lambda chance: Trouble(
        brick={
            "stalls": (
                Stall(chance.randrange(3), chance.uniform(0.5, 6), chance.uniform(0, SECONDS)),
            )
        }
    ),
    "rig": lambda chance: Trouble(
        rig={"rig": Build(chance.uniform(14, 18), chance.uniform(1, 2.5), chance.uniform(0, 0.005))}
    ),
    "battery": lambda chance: Trouble(
        brick={
            "battery_mv": chance.randint(7200, 9000),
            "battery_ohm": chance.uniform(0.2, 1.2),
            "drain_mv_per_minute": chance.uniform(0, 50),
        }
    ),
}
"""What stops a motor, or changes how it moves."""

LINE: Final[dict[str, Callable[[Random], Trouble]]] = {
    "drop": lambda chance: Trouble(brick={"drop_at": (_telegram(chance),)}),
    "lose": lambda chance: Trouble(brick={"lose_at": (_telegram(chance),)}),
    "delay": lambda chance: Trouble(brick={"delay_s": chance.uniform(0, 0.06), "jitter_s": 0.03}),
    "hiccup": lambda chance: Trouble(
        brick={"hiccup_chance": 0.002, "hiccup_s": chance.uniform(0.5, 3)}
    ),
    "restart": lambda chance: Trouble(
        brick={"restarts": (Restart(chance.uniform(1, 6), telegram=_telegram(chance)),)}
    ),
}

CAMERA: Final = {kind.value: _camera(kind) for kind in FaultKind}

BY_HAND: Final[dict[str, Callable[[Random], Trouble]]] = {
    "die": lambda chance: Trouble(brick={"die_at": _telegram(chance)}),
    "blind": lambda chance: Trouble(
        camera=CameraFault(FaultKind.UNPLUGGED, chance.uniform(0, SECONDS))
    ),
}
"""What nobody but the owner mends: he switches the brick on, he plugs the camera in."""
RARE: Final = 0.005

MENDABLE: Final = {**UNSEEN, **FELT, **LINE, **CAMERA}
HOW_MANY: Final = (0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3)


def draw(seed: int) -> Troubles:
    """Return what goes wrong with cube number `seed`: mostly one thing, at times up to three."""
    chance = Random(seed)
    known = {**MENDABLE, **BY_HAND}
    names = chance.sample(sorted(MENDABLE), chance.choice(HOW_MANY))
    if chance.random() < RARE:
        names = [chance.choice(sorted(BY_HAND))]
    return together(names, [known[name](chance) for name in names], seed)


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
