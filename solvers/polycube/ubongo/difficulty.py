"""How hard a card is: placements that a careful human is expected to try.

The modelled human always looks at the most constrained spot: the cube of space, or the piece, that
can be served in the fewest ways (the first such, in the order cells then pieces). All these ways
are tried in random order, each followed to its end in the same manner, until one works out.
Nothing is guessed: with exactly one solution the expected number of tries follows from the search
tree. At a spot with k ways one leads on; each of the others is tried first with probability 1/2
and costs its whole subtree:

    tries(spot) = 1 + tries(right way) + 1/2 * sum over wrong ways of (1 + all tries below it)
"""

from dataclasses import dataclass

from solvers.polycube.solving.placements import packing
from solvers.polycube.ubongo.card import Card
from solvers.polycube.ubongo.grade import Grade
from solvers.search.exact_cover.model import ExactCover

# Upper limits of expected tries: a third each of unique cards with three and with four pieces.
EASY_UP_TO_TRIES = 6.0
MEDIUM_UP_TO_TRIES = 12.0


@dataclass(frozen=True)
class Difficulty:
    """Expected tries of the modelled human, and the size of its whole search tree."""

    expected_tries: float
    nodes: int

    @property
    def grade(self) -> Grade:
        """The grade for these tries."""
        if self.expected_tries <= EASY_UP_TO_TRIES:
            return Grade.EASY
        return Grade.MEDIUM if self.expected_tries <= MEDIUM_UP_TO_TRIES else Grade.HARD


def difficulty(card: Card) -> Difficulty:
    """Measure a card that has exactly one solution."""
    cover = packing(card.puzzle()).cover
    visit = _visit(cover, cover.required, list(cover.options))
    return Difficulty(visit.tries_until_solved, visit.all_tries)


@dataclass(frozen=True)
class _Visit:
    """What happens below one position: tries if it is given up, and until it is solved."""

    solved: bool
    all_tries: int
    tries_until_solved: float


def _visit(cover: ExactCover, open_items: int, options: list[int]) -> _Visit:
    if not open_items:
        return _Visit(True, 0, 0.0)
    ways = [option for option in options if option & _most_constrained(open_items, options)]
    solved, all_tries, right, wrong = False, 0, 0.0, 0
    for way in ways:
        below = _visit(cover, open_items & ~way, [other for other in options if not other & way])
        all_tries += 1 + below.all_tries
        if below.solved and not solved:
            solved, right = True, below.tries_until_solved
        else:
            wrong += 1 + below.all_tries
    return _Visit(solved, all_tries, 1 + right + wrong / 2 if solved else 0.0)


def _most_constrained(open_items: int, options: list[int]) -> int:
    """Return the item, as a bit, that the fewest options take."""
    best, fewest = open_items & -open_items, len(options) + 1
    left = open_items
    while left:
        item = left & -left
        left ^= item
        ways = sum(1 for option in options if option & item)
        if ways < fewest:
            best, fewest = item, ways
    return best
