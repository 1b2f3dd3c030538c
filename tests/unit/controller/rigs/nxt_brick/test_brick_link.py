"""A dead line is an error of ours; a bug of ours is not called a dead line."""

import logging
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from controller.errors import BrickNotFoundError, LinkLostError
from controller.rigs.nxt_brick.brick_link import BrickLink, Mark, parse_address
from controller.rigs.nxt_brick.motion import Motor
from hardware_sims.nxt_brick.faults import Faults
from tests.virtual_robot import VirtualRobot

TACHO_REPLY_BYTES = 25


@contextmanager
def server(answer: Callable[[bytes], bytes], greeting: bytes = b"usb") -> Iterator[str]:
    """Yield the address of something that answers whatever comes, and closes at b''."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, suppress(ConnectionResetError):
            while data := connection.recv(1024):
                reply = greeting if data == b"\x98" else answer(data)
                if not reply:
                    return
                connection.sendall(reply)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"ip:127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


def link_to(address: str) -> BrickLink:
    return BrickLink(parse_address(address))


@pytest.mark.parametrize("pty", [False, True])
def test_a_cut_line_is_lost_and_stays_lost(
    new_robot: Callable[..., VirtualRobot], tmp_path: Path, pty: bool
) -> None:
    terminal = tmp_path / "brick" if pty else None
    robot = new_robot(faults=Faults(drop_at=(3,)), pty_link=terminal)
    with robot.link() as link:
        assert link.battery().volts > 0
        assert link.tacho(Motor.ARM) == 0
        with pytest.raises(LinkLostError, match=r"broke.*Check cable and battery"):
            link.tacho(Motor.ARM)
        with pytest.raises(LinkLostError, match="is gone"):
            link.keep_alive()


def test_a_brick_that_sleeps_is_a_sentence_that_says_what_to_do(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(faults=Faults(sleep_timeout_s=60.0))
    robot.clock.sleep(61.0)
    robot.brick.advance()
    with (
        pytest.raises(BrickNotFoundError, match=r"awake\? .* switch it on again"),
        robot.link(),
    ):
        pass


def test_a_greeting_that_is_not_answered_is_no_connection() -> None:
    """nxt-python takes the end of the line for a greeting without letters."""
    with (
        server(lambda _: b"", greeting=b"") as address,
        pytest.raises(BrickNotFoundError, match="closed before"),
    ):
        link_to(address)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\x02",
        b"\x02\x06\x00",  # the head of a reply, and nothing of its content
        b"\x02\x06\x00" + bytes(TACHO_REPLY_BYTES - 4),
        b"\x02\x06\x00\xf5" + bytes(TACHO_REPLY_BYTES - 4),  # there is no port 245
        b"\x02\x0b\x00\x10\x27",  # the answer to another question
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ],
)
def test_an_answer_that_is_none_is_a_lost_link(reply: bytes) -> None:
    with (
        server(lambda _: reply) as address,
        link_to(address) as link,
        pytest.raises(LinkLostError, match="broke"),
    ):
        link.tacho(Motor.CRADLE)


@pytest.mark.parametrize("power", [95.5, 1000])
def test_a_bug_of_ours_is_not_called_a_dead_line(robot: VirtualRobot, power: object) -> None:
    with robot.link() as link:
        with pytest.raises(struct.error):
            link.run(Motor.ARM, power, 10)  # type: ignore[arg-type]
        assert link.tacho(Motor.ARM) == 0  # the line is as good as before


def test_a_bug_within_a_call_stays_what_it_is(robot: VirtualRobot) -> None:
    def wrong() -> None:
        raise AttributeError("no such thing")

    with robot.link() as link:
        with pytest.raises(AttributeError, match="no such thing"):
            link._call(wrong)
        assert link.name()


def test_a_silent_brick_is_given_up(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(faults=Faults(silent_from=2), reply_timeout_s=0.1)
    with robot.link() as link:
        link.tacho(Motor.ARM)
        with pytest.raises(LinkLostError, match="not answered"):
            link.tacho(Motor.ARM)


def test_the_mark_lasts_as_long_as_the_brick_is_on(robot: VirtualRobot) -> None:
    with robot.link() as link:
        assert not link.is_marked(Mark.DIRECT)
        assert link.straight_at(Mark.DIRECT) is None
        link.run(Motor.CRADLE, -80, 20)
        robot.clock.sleep(0.5)
        marked_at = link.tacho(Motor.CRADLE)
        link.mark(Mark.DIRECT, away_deg=2)
        link.run(Motor.CRADLE, 80, 20)
        robot.clock.sleep(0.5)
        assert link.is_marked(Mark.DIRECT)
        assert not link.is_marked(Mark.PROGRAM)
    with robot.link() as link:
        assert link.is_marked(Mark.DIRECT)
        assert link.tacho(Motor.CRADLE) != marked_at
        assert link.straight_at(Mark.DIRECT) == marked_at + 2
    robot.reboot()
    with robot.link() as link:
        assert not link.is_marked(Mark.DIRECT)
        assert link.straight_at(Mark.DIRECT) is None


@pytest.mark.parametrize(("away_deg", "told_deg"), [(-9, -3), (-3, -3), (-1, -1), (0, 0), (4, 3)])
def test_the_mark_tells_how_far_the_cradle_stood_from_straight(
    robot: VirtualRobot, away_deg: int, told_deg: int
) -> None:
    with robot.link() as link:
        link.mark(Mark.PROGRAM, away_deg)
        assert link.straight_at(Mark.PROGRAM) == link.tacho(Motor.CRADLE) + told_deg


def test_telegrams_are_logged_with_their_names(
    robot: VirtualRobot, caplog: pytest.LogCaptureFixture
) -> None:
    with robot.link() as link, caplog.at_level(logging.DEBUG, logger="controller.rigs"):
        link.tacho(Motor.PUSHER)
    lines = [record.getMessage() for record in caplog.records]
    assert lines[0] == "-> 00 06 02 DIRECT_GET_OUT_STATE"
    assert lines[1].startswith("<- 02 06 00 02 ")
    assert not any(record.name.startswith("nxt") for record in caplog.records)
