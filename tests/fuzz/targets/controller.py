"""Calibrations, journals, scans, addresses; what a brick answers."""

import json
import struct
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

import controller
from controller.motion.journal import read_journal
from controller.rigs.nxt_brick.brick_link import parse_address
from controller.rigs.nxt_brick.player import Status
from controller.rigs.nxt_brick.programs import check_program, shipped_program
from controller.rigs.nxt_cradle.calibration.values import FILES
from controller.vision.camera import open_source
from controller.vision.reading.reader import parse_corrections
from controller.vision.scans.store import load_scan, load_scan_list
from tests.fuzz.target import Target, file, files, text, words

PACKAGE: Final = Path(controller.__file__).parent
DATA: Final = Path(__file__).parents[2] / "data"


def _picture() -> bytes:
    pixels = np.full((8, 8, 3), 128, np.uint8)
    return bytes(cv2.imencode(".png", pixels)[1])


def _scan() -> bytes:
    grid = {"corners": [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]]}
    content = {
        "format": 1,
        "version": "0.2.0",
        "source": "camera 0",
        "camera": {"exposure": 157, "white_balance": 4600, "exposure_locked": True},
        "pictures": [{"file": f"look-{n:02}.png", "sha256": "0", "grid": grid} for n in range(6)],
        "facelets_of_pictures": [list(range(54))],
        "rgb": [[1.0, 2.0, 3.0]] * 54,
        "reading": {"verdict": "accepted", "facelets": "U" * 54},
        "posteriors": [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]] * 54,
    }
    return json.dumps(content).encode()


def _load_scan(data: bytes, folder: Path) -> Any:
    (folder / "scan.json").write_bytes(data)
    return load_scan(folder)


def _see_pictures(data: bytes, folder: Path) -> Any:
    for number in range(2):
        (folder / f"{number}.png").write_bytes(data)
    source = open_source(str(folder))
    try:
        return source.read()
    finally:
        source.close()


def _journals() -> list[bytes]:
    lines = [
        b'{"version": 3, "rig": "nxt-cradle", "drive": "program", "brick": "usb", "state": "'
        + b"".join(face * 9 for face in (b"U", b"R", b"F", b"D", b"L", b"B"))
        + b'", "target": "U", "moves": "R", "primitives": ["tilt", "turn 1"]}',
        b'{"home": {"home": [0, 0, 0]}}',
        b'{"finished": 0, "primitive": "tilt", "seconds": 0.5, "state": {}}',
    ]
    return [b"\n".join(b"%08x %s" % (_checksum(line), line) for line in lines) + b"\n"]


def _checksum(line: bytes) -> int:
    from zlib import crc32

    return crc32(line)


TARGETS: Final = (
    Target(
        "calibration",
        files((PACKAGE / "rigs" / "nxt_cradle" / "calibration", "*.toml")),
        file(FILES.load, "rig.toml"),
    ),
    Target("journal", _journals, file(read_journal, "run.journal")),
    Target(
        "brick address",
        words("usb", "ip:127.0.0.1:2727", "bluetooth:00:16:53:01:02:03", "devfile:/dev/rfcomm0"),
        text(parse_address),
    ),
    Target(
        "program for the brick", lambda: [shipped_program()], lambda data, _: check_program(data)
    ),
    Target(
        "register of the program",
        lambda: [bytes(range(40)), struct.pack("<HBBBBBBBB", *range(9))],
        lambda data, _: Status.decode(data),
    ),
    Target("saved scan", lambda: [_scan()], _load_scan),
    Target("list of scans", files((DATA / "vision", "*.json")), file(load_scan_list, "scans.json")),
    Target(
        "corrections",
        words("U1=R", "F5=white", "B9=B"),
        text(lambda line: parse_corrections(line.split())),
    ),
    Target("folder of pictures", lambda: [_picture()], _see_pictures),
)
