"""What the Cube page shows, as plain values.

A colour is a letter: that of the face which has it on a cube of the usual colours, white on top
and green in front. How a cube is held is therefore told by the colours of its centres.
"""

from enum import StrEnum
from typing import Final

import msgspec

BLANK: Final = "?"
"""A sticker that nobody has painted yet."""


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


class PatternNames(msgspec.Struct, frozen=True):
    """The targets that have a name."""

    names: tuple[str, ...]


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
    """A scan by somebody who shows a cube to a camera.

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
