"""The firmware's rules for its motor outputs, in virtual time and without a rig."""

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.commands import DirectCommands
from hardware_sims.nxt_brick.faults import NO_LATENCY, Faults
from hardware_sims.nxt_brick.motors.output_driver import slow_partner_down

ON, BRAKE, REGULATED = 1, 2, 4
IDLE, RAMP_UP, RUNNING, RAMP_DOWN = 0x00, 0x10, 0x20, 0x40


class Bench:
    """A brick on the table, told what to do by SET_OUT_STATE on port A."""

    def __init__(self, battery_mv: int = 8000) -> None:
        self.clock = VirtualClock()
        self.brick = SimulatedBrick(
            self.clock, faults=Faults(battery_mv=battery_mv), latency=NO_LATENCY
        )
        self.commands = DirectCommands(self.brick.machine)
        self.outputs = self.brick.machine.outputs

    def tell(
        self,
        power: int,
        mode: int = ON,
        regulation: int = 0,
        run_state: int = RUNNING,
        limit: int = 0,
        port: int = 0,
    ) -> None:
        self.commands.set_output_state(port, power, mode, regulation, 0, run_state, limit)

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.brick.advance()

    def field(self, name: str, port: int = 0) -> float:
        return float(self.outputs.motors[name][port])

    @property
    def count(self) -> int:
        return int(self.field("tacho_count"))


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_free_speed_is_linear_in_power_and_voltage() -> None:
    speeds = {}
    for battery_mv, power in ((9000, 100), (9000, 50), (7200, 100)):
        bench = Bench(battery_mv)
        bench.tell(power, ON | BRAKE)
        bench.wait(2.0)
        speeds[battery_mv, power] = bench.field("speed_deg_s")
    assert speeds[9000, 100] == pytest.approx(970, abs=40)  # 1020 without any mechanism
    assert speeds[9000, 50] == pytest.approx(speeds[9000, 100] / 2, rel=0.1)
    assert speeds[7200, 100] == pytest.approx(speeds[9000, 100] * 0.8, rel=0.05)


def test_a_motor_rises_to_speed_in_the_time_of_a_real_one(bench: Bench) -> None:
    bench.tell(100, ON | BRAKE)
    bench.wait(3.0)
    top = bench.field("speed_deg_s")
    again = Bench()
    again.tell(100, ON | BRAKE)
    again.wait(0.08)
    assert again.field("speed_deg_s") > 0.632 * top
    assert Bench().count == 0


def test_regulation_looks_every_tenth_of_a_second(bench: Bench) -> None:
    bench.tell(50, ON | REGULATED, regulation=1)
    bench.wait(0.099)
    assert bench.count == 0
    bench.wait(0.05)
    assert bench.count > 0


def test_regulated_speed_is_ten_degrees_per_second_and_unit(bench: Bench) -> None:
    bench.tell(40, ON | REGULATED | BRAKE, regulation=1)
    bench.wait(2.0)
    start = bench.count
    bench.wait(5.0)
    assert (bench.count - start) / 5.0 == pytest.approx(400, rel=0.03)


def test_full_power_under_regulation_saturates_below_nine_volts(bench: Bench) -> None:
    bench.tell(100, ON | REGULATED | BRAKE, regulation=1)
    bench.wait(2.0)
    assert bench.field("actual_speed") == 100
    assert bench.field("speed_deg_s") < 900


def test_brake_holds_the_place_and_idle_coasts() -> None:
    ways = {}
    for name, order in (
        ("brake", {"power": 0, "mode": ON | BRAKE | REGULATED, "regulation": 1}),
        ("idle", {"power": 0, "mode": 0, "run_state": IDLE}),
    ):
        bench = Bench()
        bench.tell(75, ON | BRAKE)
        bench.wait(1.0)
        at_order = bench.count
        bench.tell(**order)
        bench.wait(2.0)
        ways[name] = bench.count - at_order
        assert bench.field("speed_deg_s") == 0.0
    assert abs(ways["brake"]) < 10
    assert 40 < ways["idle"] < 150


