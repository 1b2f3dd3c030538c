"""The policy tables as they stand in code memory, and the sources generated from them."""

import random
import re

import pytest

from firmware_tools.building.program import application_names, find_program, generated_sources
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from firmware_tools.puzzle8.tables import (
    FIRST_PAGE,
    FLIP_BIT,
    PAGE_BYTES,
    TableImage,
    pair_numbers,
    policy_image,
    policy_sources,
    small_sources,
)
from solvers.sliding_tile.hub_states import (
    EDGE_COUNT,
    IDENTITY,
    TURNS,
    CosetTables,
    Hub,
    all_hubs,
    edge_distances,
    mirror,
    turn,
)

PROGRAMS = [
    "policy",
    "policy-c",
    "policy-small",
    "iddfs_v1",
    "iddfs_v2",
    "astar",
    "astar-repeated",
    "neural",
]


@pytest.fixture(scope="module")
def image() -> TableImage:
    return policy_image()


@pytest.fixture(scope="module")
def distances() -> dict[tuple[Hub, int], int]:
    return edge_distances()


class TableWalker:
    """Follows the tables as the programs do, byte by byte."""

    def __init__(self, image: TableImage) -> None:
        self._image = image

    def at(self, page: int, index: int) -> int:
        return self._image.data[(page - FIRST_PAGE) * PAGE_BYTES + index]

    def page(self, name: str) -> int:
        return self._image.pages[name]

    def policy(self, coset: int, element: int) -> int:
        return self.at(coset & 0x7F, element | (coset & 0x80))

    def coset_byte(self, coset: int) -> int:
        return self.page("POLICY") + coset // 2 | (0x80 if coset % 2 else 0)


def test_every_walk_down_the_tables_is_as_long_as_the_distance(
    image: TableImage, distances: dict[tuple[Hub, int], int]
) -> None:
    walker, cosets = TableWalker(image), CosetTables()
    for hub in random.Random(1).sample(all_hubs(), 300):
        for edge in range(EDGE_COUNT):
            coset, element, flipped = cosets.split(hub)
            seen = -edge % EDGE_COUNT if flipped else edge
            byte = walker.coset_byte(coset)
            plies = _walk(walker, byte, element, seen)
            assert plies == distances[hub, edge]


def _walk(walker: TableWalker, coset: int, element: int, edge: int) -> int:
    plies = 0
    while True:
        action = walker.at(walker.page("ACTION") + edge, walker.policy(coset, element))
        assert action >> 6 == edge
        if action & 2:
            return plies + (2 if edge else 0)
        target, counter = action >> 4 & 3, action >> 3 & 1
        plies += 2 if target == edge else 4
        corner = (target - 1) % EDGE_COUNT if counter else target
        edge = (target + (-1 if counter else 1)) % EDGE_COUNT
        page = walker.page("TURN") + 2 * (2 * corner + counter)
        row = walker.at(page + 1, coset)
        coset, element = walker.at(page, coset), walker.at(row & ~FLIP_BIT, element)
        if row & FLIP_BIT:
            edge = -edge % EDGE_COUNT


def test_distance_pages_agree_with_the_distances(
    image: TableImage, distances: dict[tuple[Hub, int], int]
) -> None:
    walker, cosets = TableWalker(image), CosetTables()
    for hub in [IDENTITY, *random.Random(2).sample(all_hubs(), 200)]:
        coset, element, flipped = cosets.split(hub)
        upright: Hub = mirror(hub) if flipped else hub
        value = walker.policy(walker.coset_byte(coset), element)
        nearest = min(distances[upright, edge] for edge in range(EDGE_COUNT))
        assert walker.at(walker.page("HUB_DISTANCE"), value) == (nearest + 1) % 3
        for edge in range(EDGE_COUNT):
            distance = walker.at(walker.page("DISTANCE") + edge, value)
            assert distance == distances[upright, edge] % 3


def test_turn_pages_are_the_turns(image: TableImage) -> None:
    walker, cosets = TableWalker(image), CosetTables()
    for hub in random.Random(3).sample(all_hubs(), 100):
        coset, element, _ = cosets.split(hub)
        byte = walker.coset_byte(coset)
        for number, (corner, clockwise) in enumerate(TURNS):
            page = walker.page("TURN") + 2 * number
            reached = cosets.split(turn(cosets.join(coset, element), corner, clockwise))
            row = walker.at(page + 1, byte)
            assert walker.at(page, byte) == walker.coset_byte(reached[0])
            assert walker.at(row & ~FLIP_BIT, element) == reached[1]
            assert bool(row & FLIP_BIT) == reached[2]


def test_the_tables_leave_room_for_programs(image: TableImage) -> None:
    assert len(image.data) % PAGE_BYTES == 0
    assert max(image.pages.values()) < FLIP_BIT
    assert FIRST_PAGE * PAGE_BYTES + len(image.data) == 0x7900  # where policy_asm.asm continues


def test_pairs_are_numbered_once() -> None:
    assert sorted(pair_numbers().values()) == list(range(28))


@pytest.mark.parametrize("generator", ["policy_sources", "small_sources", "neural_sources"])
def test_generated_sources_are_ascii_and_the_same_each_time(generator: str) -> None:
    name = f"firmware_tools.puzzle8.tables:{generator}"
    sources = generated_sources(name)
    assert sources == generated_sources(name)
    assert all(text.isascii() and text.endswith("\n") for text in sources.values())


def test_the_checksum_stands_in_the_header(image: TableImage) -> None:
    header = policy_sources()["puzzle8_tables.h"]
    assert f'#define TABLES_CHECKSUM "{image.checksum:08X}"' in header


def test_the_source_holds_every_byte_of_the_tables(image: TableImage) -> None:
    _, _, body = policy_sources()["puzzle8_tables.c"].partition("= {")
    assert bytes(int(number) for number in re.findall(r"\d+", body)) == image.data


def test_the_small_tables_take_11_kilobytes() -> None:
    source = small_sources()["puzzle8_small_tables.c"]
    sizes = [int(size) for size in re.findall(r"\[(\d+)\] =", source)]
    assert sizes[0] == 87 * 120
    assert sum(sizes) < 11_000


def test_the_programs_are_applications() -> None:
    assert list(Puzzle8Algorithm) == PROGRAMS
    names = application_names()
    assert {"puzzle8", *(f"puzzle8-{program}" for program in PROGRAMS)} <= set(names)
    default, policy = find_program(["puzzle8"]), find_program(["puzzle8-policy"])
    assert default.sources == policy.sources
    assert "policy_asm.asm" in {source.name for source in policy.sources}
