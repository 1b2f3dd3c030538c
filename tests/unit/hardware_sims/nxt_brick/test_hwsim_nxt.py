"""The command `hwsim nxt` as a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hardware_sims.cli.main import main
from hardware_sims.cli.nxt import _rig
from hardware_sims.rigs.cradle.model import MODEL
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.robot_faults import NOTHING_WRONG
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from tests.forked import Command
from tests.in_process import Run, runner

PATIENCE_S = 60.0


@pytest.fixture
def hwsim(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Run the command in the test's own process, where it starts nothing."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield runner("hwsim", main, monkeypatch, capsys)
    for number, handler in handlers.items():
        signal.signal(number, handler)


@contextmanager
def running(*options: str, typed_at: bool = False) -> Iterator[Command]:
    with Command("hwsim", "nxt", *options, typed_at=typed_at) as process:
        yield process


def first_line(process: Command) -> dict[str, object]:
    greeting: dict[str, object] = json.loads(process.stdout.readline())
    return greeting


def stop(process: Command, number: signal.Signals) -> dict[str, object]:
    process.send_signal(number)
    output, remarks = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, remarks
    ending: dict[str, object] = json.loads(output.splitlines()[-1])
    return ending


def test_it_serves_tcp_until_it_is_told_to_stop(tmp_path: Path) -> None:
    rig_file = tmp_path / "rig.json"
    with running("--scramble", "R U", "--json", "--rig-file", str(rig_file)) as process:
        started = first_line(process)
        kind, host, port = str(started["address"]).split(":")
        assert (kind, host) == ("ip", "127.0.0.1")
        assert started["facelets"] == CradledCube(SOLVED.apply(parse_moves("R U"))).facelets
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as client:
            client.sendall(b"\x98")
            assert client.recv(10) == b"usb"
            client.sendall(b"\x00\x0b")
            assert client.recv(10) == b"\x02\x0b\x00\x40\x1f"
        ended = stop(process, signal.SIGTERM)
    assert ended["facelets"] == started["facelets"]
    assert (ended["solved"], ended["jams"], ended["telegrams"]) == (False, [], 1)
    assert float(str(ended["robot_seconds"])) > 0
    with running("--rig-file", str(rig_file), "--json") as process:
        assert first_line(process)["facelets"] == started["facelets"]
        stop(process, signal.SIGINT)


def test_it_starts_without_any_option() -> None:
    with running() as process:
        assert str(first_line(process)["address"]).startswith("ip:127.0.0.1:")
        stop(process, signal.SIGINT)


def test_it_serves_a_terminal(tmp_path: Path) -> None:
    line = tmp_path / "rfcomm"
    with running("--pty", str(line), "--speed", "20") as process:
        assert first_line(process)["address"] == f"devfile:{line}"
        client = os.open(line, os.O_RDWR | os.O_NOCTTY)
        os.write(client, b"\x02\x00\x00\x0b")
        assert os.read(client, 20) == b"\x05\x00\x02\x0b\x00\x40\x1f"
        os.close(client)
        assert stop(process, signal.SIGINT)["solved"] is True
    assert not line.exists()


def test_a_terminal_is_as_slow_as_bluetooth(tmp_path: Path) -> None:
    """A sensor's value is valid 20 ms after its type was set: by then the reply has come."""
    line = tmp_path / "rfcomm"
    with running("--free", "--pty", str(line), "--speed", "20") as process:
        first_line(process)
        client = os.open(line, os.O_RDWR | os.O_NOCTTY)
        os.write(client, bytes.fromhex("0500 0005000120"))
        assert os.read(client, 20) == bytes.fromhex("0300 020500")
        os.write(client, bytes.fromhex("0300 000700"))
        assert os.read(client, 20)[2:8] == bytes.fromhex("020700 00 01 00")
        os.close(client)
        stop(process, signal.SIGINT)


def ask(process: Command, *telegrams: str) -> list[bytes]:
    """Return the replies to telegrams, the last of them only when an operator may have acted."""
    _, host, port = str(first_line(process)["address"]).split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as client:
        replies = []
        for telegram in ("98", *telegrams):
            client.sendall(bytes.fromhex(telegram))
            replies.append(client.recv(64))
    return replies[1:]


def test_how_a_program_ended_is_told_at_the_end(tmp_path: Path) -> None:
    program = tmp_path / "mine.rxe"
    program.write_bytes(b"no program")
    with running("--free", "--program", str(program), "--speed", "20") as process:
        start = "0000" + b"mine.rxe".ljust(20, b"\0").hex()
        ask(process, start, *["000b"] * 60)  # each takes a millisecond at least
        ended = stop(process, signal.SIGINT)
    assert ended["programs"] == [
        "mine.rxe is no program: the file has 10 bytes, fewer than a header"
    ]


def test_a_free_brick_has_sensors_and_files(tmp_path: Path) -> None:
    program = tmp_path / "mine.rxe"
    program.write_bytes(b"12345")
    options = ("--free", "--json", "--sensor", "2:touch=1", "--program", str(program))
    with running(*options) as process:
        found, _, pressed = ask(
            process, "01 86" + b"*.*".ljust(20, b"\0").hex(), "00 05 01 01 20", "00 07 01"
        )
        ended = stop(process, signal.SIGTERM)
    assert found[4:12] == b"mine.rxe"
    assert pressed[2] == 0
    assert set(ended) == {"telegrams", "robot_seconds"}


