"""The command module towards the rest of the brick: starting, ending, messages, diagnostics."""

from dataclasses import replace
from typing import Any

import pytest

from hardware_sims.nxt_firmware.statuses import CommandError
from hardware_sims.nxt_vm.codes import PROGRAM_ABORTED, PROGRAM_ERROR, PROGRAM_IDLE, PROGRAM_RUNNING
from hardware_sims.nxt_vm.command_module import NEVER, ProgramEnd
from hardware_sims.nxt_vm.interpreter.slices import next_tick
from hardware_sims.nxt_vm.program_file import InvalidProgramError, parse_program
from tests.oracles.lone_brick import LoneBrick
from tests.oracles.nxt_golden import DATA

WAITS = "host_errors"  # a program that does nothing but wait


def image_of(name: str) -> bytes:
    return (DATA / "programs" / f"{name}.rxe").read_bytes()


def started(name: str, instructions_per_ms: int = 100) -> LoneBrick:
    brick = LoneBrick(instructions_per_ms)
    brick.command.start(b"x.rxe", image_of(name), 0)
    return brick


def run_until(brick: LoneBrick, last_ms: int) -> None:
    for tick in range(1, last_ms + 1):
        brick.command.run(tick)


def test_status_says_how_a_program_fares() -> None:
    brick = started(WAITS)
    assert brick.command.status == PROGRAM_RUNNING
    assert brick.command.name == b"x.rxe"
    brick.command.run(1)


def test_an_aborted_program_is_there_until_the_millisecond_after() -> None:
    brick = started(WAITS)
    brick.command.run(1)
    brick.command.stop()
    brick.command.run(2)
    seen = [(brick.command.status, brick.command.is_active, brick.command.name)]
    brick.command.run(3)
    seen.append((brick.command.status, brick.command.is_active, brick.command.name))
    assert seen == [(PROGRAM_ABORTED, True, b"x.rxe"), (PROGRAM_ABORTED, False, b"")]


def test_reset_forgets_the_last_program() -> None:
    brick = started(WAITS)
    brick.command.run(1)
    brick.command.stop()
    brick.command.run(2)
    brick.command.reset()
    assert brick.command.status == PROGRAM_IDLE


def test_abort_lets_the_motors_coast_and_an_error_does_not() -> None:
    for name, speed in (("end_abort", 0), ("end_normal", 60)):
        brick = started(name)
        run_until(brick, 60)
        if name == "end_abort":
            brick.command.stop()
        for tick in range(61, 300):
            brick.command.run(tick)
        assert int(brick.output["outputs"][0][0]["speed"]) == speed


def test_a_program_that_sleeps_needs_no_slices() -> None:
    brick = started(WAITS)
    brick.command.run(1)
    wanted = brick.command.next_tick()
    assert 100 < wanted < NEVER
    assert next_tick(brick.command.state) == wanted
    executed = int(brick.command.state.machine["executed"][0])
    brick.command.run(wanted - 1)
    assert int(brick.command.state.machine["executed"][0]) == executed
    assert LoneBrick(100).command.next_tick() == NEVER


@pytest.mark.parametrize("instructions_per_ms", [50, 100, 130])
def test_instructions_per_ms_is_a_setting(instructions_per_ms: int) -> None:
    brick = started("big_sieve", instructions_per_ms)
    run_until(brick, 10)
    assert int(brick.command.state.machine["executed"][0]) == 10 * instructions_per_ms


def test_a_sixth_message_pushes_the_oldest_out_and_is_noted() -> None:
    brick = started(WAITS)
    for number in range(6):
        brick.command.write_message(3, bytes([0x30 + number, 0]))
    assert brick.command.read_message(3, remove=False) == b"1\0"
    assert brick.command.read_message(3, remove=True) == b"1\0"
    assert brick.command.read_message(3, remove=True) == b"2\0"
    (event,) = brick.command.events
    assert "mailbox 3" in event.text


def test_messages_of_the_host_are_compacted_when_the_pool_is_full() -> None:
    """Each message grows where the one before it was: 42,000 bytes in a pool of 32,768."""
    command = started(WAITS).command
    for length in range(4, 60, 4):
        for queue in range(20):
            for number in range(5):
                command.write_message(queue, bytes([1 + queue, number]).ljust(length, b"\0"))
    assert [
        command.read_message(queue, remove=True)[:2] for queue in range(20) for _ in range(5)
    ] == [bytes([1 + queue, number]) for queue in range(20) for number in range(5)]


