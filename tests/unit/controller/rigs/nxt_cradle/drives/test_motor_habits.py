"""What a drive learns of its motors."""

import pytest

from controller.rigs.nxt_cradle.drives.motor_habits import (
    DEG_PER_S_AND_POWER,
    FIRST_BRAKING_TIME_S,
    LONGEST_BRAKING_TIME_S,
    BrakingHabit,
    LagHabit,
    SpeedHabit,
    StepHabit,
)


def test_a_motor_that_always_goes_on_as_far_is_braked_by_so_much_earlier() -> None:
    habit, truth = BrakingHabit(), BrakingHabit(0.08)
    for _ in range(30):
        habit.learn(800.0, truth.way_deg(800.0) - habit.way_deg(800.0))
    assert habit.time_s == pytest.approx(truth.time_s, abs=0.001)


@pytest.mark.parametrize("speed", [-900.0, -50.0, 80.0, 700.0])
def test_a_braked_motor_comes_to_stand_where_its_way_ends(speed: float) -> None:
    habit = BrakingHabit(0.05)
    middle_deg, middle_speed = habit.after(0.01, speed)
    end_deg, end_speed = habit.after(2.0, speed)
    assert end_speed == pytest.approx(0.0, abs=1e-6)
    assert end_deg == pytest.approx(habit.way_deg(speed))
    assert middle_deg + habit.way_deg(middle_speed) == pytest.approx(end_deg)


def test_a_stop_that_came_early_may_have_met_something_and_teaches_less() -> None:
    farther, shorter = BrakingHabit(), BrakingHabit()
    farther.learn(800.0, 10.0)
    shorter.learn(800.0, -10.0)
    longer_s, less_s = farther.time_s - FIRST_BRAKING_TIME_S, FIRST_BRAKING_TIME_S - shorter.time_s
    assert 0 < less_s < longer_s


def test_a_disturbed_move_teaches_nothing() -> None:
    habit = BrakingHabit()
    habit.learn(1000.0, 100.0)
    habit.learn(1000.0, -100.0)
    assert habit.time_s == FIRST_BRAKING_TIME_S


def test_braking_times_stay_within_reason() -> None:
    habit = BrakingHabit()
    for _ in range(50):
        habit.learn(1000.0, 40.0)
    assert habit.time_s == LONGEST_BRAKING_TIME_S
    for _ in range(100):
        habit.learn(1000.0, -10.0 * habit.time_s)
    assert habit.time_s < LONGEST_BRAKING_TIME_S


def test_a_speed_is_guessed_from_the_power_until_it_was_seen() -> None:
    habit = SpeedHabit()
    assert habit.deg_per_s(50) == 50 * DEG_PER_S_AND_POWER
    habit.learn(700.0)
    assert habit.deg_per_s(50) == 700.0


def test_counts_are_taken_for_as_old_as_can_be_until_it_was_learned() -> None:
    habit = LagHabit()
    habit.see_trip(0.06)
    habit.see_trip(0.045)
    assert habit.seconds == 0.045
    for _ in range(100):
        habit.learn(0.010 - habit.seconds)
    assert habit.seconds == pytest.approx(0.010, abs=0.001)
    for _ in range(100):
        habit.learn(1.0)
    assert habit.seconds == habit.most_s


def test_a_step_gets_more_power_when_it_falls_short_and_less_when_one_degree_is_too_many() -> None:
    habit = StepHabit()
    first = habit.power
    habit.learn(10, 4)
    assert habit.power_now > first
    habit.learn(10, 10)
    assert habit.power == habit.power_now > first
    for _ in range(50):
        habit.learn(1, 3)
    assert habit.power < first


def test_a_motor_that_was_held_in_its_steps_has_shown_little() -> None:
    held, stiff = StepHabit(), StepHabit()
    for _ in range(12):
        held.learn(10, 0)
    assert held.power_now == 100
    held.learn(10, 10)
    stiff.learn(10, 0)
    stiff.learn(10, 10)
    assert held.power_now == stiff.power_now < 50


def test_a_motor_that_was_held_is_as_fast_as_before() -> None:
    habit = SpeedHabit()
    habit.learn(800.0)
    for held_deg_per_s in (400.0, 200.0, 1.0):
        habit.learn(held_deg_per_s)
    assert habit.deg_per_s(100) == 800.0
    for _ in range(9):
        habit.learn(600.0)  # an emptier battery
    assert habit.deg_per_s(100) == pytest.approx(600.0, rel=0.01)


def test_a_step_that_goes_beyond_its_limit_gets_a_nearer_one() -> None:
    habit = StepHabit()
    assert habit.limit_deg(10) == 10
    for _ in range(20):
        habit.learn(10, 13)
    assert habit.limit_deg(10) == 7
    assert habit.limit_deg(2) == 1
