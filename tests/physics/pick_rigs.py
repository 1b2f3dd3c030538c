"""Make the family of what was found: python -m tests.physics.pick_rigs FILE ...

Rigs are taken kind by kind, the most different ones first, after they have been judged again; every
third one is kept apart.
"""

import sys
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Final

import msgspec

from solvers.foundation.files import write_text
from tests.physics.find_rigs import BELONGS, NEW_MM, fits, score
from tests.physics.rigs import FAMILY, Rig, difference

MOST_OF_A_KIND: Final = 15
APART: Final = 3


def most_different(rigs: Iterable[Rig], count: int) -> Iterator[Rig]:
    """Yield rigs of a kind, each the farthest from those before it."""
    left = list(rigs)
    taken: list[Rig] = []
    while left and len(taken) < count:
        best = max(left, key=lambda rig: _novelty(rig, taken))
        if _novelty(best, taken) < NEW_MM:
            return
        left.remove(best)
        taken.append(best)
        yield best


def _novelty(rig: Rig, taken: Iterable[Rig]) -> float:
    return min((difference(rig, each) for each in taken), default=inf)


def pick(found: Iterable[Rig]) -> list[Rig]:
    """Return the family, named and with every third rig of a kind kept apart."""
    by_kind: dict[str, list[Rig]] = {}
    for rig in found:
        if fits(rig) and score(rig) >= BELONGS:
            by_kind.setdefault(rig.kind, []).append(rig)
    return [
        msgspec.structs.replace(rig, name=f"{kind}-{number}", kept_apart=number % APART == 0)
        for kind, rigs in sorted(by_kind.items())
        for number, rig in enumerate(most_different(rigs, MOST_OF_A_KIND), 1)
    ]


def main() -> None:
    """Write the family's file."""
    lines = [line for name in sys.argv[1:] for line in Path(name).read_text().splitlines()]
    rigs = pick(msgspec.json.decode(line, type=Rig) for line in lines)
    rows = ",\n".join(msgspec.json.encode(rig).decode() for rig in rigs)
    write_text(FAMILY, f"[\n{rows}\n]\n")


if __name__ == "__main__":
    main()
