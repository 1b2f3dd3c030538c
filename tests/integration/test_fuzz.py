"""A short run of the fuzzer over every reader; `make fuzz` has the long one."""

import random
from pathlib import Path

import pytest

from tests.fuzz.feeding import feed, tried
from tests.fuzz.mutation import mutated
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

COUNT = 60


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_input_is_read_or_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    assert list(feed(TARGETS[name], COUNT, tmp_path)) == []


def test_what_a_reader_does_not_stand_is_found(tmp_path: Path) -> None:
    """The fuzzer itself: who counts on a colon is caught, with the input that shows it."""
    target = Target("careless", lambda: [b"a:1"], lambda data, _: data.split(b":")[1])
    found = list(feed(target, COUNT, tmp_path))
    assert found
    assert b":" not in found[0].data
    assert found[0].what.startswith("IndexError")
    assert tried(target, 0, b"a:1", tmp_path) is None


def test_damages_are_the_same_each_time() -> None:
    first, second = (
        [mutated(b"key = 1\n", [b"other = 2"], random.Random(seed)) for seed in range(50)]
        for _ in range(2)
    )
    assert first == second
    assert len(set(first)) > 40
