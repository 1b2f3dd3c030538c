"""Commands in processes of their own, forked from one that has loaded what they need.

Starting each afresh spends up to a second of CPU time on imports and on loading compiled code.
A forked one has its own standard streams, takes signals and ends as one that was started by its
name, which the documented examples do.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, NoReturn, Self

_ROOT: Final = Path(__file__).resolve().parents[1]
_LONGEST_REQUEST: Final = 1 << 16
_LOOK_INTERVAL_S: Final = 0.01
_TO_BE_KILLED_S: Final = 60.0
_MAINS: Final = {"hwsim": "hardware_sims.cli.main", "cuberobot": "controller.cli.main"}
_MODULES: Final = (*_MAINS.values(), "controller.robot_jobs", "controller.rigs.nxt_cradle.rig")
_PIPES: Final = ((0, "w"), (1, "r"), (2, "r"))


class Loaded:
    """The process that commands are forked from: one for each process that runs tests."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=_ROOT)
        self._one_at_a_time = threading.Lock()

    def ask(self, request: dict[str, Any], streams: Sequence[int] = ()) -> Any:
        """Send a request and return the answer."""
        with self._one_at_a_time:
            socket.send_fds(self._line, [json.dumps(request).encode()], list(streams))
            return json.loads(self._line.recv(_LONGEST_REQUEST))

    def end(self) -> None:
        """End it and wait, so that what it used is counted as the tests'."""
        self._line.close()
        self._process.wait()


@cache
def loaded() -> Loaded:
    """Return the process to fork from; it is made when it is first asked for."""
    return Loaded()


def end_loaded() -> None:
    """End the process to fork from, if there is one."""
    if loaded.cache_info().currsize:
        loaded().end()
        loaded.cache_clear()


class Command:
    """A running `hwsim` or `cuberobot`, with the methods of subprocess.Popen that tests need."""

    def __init__(
        self, *words: str, typed_at: bool = False, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start it; `typed_at` if its standard input is a pipe, else there is none."""
        ours: list[IO[str]] = []
        theirs = []
        for number, mode in _PIPES:
            if number == 0 and not typed_at:
                theirs.append(os.open(os.devnull, os.O_RDONLY))
                ours.append(open(os.devnull, "w"))  # noqa: PTH123, SIM115
                continue
            read, write = os.pipe()
            mine, its = (write, read) if mode == "w" else (read, write)
            theirs.append(its)
            ours.append(os.fdopen(mine, mode, 1))
        self.stdin, self.stdout, self.stderr = ours
        request = {
            "words": words,
            "environment": {**os.environ, **(environment or {})},
            "folder": str(Path.cwd()),
        }
        self.pid: int = loaded().ask(request, theirs)
        for stream in theirs:
            os.close(stream)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code, a signal's number below 0, or None while it runs."""
        if self.returncode is None:
            self.returncode = loaded().ask({"look at": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Return its exit code when it has ended. Raises TimeoutError."""
        end_s = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end_s:
                raise TimeoutError(f"it has not ended within {timeout:g} s")
            time.sleep(_LOOK_INTERVAL_S)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Close its input and return the rest of output and errors when it has ended."""
        remarks: list[str] = []
        reader = threading.Thread(target=lambda: remarks.append(self.stderr.read()))
        with suppress(BrokenPipeError):
            self.stdin.close()
        reader.start()
        output = self.stdout.read()
        reader.join()
        self.wait(timeout)
        self._close()
        return output, remarks[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait(_TO_BE_KILLED_S)
        self._close()

    def _close(self) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            with suppress(BrokenPipeError):
                stream.close()


def _load() -> None:
    for module in _MODULES:
        import_module(module)
    for step in import_module("hardware_sims.cli.prepare").STEPS.values():
        step()


def _start(request: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """Be the command in the process that was forked."""
    main = import_module(_MAINS[request["words"][0]]).main
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, max(streams) + 1)
    sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = request["words"]
    code = 1
    try:
        main()
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        for written in (sys.stdout, sys.stderr):
            with suppress(OSError):
                written.flush()
        os._exit(code)


def _look_at(pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _serve(line: socket.socket) -> None:
    interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)
    _load()
    while True:
        message, streams, _, _ = socket.recv_fds(line, _LONGEST_REQUEST, len(_PIPES))
        if not message:
            return
        request = json.loads(message)
        if "words" not in request:
            answer = _look_at(request["look at"])
        elif (answer := os.fork()) == 0:
            signal.signal(signal.SIGINT, interrupted)
            _start(request, streams)
        for stream in streams:
            os.close(stream)
        line.sendall(json.dumps(answer).encode())


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
