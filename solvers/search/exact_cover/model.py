"""Exact-cover problems: items, options as bit sets, colours, copies, and their encoding in words.

An *option* is a set of items, written as an integer whose bit i is set if it takes item i. A
solution is a set of options in which

- every item of `required` is taken exactly once, every other one at most once;
- an item of `copies` is instead taken by a number of options within its bounds;
- the options agree on the colour of every coloured item that they share.

Coloured items are numbered separately; any number of options may share one if they agree. This is
Knuth's multiple covering with colours (The Art of Computer Programming 4B, 7.2.2.1).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from solvers.foundation.errors import InvalidInputError

Colouring = tuple[tuple[int, int], ...]


class ExactCoverError(InvalidInputError):
    """The problem contradicts itself; the message says where."""


@dataclass(frozen=True)
class ExactCover:
    """A problem with `items` items and `options`; see the module's docstring for the rules.

    `copies` maps an item to (least, most). `colours`, if any, gives the (coloured item, colour)
    pairs of every option, both counted from 0.
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
    """A part of the search tree, with these options chosen and those banned.

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


# Problems encoded as arrays of words, for the compiled search.

WORD_BITS = 64
WORD = (1 << WORD_BITS) - 1
# Options times levels; below this, the room for a search is small in any case.
FEW_ENTRIES: Final = 10_000


@dataclass(frozen=True)
class Encoding:
    """`takes` and `blocks` have one row of words per option, the other bit sets one row.

    The bits are the items, followed by one bit per colour of each coloured item. Two options
    exclude each other when one takes what the other blocks: the items that both take, except
    counted ones, and the contrary colours of the items that one of them colours.
    """

    takes: Any
    blocks: Any
    required: Any
    counted_items: Any
    least: Any
    most: Any
    colour_bits: Mapping[tuple[int, int], int]
    single_words: bool

    @property
    def options(self) -> int:
        """Number of options."""
        return len(self.takes)

    @property
    def bits(self) -> int:
        """Number of bits in a row of words."""
        return int(WORD_BITS * self.takes.shape[1])

    @cached_property
    def rows(self) -> Any:
        """One row per option: the bits it takes, ascending, padded with the number of all bits."""
        options, words = np.nonzero(self.takes)
        found, bits = np.nonzero(as_booleans(self.takes[options, words][:, np.newaxis]))
        return padded_rows(options[found], WORD_BITS * words[found] + bits, self.options, self.bits)

    def taking(self, alive: Any, items: Any) -> Iterator[Any]:
        """Yield for each of the ascending items the options that take it, of those alive."""
        # One sort groups the options of all items at once; it must be stable to keep options
        # ascending.
        flat = self.rows[alive].ravel()
        order = np.argsort(flat, kind="stable")
        first = np.searchsorted(flat[order], items)
        last = np.searchsorted(flat[order], items, side="right")
        options = alive[order // self.rows.shape[1]]
        for start, end in zip(first.tolist(), last.tolist(), strict=True):
            yield options[start:end]

    def scarcest(self, alive: Any, required: Any) -> tuple[int, Any]:
        """Return the item that the fewest options take, of those required, and these options."""
        rows = self.rows[alive]
        number = np.bincount(rows.ravel(), minlength=self.bits + 1)
        item = int(required[number[required].argmin()])
        return item, alive[(rows == item).any(axis=1)]

    @cached_property
    def greatest_depth(self) -> int:
        """An upper bound for the number of options in a solution.

        If every option takes many items, solutions have few options. So they have if the last items
        of options are few, since each may be taken only so often; that is computed only for large
        problems.
        """
        exclusive = self.takes & self.blocks
        least = int(np.bitwise_count(exclusive).sum(axis=1).min(initial=WORD_BITS))
        items = int(np.bitwise_count(np.bitwise_or.reduce(exclusive, axis=0)).sum())
        most = min(self.options, items // least if least else items + int(self.most.sum()))
        if self.options * most < FEW_ENTRIES:
            return most
        room = dict(zip(self.counted_items.tolist(), self.most.tolist(), strict=True))
        counted = _rows([bit_set(room)], self.takes.shape[1])
        last = _last_bits(exclusive | self.takes & counted)
        capacity: int = sum(room.get(item, 1) for item in set(last.tolist()))
        return min(most, capacity)


@dataclass(frozen=True)
class Root:
    """Start of a search: options still possible, and what is still open."""

    alive: Any
    required: Any
    need: Any
    room: Any


def encode(cover: ExactCover) -> Encoding:
    """Return the problem as arrays."""
    takes, blocks = list(cover.options), list(cover.options)
    counted = bit_set(cover.copies)
    if counted:
        blocks = [option & ~counted for option in cover.options]
    colour_bits = _add_colours(cover, takes, blocks)
    words = max(1, -(-(cover.items + len(colour_bits)) // WORD_BITS))
    counted_items = sorted(cover.copies)
    required = cover.required & ~counted
    return Encoding(
        takes=_rows(takes, words),
        blocks=_rows(blocks, words),
        required=_rows([required], words)[0],
        counted_items=np.array(counted_items, dtype=np.int64),
        least=np.array([cover.copies[item][0] for item in counted_items], dtype=np.int64),
        most=np.array([cover.copies[item][1] for item in counted_items], dtype=np.int64),
        colour_bits=colour_bits,
        single_words=_fits_single_words(cover, required),
    )


def root(encoding: Encoding, part: Part) -> Root | None:
    """Return the start of a part's search; None if its chosen options contradict it."""
    alive = np.ones(encoding.options, dtype=bool)
    alive[list(part.banned)] = False
    required = encoding.required.copy()
    need, room = encoding.least.copy(), encoding.most.copy()
    for option in part.chosen:
        if not alive[option]:
            return None
        alive[option] = False
        required &= ~encoding.takes[option]
        # `blocks` leaves out counted items, so options may share these.
        alive &= ~(encoding.takes & encoding.blocks[option]).any(axis=1)
        for index, item in enumerate(encoding.counted_items):
            word, bit = divmod(int(item), WORD_BITS)
            if int(encoding.takes[option, word]) >> bit & 1:
                need[index] -= 1
                room[index] -= 1
                if room[index] <= 0:
                    alive &= (encoding.takes[:, word] & np.uint64(1 << bit)) == 0
    return Root(np.flatnonzero(alive).astype(np.int64), required, need, room)


