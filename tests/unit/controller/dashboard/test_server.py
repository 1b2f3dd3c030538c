"""A signal that ends the dashboard stops everything first, motors included."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.dashboard.server import lasting_secret

# In a process of its own: a browser's test leaves its event loop behind in this one.
SERVE = """
import os, signal, sys, threading, urllib.error, urllib.request
from contextlib import suppress
from unittest.mock import patch

from controller.dashboard.app import Dashboard
from controller.dashboard.server import Server

number = signal.Signals(int(sys.argv[1]))
dashboard = Dashboard()
server = Server(dashboard)
unhandled = []

def end_unhandled(number, _):
    unhandled.append(number)
    server.end()

def send():
    with suppress(urllib.error.HTTPError):  # any answer shows that the handlers are in place
        urllib.request.urlopen(server.origin).close()
    os.kill(os.getpid(), number)

signal.signal(number, end_unhandled)
thread = threading.Thread(target=send)
with patch.object(dashboard, "close", wraps=dashboard.close) as close:
    thread.start()
    server.run()
    close.assert_called_once()
thread.join()
# uvicorn raises SIGINT and SIGTERM again once it has shut down; SIGHUP has done its work.
assert unhandled == ([] if number is signal.SIGHUP else [number]), unhandled
print("closed")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_closes_the_dashboard(number: signal.Signals) -> None:
    command = [sys.executable, "-c", SERVE, str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "closed\n"), done.stderr


def test_the_secret_lasts_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "dashboard.secret"
    secret = lasting_secret(path)
    assert lasting_secret(path) == secret
    assert path.stat().st_mode & 0o077 == 0
    for content, mode in ((secret, 0o640), (secret[:-1], 0o600), ("\xe9" * 32, 0o600), ("", 0o600)):
        path.write_bytes(content.encode("latin-1"))
        path.chmod(mode)
        new = lasting_secret(path)
        assert new != secret
        assert lasting_secret(path) == new


def test_without_a_place_for_it_the_secret_is_of_this_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "dashboard.secret"
    assert lasting_secret(path) != lasting_secret(path)
