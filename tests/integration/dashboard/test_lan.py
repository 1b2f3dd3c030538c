"""The dashboard in a network, seen from a phone there; and bookmarks, which outlive a restart."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from controller.dashboard.app import Dashboard
from controller.dashboard.guard import PATIENCE_S
from controller.dashboard.server import Server
from tests.integration.dashboard.conftest import LONGEST_S, violations

NETWORK_HOST = "127.0.0.2"
"""Stands for our address in a network: another one than 127.0.0.1, and always there."""


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server
    server.end()
    thread.join(LONGEST_S)
    assert not thread.is_alive()


VISITS = {
    "/cube": "cube/prepare",
    "/board": "board/ports",
    "/puzzles?puzzle=ubongo": "puzzles/cards",
    "/puzzles?puzzle=tiles-nine-triangles": "puzzles/show_tiles",
}
"""Addresses, and what their pages request without a click."""


def test_a_phone_watches_by_the_link_and_steers_with_the_code(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * LONGEST_S)
    dashboard = Dashboard()
    monkeypatch.setattr(dashboard.cube.search, "prepare", lambda: None)  # it compiles
    with serving(Server(dashboard, network_host=NETWORK_HOST)) as server:
        assert server.lan is not None
        page = context.new_page()
        page.goto(f"http://{server.lan.host}/cube")
        expect(page.locator("body")).to_contain_text("Open the address that `cuberobot dashboard`")
        page.goto(server.watching_address)
        expect(page.locator("#state")).to_contain_text("Connect your robot")
        page.keyboard.press("Escape")  # a watching device can stop
        expect(page.locator("#note")).to_be_hidden()
        dialog = page.get_by_role("dialog", name="This device only watches")
        for address, request in VISITS.items():
            with page.expect_response(f"**/api/{request}") as asked:
                page.goto(f"http://{server.lan.host}{address}")
            assert asked.value.ok, request
            expect(dialog).to_be_hidden()
        page.goto(f"http://{server.lan.host}/robot")

        page.get_by_role("button", name="Start a simulated robot").click()
        expect(dialog).to_be_visible()
        assert violations(page) == []
        dialog.get_by_label("Code").fill("0000 0000")
        dialog.get_by_role("button", name="Steer").click()
        expect(dialog.get_by_role("alert")).to_contain_text("This is not the code")
        page.wait_for_timeout(1100 * PATIENCE_S)
        dialog.get_by_label("Code").fill(f"{server.lan.code[:4]} {server.lan.code[4:]}")
        dialog.get_by_role("button", name="Steer").click()
        expect(dialog).to_be_hidden()
        expect(page.locator("#note")).to_have_text("This device steers now.")
        answer = page.request.post(
            f"http://{server.lan.host}/api/robot/cancel",
            headers={"Origin": f"http://{server.lan.host}"},
        )
        assert answer.status != 401
        page.goto(f"{server.origin}/robot")  # the phone's secrets open nothing on this computer
        expect(page.locator("body")).to_contain_text("Open the address that `cuberobot dashboard`")
    context.close()


def test_an_open_page_and_a_bookmark_outlive_a_restart(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.set_default_timeout(1000 * LONGEST_S)
    page = context.new_page()
    with serving(Server(Dashboard(), token="of this user")) as first:
        page.goto(first.address)
        expect(page.locator("#state")).to_be_visible()
    expect(page.locator("#lost")).to_be_visible()
    with serving(Server(Dashboard(), first.port, token="of this user")):
        expect(page.locator("#lost")).to_be_hidden()
        page.goto(f"{first.origin}/robot")
        expect(page.locator("#state")).to_contain_text("Connect your robot")
    context.close()
