"""A dashboard in a process of its own, so that what it costs is not the browser's."""

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Final

from controller.dashboard.app import Dashboard
from controller.dashboard.server import Server

TICKS_S: Final = os.sysconf("SC_CLK_TCK")
HERTZ: Final = 15


@dataclass(frozen=True, slots=True)
class ServedDashboard:
    """Where it is, and what it has cost so far."""

    address: str
    origin: str
    process: int

    @property
    def cpu_s(self) -> float:
        """Processor seconds of the process."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_S

    @property
    def memory_mb(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def served(folder: Path, *, tells: bool = False) -> Iterator[ServedDashboard]:
    """Serve a dashboard; if it `tells`, it publishes the time, HERTZ times a second."""
    context = multiprocessing.get_context("spawn")
    greeting: Queue[tuple[str, str]] = context.Queue()
    process = context.Process(target=_serve, args=(folder, tells, greeting))
    process.start()
    try:
        assert process.pid is not None
        yield ServedDashboard(*greeting.get(timeout=300), process.pid)
    finally:
        process.terminate()
        process.join()


def _serve(folder: Path, tells: bool, greeting: "Queue[tuple[str, str]]") -> None:
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_RUNTIME_DIR"] = str(folder)
    dashboard = Dashboard(["--link", "usb"])
    server = Server(dashboard)
    greeting.put((server.address, server.origin))
    if tells:
        threading.Thread(target=_tell, args=(dashboard,), daemon=True).start()
    server.run()


def _tell(dashboard: Dashboard) -> None:
    """Tell the time as a value, and now and then a line of the log, until the process ends."""
    count = 0
    while True:
        dashboard.hub.publish("bench", time.time() * 1000)
        count += 1
        if count % HERTZ == 0:
            line = {"time": "00:00:00", "text": f"{count} spin +90 done in 0.50 s", "kind": ""}
            dashboard.hub.log(line)
        time.sleep(1 / HERTZ)