def test_a_tacho_limit_ends_in_a_coast_beyond_it(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    assert bench.field("run_state") == IDLE
    assert 360 + 20 < bench.count < 360 + 150


def test_the_next_limit_makes_up_for_the_overshoot(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    bench.tell(75, ON, limit=360)
    ends = 0
    for _ in range(3000):
        bench.wait(0.001)
        if bench.field("run_state") == IDLE:
            ends = bench.count
            break
    assert ends == pytest.approx(720, abs=2)


def test_a_limit_shorter_than_the_overshoot_ends_at_once(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    bench.tell(75, ON, limit=5)
    bench.wait(0.002)
    assert bench.field("run_state") == IDLE


def test_resetting_the_tacho_count_forgets_the_overshoot(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    bench.commands.reset_tacho_count(0)
    bench.wait(0.001)
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    assert bench.count > 360 + 20


def test_a_run_without_limit_forgets_the_overshoot(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    bench.tell(75, ON)
    bench.wait(0.5)
    bench.tell(0, 0, run_state=IDLE)
    bench.wait(1.0)
    assert bench.count > 720


def test_counts_are_reset_one_by_one(bench: Bench) -> None:
    bench.tell(75, ON, limit=360)
    bench.wait(3.0)
    count = bench.count
    bench.commands.reset_motor_position(0, relative=True)
    bench.wait(0.001)
    assert (bench.field("block_count"), bench.field("rotation_count")) == (0, count)
    bench.commands.reset_motor_position(0, relative=False)
    bench.wait(0.001)
    assert (bench.field("rotation_count"), bench.count) == (0, count)


def test_a_ramp_up_ends_at_its_power_and_limit(bench: Bench) -> None:
    bench.tell(80, ON | BRAKE, run_state=RAMP_UP, limit=720)
    bench.wait(0.3)
    assert 0 < bench.field("target_speed") < 80
    bench.wait(5.0)
    assert bench.field("run_state") == IDLE
    assert bench.count > 720


def test_a_ramp_down_slows_towards_its_limit(bench: Bench) -> None:
    bench.tell(80, ON | BRAKE)
    bench.wait(1.0)
    start = bench.count
    bench.tell(0, ON | BRAKE, run_state=RAMP_DOWN, limit=720)
    bench.wait(0.8)
    assert 10 <= bench.field("target_speed") < 80
    bench.wait(10.0)
    assert bench.field("run_state") == IDLE
    assert bench.count - start == pytest.approx(720, abs=40)


def test_replies_never_show_what_only_the_firmware_knows(bench: Bench) -> None:
    bench.tell(0, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(0.001)
    assert bench.field("run_state") == RUNNING
    assert bench.commands.get_output_state(0)[5] == RUNNING


def test_an_order_is_seen_by_the_module_in_the_next_millisecond(bench: Bench) -> None:
    bench.tell(60)
    assert bench.outputs.io_map["flags"][0] == 7
    assert bench.field("set_speed") == 0
    bench.wait(0.001)
    assert bench.outputs.io_map["flags"][0] == 0
    assert bench.field("set_speed") == 60


@pytest.mark.parametrize(("power", "drift"), [(20, 8), (50, 8), (75, 8), (100, 8)])
def test_a_brake_after_a_regulated_run_forgets_the_runs_errors(power: int, drift: int) -> None:
    """As nxt-python's `run(power, regulated=True)` and `brake()` (nxt_differences A4, row 1)."""
    bench = Bench()
    bench.tell(power, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(1.0)
    at_order = bench.count
    bench.tell(0, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(3.0)
    assert abs(bench.count - at_order) <= drift


def test_regulation_goes_on_in_run_state_idle(bench: Bench) -> None:
    """Mode ON and REGULATED with run state IDLE (nxt_differences A4, row 2)."""
    bench.tell(50, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(1.0)
    bench.tell(50, ON | BRAKE | REGULATED, regulation=1, run_state=IDLE)
    bench.wait(0.01)
    assert bench.field("run_state") == IDLE
    assert bench.field("regulation") == 1


def test_counts_are_lost_when_a_moving_motor_leaves_power_0() -> None:
    """60 to 0 and back every 5 ms loses up to a degree each time; 60 to 1 and back loses none."""

    def lost(low: int) -> float:
        bench = Bench()
        for _ in range(60):
            for power in (60, low):
                bench.tell(power, ON | BRAKE)
                bench.wait(0.005)
        return bench.field("shaft_deg") - bench.count

    assert lost(0) > 5
    assert abs(lost(1)) <= 1


def test_two_motors_in_step_turn_alike_whatever_holds_one_of_them(bench: Bench) -> None:
    bench.outputs.motors["friction_nm"][1] = 0.1
    for port in (1, 2):
        bench.tell(60, ON | BRAKE | REGULATED, regulation=2, port=port)
    bench.wait(5.0)
    counts = bench.outputs.io_map["tacho_count"].tolist()
    assert counts[2] > 1000
    assert counts[1] == pytest.approx(counts[2], abs=15)
    assert bench.field("actual_speed", 1) > bench.field("actual_speed", 2)


def test_a_blocked_motor_adds_up_no_more_error_than_fits_its_calculation(bench: Bench) -> None:
    bench.outputs.motors["friction_nm"][0] = 10.0
    bench.tell(80, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(3.0)
    assert bench.field("position_error") == 32000 // 96


@pytest.mark.parametrize(
    ("target", "partners_speed", "turn", "slower"),
    [(40, -10, 50, -6), (40, 10, 50, -5), (-40, 10, 50, -4), (40, -10, 0, -5)],
)
def test_a_partner_that_turns_the_other_way_slows_down_too(
    bench: Bench, target: int, partners_speed: int, turn: int, slower: int
) -> None:
    motors = bench.outputs.motors
    motors["regulation"][1:] = 2
    motors["target_speed"][1], motors["turn_parameter"][1] = target, turn
    motors["target_speed"][2], motors["actual_speed"][2] = -5, partners_speed
    slow_partner_down(motors, 1)
    assert motors["target_speed"][2] == slower


def test_an_overloaded_motor_is_told(bench: Bench) -> None:
    bench.outputs.motors["friction_nm"][0] = 1.0
    bench.tell(80, ON | BRAKE | REGULATED, regulation=1)
    bench.wait(1.0)
    assert bench.outputs.io_map["overloaded"][0] == 1


def test_all_ports_can_be_told_at_once(bench: Bench) -> None:
    bench.tell(60, ON | BRAKE, port=0xFF)
    bench.wait(0.5)
    counts = bench.outputs.io_map["tacho_count"].tolist()
    assert counts == [counts[0]] * 3
    assert counts[0] > 100
