"""On drawn rigs a cube lands with our motions wherever it does with the author's."""

import numpy as np
import pytest

from controller.motion.primitives import Primitive, Tilt, TurnLayer
from tests.physics.mindcuber_oracle import (
    LAYER_WITHIN_DEG,
    LAYERS_NM,
    TIPPED,
    MindCuberRig,
    author_tilts,
    author_turn,
    layer_error_deg,
    mindcubers,
    tilt_faults,
)
from tests.physics.mindcuber_recording import SEQUENCES, recorded
from tests.physics.oracle import FRICTIONS

EVERY: int = 8
"""One rig in this number is judged here; the benchmark `mindcuber_physics` judges all."""
RIGS = mindcubers()[::EVERY]


def test_there_are_as_many_rigs_as_were_asked_for() -> None:
    rigs = mindcubers()
    assert len(rigs) >= 40
    assert len({rig.name for rig in rigs}) == len(rigs)


@pytest.mark.parametrize("rig", RIGS, ids=lambda rig: rig.name)
def test_the_authors_sequence_lands_and_a_shorter_tilt_does_not(rig: MindCuberRig) -> None:
    assert tilt_faults(rig, FRICTIONS[1], author_tilts()) == []
    shorter = np.minimum(author_tilts(), TIPPED - 60)
    assert tilt_faults(rig, FRICTIONS[1], shorter)


@pytest.mark.parametrize("primitives", SEQUENCES)
def test_our_tilts_land(primitives: tuple[Primitive, ...]) -> None:
    table, arm = recorded(*primitives)
    count = primitives.count(Tilt())
    faults = {rig.name: tilt_faults(rig, FRICTIONS[1], arm, table, count) for rig in RIGS}
    assert not any(faults.values()), faults


@pytest.mark.parametrize("quarters", [1, -2])
def test_our_layer_turns_end_straight_and_a_turn_to_the_quarter_alone_does_not(
    quarters: int,
) -> None:
    table, _ = recorded(TurnLayer(quarters))
    goal = 90 * quarters
    for rig in RIGS:
        error = layer_error_deg(rig, LAYERS_NM[1], table - table[0], goal)
        assert abs(error) <= LAYER_WITHIN_DEG, rig.name
        short = np.clip(author_turn(quarters), min(0, 3 * goal), max(0, 3 * goal))
        assert abs(layer_error_deg(rig, LAYERS_NM[1], short, goal)) > LAYER_WITHIN_DEG, rig.name
