"""Prices are measured by playing runs in which all neighbours meet, and the cube is as before."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec
import pytest

from controller.motion.mechanism import Battery, Settled, State
from controller.motion.primitives import AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.nxt_brick.calibration import RUNS, Saved, Seconds, measure_seconds, meeting_of
from solvers.foundation.clock import ImmediateClock
from solvers.foundation.progress import Progress, run_job
from solvers.rubik.cubies import SOLVED

PRICES = Seconds(
    tilt=1.25,
    spin=(0.5, 0.75, 1.5),
    turn=(1.0, 1.75, 2.5),
    ending=0.5,
    saved=Saved(-0.1, 0.2, 0.15, -0.05, 0.01, 0.02, -0.12, 0.25, 0.27),
)


class PricedMechanism:
    """Takes what the prices say, and knows it; nothing moves."""

    drive_name = "program"
    seconds_taken = 0.0

    def __init__(self, clock: ImmediateClock) -> None:
        self._clock = clock

    @property
    def state(self) -> State:
        return {}

    def battery(self) -> Battery | None:
        return None

    def set_home(self, *, in_doubt: bool = False) -> None:
        pass

    def restore(self, state: State) -> bool:  # noqa: ARG002
        return True

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        raise AssertionError(f"nobody settles here: {state}, {upcoming}")

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,  # noqa: ARG002
        on_state: Callable[[State], object] = lambda _: None,  # noqa: ARG002
    ) -> None:
        ending_s = 0.0 if ahead else PRICES.ending
        self.seconds_taken = PRICES.price(primitive, before) + ending_s
        self._clock.sleep(self.seconds_taken)

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        raise AssertionError(f"nothing was cut off: {cut_off}, {in_doubt}")

    def release(self, *, at_once: bool = False) -> None:
        pass


def test_the_prices_of_a_mechanism_come_out_again() -> None:
    events: list[Progress] = []
    measured = run_job(measure_seconds(PricedMechanism(ImmediateClock()), rounds=2), events.append)
    assert measured == PRICES
    assert [event.done for event in events] == list(range(2 * sum(map(len, RUNS))))
    assert {event.total for event in events} == {len(events)}


def test_a_round_leaves_the_cube_as_it_was() -> None:
    for run in RUNS:
        assert VirtualCube(SOLVED).after_all(run) == VirtualCube(SOLVED)


@pytest.mark.parametrize(
    ("before", "primitive", "meeting"),
    [
        (None, Tilt(), None),
        (Spin(1), Spin(1), None),
        (TurnLayer(1), TurnLayer(-1), None),
        (Tilt(), Tilt(), "tilt_after_tilt"),
        (Spin(2), Tilt(), "tilt_after_spin"),
        (TurnLayer(-1), Tilt(), "tilt_after_turn"),
        (Tilt(), Spin(-1), "spin_after_tilt"),
        (Tilt(), TurnLayer(2), "turn_after_tilt"),
        # A positive spin turns motor A backwards, a positive turn forwards.
        (TurnLayer(1), Spin(1), "spin_against_turn"),
        (TurnLayer(1), Spin(-2), "spin_with_turn"),
        (Spin(1), TurnLayer(1), "turn_against_spin"),
        (Spin(-1), TurnLayer(2), "turn_with_spin"),
    ],
)
def test_neighbours_save_what_their_meeting_says(
    before: Primitive | None, primitive: Primitive, meeting: str | None
) -> None:
    assert meeting_of(before, primitive) == meeting
    saved = getattr(PRICES.saved, meeting) if meeting else 0.0
    alone = PRICES.price(primitive, None)
    assert PRICES.price(primitive, before) == pytest.approx(alone - saved)


def test_every_meeting_is_had_in_a_round() -> None:
    had = {meeting_of(*pair) for run in RUNS for pair in pairwise(run)}
    assert had == {field.name for field in msgspec.structs.fields(Saved)}
