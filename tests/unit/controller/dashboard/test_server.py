"""A signal that ends the dashboard stops everything first, motors included."""

import signal
import subprocess
import sys

import pytest

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
