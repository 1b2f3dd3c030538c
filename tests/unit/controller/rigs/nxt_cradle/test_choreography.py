"""Overlapping motions: safe by the rig's geometry, whatever time each motor takes."""

from collections.abc import Iterable
from itertools import product

import pytest
from msgspec.structs import replace

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.direct_player import BEYOND_DEG, NEAR_DEG
from controller.rigs.nxt_brick.motion import (
    TIPPING,
    CutOff,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Push,
    Reach,
    Rest,
    Square,
    cradle_change,
)
from controller.rigs.nxt_brick.player import MAILBOX_HOLDS, scripts_of
from controller.rigs.nxt_cradle.calibration.values import FILES, Calibration, Tuning
from controller.rigs.nxt_cradle.choreography import MANNERS, Choreographer
from controller.rigs.rig import Earned
from tests.unit.controller.rigs.nxt_cradle.contacts import TIPS_SOON_DEG, Contacts

PRIMITIVES: tuple[Primitive, ...] = (
    Tilt(),
    *(kind(quarters) for kind in (Spin, TurnLayer) for quarters in (-2, -1, 1, 2)),
)


def calibration(play: float = 16) -> Calibration:
    """Return the simulated rig with a cube of so much play."""
    rig = FILES.default
    return replace(rig, cradle=replace(rig.cradle, slack_deg=play))


def choreographies(
    primitives: list[Primitive],
    play: float = 16,
    beyond_deg: int = 0,
    *,
    is_viewed: bool = False,
    manner: int = 0,
) -> list[tuple[Primitive, tuple[Motion, ...]]]:
    """Return the motions of each primitive between its neighbours.

    Each tilted cube `is_viewed`. A `manner` is counted from 1; 0 is the usual one.
    """
    choreographer = Choreographer(calibration(play), beyond_deg)
    for _ in range(manner):
        choreographer.change_manner(Tilt())
    result, quarters = [], 0
    for before, primitive, ahead in zip(
        [None, *primitives], primitives, [*primitives[1:], None], strict=False
    ):
        motions = choreographer.motions(
            primitive,
            quarters,
            before,
            ahead,
            is_viewed=is_viewed and choreographer.is_free_after(primitive),
        )
        result.append((primitive, motions))
        quarters += cradle_change(primitive)
    return result


def watched(play: float, beyond_deg: int, manner: int) -> Contacts:
    """Return contacts that let the pusher set out early only where motions overlap."""
    is_alone = manner > 0 and MANNERS[manner - 1].is_alone
    return Contacts(play) if beyond_deg or is_alone else Contacts(play, TIPS_SOON_DEG)


@pytest.mark.parametrize("manner", range(len(MANNERS) + 1))
@pytest.mark.parametrize("beyond_deg", [0, BEYOND_DEG])
@pytest.mark.parametrize("play", [8, 24])
def test_no_parts_meet_however_long_each_motor_takes(
    play: float, beyond_deg: int, manner: int
) -> None:
    for primitives in product(PRIMITIVES, repeat=3):
        contacts = watched(play, beyond_deg, manner)
        played = choreographies(list(primitives), play, beyond_deg, manner=manner)
        for primitive, motions in played:
            contacts.follow(primitive, motions)


@pytest.mark.parametrize("manner", range(len(MANNERS) + 1))
def test_no_parts_meet_between_views(manner: int) -> None:
    for primitives in product(PRIMITIVES, repeat=2):
        contacts = watched(16, 0, manner)
        played = choreographies(list(primitives), is_viewed=True, manner=manner)
        for primitive, motions in played:
            contacts.follow(primitive, motions)


def test_a_viewed_cube_is_down_before_the_arm_closes_on_it() -> None:
    for count in (1, 2):
        motions = choreographies([Tilt()] * count, is_viewed=True)[0][1]
        done = motions.index(Done())
        waits = [each.motor for each in motions[done:] if isinstance(each, Reach)]
        assert waits[-2:] == [Motor.PUSHER, Motor.ARM]
        assert not any(isinstance(each, Rest) for each in motions[done:])


