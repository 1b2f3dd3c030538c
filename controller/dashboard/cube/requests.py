"""What the Cube page may ask for, as it comes over the wire."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

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


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """54 stickers, of which some may still be "?", or moves from the solved cube."""

    text: Text
    alphabet: Alphabet = Alphabet.STANDARD


class Scramble(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position drawn from all, always the same for one seed; None for any."""

    seed: Annotated[int, Meta(ge=0, le=10**9)] | None = None


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a cube that is held as these stickers say is to end: "" for solved, or as in Solve."""

    facelets: Annotated[str, Meta(max_length=54)]
    target: Text
    alphabet: Alphabet = Alphabet.STANDARD


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Look for moves from stickers to a target: stickers, moves, a pattern's name, "" for solved.

    `search_s` are the seconds of computing for ever better solutions.
    """

    facelets: Annotated[str, Meta(max_length=54)]
    target: Text = ""
    alphabet: Alphabet = Alphabet.STANDARD
    method: Method = Method.FEW
    search_s: Annotated[float, Meta(ge=0, le=60)] = 1.0


class ScanByHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Look for a cube in what a camera sees: a device number, or a URL."""

    camera: Annotated[str, Meta(min_length=1, max_length=2000)]


class Mend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Read the last scan again with stickers that somebody has looked at: colours by name."""

    number: int
    fixes: dict[
        Annotated[str, Meta(pattern="^[URFDLB][1-9]$")],
        Annotated[str, Meta(pattern="^[URFDLB]$")],
    ]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No further words."""