def _fits_single_words(cover: ExactCover, required: int) -> bool:
    """Return whether the search over single words may take over once few items are open."""
    return (
        not cover.copies
        and not cover.colours
        and all(option & required for option in cover.options)
        and len(set(cover.options)) == len(cover.options)
    )


def _add_colours(
    cover: ExactCover, takes: list[int], blocks: list[int]
) -> dict[tuple[int, int], int]:
    """Add the colours' bits to every option; return the bit of every item and colour."""
    used = sorted({pair for colouring in cover.colours for pair in colouring})
    bit_of = {pair: cover.items + number for number, pair in enumerate(used)}
    contrary: dict[int, int] = {}
    for (item, _colour), bit in bit_of.items():
        contrary[item] = contrary.get(item, 0) | 1 << bit
    for number, colouring in enumerate(cover.colours):
        for pair in colouring:
            bit = 1 << bit_of[pair]
            takes[number] |= bit
            # An option takes its own colour of the item and blocks all others.
            blocks[number] |= contrary[pair[0]] & ~bit
    return bit_of


def _rows(bit_sets: list[int], words: int) -> Any:
    if words == 1:
        return np.array(bit_sets, dtype=np.uint64).reshape(-1, 1)
    data = b"".join(bits.to_bytes(8 * words, "little") for bits in bit_sets)
    return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(-1, words)


def padded_rows(numbers: Any, items: Any, rows: int, beyond: int) -> Any:
    """Return `rows` rows of items of equal length, each padded with `beyond`.

    Row `numbers[i]` (ascending) contains `items[i]`.
    """
    lengths = np.bincount(numbers, minlength=rows)
    filled = np.full((rows, lengths.max(initial=1)), beyond, dtype=np.int32)
    filled[np.arange(filled.shape[1]) < lengths[:, np.newaxis]] = items
    return filled


def _last_bits(rows: Any) -> Any:
    """Return the number of the last bit that is set in each row of words."""
    word = rows.shape[1] - 1 - (rows[:, ::-1] != 0).argmax(axis=1)
    bits = rows[np.arange(len(rows)), word]
    # There is no integer logarithm in numpy. Halves of 32 bits are exact as floats, whose exponent
    # is the position of the highest bit.
    upper = bits >> np.uint64(32)
    half = np.where(upper > 0, upper, bits & np.uint64((1 << 32) - 1))
    _, above = np.frexp(half.astype(np.float64))  # exact: no number here has more than 32 bits
    return word * WORD_BITS + 32 * (upper > 0) + above - 1


def as_booleans(words: Any) -> Any:
    """Return the bits of rows of words as rows of booleans."""
    as_bytes = np.ascontiguousarray(words).astype("<u8").view(np.uint8)
    return np.unpackbits(as_bytes, axis=-1, bitorder="little").astype(bool)
