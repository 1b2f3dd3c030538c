"""The display's controller."""

import pytest

from hardware_sims.aksen_board.lcd import BUSY, LONG_US, CharacterLcd


class Driver:
    """Sends bytes as a program does that waits for the busy flag."""

    def __init__(self) -> None:
        self.lcd = CharacterLcd()
        self.now_us = 0
        self.command(0x38, 0x0C, 0x01, 0x06)

    def command(self, *commands: int) -> None:
        for command in commands:
            self.lcd.write_command(command, self.now_us)
            self.now_us += 2000

    def text(self, text: str) -> None:
        for character in text:
            self.lcd.write_data(ord(character), self.now_us)
            self.now_us += 50


@pytest.fixture
def driver() -> Driver:
    return Driver()


def test_two_rows_of_sixteen(driver: Driver) -> None:
    driver.text("Hello, AKSEN")
    driver.command(0xC0)
    driver.text("row two")
    assert driver.lcd.lines == ("Hello, AKSEN    ", "row two         ")


def test_a_long_text_goes_on_in_cells_that_do_not_show(driver: Driver) -> None:
    driver.text("x" * 40 + "second")
    assert driver.lcd.lines == ("x" * 16, "second          ")


def test_nothing_shows_before_it_is_switched_on() -> None:
    lcd = CharacterLcd()
    lcd.write_command(0x38, 0)
    lcd.write_data(ord("A"), 100)
    assert lcd.lines == (" " * 16, " " * 16)
    lcd.write_command(0x0C, 200)
    assert lcd.lines[0][0] == "A"


def test_one_line_mode_hides_the_second_row(driver: Driver) -> None:
    driver.command(0xC0)
    driver.text("hidden")
    driver.command(0x30)
    assert driver.lcd.lines[1] == " " * 16


def test_busy_writes_are_lost_and_counted(driver: Driver) -> None:
    driver.command(0x01)
    driver.now_us -= 2000 - LONG_US + 1
    assert driver.lcd.read_status(driver.now_us) & BUSY
    driver.text("A")
    assert driver.lcd.ignored_writes == 1
    assert driver.lcd.read_status(driver.now_us + 10) == 0


def test_home_shift_and_cursor_moves(driver: Driver) -> None:
    driver.text("abc")
    driver.command(0x18)  # display one to the left
    assert driver.lcd.lines[0].startswith("bc ")
    driver.command(0x02, 0x14, 0x14)  # home, two to the right
    driver.text("X")
    assert driver.lcd.lines[0].startswith("abX")


def test_reading_gives_the_cell_and_moves_on(driver: Driver) -> None:
    driver.text("PQ")
    driver.command(0x80)
    assert chr(driver.lcd.read_data(driver.now_us)) == "P"
    assert driver.lcd.read_status(driver.now_us + 100) == 1


def test_characters_of_the_rom_that_are_not_ascii(driver: Driver) -> None:
    driver.text("\x5c\x7e\xdf\xe1\x01")
    assert driver.lcd.lines[0].startswith("¥→°ä▯")


def test_every_command_keeps_the_display_whole() -> None:
    for command in range(256):
        driver = Driver()
        driver.text("keep")
        driver.command(command)
        driver.text("on")
        assert [len(line) for line in driver.lcd.lines] == [16, 16], f"{command:#04x}"