def test_a_motor_that_may_come_too_far_is_sent_less_far_towards_the_cube() -> None:
    """The arm would lift it, and the pusher meet the corners of one that spins."""
    for primitives in product(PRIMITIVES, repeat=2):
        (_, motions), (_, careful) = (
            choreographies([Tilt(), *primitives], beyond_deg=beyond_deg)[1]
            for beyond_deg in (0, BEYOND_DEG)
        )
        exact_goals, careful_goals = (
            [motion for motion in played if isinstance(motion, Go)] for played in (motions, careful)
        )
        if isinstance(primitives[0], Tilt):
            rolling = Go(Motor.PUSHER, max(each.angle_deg for each in careful_goals))
            del careful_goals[careful_goals.index(rolling) - 1]
        if isinstance(primitives[0], Spin):
            cradle = [goal for goal in exact_goals if goal.motor is Motor.CRADLE]
            exact_goals.remove(cradle[-2])  # it sets out before the arm is away
        for exact, less in zip(exact_goals, careful_goals, strict=True):
            assert less.motor is exact.motor
            if exact.motor is not Motor.CRADLE:
                assert less.angle_deg <= exact.angle_deg or exact.angle_deg >= 40
            if exact == Go(Motor.ARM, 1):
                assert less.angle_deg == 1 - BEYOND_DEG
        assert not any(isinstance(motion, Square) for motion in motions)
        is_turn = isinstance(primitives[0], TurnLayer)
        assert any(isinstance(motion, Square) for motion in careful) == is_turn


def test_every_wait_is_over_where_a_motor_that_may_miss_is_left() -> None:
    for primitives in product(PRIMITIVES, repeat=3):
        goals = dict.fromkeys(Motor, 0)
        pushing: Motor | None = None
        for _, motions in choreographies(list(primitives), beyond_deg=BEYOND_DEG):
            for motion in motions:
                if isinstance(motion, Go):
                    goals[motion.motor] = motion.angle_deg
                elif isinstance(motion, Reach):
                    way = 1 if motion.upwards else -1
                    spare_deg = way * (goals[motion.motor] - motion.angle_deg)
                    assert spare_deg >= NEAR_DEG or motion.motor is pushing, motion
                pushing = motion.motor if isinstance(motion, Push) else None


@pytest.mark.parametrize("play", [0, 16, 60])
@pytest.mark.parametrize("before", [Tilt(), TurnLayer(1)])
@pytest.mark.parametrize("way", [-1, 1])
def test_a_spin_sets_out_before_the_arm_is_away(before: Primitive, way: int, play: float) -> None:
    _, motions = choreographies([before, Spin(way), Tilt()], play)[1]
    began = cradle_change(before) * FILES.default.cradle.quarter_deg
    cradle = {
        index: -way * (motion.angle_deg - began)  # a spin by +1 turns the motor backwards
        for index, motion in enumerate(motions)
        if isinstance(motion, Go) and motion.motor is Motor.CRADLE
    }
    leaning, setting_out, spinning = cradle
    assert 0 <= cradle[leaning] <= cradle[setting_out] < cradle[spinning] == 315
    arm = [
        index
        for index, motion in enumerate(motions)
        if isinstance(motion, Reach) and motion.motor is Motor.ARM
    ]
    assert arm[0] < setting_out < arm[1] < spinning


@pytest.mark.parametrize("before", [None, Tilt(), Spin(1)])
@pytest.mark.parametrize("beyond_deg", [0, BEYOND_DEG])
def test_the_cradle_turns_no_layer_before_the_arm_presses(
    before: Primitive | None, beyond_deg: int
) -> None:
    """An arm that bounces as it meets the cube does not hold the upper layers yet."""
    primitives: list[Primitive] = [before, TurnLayer(1)] if before else [TurnLayer(1)]
    _, motions = choreographies(primitives, beyond_deg=beyond_deg)[-1]
    began = cradle_change(before) * FILES.default.cradle.quarter_deg if before else 0
    pressing = next(index for index, each in enumerate(motions) if isinstance(each, Push))
    cradle = [
        each.angle_deg
        for each in motions[:pressing]
        if isinstance(each, Go) and each.motor is Motor.CRADLE
    ]
    assert set(cradle) <= {began}


def test_every_wait_is_needed() -> None:
    """Leaving out any wait lets parts meet, after some neighbours."""
    needed: set[tuple[object, ...]] = set()
    seen: set[tuple[object, ...]] = set()
    some: tuple[Primitive, ...] = (Tilt(), Spin(1), Spin(-1), TurnLayer(1), TurnLayer(-1))
    for primitives in product(some, repeat=3):
        played = choreographies([*primitives, Spin(1)], play=16)
        for place in (1, 2):
            primitive, motions = played[place]
            before, ahead = played[place - 1][0], played[place + 1][0]
            is_gripped_next = isinstance(primitive, Spin) and isinstance(ahead, TurnLayer)
            kinds = type(before), type(primitive), is_gripped_next
            for index, motion in enumerate(motions):
                if isinstance(motion, Reach):
                    wait = (*kinds, index, motion.motor, motion.upwards)
                    seen.add(wait)
                    shortened = [*played]
                    shortened[place] = (primitive, motions[:index] + motions[index + 1 :])
                    if wait not in needed and not is_safe(shortened, play=16):
                        needed.add(wait)
    assert len(seen) > 40
    assert seen == needed


