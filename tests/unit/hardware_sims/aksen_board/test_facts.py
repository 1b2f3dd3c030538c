"""The simulator's own reader of a board's file, and the board's time."""

from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sims.aksen_board.facts import BoardFacts, board_facts
from hardware_sims.errors import InvalidScenarioError

TEXT = (files("firmware_tools") / "boards" / "aksen.toml").read_text(encoding="utf-8")
KESTREL = str(Path(__file__).parents[3] / "data" / "boards" / "kestrel.toml")
AKSEN_FACTS, KESTREL_FACTS = board_facts(), board_facts(KESTREL)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("chip_id = [0xC5,", "chip_id = [300,", r"bootloader\.chip_id\[0\] must be at most 255"),
        ("chip_id = [0xC5, 0x15, 0x0C, 0x01]", "chip_id = 300", "chip_id must be a list"),
        ("code_bytes = 32768", "", "'code_bytes' is missing"),
        ("code_bytes = 32768", "code_bytes = 70000", "code_bytes must be at most 65536"),
        ("machine_cycle = 12", "machine_cycle = 6", "80C515A with 6 clocks a cycle"),
        ('name = "SAB 80C515A"', 'name = "80C51"', "has a 80C51 with 12 clocks"),
        ("baud = 9600", "baud = ", "is not TOML"),
    ],
)
def test_a_board_that_cannot_be_simulated(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in TEXT
    path = tmp_path / "board.toml"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidScenarioError, match=message):
        board_facts(str(path))


def test_a_board_that_is_not_there() -> None:
    with pytest.raises(InvalidScenarioError, match="cannot be read"):
        board_facts("uno")


def test_what_the_simulator_does_not_need_it_does_not_look_at(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(TEXT.replace("[timer]", "[timer]\ncolour = 3"), encoding="utf-8")
    assert board_facts(str(path)) == AKSEN_FACTS


def test_a_cycle_of_the_aksen_board_is_a_microsecond() -> None:
    assert AKSEN_FACTS.us_at_cycle(12_345) == AKSEN_FACTS.cycle_at_us(12_345) == 12_345
    assert (AKSEN_FACTS.clock_at_us(7), AKSEN_FACTS.us_at_clock(85)) == (84, 8)


@pytest.mark.parametrize("facts", [AKSEN_FACTS, KESTREL_FACTS], ids=lambda facts: facts.title)
@given(time_us=st.integers(0, 10**12))
def test_running_to_a_time_reaches_it_and_stops_there(facts: BoardFacts, time_us: int) -> None:
    cycle = facts.cycle_at_us(time_us)
    assert facts.us_at_cycle(cycle) >= time_us
    assert cycle == 0 or facts.us_at_cycle(cycle - 1) < time_us
    assert 0 <= time_us - facts.us_at_clock(facts.clock_at_us(time_us)) <= 1
