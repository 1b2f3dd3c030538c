"""Telegrams, messages and frames; faults, rigs and what an operator types."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from hardware_sims import robot_faults
from hardware_sims.aksen_board import operator_commands as board_commands
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.boot_loader import BootLoader
from hardware_sims.aksen_board.loader.flash import Flash
from hardware_sims.aksen_board.serial_line import load_serial_faults
from hardware_sims.clock import VirtualClock
from hardware_sims.endpoints import parse_listen_address
from hardware_sims.mcs51.image import read_image
from hardware_sims.nxt_brick import operator_commands as brick_commands
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_LATENCY
from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
from hardware_sims.rigs.cradle.faults import RigFaults
from hardware_sims.rigs.cubes import load_cube
from tests.fuzz.target import Target, file, text, words

TELEGRAMS: Final = (
    "019b",
    "0088",
    "018101746573742e72786500" + "00" * 8 + "64000000",
    "0182" + "0001020304",
    "0186" + "2a2e2a" + "00" * 17,
    "0000702e727865" + "00" * 14,
    "00040064070100200000000000",
    "0009010568656c6c6f00",
    "0013000101",
    "0006" + "00",
    "000500" + "0b00",
    "000f0102010042",
    "01940001000100100000",
    "019501000200" + "0800" + "04000102030405",
    "0098" + "6e616d65" + "00" * 12,
)
FAULTS: Final = """seed = 7
battery = {millivolts = 7000}
sleep = {after = 30}
[[slip]]
tilt = 3
[[stall]]
motor = "A"
time = 4.0
seconds = 2
[delay]
seconds = 0.02
jitter = 0.01
[[camera]]
kind = "black"
time = 3.0
"""
SERIAL_FAULTS: Final = 'seed = 3\ndirection = "both"\nlost = 0.01\nflipped = 0.02\n'
LOADER_BYTES: Final = (
    bytes.fromhex("00 00 0A 00 00 00 00 00 0A"),
    bytes.fromhex("00 02 00 00 7E 00 00 7C 01") + bytes(126),
    b"\0:03000000020100FA\r\n:00000001FF\r\n",
)


def _tell_brick(data: bytes, _: Path) -> None:
    """Hand over telegrams, each with its length before it, as over Bluetooth."""
    brick = SimulatedBrick(VirtualClock(), latency=NO_LATENCY)
    for telegram in _telegrams(data):
        reply = brick.handle(telegram)
        assert reply is None or len(reply) >= 3


def _telegrams(data: bytes) -> Iterator[bytes]:
    while data:
        yield data[1 : 1 + data[0]]
        data = data[1 + data[0] :]


def _telegram_seeds() -> list[bytes]:
    each = [bytes.fromhex(telegram) for telegram in TELEGRAMS]
    return [b"".join(bytes([len(one)]) + one for one in order) for order in (each, each[::-1])]


def _tell_loader(data: bytes, _: Path) -> None:
    loader, now_us = BootLoader(Flash(board_facts().code_bytes)), 0
    for start in range(0, len(data), 50):
        loader.receive(data[start : start + 50], now_us)
        now_us += 60_000
        loader.take_output(now_us)


TARGETS: Final = (
    Target("telegrams", _telegram_seeds, _tell_brick),
    Target("bytes for the loader", lambda: LOADER_BYTES, _tell_loader),
    Target(
        "faults of the robot",
        words(FAULTS),
        file(partial(robot_faults.load_faults, rig=RigFaults), "faults.toml"),
    ),
    Target("faults of the line", words(SERIAL_FAULTS), file(load_serial_faults, "faults.toml")),
    Target(
        "rig file",
        words('{"cube": "' + "U" * 54 + '", "orientation": "URFDLB"}'),
        file(load_cube, "rig.json"),
    ),
    Target(
        "image for the chip",
        lambda: [b":03000000020100FA\n:00000001FF\n"],
        file(read_image, "image.ihx"),
    ),
    Target(
        "words for the board",
        words("dip 3", "analog 2 1.5", "ir 1 125Hz", "in 0 1", "red"),
        text(lambda line: board_commands.parse_command(line, board_facts())),
    ),
    Target(
        "words for the brick",
        words("plug 1:touch=1", "turn A 30", "press", "battery 7000"),
        text(brick_commands.parse_command),
    ),
    Target("sensor", words("1:touch=1", "4:ultrasonic=35", "2:light=500"), text(parse_sensor)),
    Target(
        "address to listen at",
        words("127.0.0.1:2727", "[::1]:0", "0.0.0.0:1"),
        text(parse_listen_address),
    ),
)
