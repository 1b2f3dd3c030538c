"""Symmetries of a puzzle: moves of the board with renamed labels that keep the set of tiles.

MacMahon's 24 squares are all squares with three colours. If two colours are exchanged, or each
square is turned over, the set is the same; so the mirror image of a solution is a solution, and so
is one with the two inner colours exchanged. A random set of tiles has only the board's turns.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from solvers.edge_matching.board import Board, Turn
from solvers.edge_matching.lattice.lattice import Labels, Rotation
from solvers.edge_matching.solution import turns_of

MOST_RENAMINGS: Final = 5_000
"""Limit for the renamings of labels that are checked, which takes a second."""

Renaming = Mapping[int, int]


class Symmetry(NamedTuple):
    """A move of the board, and the new name of each label."""

    turn: Turn
    renamed: Renaming

    @property
    def renames_alone(self) -> bool:
        """Whether every tile stays in its place and is not turned."""
        return all(
            cell == at and all(side == moved for side, moved in enumerate(rotation.sides))
            for at, (cell, rotation) in enumerate(self.turn)
        )

    def image(self, cell: int, labels: Labels) -> tuple[int, Labels]:
        """Return the new cell of a tile and its labels there."""
        moved, rotation = self.turn[cell]
        return moved, rotation.turned(tuple(self.renamed[label] for label in labels))


def symmetries(board: Board, tiles: Sequence[Labels]) -> list[Symmetry]:
    """Return all symmetries of a board without hints whose tiles are all placed.

    The list is empty if there are too many candidates for a renaming of the labels.
    """
    shown = {label for tile in tiles for label in tile} | set(board.rim_labels.values())
    labels = shown if board.same_labels else shown | {-label for label in shown}
    renamings = list(islice(_renamings(board, tiles, labels), MOST_RENAMINGS + 1))
    if len(renamings) > MOST_RENAMINGS:
        return []
    least = {turn: min(turns_of(tile, board.lattice)) for tile in tiles for turn in
             turns_of(tile, board.lattice)}  # fmt: skip
    kinds = Counter(least[tile] for tile in tiles)
    found = []
    for ways in (board.lattice.rotations, board.lattice.reflections):
        turns = board.automorphisms(ways)
        for renamed in renamings if turns else ():
            if _after(kinds, ways[0], renamed, least) == kinds:
                every = (Symmetry(turn, renamed) for turn in turns)
                found += [each for each in every if _keeps_rim(board, each)]
    return found


def _after(
    kinds: Mapping[Labels, int], way: Rotation, renamed: Renaming, least: Mapping[Labels, Labels]
) -> Counter[Labels]:
    """Return the number of tiles of each kind after turning and renaming."""
    after = Counter[Labels]()
    for tile, number in kinds.items():
        image = way.turned(tuple(renamed[label] for label in tile))
        after[least.get(image, ())] += number
    return after


def _keeps_rim(board: Board, symmetry: Symmetry) -> bool:
    images = ((symmetry.turn[cell], side, x) for (cell, side), x in board.rim_labels.items())
    return all(
        board.rim_labels.get((cell, rotation.sides[side])) == symmetry.renamed[label]
        for (cell, rotation), side, label in images
    )


def _renamings(board: Board, tiles: Sequence[Labels], labels: set[int]) -> Iterator[Renaming]:
    """Yield the renamings of labels within their classes that keep partners together."""
    classes = _classes(board, tiles, labels)
    sign = 1 if board.same_labels else -1
    first = [label for label in sorted(labels) if label >= 0 or sign == 1]
    waiting: list[dict[int, int]] = [{}]
    while waiting:
        renamed = waiting.pop()
        label = next((each for each in first if each not in renamed), None)
        if label is None:
            yield renamed
            continue
        taken = set(renamed.values())
        for image in labels - taken:
            if classes[image] == classes[label]:
                waiting.append(renamed | {label: image, sign * label: sign * image})


def _classes(board: Board, tiles: Sequence[Labels], labels: set[int]) -> dict[int, int]:
    """Return a class for each label; labels of one class cannot be distinguished.

    Classes are refined by the rim and by the tiles that carry a label, which are distinguished by
    the classes of their labels, until no class splits further.
    """
    ways = board.lattice.rotations + board.lattice.reflections
    sign = 1 if board.same_labels else -1
    rim = set(board.rim_labels.values())
    classes = _numbered({label: (label in rim, sign * label in rim, not label) for label in labels})
    while True:
        seen = defaultdict(list)
        for tile in tiles:
            for label in set(tile):
                marked = [(classes[each], each == label) for each in tile]
                seen[label].append(min(_moved(way, marked) for way in ways))
        after = _numbered(
            {
                label: (classes[label], classes[sign * label], *sorted(seen[label]))
                for label in labels
            }
        )
        if max(after.values()) == max(classes.values()):
            return after
        classes = after


def _moved(way: Rotation, marked: Sequence[tuple[int, bool]]) -> tuple[tuple[int, bool], ...]:
    after = list(marked)
    for side, mark in zip(way.sides, marked, strict=True):
        after[side] = mark
    return tuple(after)


def _numbered(kinds: Mapping[int, tuple[object, ...]]) -> dict[int, int]:
    """Return a number for each label, the same where the kinds are."""
    numbers: dict[tuple[object, ...], int] = {}
    return {label: numbers.setdefault(kind, len(numbers)) for label, kind in kinds.items()}
