"""Requests and view of the Board page: plain values, as they go over the wire."""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.dashboard.controller import Request
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm

Nine = Annotated[str, Meta(min_length=9, max_length=9)]


class SimulateRequest(Request, frozen=True):
    """A simulated board: how much faster than real."""

    speed: Annotated[float, Meta(ge=0.1, le=50)] = 1.0


class ConnectRequest(Request, frozen=True):
    """A board on a serial port, or at an address."""

    port: Annotated[str, Meta(max_length=200)]


class PressRequest(Request, frozen=True):
    """Move the mode switch of the simulated board, if `mode` is given, and press reset if asked."""

    mode: Literal["red", "green"] | None = None
    reset: bool = False


class DipRequest(Request, frozen=True):
    """Set the DIP switches of the simulated board; switch 0 is the number's lowest bit."""

    number: Annotated[int, Meta(ge=0, le=0xFF)]


class BuildRequest(Request, frozen=True):
    """Build an application by its name, or a folder or C file of this computer."""

    program: Annotated[str, Meta(max_length=1000)]


class TakeRequest(Request, frozen=True):
    """Use a file that was opened before, by the digest that opening it has answered."""

    opened: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class FlashRequest(Request, frozen=True):
    """Bring the chosen program onto the board, and start it if asked."""

    run: bool = False


class SendRequest(Request, frozen=True):
    """Send a line to the program that runs."""

    text: Annotated[str, Meta(max_length=500)]
    end: Literal["lf", "cr", "crlf", "none"] = "lf"


class SolveRequest(Request, frozen=True):
    """Have the board solve an 8-puzzle; several algorithms are asked one after the other."""

    start: Nine
    goal: Nine
    algorithms: Annotated[
        tuple[Puzzle8Algorithm, ...], Meta(min_length=1, max_length=len(Puzzle8Algorithm))
    ] = (Puzzle8Algorithm.POLICY,)


class Phase(StrEnum):
    """What state the board is in; the same words stand in the page."""

    NONE = "none"
    CONNECTING = "connecting"
    READY = "ready"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAULT = "fault"
    FINISHED = "finished"


class OnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """The boot loader's last report: chip, and what is in flash.

    `image` is empty, incomplete or valid, and "" before the first inquiry. `name` is the file, if
    the dashboard has flashed it; `before` what was there then.
    """

    chip: str = ""
    protocol: str = ""
    image: str = ""
    bytes: int = 0
    crc32: str = ""
    name: str = ""
    before: str = ""


class BoardView(msgspec.Struct, frozen=True, kw_only=True):
    """The board and what is done with it; `work` is the running job's title."""

    phase: Phase = Phase.NONE
    sentence: str = ""
    work: str = ""
    address: str = ""
    is_simulated: bool = False
    is_lost: bool = False
    """The line to the board has broken off."""
    speed: float = 1.0
    on_board: OnBoard = OnBoard()


class Memory(msgspec.Struct, frozen=True):
    """One kind of memory, in bytes."""

    name: str
    used: int
    limit: int
    note: str = ""


class ProgramView(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen program. `state` is empty, building, ready, or failed (see `error`).

    `memory` is there of one that failed, too, if it is over budget; `chain` are the functions of
    the deepest chain of calls, `remarks` what the compiler and the stack's walk have to say.
    """

    state: str = "empty"
    name: str = ""
    source: str = ""
    memory: tuple[Memory, ...] = ()
    chain: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    error: str = ""
    bytes: int = 0
    blocks: int = 0
    estimated_s: float = 0.0
    crc32: str = ""


class PhaseView(msgspec.Struct, frozen=True):
    """A part of flashing; `state` is waiting, now, done or failed."""

    name: str
    state: str = "waiting"


class FlashView(msgspec.Struct, frozen=True, kw_only=True):
    """How far flashing is: `done` of the blocks at `addresses`, and how often each was repeated.

    `elsewhere` counts what was repeated outside programming. Seconds are the user's.
    """

    name: str = ""
    addresses: tuple[int, ...] = ()
    phases: tuple[PhaseView, ...] = ()
    done: int = 0
    bytes: int = 0
    total: int = 0
    repeats: dict[int, int] = {}
    silent: int = 0
    refused: int = 0
    elsewhere: int = 0
    elapsed_s: float = 0.0
    left_s: float = 0.0
    crc32: str = ""
    outcome: str = ""
    """Empty while it works. Then complete, or what the board says of its flash after work that was
    cut off: incomplete, empty, unverified, or unknown; untouched if it was not started.
    """


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """What one algorithm answered; `error` is a sentence where it has no path.

    `cycles` and `milliseconds` are the solver's own, `timer_cycles` what the board has counted.

    `published_ms` is what the paper measured for an instance of as many moves, by what `published`
    names; it is this very instance if `is_published`. None: the paper has none.
    """

    algorithm: str
    moves: str = ""
    shortest: int = 0
    is_optimal: bool = False
    cycles: int = 0
    timer_cycles: int = 0
    milliseconds: float = 0.0
    published: str = ""
    published_ms: int | None = None
    is_published: bool = False
    error: str = ""


class PuzzleView(msgspec.Struct, frozen=True, kw_only=True):
    """An 8-puzzle and the answers to it, newest last; `asking` is who works on it now."""

    start: str = ""
    goal: str = ""
    asking: str = ""
    solutions: tuple[Solution, ...] = ()