def test_an_operator_types_commands() -> None:
    with running("--free", "--json", typed_at=True) as process:
        first_line(process)
        process.stdin.write("plug 1:touch=1\nwhistle\n")
        process.stdin.close()
        complaint = process.stderr.readline()  # the line before it has been done by then
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
    assert "'whistle' is no command" in complaint


def test_a_brick_that_falls_asleep_says_so_and_how_it_wakes(tmp_path: Path) -> None:
    (tmp_path / "faults.toml").write_text("sleep = { after = 1 }")
    options = ("--free", "--json", "--speed", "20", "--faults", str(tmp_path / "faults.toml"))
    with running(*options, typed_at=True) as process:
        first_line(process)
        assert "fell asleep after 1 seconds" in (line := process.stderr.readline())
        assert "Type on" in line
        process.stdin.write("on\n")
        process.stdin.flush()
        assert "on again" in process.stderr.readline()
        assert "fell asleep" in process.stderr.readline()
        process.stdin.close()
        process.send_signal(signal.SIGTERM)
        output, _ = process.stdout.read(), process.wait(PATIENCE_S)
    assert "fell asleep" in json.loads(output)["off"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--free", "--seed", "1"], "no rig"),
        (["--sensor", "1:gyro"], "1:gyro"),
        (["--program", "missing.rxe"], "missing.rxe"),
        (["--listen", "0.0.0.0:0"], "--allow-remote"),
        (["--facelets", "U"], "54 stickers"),
        (["--seed", "1", "--scramble", "R"], "exclude each other"),
        (["--faults", "missing.toml"], "missing.toml"),
        (["--rig", "arms"], "The rigs are nxt-cradle, mindcuber, or a rig file"),
        (["--rig", "missing.toml"], "missing.toml"),
    ],
)
def test_what_makes_no_sense_ends_with_a_sentence(
    hwsim: Run, options: list[str], named: str
) -> None:
    outcome = hwsim("nxt", *options)
    assert outcome.code == 2
    assert named in outcome.err + outcome.out
    assert "Traceback" not in outcome.err


def test_an_error_is_a_json_object_too_when_asked(hwsim: Run) -> None:
    outcome = hwsim("nxt", "--scramble", "Q", "--json")
    assert outcome.code == 2
    assert "'Q'" in outcome.data["error"]


def test_a_client_that_never_reads_does_not_keep_it_from_ending() -> None:
    with running("--json", "--free", "--listen", "127.0.0.1:0") as process:
        host, port = str(first_line(process)["address"]).removeprefix("ip:").rsplit(":", 1)
        with socket.create_connection((host, int(port))) as client:
            client.setblocking(False)
            with suppress(BlockingIOError):
                while True:  # battery level, until the replies that nobody reads fill every buffer
                    client.send(bytes((0x00, 0x0B)) * 30_000)
            assert "telegrams" in stop(process, signal.SIGTERM)


def test_a_rig_file_that_cannot_be_written_silences_no_brick(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rig.json"
    rig = _rig(MODEL, None, None, 3, path, NOTHING_WRONG, lambda _: None)
    path.unlink()
    path.mkdir()  # as good as a full disk: what is written cannot take its place
    assert isinstance(rig, CubeRig)
    assert rig.on_cube_change is not None
    rig.on_cube_change(rig)
    assert "The rig continues without it" in capsys.readouterr().err


def test_it_ends_with_its_input_if_told_so() -> None:
    options = ("--json", "--free", "--end-with-input")
    with running(*options, typed_at=True) as process:
        first_line(process)
        output, remarks = process.communicate(timeout=PATIENCE_S)  # closes the input
        assert process.returncode == 0, remarks
        assert "telegrams" in output


def test_ctrl_c_ends_the_preparation_at_once(hwsim: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object, *, is_shown: bool) -> None:  # noqa: ARG001
        signal.raise_signal(signal.SIGINT)
        pytest.fail("it goes on compiling")

    monkeypatch.setattr("hardware_sims.cli.nxt._warm_up", interrupted)
    outcome = hwsim("nxt", "--free", "--json")
    assert outcome.code == 130
    assert "address" not in outcome.out


SIGNALS_WHILE_IT_WAITS = """
import signal, sys, threading
from hardware_sims.cli.nxt import _stop_on_signal, _wait_for

def trace(frame, event, argument):
    if frame.f_code.co_name != "_wait_for":
        signal.raise_signal(signal.SIGINT)
    return trace

def interrupt():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

stop = _stop_on_signal()
threading.Timer(0.05, interrupt).start()
sys.settrace(trace)
_wait_for(stop)
sys.settrace(None)
"""


def test_a_signal_at_any_line_of_the_wait_ends_it() -> None:
    """A handler that takes a lock of the waiting thread would wait for ever."""
    subprocess.run([sys.executable, "-c", SIGNALS_WHILE_IT_WAITS], check=True, timeout=PATIENCE_S)


def test_a_mindcuber_gets_its_cube_by_hand_and_shows_it_at_the_end() -> None:
    options = ("--rig", "mindcuber", "--seed", "3", "--speed", "20", "--end-with-input")
    with running(*options, typed_at=True) as process:
        started = first_line(process)
        process.stdin.write("cube out\npress left 0.5\nplug 1:touch\n")
        output, remarks = process.communicate(PATIENCE_S)
    ended = json.loads(output.splitlines()[-1])
    assert (process.returncode, "Error" in remarks) == (0, False)
    assert ended["facelets"] == started["facelets"]
    assert ended["jams"] == []


def test_no_camera_looks_at_a_mindcuber(hwsim: Run) -> None:
    refused = hwsim("nxt", "--rig", "mindcuber", "--camera")
    assert refused.code == 2
    assert "own sensor" in refused.err
