"""What flashing tells while it works; a `Progress` each, so that whoever only draws bars may."""

from dataclasses import dataclass
from enum import StrEnum

from firmware_tools.flashing.plan import FlashPlan
from solvers.foundation.progress import Progress


class Phase(StrEnum):
    """A part of the job; its events bear it as their task."""

    CONNECT = "connect"
    ERASE = "erase"
    PROGRAM = "program"
    CHECK = "check"
    VERIFY = "verify"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned(Progress):
    """What is going to be flashed; comes first. `total` counts the bytes that are sent."""

    plan: FlashPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Programmed(Progress):
    """A block is in flash. `silent` and `refused` say how often, and why, it was sent again."""

    address: int
    silent: int
    refused: int
