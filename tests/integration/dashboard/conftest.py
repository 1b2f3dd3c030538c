"""A dashboard that is served in this process, and the system's Chromium that looks at it."""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    WebSocketRoute,
    expect,
    sync_playwright,
)

from controller.dashboard.app import Dashboard
from controller.dashboard.server import Server
from tests.browser import chromium
from tests.forked import Command

LONGEST_S: Final = 60.0

Look: TypeAlias = Literal["light", "dark"]
SIZES: Final[dict[str, tuple[int, int, Look]]] = {
    "desktop": (1440, 900, "light"),
    "laptop": (1024, 768, "dark"),
    "tablet": (768, 1024, "light"),
    "phone": (390, 844, "dark"),
}
"""Windows in which pages are looked at: width, height, light or dark."""

expect.set_options(timeout=1000 * LONGEST_S)  # the machine may be busy with other tests


def start_forked(kind: str, arguments: Sequence[str]) -> Command:
    """Start a simulated robot as the product does, but for its imports; a demo's has them too."""
    return Command("hwsim", kind, "--json", "--end-with-input", *arguments, typed_at=True)


class Served:
    """The dashboard, and where it is."""

    def __init__(self) -> None:
        self.dashboard = Dashboard(["--link", "usb"])
        self.server = Server(self.dashboard)


class Relay:
    """The socket of a context's pages: it passes on all topics but one, which the test sends."""

    def __init__(self, context: BrowserContext, without: str) -> None:
        self._without = without
        self._sockets: list[WebSocketRoute] = []
        context.route_web_socket(re.compile("/events$"), self._opened)

    def send(self, values: Mapping[str, object]) -> None:
        """Send values of topics in one message."""
        topics = [{"n": 0, "topic": topic, "value": value} for topic, value in values.items()]
        self._sockets[-1].send(msgspec.json.encode(topics).decode())

    def _opened(self, socket: WebSocketRoute) -> None:
        def forward(message: str | bytes) -> None:
            topics = msgspec.json.decode(message)
            passed = [each for each in topics if each["topic"] != self._without]
            socket.send(msgspec.json.encode(passed).decode())

        socket.connect_to_server().on_message(forward)
        self._sockets.append(socket)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a dashboard whose journals and locks are its own."""
    with pytest.MonkeyPatch.context() as patched:
        folder: Path = tmp_path_factory.mktemp("user")
        patched.setenv("XDG_STATE_HOME", str(folder))
        patched.setenv("XDG_RUNTIME_DIR", str(folder))
        patched.setattr("controller.simulator_process.start_simulator", start_forked)
        served = Served()
        thread = threading.Thread(target=served.server.run)
        thread.start()
        yield served
        served.server.end()
        thread.join(LONGEST_S)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once. Its event loop runs on in this thread: no test may run another in it."""
    path = chromium()
    if path is None:
        pytest.skip("there is no chromium; `make browser` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


def confirm(page: Page) -> None:
    """Say that the cube that was entered is the one in the rig."""
    dialog = page.get_by_role("dialog", name="Is this the cube in the rig?")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Yes, solve it").click()


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe-core finds on a page, by all its rules if none are named."""
    options: dict[str, Any] = {
        "resultTypes": ["violations"],
        "rules": {"focus-order-semantics": {"enabled": True}},  # it is experimental, and holds here
    }
    if rules:
        options = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": rules}}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{page.url}: {each['id']} at {[node['html'] for node in each['nodes']]}" for each in found
    ]


NOTE_SHIFTS: Final = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) {
    const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 80));
    if (!shift.hadRecentInput) window.shifts.push([shift.value, moved]);
  }
}).observe({ type: 'layout-shift', buffered: true });
"""
"""A script for a context: its pages note what moved without a person's click, as Chromium does."""
_SHIFTS: Final = """() => new Promise((done) => requestAnimationFrame(() =>
  requestAnimationFrame(() => setTimeout(() => done(window.shifts.splice(0))))))"""


MOST_SHIFT: Final = 0.05
"""Of a whole run, a flash, a count; a reader notices 0.1."""


def layout_shift(page: Page) -> tuple[float, object]:
    """Return how much a page has moved since it was asked last, all shifts added, and what moved.

    Chromium's CLS is the most of these within five seconds, which is less.
    """
    found = page.evaluate(_SHIFTS)
    return sum(value for value, _ in found), found
