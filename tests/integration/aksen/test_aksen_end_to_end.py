"""The whole way, as a user goes it: `aksen` against `hwsim aksen` in a process of its own.

Build a 30 KB image, flash it over a pty and over TCP, verify it, run it, and read LCD and serial
output of what was flashed.
"""

import random
from pathlib import Path

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.building.build import build
from firmware_tools.building.program import find_program
from tests.integration.aksen.processes import SimulatedBoard, aksen_command

pytestmark = pytest.mark.needs_sdcc

TABLE_BYTES = 25_000  # and 5.8 KB of printf
PROGRAM = """
#include <stdio.h>
#include <stub.h>

const unsigned char table[] = {{ {table} }};

void AksenMain(void)
{{
    unsigned int i;
    unsigned int sum = 0;

    for (i = 0; i < sizeof table; i++)
        sum = (sum << 1 | sum >> 15) ^ table[i];
    lcd_puts("sum ");
    lcd_uint(sum);
    for (;;)
        printf("%c: sum %u\\n", serielle_getchar(), sum);
}}
"""


def checksum(table: bytes) -> int:
    total = 0
    for byte in table:
        total = ((total << 1 | total >> 15) ^ byte) & 0xFFFF
    return total


@pytest.fixture(scope="module")
def table() -> bytes:
    return random.Random(30).randbytes(TABLE_BYTES)


@pytest.fixture(scope="module")
def image(aksen: Board, table: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("thirty_kilobytes")
    source = folder / "sum.c"
    source.write_text(PROGRAM.format(table=",".join(map(str, table))), encoding="ascii")
    built = build(find_program([str(source)]), aksen, folder)
    assert built.image is not None
    return built.image


@pytest.mark.parametrize("line", ["tcp", "pty"])
def test_thirty_kilobytes_from_source_to_display(
    line: str, image: Path, table: bytes, tmp_path: Path
) -> None:
    where = {"tcp": ("--listen", "127.0.0.1:0"), "pty": ("--pty", str(tmp_path / "board"))}
    with SimulatedBoard(*where[line]) as board:
        port = ("--port", board.port)
        flashed = aksen_command("flash", image, *port)
        assert flashed["exit_code"] == 0, flashed
        assert flashed["bytes_programmed"] > 30_000
        assert flashed["verified"]
        done = ["Programmierung", "beendet"]
        board.wait_for(lambda state: [line.rstrip() for line in state["lcd"]] == done)
        assert aksen_command("verify", image, *port)["verified"]
        assert aksen_command("info", *port)["image"] == "valid"
        assert aksen_command("run", *port)["running"]
        shown = f"sum {checksum(table)}"
        board.wait_for(lambda state: state["lcd"][0].rstrip() == shown)
        monitored = aksen_command("monitor", *port, "--send", "A", "--seconds", "1")
        assert f"A: {shown}\r\n" in monitored["received"]
        silent = aksen_command("info", *port)  # the program has the line now
        assert silent["kind"] == "NoAnswerError"
        board.type("red")
        board.wait_for(lambda state: not state["running"])
        assert aksen_command("info", *port)["image"] == "valid"
        assert aksen_command("erase", *port)["erased"]
        assert aksen_command("run", *port)["kind"] == "NoValidImageError"


def test_the_monitor_asks_puzzle8_who_it_is(tmp_path: Path) -> None:
    built = aksen_command("build", "puzzle8-policy-small", "-o", tmp_path)
    with SimulatedBoard("--image", built["image"]) as board:
        monitored = aksen_command("monitor", "--port", board.port, "--send", "?", "--seconds", "3")
    assert "puzzle8 policy-small 1 " in monitored["received"]


def test_the_other_protocol_and_a_trace_that_plays_back(image: Path, tmp_path: Path) -> None:
    trace = tmp_path / "info.trace"
    with SimulatedBoard("--listen", "127.0.0.1:0") as board:
        port = ("--port", board.port, "--protocol", "hex-ack")
        small = tmp_path / "small.ihx"
        small.write_text(":03000000020000FB\n:00000001FF\n", encoding="ascii")
        assert aksen_command("flash", small, *port, "--no-verify")["exit_code"] == 0
        mismatch = aksen_command("verify", image, *port)
        assert mismatch["kind"] == "VerifyMismatchError"
        live = aksen_command("info", *port, "--trace", trace)
    replayed = aksen_command("info", "--port", f"replay:{trace}", "--protocol", "hex-ack")
    assert replayed == live
    assert replayed["image"] == "valid"
