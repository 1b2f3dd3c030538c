"""A board that is described in a file of the user's own: built for, flashed, and run.

It has 64 KB of flash, a clock of 22.1184 MHz, another serial speed, port map and boot loader.
"""

from pathlib import Path

import pytest

from firmware_tools.boards.facts import load_board
from firmware_tools.building.build import build
from firmware_tools.building.program import find_program
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.errors import InvalidScenarioError
from tests.integration.aksen.processes import SimulatedBoard, aksen_command

pytestmark = pytest.mark.needs_sdcc

KESTREL = str(Path(__file__).parents[2] / "data" / "boards" / "kestrel.toml")
TABLE_BYTES = 40_000
BIG = f"""
#include <stub.h>
const unsigned char table[{TABLE_BYTES}] = {{ 1, 2, 3 }};
void AksenMain(void)
{{
    lcd_puts("table ");
    lcd_uint(table[0] + table[1] + table[2] + table[sizeof table - 1]);
    for (;;)
        serielle_puts("ready\\n");
}}
"""
LIGHT_AFTER_100_MS = """
#include <stub.h>
void AksenMain(void) { sleep(100); led(7, 1); for (;;); }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "big.c"
    path.write_text(BIG, encoding="ascii")
    return path


def test_built_flashed_and_run(program: Path, tmp_path: Path) -> None:
    built = aksen_command("build", program, "-o", tmp_path / "out", "--board", KESTREL)
    assert built["exit_code"] == 0, built
    assert TABLE_BYTES < built["memory"]["code"]["used"] < built["memory"]["code"]["limit"] == 65536
    image = built["image"]
    size = aksen_command("size", image, "--board", KESTREL)
    assert size["programs"][0]["memory"]["code"]["used"] == built["memory"]["code"]["used"]
    with SimulatedBoard("--board", KESTREL) as board:
        port = ("--port", board.port, "--board", KESTREL)
        flashed = aksen_command("flash", image, *port)
        assert flashed["exit_code"] == 0, flashed
        assert flashed["plan"]["protocol"] == "hex-ack"
        assert flashed["chip_id"] == "4B 45 53 54"
        assert aksen_command("verify", image, *port)["verified"]
        assert aksen_command("run", *port)["running"]
        board.wait_for(lambda state: state["lcd"][0].rstrip() == "table 6")
        monitored = aksen_command("monitor", *port, "--seconds", "1")
        assert "ready\n" in monitored["received"]


def test_the_two_boards_do_not_take_each_others_programs(program: Path, tmp_path: Path) -> None:
    too_big = aksen_command("build", program, "-o", tmp_path / "out")
    assert too_big["kind"] == "OverBudgetError"
    with SimulatedBoard("--board", KESTREL) as board:
        other = aksen_command("info", "--port", board.port)
        assert other["kind"] == "WrongChipError"
        assert "4B 45 53 54, but the AKSEN board has C5 15 0C 01" in other["error"]


def test_its_clock_sets_the_tick(tmp_path: Path) -> None:
    source = tmp_path / "light.c"
    source.write_text(LIGHT_AFTER_100_MS, encoding="ascii")
    image = build(find_program([str(source)]), load_board(KESTREL), tmp_path).image
    assert image is not None
    board = Board(image, facts=board_facts(KESTREL))
    lit = []
    for duration_us in (99_000, 5_000):
        board.run_us(duration_us)
        lit.append(board.devices.leds[7])
    assert lit == [False, True]
    assert board.mcu.cycles == pytest.approx(board.now_us * 1.8432, rel=1e-4)


def test_a_board_that_nobody_can_simulate(tmp_path: Path) -> None:
    text = Path(KESTREL).read_text(encoding="utf-8")
    path = tmp_path / "eagle.toml"
    path.write_text(text.replace('name = "SAB 80C515A"', 'name = "80C51"'), encoding="utf-8")
    with pytest.raises(
        InvalidScenarioError, match=r"has a 80C51 .* the simulated chip is the SAB 80C515A"
    ):
        board_facts(str(path))
