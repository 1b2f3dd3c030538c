"""Exact cover in plain Python: the slow, obvious search that the compiled one is tested against."""

from collections.abc import Iterator

from solvers.search.exact_cover.model import WHOLE, ExactCover, Part


def reference_solutions(cover: ExactCover, part: Part = WHOLE) -> Iterator[tuple[int, ...]]:
    """Yield every solution once, as ascending option numbers."""
    alive = [o for o in range(len(cover.options)) if o not in part.banned]
    for option in part.chosen:
        if option not in alive:
            return
        alive = _compatible(cover, option, [o for o in alive if o != option], part.chosen)
    yield from _search(cover, part.chosen, alive)


def _search(
    cover: ExactCover, chosen: tuple[int, ...], alive: list[int]
) -> Iterator[tuple[int, ...]]:
    if not any(_taken(cover, item, chosen) < least for item, least in _needs(cover)):
        yield tuple(sorted(chosen))
        candidates = alive
    else:
        item = min(
            (item for item, least in _needs(cover) if _taken(cover, item, chosen) < least),
            key=lambda item: sum(cover.options[o] >> item & 1 for o in alive),
        )
        candidates = [o for o in alive if cover.options[o] >> item & 1]
    for position, option in enumerate(candidates):
        earlier = set(candidates[: position + 1])
        rest = [o for o in alive if o not in earlier]
        yield from _search(
            cover, (*chosen, option), _compatible(cover, option, rest, (*chosen, option))
        )


def _needs(cover: ExactCover) -> list[tuple[int, int]]:
    single = [(i, 1) for i in range(cover.items) if cover.required >> i & 1]
    return [pair for pair in single if pair[0] not in cover.copies] + [
        (item, least) for item, (least, _most) in cover.copies.items()
    ]


def _taken(cover: ExactCover, item: int, chosen: tuple[int, ...]) -> int:
    return sum(cover.options[o] >> item & 1 for o in chosen)


def _compatible(
    cover: ExactCover, option: int, others: list[int], chosen: tuple[int, ...]
) -> list[int]:
    full = 0
    for item in range(cover.items):
        if cover.options[option] >> item & 1:
            most = cover.copies[item][1] if item in cover.copies else 1
            if _taken(cover, item, chosen) >= most:
                full |= 1 << item
    return [o for o in others if not cover.options[o] & full and _agree(cover, option, o)]


def _agree(cover: ExactCover, one: int, other: int) -> bool:
    if not cover.colours:
        return True
    colours = dict(cover.colours[one])
    return all(colours.get(item, colour) == colour for item, colour in cover.colours[other])