def is_safe(played: list[tuple[Primitive, tuple[Motion, ...]]], play: float) -> bool:
    """Say whether no parts can meet."""
    contacts = Contacts(play, TIPS_SOON_DEG)
    try:
        for primitive, motions in played:
            contacts.follow(primitive, motions)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=str)
def test_rig_goes_home_when_nothing_is_ahead(primitive: Primitive) -> None:
    ((_, motions),) = choreographies([primitive])
    goals = {motion.motor: motion.angle_deg for motion in motions if isinstance(motion, Go)}
    cradle = 315 * cradle_change(primitive)
    assert goals == {Motor.CRADLE: cradle, Motor.ARM: 0, Motor.PUSHER: 0}
    assert Done() in motions


def test_layer_is_turned_on_by_the_play_either_way() -> None:
    for quarters in (-2, -1, 1, 2):
        ((_, motions), _) = choreographies([TurnLayer(quarters), Tilt()])
        farthest = max(
            (abs(motion.angle_deg), motion.angle_deg)
            for motion in motions
            if isinstance(motion, Go) and motion.motor is Motor.CRADLE
        )[1]
        assert farthest == 315 * quarters + (16 if quarters > 0 else -16)


def tip_of(motions: Iterable[Motion]) -> Go:
    """Return the motion of the arm that tips the cube."""
    lifts = (each for each in motions if isinstance(each, Go) and each.motor is Motor.ARM)
    return next(each for each in lifts if each.angle_deg > 38)


def goals_of(motor: Motor, motions: Iterable[Motion]) -> list[int]:
    """Return where a motor is sent, in turn."""
    return [each.angle_deg for each in motions if isinstance(each, Go) and each.motor is motor]


def test_each_manner_seats_the_cube_and_some_start_and_end_at_home() -> None:
    choreographer = Choreographer(calibration())
    usual = choreographer.motions(Tilt(), 0, Tilt(), Spin(1))
    tilts = set()
    for manner in MANNERS:
        choreographer.change_manner(Tilt())
        after_spin = choreographer.motions(Tilt(), 0, Spin(1), TurnLayer(1))
        motions = choreographer.motions(Tilt(), 0, Tilt(), Spin(1))
        spin = choreographer.motions(Spin(1), 0, Tilt(), Tilt())
        if manner.is_alone:
            assert motions == choreographer.motions(Tilt(), 0)
            assert spin == choreographer.motions(Spin(1), 0)
            before, after = [0, 167, 0, 0, 0], [0]
        else:
            before, after = [], []
            seat = [167, 0] if manner.seats_before else []
            assert goals_of(Motor.PUSHER, after_spin) == [*seat, 207, 0, 167, 0]
            after_turn = choreographer.motions(Tilt(), 0, TurnLayer(1), TurnLayer(1))
            assert goals_of(Motor.PUSHER, after_turn) == [*seat, 207, 0, 167, 0]
            assert goals_of(Motor.ARM, spin)[:2] == [0, -40]  # squared by the arm
            first = choreographer.motions(Tilt(), 0, None, Spin(1))
            assert goals_of(Motor.PUSHER, first)[:3] == [0, 167, 0]
        assert goals_of(Motor.PUSHER, motions) == [*before, 207, 0, 167, 0, *after]
        lift = tip_of(motions)
        assert lift.angle_deg == 40 + manner.further_deg
        assert lift.pace is not None
        assert lift.pace.speed_deg_s == pytest.approx(
            manner.lift * FILES.default.tilting.lift.speed_deg_s
        )
        tilts.add((motions, after_spin))
    assert len(tilts) == len(MANNERS)
    assert all(usual not in each for each in tilts)
    last = choreographer.motions(Tilt(), 0)
    choreographer.change_manner(TurnLayer(1))
    assert choreographer.motions(Tilt(), 0) == last


def test_after_a_layer_turn_the_arm_tips_the_cube_at_a_pace_of_its_own() -> None:
    choreographer, tilting = Choreographer(calibration()), FILES.default.tilting
    for before, pace in (
        (Spin(1), tilting.lift),
        (Tilt(), tilting.lift),
        (TurnLayer(1), tilting.lift_after_turn),
    ):
        motions = choreographer.motions(Tilt(), 0, before, Spin(1))
        assert tip_of(motions).pace == pace, before


