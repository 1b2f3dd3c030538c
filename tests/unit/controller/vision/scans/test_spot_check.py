"""The faces read after a drive show its faults: replayed on the cube of the simulated rig."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from controller.motion.plan_choice import choose_plan
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.mindcuber.calibration import FILES
from controller.vision.scans.spot_check import LEAST, SpotCheck, choose_spot_check, what_may_happen
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state

COSTS = FILES.default.seconds
SEEDS = range(1, 5)
PAIRS = 400


@cache
def planned(seed: int) -> tuple[Primitive, ...]:
    chosen = run_job(choose_plan(random_state(seed), SOLVED, COSTS, search_s=0.0))
    return chosen.plan.primitives


@cache
def check_of(seed: int) -> SpotCheck:
    check = choose_spot_check(random_state(seed), planned(seed), COSTS)
    assert check is not None
    return check


def driven(cube: CradledCube, primitives: Sequence[Primitive]) -> CradledCube:
    for primitive in primitives:
        match primitive:
            case Tilt():
                cube = cube.tilted()
            case Spin(quarters):
                cube = cube.spun(quarters)
            case TurnLayer(quarters):
                cube = cube.bottom_turned(quarters)
    return cube


def with_faults(
    primitives: Sequence[Primitive], places: Sequence[int], dice: Random
) -> list[Primitive]:
    """Return a drive in which other things happen at some places."""
    done: list[Primitive] = []
    for place, primitive in enumerate(primitives):
        done += dice.choice(what_may_happen(primitive)) if place in places else (primitive,)
    return done


def differing(check: SpotCheck, cube: CradledCube) -> int:
    """Return how many of the stickers that are read are others than expected."""
    wrong = 0
    for stop, letters in zip(check.stops, check.expected, strict=True):
        cube = driven(cube, stop.motions)
        wrong += sum(a != b for a, b in zip(cube.stickers[:9], letters, strict=True))
    return wrong


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drive_without_faults_leaves_what_is_expected(seed: int) -> None:
    cube = driven(CradledCube(random_state(seed)), planned(seed))
    assert cube.cube.is_solved
    assert differing(check_of(seed), cube) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_no_single_fault_at_any_place_passes_for_solved(seed: int) -> None:
    primitives = planned(seed)
    left = 0
    for place, primitive in enumerate(primitives):
        for instead in what_may_happen(primitive):
            done = [*primitives[:place], *instead, *primitives[place + 1 :]]
            cube = driven(CradledCube(random_state(seed)), done)
            left += not cube.cube.is_solved
            assert cube.cube.is_solved or differing(check_of(seed), cube) >= LEAST
    assert left > 5 * len(primitives)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_pair_of_faults_passes_for_solved(seed: int) -> None:
    primitives, dice = planned(seed), Random(seed)
    for places in dice.sample(list(combinations(range(len(primitives)), 2)), PAIRS):
        cube = driven(CradledCube(random_state(seed)), with_faults(primitives, places, dice))
        assert cube.cube.is_solved or differing(check_of(seed), cube) >= LEAST


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fault_of_the_check_itself_hides_none_of_the_drive(seed: int) -> None:
    primitives, dice = planned(seed), Random(seed)
    check = check_of(seed)
    motions = [motion for stop in check.stops for motion in stop.motions]
    for place in range(len(primitives)):
        cube = driven(CradledCube(random_state(seed)), with_faults(primitives, [place], dice))
        failing = dice.randrange(len(motions))
        for instead in what_may_happen(motions[failing]):
            wrong, number, seen = 0, 0, cube
            for stop, letters in zip(check.stops, check.expected, strict=True):
                for motion in stop.motions:
                    seen = driven(seen, instead if number == failing else (motion,))
                    number += 1
                wrong += sum(a != b for a, b in zip(seen.stickers[:9], letters, strict=True))
            assert cube.cube.is_solved or wrong >= LEAST


def test_one_face_is_not_enough_and_two_are() -> None:
    """The last layer turned lies below: no upper face alone would show that it stayed behind."""
    assert [len(check_of(seed).stops) for seed in SEEDS] == [2] * len(SEEDS)


def test_what_a_check_shows_is_said_in_figures() -> None:
    check = check_of(1)
    faults = sum(len(what_may_happen(each)) for each in planned(1))
    assert check.faults == faults
    pairs = [
        len(what_may_happen(one)) * len(what_may_happen(other))
        for one, other in combinations(planned(1), 2)
    ]
    assert check.pairs == sum(pairs)
    assert f"It read 18 of the 54 stickers, of which each of {faults} faults" in str(check)


def test_after_no_drive_the_sentence_knows_of_no_faults() -> None:
    check = choose_spot_check(SOLVED, (), COSTS)
    assert str(check) == "It read 9 of the 54 stickers; nothing was to be driven."
