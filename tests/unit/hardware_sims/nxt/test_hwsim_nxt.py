"""The command `hwsim nxt` as a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware_sims.cube_rig.cradled_cube import CradledCube
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves

PATIENCE_S = 60.0
COMMAND = [sys.executable, "-c", "from hardware_sims.cli.main import main; main()", "nxt"]


@contextmanager
def running(*options: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def stop(process: subprocess.Popen[str], number: signal.Signals) -> dict[str, object]:
    process.send_signal(number)
    output, remarks = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, remarks
    return json.loads(output.splitlines()[-1])


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


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--listen", "0.0.0.0:0"], "--allow-remote"),
        (["--facelets", "U"], "54 stickers"),
        (["--seed", "1", "--scramble", "R"], "exclude each other"),
        (["--faults", "missing.toml"], "missing.toml"),
    ],
)
def test_what_makes_no_sense_ends_with_a_sentence(options: list[str], named: str) -> None:
    with running(*options) as process:
        output, remarks = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert named in remarks + output
    assert "Traceback" not in remarks


def test_an_error_is_a_json_object_too_when_asked() -> None:
    with running("--scramble", "Q", "--json") as process:
        output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert "'Q'" in json.loads(output)["error"]
