"""What unmodified nxt-python must be able to do with the brick, over every kind of line."""

import time
from collections.abc import Callable

import nxt.brick
import nxt.error
import nxt.motor
import nxt.sensor
import nxt.telegram
import pytest
from nxt.motor import Mode, Port, RegulationMode, RunState

from hardware_sims.nxt_brick.brick import SimulatedBrick

PROGRAM = "host_errors.rxe"  # waits and does nothing
PATIENCE_S = 10.0


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether the condition comes true, asking again and again."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return True
    return False


def test_it_is_found_and_tells_who_it_is(brick: nxt.brick.Brick) -> None:
    name, address, strengths, free = brick.get_device_info()
    assert 0 < len(name) <= 14
    assert address.startswith("00:16:53:")
    assert len(strengths) == 4
    assert free > 0


def test_versions_battery_and_sleep_timeout(brick: nxt.brick.Brick) -> None:
    protocol, firmware = brick.get_firmware_version()
    assert protocol == (1, 124)
    assert firmware[0] == 1
    assert 5000 < brick.get_battery_level() < 10_000
    assert brick.keep_alive() % 60_000 == 0


def test_a_motor_runs_brakes_and_coasts(brick: nxt.brick.Brick) -> None:
    motor = brick.get_motor(Port.A)
    start = motor.get_tacho().tacho_count
    motor.run(75)
    assert eventually(lambda: motor.get_tacho().tacho_count > start + 90)
    motor.brake()
    assert eventually(lambda: brick.get_output_state(Port.A)[1] == 0)
    state = brick.get_output_state(Port.A)
    assert state[1:6] == (
        0,
        Mode.ON | Mode.BRAKE | Mode.REGULATED,
        RegulationMode.SPEED,
        0,
        RunState.RUNNING,
    )
    motor.idle()
    assert brick.get_output_state(Port.A)[2] == Mode.IDLE


def test_a_regulated_motor_runs_backwards(brick: nxt.brick.Brick) -> None:
    motor = brick.get_motor(Port.B)
    start = motor.get_tacho().tacho_count
    motor.run(-60, regulated=True)
    assert eventually(lambda: motor.get_tacho().tacho_count < start - 90)
    motor.idle()


def test_turn_goes_at_least_where_it_is_told(brick: nxt.brick.Brick) -> None:
    motor = brick.get_motor(Port.C)
    start = motor.get_tacho().tacho_count
    motor.turn(75, 180)
    # A threshold of 70 degrees ends it early over Bluetooth, and it always overshoots.
    assert motor.get_tacho().tacho_count >= start + 110
    motor.idle()


def test_weak_turn_ends_by_itself(brick: nxt.brick.Brick) -> None:
    motor = brick.get_motor(Port.A)
    motor.weak_turn(60, 90)
    assert eventually(lambda: brick.get_output_state(Port.A)[5] == RunState.IDLE)


def test_positions_are_reset_one_by_one(brick: nxt.brick.Brick) -> None:
    motor = brick.get_motor(Port.A)
    motor.weak_turn(60, 90)
    assert eventually(lambda: brick.get_output_state(Port.A)[5] == RunState.IDLE)
    motor.brake()
    before = motor.get_tacho()
    motor.reset_position(True)
    after_block = motor.get_tacho()
    motor.reset_position(False)
    after_rotation = motor.get_tacho()
    motor.idle()
    assert before.block_tacho_count > 80
    assert abs(after_block.block_tacho_count) < 30
    assert after_block.rotation_count > 80
    assert abs(after_rotation.rotation_count) < 30
    assert after_rotation.tacho_count > 80


def test_many_commands_without_reply_are_kept_apart(
    brick: nxt.brick.Brick, simulated: SimulatedBrick | None
) -> None:
    for index in range(100):
        brick.play_tone(440 + index, 1)
    assert brick.get_battery_level() > 0
    if simulated is not None:
        assert list(simulated.machine.sound.tones) == [(440 + index, 1) for index in range(100)]


def start(brick: nxt.brick.Brick) -> None:
    """Start the program; the menu takes a moment."""

    def runs() -> bool:
        try:
            return bool(brick.get_current_program_name())
        except nxt.error.NoActiveProgramError:
            return False

    brick.start_program(PROGRAM)
    assert eventually(runs)


def stop(brick: nxt.brick.Brick) -> None:
    """Stop the program, and wait until its name is gone."""

    def is_over() -> bool:
        try:
            brick.get_current_program_name()
        except nxt.error.NoActiveProgramError:
            return True
        return False

    brick.stop_program()
    assert eventually(is_over)


def test_programs_start_and_stop(brick_to_change: nxt.brick.Brick) -> None:
    brick = brick_to_change
    with pytest.raises(nxt.error.NoActiveProgramError):
        brick.get_current_program_name()
    start(brick)
    assert brick.get_current_program_name() == PROGRAM
    stop(brick)
    with pytest.raises(nxt.error.NoActiveProgramError):
        brick.stop_program()


