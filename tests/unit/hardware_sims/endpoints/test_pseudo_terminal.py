"""Pseudo-terminals as endpoints of a simulated device, and systems that have none."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hardware_sims.endpoints import PtyEndpoint
from hardware_sims.errors import InvalidScenarioError, SimulatorError

PATIENCE_S = 10.0  # how long a test waits for something that always comes

# Imports every module of the simulators where terminals cannot be imported, as on Windows.
IMPORT_ALL_WITHOUT_TERMINALS = """
import importlib, pkgutil, sys
for name in ("pty", "tty", "termios", "fcntl"):
    sys.modules[name] = None
import hardware_sims
modules = [each.name for each in pkgutil.walk_packages(hardware_sims.__path__, "hardware_sims.")]
for module in modules:
    importlib.import_module(module)
print(len(modules))
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PtyEndpoint]:
    with closing(PtyEndpoint(tmp_path / "line")) as endpoint:
        yield endpoint


def test_bytes_travel_both_ways(terminal: PtyEndpoint) -> None:
    with terminal.link.open("r+b", buffering=0) as client:
        client.write(b"\x03\x00\r\n\x1a")  # nothing that a cooked terminal would leave alone
        assert terminal.receive(PATIENCE_S) == b"\x03\x00\r\n\x1a"
        terminal.send(b"\x04\r")
        assert client.read(2) == b"\x04\r"


def test_a_dropped_terminal_is_hung_up_and_replaced(terminal: PtyEndpoint) -> None:
    with terminal.link.open("r+b", buffering=0) as client:
        terminal.drop_client()
        with pytest.raises(OSError, match="Input/output error"):
            os.write(client.fileno(), b"x")
    with terminal.link.open("r+b", buffering=0) as client:
        client.write(b"again")
        assert terminal.receive(PATIENCE_S) == b"again"
    assert terminal.connections == 2


def test_a_client_that_never_reads_is_hung_up(terminal: PtyEndpoint) -> None:
    with terminal.link.open("r+b", buffering=0):
        terminal.send(bytes(100_000))  # more than a terminal holds
        assert terminal.connections == 2


def test_a_second_one_does_not_steal_the_path_of_a_live_one(terminal: PtyEndpoint) -> None:
    with pytest.raises(SimulatorError, match=r"line is in use by process \d+ \("):
        PtyEndpoint(terminal.link)
    with terminal.link.open("r+b", buffering=0) as client:
        client.write(b"still here")
        assert terminal.receive(PATIENCE_S) == b"still here"


def test_a_link_that_a_dead_one_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "line").symlink_to("/dev/pts/nobody")
    with (
        closing(PtyEndpoint(tmp_path / "line")) as endpoint,
        endpoint.link.open("r+b", buffering=0),
    ):
        assert endpoint.connections == 1


def test_a_terminal_leaves_no_link_behind(tmp_path: Path) -> None:
    with closing(PtyEndpoint(tmp_path / "line")):
        assert (tmp_path / "line").is_symlink()
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_the_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(InvalidScenarioError, match="notes"):
        PtyEndpoint(tmp_path / "notes")
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_link_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="nowhere"):
        PtyEndpoint(tmp_path / "nowhere" / "line")


def test_wake_ends_a_wait_in_another_thread(terminal: PtyEndpoint) -> None:
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(terminal.receive(PATIENCE_S * 10)))
    thread.start()
    terminal.wake()
    thread.join(PATIENCE_S)
    assert received == [b""]


def test_the_simulators_are_imported_where_there_are_no_terminals() -> None:
    command = [sys.executable, "-c", IMPORT_ALL_WITHOUT_TERMINALS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 50


def test_a_system_without_terminals_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pty", None)
    with pytest.raises(SimulatorError, match=r"no pseudo-terminals.*--listen"):
        PtyEndpoint(tmp_path / "line")
    assert list(tmp_path.iterdir()) == []
