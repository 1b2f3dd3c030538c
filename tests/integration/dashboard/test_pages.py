"""All pages, without a robot: what they load, whom they let in, and how they fit a screen."""

import asyncio
import http.client
import re
import socket
import threading

import msgspec
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Route, WebSocketRoute, expect
from starlette.websockets import WebSocket
from websockets import ConnectionClosedError, Origin
from websockets.sync.client import ClientConnection, connect

from controller.dashboard import app
from controller.dashboard.app import PAGES, Dashboard, digest
from controller.dashboard.guard import MOST_BYTES
from controller.dashboard.hub import Hub
from controller.dashboard.robot.view import Phase, RobotView
from controller.dashboard.server import Server
from tests.integration.dashboard.conftest import LONGEST_S, SIZES, Relay, Served, violations

ASSETS = """performance.getEntriesByType('resource')
    .filter((each) => each.name.includes('/assets/'))
    .map((each) => [each.name, each.transferSize])"""


def is_ours(said: str) -> bool:
    """Tell a page's word on the console from what the computer's graphics driver says of itself."""
    return "GL Driver Message" not in said


@pytest.mark.parametrize("size", SIZES)
def test_every_page_loads_nothing_foreign_and_fits(
    served: Served, browser: Browser, size: str
) -> None:
    width, height, look = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
    )
    page, said, asked, known = context.new_page(), list[str](), list[str](), set[str]()

    def hear(message: ConsoleMessage) -> None:
        if is_ours(message.text):
            said.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(served.server.address)
    for name, title in PAGES.items():
        page.goto(f"{served.server.origin}/{name}")
        current = page.locator("nav:visible [aria-current=page]")
        expect(current).to_have_text(title)
        expect(page.locator("#lost")).to_be_hidden()
        stop = page.locator("#stop").bounding_box()
        assert stop is not None
        assert stop["x"] + stop["width"] <= width
        assert stop["y"] + stop["height"] <= height
        html = page.locator("main").bounding_box()
        assert html is not None
        assert html["x"] + html["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(MAIN_BUTTONS[name]).first).to_be_visible()
        # On a phone a cube is entered, and a puzzle looked at, before something is done with it.
        if size != "phone" or name in ("robot", "board"):
            main = page.locator(MAIN_BUTTONS[name]).first.bounding_box()
            assert main is not None
            assert main["y"] + main["height"] <= height - (TABS_PX if size == "phone" else 0)
        assert violations(page) == []
        page.emulate_media(color_scheme="light" if look == "dark" else "dark")
        assert violations(page, "color-contrast") == []
        page.emulate_media(color_scheme=look)
        came = page.evaluate(ASSETS)
        assert {size == 0 for path, size in came if path in known} <= {True}  # kept, not asked for
        known |= {path for path, _ in came}
    assert all(url.startswith(served.server.origin) for url in asked)
    assert said == []
    context.close()


MAIN_BUTTONS = {
    "cube": "#solve",
    "robot": "#state .primary",
    "board": "#board-card .primary",
    "puzzles": "#job .primary",
}
TABS_PX = 66


KEYS_OF_A_PAGE = {"cube": "Undo", "robot": "motor", "board": "8-puzzle", "puzzles": "sliding board"}


def test_keys_lead_to_the_pages_and_to_their_keys(served: Served, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(served.server.address)
    for key, name in enumerate(PAGES, start=1):
        page.keyboard.press(str(key))
        page.wait_for_url(f"**/{name}")
        page.keyboard.press("?")
        expect(page.locator("#page-keys")).to_contain_text(KEYS_OF_A_PAGE[name])
        assert violations(page) == []
        page.get_by_role("button", name="Close").click()
    page.close()


def test_a_frozen_dashboard_is_noticed_and_stop_says_that_it_does_not_arrive(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context()
    sockets, is_frozen, held = list[WebSocketRoute](), threading.Event(), list[Route]()

    def opened(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: None if is_frozen.is_set() else socket.send(message))
        sockets.append(socket)

    context.route_web_socket(re.compile("/events$"), opened)
    page = context.new_page()
    page.goto(served.server.address)
    page.route("**/api/stop", lambda route: held.append(route))
    lost, note = page.locator("#lost"), page.locator("#note")
    expect(page.locator("#state")).to_be_visible()
    expect(lost).to_be_hidden()
    is_frozen.set()
    expect(lost).to_contain_text("does not answer")
    expect(lost).to_contain_text("terminal in which `cuberobot dashboard` runs")
    assert violations(page) == []
    page.locator("#stop").click()  # the overlay leaves it free
    expect(note).to_contain_text("Stop has not arrived yet")
    is_frozen.clear()
    expect(lost).to_be_hidden()
    for route in held:
        route.continue_()
    expect(note).to_be_hidden()
    context.close()


def test_a_dashboard_that_was_started_again_says_where_its_address_is(browser: Browser) -> None:
    def serve(port: int = 0) -> tuple[Server, threading.Thread]:
        server = Server(Dashboard(), port)
        thread = threading.Thread(target=server.run)
        thread.start()
        return server, thread

    def end(server: Server, thread: threading.Thread) -> None:
        server.end()
        thread.join(LONGEST_S)
        assert not thread.is_alive()

    first = serve()
    context = browser.new_context()
    page = context.new_page()
    page.goto(first[0].address)
    expect(page.locator("#state")).to_be_visible()
    end(*first)
    expect(page.locator("#lost-title")).to_have_text("No connection to the dashboard")
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_contain_text("Stop was not delivered.")
    second = serve(first[0].port)
    expect(page.locator("#lost-title")).to_have_text("The dashboard was started again")
    page.keyboard.press("Escape")
    expect(page.locator("#note")).to_contain_text("Open the address that `cuberobot dashboard`")
    page.goto(second[0].address)
    expect(page.locator("#state")).to_be_visible()
    expect(page.locator("#lost")).to_be_hidden()
    context.close()
    end(*second)


def test_a_part_that_fails_is_named_and_keeps_no_other_from_its_news(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context()
    relay, page = Relay(context, without="robot"), context.new_page()
    page.goto(served.server.address)
    expect(page.locator("#broken")).to_be_hidden()
    line = {"time": "12:00:00", "text": "news behind it", "kind": ""}
    relay.send({"robot": {"phase": "of another version"}, "log": [line]})
    expect(page.locator("#log")).to_contain_text("news behind it")
    expect(page.locator("#broken")).to_contain_text("Reload the page.")
    context.close()


def test_a_card_is_drawn_again_only_if_it_differs_and_keeps_the_focus(
    served: Served, browser: Browser
) -> None:
    context = browser.new_context()
    relay, page = Relay(context, without="robot"), context.new_page()
    page.goto(served.server.address)
    ready = RobotView(
        phase=Phase.READY, address="usb", has_camera=True, can_scan=True, drives=("program",)
    )
    change = msgspec.structs.replace

    def show(view: RobotView) -> None:
        relay.send({"robot": view})
        expect(page.locator("#retries")).to_have_text(str(view.retries))

    show(ready)
    page.fill("#stickers", "UUU")
    page.get_by_role("button", name="Scan and solve").focus()
    button = page.evaluate_handle("document.activeElement")
    show(change(ready, retries=1, finished=3))
    assert page.evaluate("button => button === document.activeElement", button)
    show(change(ready, retries=2, sentence="the cube is read"))
    expect(page.locator("#state")).to_contain_text("the cube is read")
    expect(page.get_by_role("button", name="Scan and solve")).to_be_focused()
    expect(page.locator("#stickers")).to_have_value("UUU")
    context.close()


def test_a_browser_may_be_there_before_the_server_runs() -> None:
    server = Server(Dashboard())
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as early:
        thread = threading.Thread(target=server.run)
        thread.start()
        early.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        assert b"403" in early.recv(100)
    server.end()
    thread.join(LONGEST_S)
    assert not thread.is_alive()


def events_of(served: Served) -> ClientConnection:
    """Connect to the socket of a dashboard's pages, as one of them."""
    return connect(
        f"ws://127.0.0.1:{served.server.port}/events",
        origin=Origin(served.server.origin),
        additional_headers={"Cookie": f"puzzlerig_{served.server.port}={served.server.token}"},
    )


@pytest.mark.parametrize("message", [b"\xff", b"[]"])
def test_a_socket_that_is_sent_something_is_closed(
    served: Served, caplog: pytest.LogCaptureFixture, message: bytes
) -> None:
    with events_of(served) as line:
        line.send(message, text=True)
        with pytest.raises(ConnectionClosedError) as closed:
            list(line)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1003
    assert caplog.records == []


def test_what_is_sent_to_a_tab_that_has_just_gone_is_no_error(
    served: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection may be closed before the application receives that; here it never does."""
    deaf, ended = threading.Event(), threading.Event()

    async def hear_nothing(_: WebSocket) -> None:
        deaf.set()
        await asyncio.Event().wait()

    publish = app._publish

    async def published(socket: WebSocket, hub: Hub) -> None:
        try:
            await publish(socket, hub)
        finally:
            ended.set()

    monkeypatch.setattr(app, "_gone", hear_nothing)
    monkeypatch.setattr(app, "_publish", published)
    with events_of(served) as line:
        assert deaf.wait(LONGEST_S)
        line.send("[]")
        assert ended.wait(LONGEST_S)
    assert caplog.records == []


def test_strangers_are_refused_at_the_door(served: Served) -> None:
    def status(path: str, method: str = "GET", **headers: str) -> int:
        return answered(path, method, [], headers)

    def answered(path: str, method: str, chunks: list[bytes], headers: dict[str, str]) -> int:
        line = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=10)
        line.request(method, path, chunks or None, headers)
        code = line.getresponse().status
        line.close()
        return code

    cookie = f"puzzlerig_{served.server.port}={served.server.token}"
    ours = {"Cookie": cookie, "Origin": served.server.origin}
    assert status("/robot") == 403
    assert status("/robot", Cookie=cookie) == 200
    assert status("/robot", Cookie=cookie, Host="evil.example") == 403
    assert status("/api/stop", "POST", Cookie=cookie) == 403
    assert status("/api/stop", "POST", **ours) == 200
    assert status("/api/stop", "POST", Cookie=cookie, Origin="http://evil.example") == 403
    assert status("/api/robot/fly", "POST", **ours) == 400
    assert status(f"/assets/{digest()}/link.js", Cookie=cookie) == 200
    assert status(f"/assets/{digest()}/..%2f..%2fserver.py", Cookie=cookie) == 404
    assert status(f"/assets/{digest()}/nothing.js", Cookie=cookie) == 404
    assert status("/assets/of-another-day/link.js", Cookie=cookie) == 404
    assert status("/files/robot/frame.jpg", Cookie=cookie) == 503
    assert answered("/api/robot/look", "POST", [bytes(MOST_BYTES), b"!"], ours) == 413
