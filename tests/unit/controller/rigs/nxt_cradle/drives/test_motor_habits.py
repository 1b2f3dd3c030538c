"""What a drive learns of its motors."""

import pytest

from controller.rigs.nxt_cradle.drives.motor_habits import (
    FIRST_BRAKING_TIME_S,
    LONGEST_BRAKING_TIME_S,
    MOST_MISSED_S,
    BrakingHabit,
    StepHabit,
)


def test_a_motor_that_always_goes_on_as_long_is_braked_by_so_much_earlier() -> None:
    habit, truth_s = BrakingHabit(), 0.08
    for _ in range(20):
        habit.learn(800.0, 800.0 * (truth_s - habit.braking_time_s))
    assert habit.braking_time_s == pytest.approx(truth_s, abs=0.001)
    assert habit.braking_deg == pytest.approx(800 * truth_s, abs=1)


def test_a_disturbed_move_teaches_nothing() -> None:
    habit = BrakingHabit()
    habit.learn(1000.0, 1.1 * 1000 * MOST_MISSED_S)
    habit.learn(1000.0, -1.1 * 1000 * MOST_MISSED_S)
    assert habit.braking_time_s == FIRST_BRAKING_TIME_S
    assert habit.braking_deg == 0


def test_braking_times_stay_within_reason() -> None:
    habit = BrakingHabit()
    for _ in range(50):
        habit.learn(1000.0, 50.0)
    assert habit.braking_time_s == LONGEST_BRAKING_TIME_S
    for _ in range(50):
        habit.learn(1000.0, -50.0)
    assert habit.braking_time_s == 0


def test_a_step_gets_more_power_when_it_falls_short_and_less_when_one_degree_is_too_many() -> None:
    habit = StepHabit()
    first = habit.power
    habit.learn(10, 4)
    assert habit.power > first
    for _ in range(50):
        habit.learn(1, 3)
    assert habit.power < first


def test_a_step_that_goes_beyond_its_limit_gets_a_nearer_one() -> None:
    habit = StepHabit()
    assert habit.limit_deg(10) == 10
    for _ in range(20):
        habit.learn(10, 13)
    assert habit.limit_deg(10) == 7
    assert habit.limit_deg(2) == 1
