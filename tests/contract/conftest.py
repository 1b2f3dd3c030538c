"""The brick of the contract: simulated behind each kind of line, or a real one with `--brick`.

`pytest tests/contract --brick usb` (or bluetooth:ADDRESS, devfile:PATH, ip:HOST:PORT) runs what is
safe on somebody's own brick: nothing is deleted. The motors turn, so nothing may hang on them.
The simulated brick lives in virtual time, and so do nxt-python's own waits.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import nxt.brick
import nxt.locator
import nxt.motor
import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import InProcessConnection, SimulatedBrick
from hardware_sims.nxt_brick.server import BrickServer

PROGRAMS = Path(__file__).parents[1] / "data" / "nxt_programs" / "programs"
SIMULATED = ("tcp", "pty", "in_process")


class VirtualTime:
    """Stands in for the `time` module inside nxt-python."""

    def __init__(self, clock: VirtualClock) -> None:
        self.time = clock.now
        self.sleep = clock.sleep


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "link" in metafunc.fixturenames:
        real = metafunc.config.getoption("--brick")
        metafunc.parametrize("link", [real] if real else SIMULATED)


def find_brick(address: str) -> nxt.brick.Brick:
    """Return the brick at an address, found by nxt-python itself."""
    kind, _, place = address.partition(":")
    if kind == "ip":
        host, _, port = place.rpartition(":")
        return nxt.locator.find(
            backends=["socket"], server_host=host, server_port=int(port), config=None
        )
    filters = {"filename": place} if kind == "devfile" else {"host": place} if place else {}
    return nxt.locator.find(backends=[kind], config=None, **filters)


@pytest.fixture
def simulated(link: str, monkeypatch: pytest.MonkeyPatch) -> SimulatedBrick | None:
    """The brick behind the line, where it can be looked into."""
    if link not in SIMULATED:
        return None
    clock = VirtualClock()
    monkeypatch.setattr(nxt.motor, "time", VirtualTime(clock))
    brick = SimulatedBrick(clock)
    brick.machine.files.store(b"host_errors.rxe", (PROGRAMS / "host_errors.rxe").read_bytes())
    return brick


@pytest.fixture
def brick(link: str, simulated: SimulatedBrick | None, tmp_path: Path) -> Iterator[nxt.brick.Brick]:
    """nxt-python's own object, connected."""
    with ExitStack() as stack:
        if simulated is None:
            connected = find_brick(link)
        elif link == "in_process":
            connected = nxt.brick.Brick(InProcessConnection(simulated))
        else:
            terminal = tmp_path / "rfcomm" if link == "pty" else None
            server = stack.enter_context(BrickServer(simulated, pty_link=terminal))
            connected = find_brick(server.address)
        stack.callback(connected.close)
        yield connected


@pytest.fixture
def brick_to_change(brick: nxt.brick.Brick, simulated: SimulatedBrick | None) -> nxt.brick.Brick:
    """A brick whose files and name may be changed: never somebody's own."""
    if simulated is None:
        pytest.skip("would change files or settings of a real brick")
    return brick
