"""`cuberobot dashboard` without what it needs, and on a port that somebody has."""

import socket
import sys

import pytest

from controller.cli.main import main
from tests.in_process import Run, runner


@pytest.fixture
def cuberobot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
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