def test_in_another_manner_the_arm_presses_with_all_its_power_and_alone_longer_and_less() -> None:
    choreographer = Choreographer(calibration())

    def presses() -> list[Motion]:
        motions = choreographer.motions(TurnLayer(1), 0)
        first = next(index for index, each in enumerate(motions) if isinstance(each, Push))
        return [*motions[first : first + 3], *(e for e in motions[first + 3 :] if type(e) is Push)]

    closed = Reach(Motor.ARM, 0, upwards=True)
    turns = Go(Motor.CRADLE, 315 + 16)
    assert presses() == [Push(Motor.ARM, 70), closed, turns, Push(Motor.ARM, round(0.85 * 70))]
    for manner in (*MANNERS, *MANNERS):  # and each time the same
        choreographer.change_manner(Tilt())
        stopped_short = Reach(Motor.ARM, 0, upwards=True, stands_from=-4)
        alone = [Push(Motor.ARM, 65), Pause(200), stopped_short]
        assert presses() == (alone if manner.is_alone else [Push(Motor.ARM, 70), closed, turns])


@pytest.mark.parametrize("learnt", range(len(MANNERS) + 1))
def test_a_manner_that_was_learnt_is_played_from_the_start(learnt: int) -> None:
    tuning = Tuning(manner=Earned(learnt, learnt))
    choreographer = Choreographer(replace(calibration(), tuning=tuning))
    other = Choreographer(calibration())
    for _ in range(learnt):
        other.change_manner(Tilt())
    if learnt:  # and a first fault leaves it there
        choreographer.change_manner(Tilt())
    for _ in MANNERS:
        assert choreographer.motions(Tilt(), 0, Tilt(), Tilt()) == other.motions(
            Tilt(), 0, Tilt(), Tilt()
        )
        choreographer.change_manner(Tilt())
        other.change_manner(Tilt())


def test_neighbours_fit_into_one_message_each() -> None:
    for neighbours in product(PRIMITIVES, repeat=2):
        for _, motions in choreographies([Tilt(), *neighbours, Tilt()])[1:-1]:
            assert len(scripts_of(motions)) == 1, neighbours


@pytest.mark.parametrize("is_viewed", [False, True])
def test_a_primitive_fits_into_the_mailbox_in_every_manner(is_viewed: bool) -> None:
    choreographer = Choreographer(calibration())
    for _ in MANNERS:
        choreographer.change_manner(Tilt())
        for primitive, before, ahead in product(PRIMITIVES, repeat=3):
            motions = choreographer.motions(primitive, 0, before, ahead)
            assert len(scripts_of(motions)) <= MAILBOX_HOLDS
        for primitive in PRIMITIVES:
            for cut_off in (None, CutOff(0, 40, 160), CutOff(TIPPING, 40, 160)):
                motions = choreographer.motions(primitive, 0, cut_off=cut_off, is_viewed=is_viewed)
                assert len(scripts_of(motions)) <= MAILBOX_HOLDS


def test_a_layer_turn_that_was_cut_off_is_held_with_another_press_from_then_on() -> None:
    choreographer = Choreographer(calibration())

    def press(cut_off: CutOff | None) -> list[int]:
        motions = choreographer.motions(TurnLayer(1), 0, cut_off=cut_off)
        return [motion.power for motion in motions if isinstance(motion, Push)]

    own = calibration().arm.press_power
    stalled = CutOff(0, 40, 160)
    assert [press(each) for each in (None, stalled, None)] == [[own, 60], [100], [100]]
    assert [press(stalled) for _ in range(3)] == [[52], [own], [100]]


def test_a_layer_turns_with_less_press_than_the_cube_is_gripped_with() -> None:
    for beyond_deg, powers in ((0, [70, 60]), (BEYOND_DEG, [70])):
        motions = Choreographer(calibration(), beyond_deg).motions(TurnLayer(1), 0)
        presses = [each for each in motions if isinstance(each, Push)]
        assert [each.power for each in presses] == powers
        gripped = motions.index(Reach(Motor.ARM, 0, upwards=True))
        turns = motions.index(Go(Motor.CRADLE, 315 + 16))
        assert motions.index(presses[0]) < gripped < turns
        assert motions[turns + 1] == presses[-1] or beyond_deg


def test_the_pusher_leaves_before_the_cube_is_tipped_where_motions_overlap() -> None:
    def leaves_with_arm_at(choreographer: Choreographer) -> int:
        motions = choreographer.motions(Tilt(), 0, Tilt(), Tilt())
        waits = motions[motions.index(tip_of(motions)) :]
        return next(each for each in waits if isinstance(each, Reach)).angle_deg

    assert leaves_with_arm_at(Choreographer(calibration(), BEYOND_DEG)) == 39
    choreographer = Choreographer(calibration())
    assert leaves_with_arm_at(choreographer) == 33
    for manner in MANNERS:
        choreographer.change_manner(Tilt())
        leaves = 39 + manner.further_deg if manner.is_late else 33
        assert leaves_with_arm_at(choreographer) == leaves
