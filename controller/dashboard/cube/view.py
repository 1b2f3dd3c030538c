"""Requests and view of the Cube page: plain values, as they go over the wire."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.dashboard.controller import Request
from solvers.rubik.notation import Notation

Text = Annotated[str, Meta(max_length=20_000)]


class Alphabet(StrEnum):
    """The letters in which moves are written."""

    STANDARD = "standard"
    GERMAN = "german"

    @property
    def notation(self) -> Notation:
        """The solvers' value for it."""
        return Notation[self.name]


class Method(StrEnum):
    """Few moves, or as a person solves the cube, in stages."""

    FEW = "few"
    LAYERS = "layers"


class CheckRequest(Request, frozen=True):
    """54 stickers, of which some may still be "?", or moves from the solved cube."""

    text: Text
    alphabet: Alphabet = Alphabet.STANDARD


class ScrambleRequest(Request, frozen=True):
    """A position drawn from all, always the same for one seed; None for any."""

    seed: Annotated[int, Meta(ge=0, le=10**9)] | None = None


class AimRequest(Request, frozen=True):
    """Where a cube that is held as these stickers say is to end: "" for solved, or as in Solve."""

    facelets: Annotated[str, Meta(max_length=54)]
    target: Text
    alphabet: Alphabet = Alphabet.STANDARD


class SolveRequest(Request, frozen=True):
    """Look for moves from stickers to a target: stickers, moves, a pattern's name, "" for solved.

    `search_s` are the seconds of computing for ever better solutions.
    """

    facelets: Annotated[str, Meta(max_length=54)]
    target: Text = ""
    alphabet: Alphabet = Alphabet.STANDARD
    method: Method = Method.FEW
    search_s: Annotated[float, Meta(ge=0, le=60)] = 1.0


class ScanByHandRequest(Request, frozen=True):
    """Look for a cube in what a camera sees: a device number, or a URL."""

    camera: Annotated[str, Meta(min_length=1, max_length=2000)]


class MendRequest(Request, frozen=True):
    """Read scan `number` again with stickers corrected by hand: colours by name."""

    number: int
    fixes: dict[
        Annotated[str, Meta(pattern="^[URFDLB][1-9]$")],
        Annotated[str, Meta(pattern="^[URFDLB]$")],
    ]


BLANK: Final = "?"
"""A sticker that is not painted yet."""


class PositionView(msgspec.Struct, frozen=True, kw_only=True):
    """54 stickers and what is wrong with them.

    `ringed` are the indices of the stickers that the sentence names. `upright` are the stickers of
    a legal cube with each colour named by the face on which its centre is now.
    """

    facelets: str
    is_legal: bool
    sentence: str = ""
    ringed: tuple[int, ...] = ()
    upright: str = ""
    seed: int | None = None


class PatternsView(msgspec.Struct, frozen=True):
    """The positions that have a name, as 54 stickers."""

    positions: dict[str, str]


class Doubt(msgspec.Struct, frozen=True):
    """A sticker of which the camera is not sure: its two likeliest colours, and how likely."""

    index: int
    colours: str
    shares: tuple[float, float]


class ReadingView(msgspec.Struct, frozen=True, kw_only=True):
    """What the camera has read as the robot's `number`-th scan."""

    number: int
    time: str
    facelets: str
    verdict: str
    confidence: float
    reasons: tuple[str, ...]
    doubts: tuple[Doubt, ...]


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A scan by hand.

    `faces` are the captured ones, by what people call the colours of their centres; the cube was
    held still for `steady` of `wanted` pictures. `sentence` says how to hold it next, or what went
    wrong.
    """

    is_running: bool = False
    camera: str = ""
    sentence: str = ""
    is_fault: bool = False
    faces: tuple[str, ...] = ()
    steady: int = 0
    wanted: int = 0
    has_picture: bool = False


class SearchState(StrEnum):
    """How a search stands; the same words stand in the page."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAULT = "fault"


class SolutionView(msgspec.Struct, frozen=True):
    """Moves in standard letters, and the seconds that a robot takes for them.

    `search_s` are the CPU seconds after which they were found.
    """

    moves: tuple[str, ...]
    robot_s: float
    search_s: float = 0.0


class StageView(msgspec.Struct, frozen=True):
    """A part of a solution that a person can follow."""

    name: str
    purpose: str
    moves: tuple[str, ...]


class SearchView(msgspec.Struct, frozen=True, kw_only=True):
    """The last search, for the cube and target for which it was asked."""

    facelets: str = ""
    target: str = ""
    method: str = ""
    state: SearchState = SearchState.NONE
    sentence: str = ""
    of_s: float = 0.0
    spent_s: float = 0.0
    candidates: int = 0
    solutions: tuple[SolutionView, ...] = ()
    """The fastest for the robot first."""
    stages: tuple[StageView, ...] = ()