@pytest.mark.parametrize(
    ("queue", "message", "status"),
    [(0, b"", 0xC0), (0, b"x", 0xC0), (0, b"x" * 59 + b"\0", 0xC0), (20, b"\0", 0xEE)],
)
def test_malformed_messages(queue: int, message: bytes, status: int) -> None:
    with pytest.raises(CommandError) as caught:
        started(WAITS).command.write_message(queue, message)
    assert caught.value.status == status


def test_without_a_program_there_are_no_mailboxes() -> None:
    command = LoneBrick(100).command
    requests: list[Any] = [
        lambda: command.write_message(0, b"\0"),
        lambda: command.read_message(0, remove=True),
        command.stop,
    ]
    for request in requests:
        with pytest.raises(CommandError) as caught:
            request()
        assert caught.value.status == 0xEC


def test_the_end_names_error_task_place_and_instruction() -> None:
    brick = started("fault_syscall")
    run_until(brick, 300)
    end = brick.command.end
    assert brick.command.status == PROGRAM_ERROR
    assert end.code == -2
    assert end.system_call is not None
    assert end.system_call > 47
    assert f"system call {end.system_call}" in str(end)
    assert "word" in str(end)
    assert "-EF" not in str(end)


def test_an_instruction_of_the_enhanced_firmware_is_named() -> None:
    end = ProgramEnd(PROGRAM_ERROR, -2, 1, 0, 7, 0x4068, None, 3)
    assert "4068h (STARTCLUMP of the enhanced firmware; build the program without -EF)" in str(end)
    assert "-EF" not in str(replace(end, instruction=0x4001))


def test_the_io_map_shows_variables_where_it_says() -> None:
    brick = started(WAITS)
    io_map = brick.command.io_map
    assert io_map.nbytes == 32828
    assert bytes(io_map["format_string"][0]).startswith(b"MindstormsNXT")
    offset = int(io_map["dope_vectors_offset"][0])
    content = bytes(io_map.tobytes())
    # Dope vector 0 describes the array of dope vectors itself: its offset in the dataspace, 10.
    dataspace = int(io_map["dataspace_offset"][0])
    assert int.from_bytes(content[offset : offset + 2], "little") == offset - dataspace
    assert content[offset + 2 : offset + 4] == b"\x0a\0"


def test_an_array_freed_while_none_is_spare_is_noted() -> None:
    """The firmware writes two bytes far outside then."""
    brick = started(WAITS)
    for queue in range(20):
        for _ in range(5):
            brick.command.write_message(queue, b"x\0")
    machine = brick.command.state.machine
    machine["free_head"] = 0xFFFF
    brick.command.read_message(0, remove=True)
    assert any("spare" in event.text for event in brick.command.events)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda image: image[:20], "header"),
        (lambda image: b"X" + image[1:], "MindstormsNXT"),
        (lambda image: image[:15] + b"\x03" + image[16:], "version 0.3"),
        (lambda image: image + b"\0\0", "the file has"),
        (lambda image: image[:34] + b"\0\0" + image[36:], "tasks"),
        (lambda image: image[:32] + b"\0\0" + image[34:], "array descriptions"),
        (lambda image: image[:18] + b"\xff\xff" + image[20:], "memory"),
        (lambda image: image[:38] + b"\x0b" + image[39:], "unknown type 11"),
        (lambda image: image[:38] + b"\x08\0\xff\xff" + image[42:], "cut off"),
    ],
)
def test_an_image_that_is_no_program_says_why(change: Any, words: str) -> None:
    with pytest.raises(InvalidProgramError, match=words):
        parse_program(change(image_of("arrays1")))


def test_a_bad_image_leaves_the_status_error() -> None:
    command = LoneBrick(100).command
    with pytest.raises(InvalidProgramError):
        command.start(b"x.rxe", b"nothing", 5)
    assert command.status == PROGRAM_ERROR
    command.run(6)
    assert not command.is_active
