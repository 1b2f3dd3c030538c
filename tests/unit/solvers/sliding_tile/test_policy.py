"""Hub states, cosets and the policy table agree with each other and with the distances."""

import hashlib
import random

import pytest

from solvers.sliding_tile.hub_states import (
    EDGE_COUNT,
    IDENTITY,
    TURNS,
    CosetTables,
    Hub,
    all_hubs,
    edge_distances,
    is_even,
    mirror,
    turn,
)
from solvers.sliding_tile.policy import (
    CLOCKWISE,
    DISTANCE_UNIT,
    GOAL_BYTE,
    THROUGH_CENTRE,
    TRIT_UNITS,
    PolicyTables,
    build_policy_tables,
)

# SHA-256 of all policy bytes: the same on every machine and in every version of Python.
POLICY_DIGEST = "eaf4156ae7e2235c5b935fee1346321e5a3ba9d62b1518edf4bf44eabdfb92b0"


@pytest.fixture(scope="module")
def tables() -> PolicyTables:
    return build_policy_tables()


@pytest.fixture(scope="module")
def distances() -> dict[tuple[Hub, int], int]:
    return edge_distances()


def some_hubs(count: int) -> list[Hub]:
    return random.Random(count).sample(all_hubs(), count)


def test_there_are_20160_hub_states_at_most_30_plies_away(
    distances: dict[tuple[Hub, int], int],
) -> None:
    assert len(all_hubs()) == 20_160
    assert len(distances) == 80_640
    assert max(distances.values()) == 30


def test_turns_are_even_and_undo_each_other() -> None:
    for hub in some_hubs(50):
        for corner, clockwise in TURNS:
            turned = turn(hub, corner, clockwise)
            assert is_even(turned)
            assert turn(turned, corner, not clockwise) == hub


def test_mirroring_is_its_own_inverse_and_exchanges_the_ways_round() -> None:
    for hub in some_hubs(50):
        assert mirror(mirror(hub)) == hub
        assert mirror(turn(hub, 1, True)) == turn(mirror(hub), 2, False)


def test_splitting_and_joining_give_the_hub_state_back(tables: PolicyTables) -> None:
    cosets = tables.cosets
    for hub in some_hubs(500):
        coset, element, flipped = cosets.split(hub)
        upright = cosets.join(coset, element)
        assert (mirror(upright) if flipped else upright) == hub


def test_steps_and_rows_are_the_turns(tables: PolicyTables) -> None:
    cosets = tables.cosets
    for hub in some_hubs(200):
        coset, element, _ = cosets.split(hub)
        upright = cosets.join(coset, element)
        for number, (corner, clockwise) in enumerate(TURNS):
            step = cosets.steps[number][coset]
            reached = cosets.join(step.coset, cosets.row_tables[step.row][element])
            turned = turn(upright, corner, clockwise)
            assert (mirror(reached) if step.flips else reached) == turned


def test_the_tables_are_as_small_as_the_docs_say(tables: PolicyTables) -> None:
    assert len(tables.cosets.shapes) == 87
    assert len(tables.cosets.rows) == 28
    assert {len(row) for row in tables.cosets.row_tables} == {120}


def test_every_policy_byte_leads_closer_and_has_the_distance(
    tables: PolicyTables, distances: dict[tuple[Hub, int], int]
) -> None:
    for coset, row in enumerate(tables.policy):
        for element, byte in enumerate(row):
            hub = tables.cosets.join(coset, element)
            if byte == GOAL_BYTE:
                assert hub == IDENTITY
                continue
            trits = [byte // unit % 3 for unit in TRIT_UNITS]
            nearest = min(distances[hub, edge] for edge in range(EDGE_COUNT))
            assert byte // DISTANCE_UNIT == (nearest + 1) % 3
            for edge, trit in enumerate(trits):
                here = distances[hub, edge]
                if trit == THROUGH_CENTRE:
                    assert here == nearest + 2
                    continue
                clockwise = trit == CLOCKWISE
                corner, beyond = (edge, edge + 1) if clockwise else (edge - 1, edge - 1)
                turned = turn(hub, corner % EDGE_COUNT, clockwise)
                assert distances[turned, beyond % EDGE_COUNT] == here - 2 == nearest - 2


def test_the_table_is_reproducible(tables: PolicyTables) -> None:
    assert hashlib.sha256(b"".join(tables.policy)).hexdigest() == POLICY_DIGEST
    again = CosetTables()
    assert again.row_tables == tables.cosets.row_tables
