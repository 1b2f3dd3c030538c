"""Damaged input for one target, and a report of its faults."""

import random
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from solvers.foundation.errors import PuzzlerigError
from tests.fuzz.mutation import mutated
from tests.fuzz.target import Target

MOST_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """Input that a reader does not stand, and what it does."""

    target: str
    number: int
    data: bytes
    what: str


def inputs(target: Target, count: int, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield damaged inputs by number, the same for a number each time."""
    seeds = target.seeds()
    for number in range(start, count):
        choose = random.Random(f"{target.name} {number}")
        yield number, mutated(choose.choice(seeds), seeds, choose)


def feed(target: Target, count: int, folder: Path) -> Iterator[Finding]:
    """Read inputs one after the other; yield those that the reader does not stand."""
    for number, data in inputs(target, count):
        finding = tried(target, number, data, folder)
        if finding is not None:
            yield finding


def tried(target: Target, number: int, data: bytes, folder: Path) -> Finding | None:
    """Read one input, in a folder of its own."""
    place = folder / str(number)
    place.mkdir(parents=True)
    began_s = time.process_time()
    try:
        target.read(data, place)
    except PuzzlerigError as error:
        wrong = "" if str(error).strip() else f"an error without a sentence: {error!r}"
    except Exception as error:  # whatever else comes out is the finding
        wrong = f"{type(error).__name__}: {error}"
    else:
        wrong = ""
    taken_s = time.process_time() - began_s
    shutil.rmtree(place)
    if not wrong and taken_s > MOST_S:
        wrong = f"it took {taken_s:.1f} s"
    return Finding(target.name, number, data, wrong) if wrong else None
