"""`hwsim aksen` as a person or a script runs it."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from intelhex import IntelHex

from hardware_sims.aksen_board.facts import board_facts
from tests.forked import Command
from tests.oracles.assembler import assemble

HWSIM = [sys.executable, "-c", "from hardware_sims.cli.main import main; main()", "aksen"]
LEDS = board_facts().registers["LEDS"]
DIP = board_facts().registers["DIP"]
# Shows the DIP switches on the LEDs, for ever.
MIRROR = f"x:\nMOV DPTR,#{DIP}\nMOVX A,@DPTR\nMOV DPTR,#{LEDS}\nMOVX @DPTR,A\nSJMP x"


class Simulator:
    """A running `hwsim aksen --json`."""

    def __init__(self, *options: str) -> None:
        self.process = Command("hwsim", "aksen", "--json", *options, typed_at=True)

    def line(self) -> dict[str, Any]:
        return dict(json.loads(self.process.stdout.readline()))

    def type(self, text: str) -> None:
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def stop(self) -> tuple[str, str, int]:
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=30)
        return out, err, self.process.wait(30)


@pytest.fixture
def simulators() -> Iterator[list[Simulator]]:
    started: list[Simulator] = []
    yield started
    for simulator in started:
        if simulator.process.poll() is None:
            simulator.process.kill()
            simulator.process.communicate(timeout=30)


def write_image(path: Path, source: str) -> Path:
    image = IntelHex()
    image.puts(0, assemble(source))
    image.write_hex_file(str(path))
    return path


def test_the_first_line_tells_the_address_and_changes_follow(
    simulators: list[Simulator], tmp_path: Path
) -> None:
    image = write_image(tmp_path / "mirror.ihx", MIRROR)
    simulator = Simulator("--image", str(image), "--dip", "5", "--speed", "10")
    simulators.append(simulator)
    first = simulator.line()
    assert first["address"].startswith("socket://127.0.0.1:")
    assert first["running"] is True
    leds = first["leds"]
    while leds != [True, False, True, False]:
        leds = simulator.line()["leds"]
    simulator.type("dip 2")
    while leds != [False, True, False, False]:
        leds = simulator.line()["leds"]
    out, err, status = simulator.stop()
    last = json.loads(out.splitlines()[-1])
    assert last["stopped"] is True
    assert (last["watch_events"], err, status) == ([], "", 0)


def test_switches_are_moved_by_lines_and_wrong_ones_are_refused_in_json(
    simulators: list[Simulator], tmp_path: Path
) -> None:
    image = write_image(tmp_path / "mirror.ihx", MIRROR)
    simulator = Simulator("--image", str(image), "--free-running", "--end-with-input")
    simulators.append(simulator)
    first = simulator.line()
    assert (first["mode"], first["resets"], first["running"]) == ("green", 0, True)
    for typed, told in (
        ("switch red", {"mode": "red", "resets": 0, "running": True}),
        ("reset", {"mode": "red", "resets": 1, "running": False, "mode_led": "red"}),
        ("green", {"mode": "green", "resets": 2, "running": True, "mode_led": "green"}),
    ):
        simulator.type(typed)
        line = simulator.line()
        while not told.items() <= line.items():
            line = simulator.line()
    simulator.type("dip 99")
    while "error" not in (line := simulator.line()):
        pass
    assert line == {"command": "dip 99", "error": "'99' must be a whole number from 0 to 15."}
    simulator.process.stdin.close()
    out, err = simulator.process.communicate(timeout=30)
    assert json.loads(out.splitlines()[-1])["stopped"] is True
    assert (err, simulator.process.returncode) == ("", 0)


def test_the_flash_file_and_a_terminal(simulators: list[Simulator], tmp_path: Path) -> None:
    flash, terminal = tmp_path / "flash.bin", tmp_path / "tty"
    simulator = Simulator(
        "--flash", str(flash), "--pty", str(terminal), "--free-running", "--speed", "20"
    )
    simulators.append(simulator)
    assert simulator.line()["address"] == str(terminal)
    with serial.Serial(str(terminal), 9600, timeout=10) as port:
        port.write(b"\0")
        assert port.read(1) == b"\x55"
    assert simulator.stop()[2] == 0
    assert flash.exists()
    assert not terminal.is_symlink()


def test_what_is_typed_stands_in_the_picture_and_nowhere_else(tmp_path: Path) -> None:
    image = write_image(tmp_path / "mirror.ihx", MIRROR)
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [*HWSIM, "--image", str(image), "--speed", "10", "--free-running"],
        stdin=terminal,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(terminal)
    try:
        screen = read_until(keyboard, "> ")
        for key in "dip 5":
            os.write(keyboard, key.encode())
        screen += read_until(keyboard, "> dip 5")
        os.write(keyboard, b"\n")
        screen += read_until(keyboard, "DIP      0101")
        os.write(keyboard, b"dipp\n")
        screen += read_until(keyboard, "Error: 'dipp' is no command")
    finally:
        process.terminate()
        os.close(keyboard)
        process.wait(timeout=30)
    typed = [line for line in screen.splitlines() if "dip" in line]
    assert all("│" in line or "Error: " in line for line in typed)


def read_until(terminal: int, wanted: str) -> str:
    """Return what a terminal shows up to a text; the test ends if it never comes."""
    shown = ""
    while wanted not in shown:
        assert select.select([terminal], [], [], 20)[0], shown
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--listen", "0.0.0.0:0"], "--allow-remote"),
        (["--listen", "nowhere"], "HOST:PORT"),
        (["--mode", "blue"], "'blue' is not one of 'red', 'green'"),
        (["--dip", "16"], "has 4 DIP switches: the number is at most 15, not 16"),
        (["--board", "none"], "none.toml cannot be read"),
        (["--image", "missing.ihx"], "missing.ihx"),
        (["--faults", "missing.toml"], "missing.toml"),
    ],
)
def test_bad_input_ends_with_status_2_and_a_sentence(
    options: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    finished = Command("hwsim", "aksen", "--json", *options)
    out, err = finished.communicate(timeout=30)
    assert finished.returncode == 2
    assert complaint in json.loads(out)["error"]
    assert "Traceback" not in err
