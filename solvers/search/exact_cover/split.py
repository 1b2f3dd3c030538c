"""Cuts the search tree of an exact-cover problem into independent parts."""

import heapq
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from solvers.search.exact_cover.encoding import Encoding, as_booleans, root
from solvers.search.exact_cover.model import Part
from solvers.search.exact_cover.symmetry import SymmetricPart


def split(encoding: Encoding, parts: Iterable[SymmetricPart], at_least: int) -> list[SymmetricPart]:
    """Cut parts further until there are `at_least` so many, or nothing is left to cut.

    The part with the greatest estimated share is cut next, so that the result depends on the
    arguments alone.
    """
    whole = list(parts)
    heap = [(-1.0 / len(whole), number, part) for number, part in enumerate(whole)]
    heapq.heapify(heap)
    numbered = len(heap)
    uncut: list[tuple[float, int, SymmetricPart]] = []
    while heap and len(heap) + len(uncut) < at_least:
        negative_share, number, part = heapq.heappop(heap)
        children = _children(encoding, part.part)
        if children is None:
            uncut.append((negative_share, number, part))
            continue
        for child in children:
            share = negative_share / len(children)
            heapq.heappush(heap, (share, numbered, replace(part, part=child)))
            numbered += 1
    return [
        replace(part, part=replace(part.part, share=-share))
        for share, _number, part in sorted(heap + uncut, key=lambda entry: entry[:2])
    ]


def _children(encoding: Encoding, part: Part) -> list[Part] | None:
    """Return the parts below a part, one per option of its scarcest item; None if it is a leaf."""
    start = root(encoding, part)
    if start is None:
        return []
    required = np.flatnonzero(as_booleans(start.required))
    if not len(required):
        return None
    _, taking = encoding.scarcest(start.alive, required)
    return [Part((*part.chosen, option), part.banned) for option in taking.tolist()]