def test_a_missing_program_is_out_of_range(brick: nxt.brick.Brick) -> None:
    with pytest.raises(nxt.error.DirectProtocolError, match="out-of-range"):
        brick.start_program("missing.rxe")


def test_mailboxes_hold_five_messages_of_a_running_program(
    brick_to_change: nxt.brick.Brick,
) -> None:
    brick = brick_to_change
    with pytest.raises(nxt.error.NoActiveProgramError):
        brick.message_write(5, b"early")
    start(brick)
    for number in range(7):
        brick.message_write(5, b"message %d" % number)
    assert brick.message_read(5, 0, False)[1] == b"message 2\0"
    read = [brick.message_read(5, 3, True) for _ in range(5)]
    assert read == [(3, b"message %d\0" % number) for number in range(2, 7)]
    with pytest.raises(nxt.error.EmptyMailboxError):
        brick.message_read(5, 0, True)
    with pytest.raises(nxt.error.DirectProtocolError, match="mailbox"):
        brick.message_write(20, b"nowhere")
    stop(brick)


def test_files_are_written_read_found_and_deleted(brick_to_change: nxt.brick.Brick) -> None:
    brick = brick_to_change
    text = "one line\nand another\n" * 20
    with brick.open_file("notes.txt", "w", len(text)) as file:
        file.write(text)
    assert list(brick.find_files("notes.*")) == [("notes.txt", len(text))]
    assert dict(brick.find_files())[PROGRAM] > 0
    with brick.open_file("NOTES.TXT") as file:
        assert file.read() == text
    with pytest.raises(nxt.error.FileExistsError):
        brick.open_file("notes.txt", "w", 1)
    assert brick.file_delete("notes.txt") == "notes.txt"
    with pytest.raises(nxt.error.FileNotFoundError):
        brick.open_file("notes.txt")
    assert list(brick.find_files("notes.*")) == []


def test_file_errors_have_their_own_kinds(brick_to_change: nxt.brick.Brick) -> None:
    brick = brick_to_change
    with pytest.raises(nxt.error.SystemProtocolError, match="no space"):
        brick.file_open_write("big.bin", 10**6)
    with pytest.raises(nxt.error.SystemProtocolError, match="illegal file name"):
        brick.file_open_write_data("program.rxe", 1)
    with pytest.raises(nxt.error.SystemProtocolError, match="illegal handle"):
        brick.file_read(9, 10)
    handles = [brick.file_open_read(PROGRAM)[0] for _ in range(16)]
    with pytest.raises(nxt.error.SystemProtocolError, match="no more handles"):
        brick.file_open_read(PROGRAM)
    brick.file_close(handles.pop())
    with pytest.raises(nxt.error.SystemProtocolError, match="busy"):
        brick.file_delete(PROGRAM)
    for handle in handles:
        assert brick.file_close(handle) == handle


def test_modules_are_listed(brick: nxt.brick.Brick) -> None:
    names = [name for name, *_ in brick.find_modules()]
    assert {"Output.mod", "Command.mod", "Loader.mod"} <= set(names)
    with pytest.raises(nxt.error.ModuleNotFoundError):
        brick.module_find_first("missing.mod")


def test_the_name_can_be_changed(brick_to_change: nxt.brick.Brick) -> None:
    brick_to_change.set_brick_name("Cubist")
    assert brick_to_change.get_device_info()[0] == "Cubist"


def test_sensor_ports_answer_without_sensors(brick: nxt.brick.Brick) -> None:
    port = nxt.sensor.Port.S1
    brick.set_input_mode(port, nxt.sensor.Type.SWITCH, nxt.sensor.Mode.RAW)
    values = brick.get_input_values(port)
    assert values[0] == port
    assert values[3] == nxt.sensor.Type.SWITCH
    brick.reset_input_scaled_value(port)
    with pytest.raises(nxt.error.I2CError):
        brick.ls_get_status(port)


def test_modules_can_be_read_and_written(brick_to_change: nxt.brick.Brick) -> None:
    brick = brick_to_change
    _, identifier, _, size = next(brick.find_modules("Display.mod"))
    assert size == 1720
    assert len(brick.read_io_map(identifier, 119, 50)[1]) == 50
    brick.write_io_map(identifier, 119, b"picture")
    assert brick.read_io_map(identifier, 119, 9)[1] == b"picture\0\0"
    with pytest.raises(nxt.error.SystemProtocolError):
        brick.read_io_map(identifier, 1719, 2)


def test_unknown_opcodes_are_named(brick: nxt.brick.Brick) -> None:
    with pytest.raises(nxt.error.DirectProtocolError, match="unknown command opcode"):
        brick._cmd(nxt.telegram.Telegram(nxt.telegram.Opcode.DIRECT_GET_BUTTON_STATE))


def test_nothing_waits_in_the_poll_buffer(brick: nxt.brick.Brick) -> None:
    assert brick.poll_command_length(0) == (0, 0)
