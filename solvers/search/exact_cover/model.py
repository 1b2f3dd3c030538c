"""What an exact-cover problem is: items, options as bit sets, colours, and several copies.

An *option* is a set of items, written as an integer whose bit i is set when it takes item i. A
solution is a set of options in which

- every item of `required` is taken exactly once, every other one at most once;
- an item of `copies` is taken by at least and at most so many options instead;
- the options agree on the colour of every coloured item that they share.

Coloured items are numbered on their own; any number of options may share one, if they agree.
This is Knuth's multiple covering with colours (The Art of Computer Programming 4B, 7.2.2.1).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from solvers.foundation.errors import InvalidInputError

Colouring = tuple[tuple[int, int], ...]


class ExactCoverError(InvalidInputError):
    """The problem contradicts itself; the message says where."""


@dataclass(frozen=True)
class ExactCover:
    """A problem with `items` items and `options`; see the module's text for the rules.

    `copies` maps an item to (least, most). `colours`, if any, gives for every option its
    (coloured item, colour) pairs, both from 0 up.
    """

    items: int
    options: tuple[int, ...]
    required: int
    copies: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    colours: tuple[Colouring, ...] = ()

    def __post_init__(self) -> None:
        beyond = 1 << self.items
        if not 0 <= self.required < beyond:
            raise ExactCoverError(f"Required items must be numbered below {self.items}.")
        for number, option in enumerate(self.options):
            if not 0 < option < beyond:
                raise ExactCoverError(
                    f"Option {number} must take at least one item, all numbered below {self.items}."
                )
        if self.colours and len(self.colours) != len(self.options):
            raise ExactCoverError("Colours must be given for every option, or for none.")
        for item, (least, most) in self.copies.items():
            if not (0 <= item < self.items and 0 <= least <= most and most > 0):
                raise ExactCoverError(f"Item {item} cannot be taken {least} to {most} times.")

    @classmethod
    def of(
        cls,
        options: Iterable[Iterable[int]],
        *,
        optional: Iterable[int] = (),
        copies: Mapping[int, tuple[int, int]] | None = None,
        colours: Iterable[Mapping[int, int]] = (),
    ) -> "ExactCover":
        """Build a problem from lists of items; all items but the `optional` are required."""
        words = tuple(bit_set(option) for option in options)
        may_stay_open = bit_set(optional)
        counted = bit_set(copies or {})
        seen = may_stay_open | counted
        for word in words:
            seen |= word
        everything = (1 << seen.bit_length()) - 1
        return cls(
            items=seen.bit_length(),
            options=words,
            required=everything & ~may_stay_open & ~counted,
            copies=dict(copies or {}),
            colours=tuple(tuple(sorted(colouring.items())) for colouring in colours),
        )


@dataclass(frozen=True)
class Part:
    """A part of the search tree: these options are chosen, those are banned.

    `share` estimates the part's share of the whole tree. Parts cut from one problem hold each
    solution exactly once.
    """

    chosen: tuple[int, ...] = ()
    banned: frozenset[int] = frozenset()
    share: float = 1.0


WHOLE = Part()


def bit_set(members: Iterable[int]) -> int:
    """Return the integer with these bits set."""
    word = 0
    for member in members:
        word |= 1 << member
    return word
