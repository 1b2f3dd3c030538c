"""`cuberobot dashboard` without what it needs, and on a port that somebody has."""

import json
import socket
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from controller.dashboard import server
from controller.dashboard.guard import Lan
from tests.in_process import Run, runner


@pytest.fixture
def cuberobot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return runner("cuberobot", main, monkeypatch, capsys)


def test_without_the_extra_it_says_how_to_install_it(
    cuberobot: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "controller.dashboard.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    outcome = cuberobot("dashboard", "--no-open")
    assert (outcome.code, outcome.out) == (2, "")
    assert "py3-none-any.whl[dashboard]'" in outcome.err


def test_a_port_that_is_taken_is_a_sentence(cuberobot: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        outcome = cuberobot("dashboard", "--no-open", "--port", str(port))
    assert outcome.code == 1
    assert f"Port {port} of this computer cannot be used" in outcome.err


LIGHT_HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
PIXELS = 8


def test_in_a_network_it_prints_a_link_its_qr_code_and_a_code(
    cuberobot: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.Server, "run", lambda _: None)
    monkeypatch.setattr(server, "host_in_network", lambda: "127.0.0.2")
    # An address that is always the same: OpenCV fails to read a few codes in a million.
    monkeypatch.setattr(server, "Lan", lambda _: Lan("192.168.1.5:8010", watch="watcher"))
    outcome = cuberobot("dashboard", "--no-open", "--port", "0", "--lan")
    first, link, *drawn, code = outcome.out.splitlines()
    address = link.split()[-1]
    assert address == "http://192.168.1.5:8010/?token=watcher"
    assert len("".join(filter(str.isdigit, code))) == 8
    rows = [
        row for line in drawn for row in zip(*(LIGHT_HALVES[each] for each in line), strict=True)
    ]
    picture = np.array(rows, np.uint8).repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == address

    printed = json.loads(cuberobot("dashboard", "--no-open", "--port", "0", "--lan", "--json").out)
    assert set(printed) == {"address", "watch", "code"}
    assert printed["watch"] == address
    assert printed["address"].partition("=")[2] == first.partition("=")[2]  # this secret lasts


def test_without_a_network_nobody_can_watch(
    cuberobot: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_ELSEWHERE", ("255.255.255.255", 9))  # refused without a right
    outcome = cuberobot("dashboard", "--no-open", "--lan")
    assert (outcome.code, outcome.out) == (1, "")
    assert "This computer is in no network now" in outcome.err
