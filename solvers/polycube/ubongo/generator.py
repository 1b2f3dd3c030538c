"""Generation of cards with exactly one solution.

Pieces and base areas are drawn at random until a card has one solution, with rotated ones of a
symmetric board counted separately, and the requested grade. The result depends only on the seed.
"""

import random
from dataclasses import dataclass

from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.polycube.errors import PuzzleError
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.ubongo.card import (
    FIELD,
    MAX_HEIGHT,
    NO_FIELD,
    Card,
    Grade,
    shapes,
    volume,
)
from solvers.polycube.ubongo.solution import Difficulty, difficulty, solve

Field = tuple[int, int]

# The game's boards are at most five fields wide and four deep.
WIDEST, DEEPEST = 5, 4
MIN_PIECES = 2
MOST_PIECES = 10  # each more than doubles the time to compute the difficulty
ATTEMPTS_PER_CARD = 20_000


class NoCardFoundError(PuzzlerigError):
    """No card of the requested kind was found."""


@dataclass(frozen=True)
class Wanted:
    """The kind of cards to generate; `grade` None accepts any."""

    pieces: int = 3
    height: int = 2
    grade: Grade | None = None

    def __post_init__(self) -> None:
        if not MIN_PIECES <= self.pieces <= MOST_PIECES:
            raise PuzzleError(
                f"Cards are made with {MIN_PIECES} to {MOST_PIECES} pieces, not {self.pieces}."
            )
        if not 1 <= self.height <= MAX_HEIGHT:
            raise PuzzleError(f"A card is 1 to {MAX_HEIGHT} layers high, not {self.height}.")


@dataclass(frozen=True)
class NewCard:
    """A card, its only solution, its difficulty, and the nodes of the search that proved it."""

    card: Card
    solution: PackingSolution
    difficulty: Difficulty
    nodes: int


def generate(
    wanted: Wanted, number: int, seed: int, so_far: list[NewCard] | None = None
) -> Job[Progress, tuple[NewCard, ...]]:
    """Generate `number` different cards; the same seed gives the same cards.

    They are appended to `so_far`, which can be read after the job was stopped.

    Raises:
        NoCardFoundError: no further card was found in ATTEMPTS_PER_CARD attempts.
    """
    rng = random.Random(seed)
    cards = [] if so_far is None else so_far
    seen: set[tuple[frozenset[int], frozenset[Field]]] = set()
    for index in range(1, number + 1):
        yield Progress("", len(cards), number, "cards")
        for _ in range(ATTEMPTS_PER_CARD):
            new = _attempt(wanted, rng, f"card {index}")
            if new is None:
                continue
            key = (frozenset(new.card.pieces), _canonical(_fields(new.card.rows)))
            if key not in seen:
                seen.add(key)
                cards.append(new)
                break
        else:
            grade = f"{wanted.grade.value} " if wanted.grade else ""
            raise NoCardFoundError(
                f"No further {grade}card with {wanted.pieces} pieces, {wanted.height} high, was "
                f"found in {ATTEMPTS_PER_CARD} attempts; change the number of pieces, the height "
                "or the grade."
            )
    return tuple(cards)


def _attempt(wanted: Wanted, rng: random.Random, name: str) -> NewCard | None:
    # Sorted first, so that the result depends only on the seed.
    pieces = tuple(sorted(rng.sample(sorted(shapes()), wanted.pieces)))
    cubes = volume(pieces)
    area = cubes // wanted.height
    if cubes % wanted.height or not area:
        return None
    width, depth = _frame(area)
    rows = _draw_rows(_random_area(area, width, depth, rng))
    card = Card(pieces, rows, wanted.height, name)
    # Two solutions are enough to reject a card.
    solved = solve(card, at_most=2)
    if len(solved.solutions) != 1:
        return None
    measured = difficulty(solved)
    if wanted.grade not in (None, measured.grade):
        return None
    return NewCard(card, solved.solutions[0], measured, solved.nodes)


def _frame(area: int) -> Field:
    """Return the maximal width and depth of a base area: the game's, or more for large areas."""
    width, depth = WIDEST, DEEPEST
    # A frame half as large again as the area, so that its outline can vary.
    while width * depth < 1.5 * area:
        width, depth = width + 1, depth + 1
    return width, depth


def _random_area(area: int, width: int, depth: int, rng: random.Random) -> frozenset[Field]:
    """Return connected fields, each added at a random place next to the others."""
    fields = {(rng.randrange(width), rng.randrange(depth))}
    while len(fields) < area:
        rim = {
            (x + dx, y + dy)
            for x, y in fields
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + dx < width and 0 <= y + dy < depth
        }
        fields.add(rng.choice(sorted(rim - fields)))
    return frozenset(fields)


def _draw_rows(fields: frozenset[Field]) -> tuple[str, ...]:
    left, top = (min(field[axis] for field in fields) for axis in range(2))
    right, bottom = (max(field[axis] for field in fields) for axis in range(2))
    return tuple(
        "".join(FIELD if (x, y) in fields else NO_FIELD for x in range(left, right + 1))
        for y in range(top, bottom + 1)
    )


def _fields(rows: tuple[str, ...]) -> frozenset[Field]:
    return frozenset(
        (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == FIELD
    )


def _canonical(fields: frozenset[Field]) -> frozenset[Field]:
    """Return the smallest of the eight orientations of an area, so that rotated cards are equal."""
    images = []
    for _ in range(4):
        fields = frozenset((-y, x) for x, y in fields)
        for image in (fields, frozenset((-x, y) for x, y in fields)):
            left, top = (min(field[axis] for field in image) for axis in range(2))
            images.append(sorted((x - left, y - top) for x, y in image))
    return frozenset(min(images))
