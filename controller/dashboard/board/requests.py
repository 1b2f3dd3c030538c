"""What the Board page may ask for, as it comes over the wire."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from firmware_tools.puzzle8.protocol import Puzzle8Algorithm

Nine = Annotated[str, Meta(min_length=9, max_length=9)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a command."""


class Nothing(Request, frozen=True):
    """No further words."""


class Simulate(Request, frozen=True):
    """A simulated board: how much faster than real."""

    speed: Annotated[float, Meta(ge=0.1, le=50)] = 1.0


class Connect(Request, frozen=True):
    """A board on a serial port, or at an address."""

    port: Annotated[str, Meta(max_length=200)]


class Press(Request, frozen=True):
    """Move the mode switch of the simulated board, if `mode` is given, and press reset if asked."""

    mode: Literal["red", "green"] | None = None
    reset: bool = False


class Dip(Request, frozen=True):
    """Set the DIP switches of the simulated board; switch 0 is the number's lowest bit."""

    number: Annotated[int, Meta(ge=0, le=0xFF)]


class Build(Request, frozen=True):
    """Build an application by its name, or a folder or C file of this computer."""

    program: Annotated[str, Meta(max_length=1000)]


class Take(Request, frozen=True):
    """Use a file that was opened before, by the digest that opening it has answered."""

    opened: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class Flash(Request, frozen=True):
    """Bring the chosen program onto the board, and start it if asked."""

    run: bool = False


class Send(Request, frozen=True):
    """Send a line to the program that runs."""

    text: Annotated[str, Meta(max_length=500)]
    end: Literal["lf", "cr", "crlf", "none"] = "lf"


class Solve(Request, frozen=True):
    """Have the board solve an 8-puzzle; several algorithms are asked one after the other."""

    start: Nine
    goal: Nine
    algorithms: Annotated[tuple[Puzzle8Algorithm, ...], Meta(min_length=1, max_length=6)] = (
        Puzzle8Algorithm.POLICY,
    )
