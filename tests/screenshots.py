"""Pictures of the dashboard during a real run: `python -m tests.screenshots FOLDER`."""

import sys
import tempfile
import threading
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from controller.dashboard.app import Dashboard
from controller.dashboard.board import view as board
from controller.dashboard.robot.view import Phase, SimulateRequest, SolveRequest
from controller.dashboard.server import Server
from controller.job_events import RobotEvent
from controller.motion.executor import PrimitiveStarted
from firmware_tools.flashing import Programmed
from solvers.foundation.progress import Progress
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.browser import chromium

LONGEST_MS: Final = 120_000
SEED: Final = 7
PRIMITIVE: Final = 23
BAD_LINE: Final = 'seed = 4\ndirection = "to_board"\nlose = 0.0004\n'
PART_FLASHED: Final = 0.6
MID_MOTION_MS: Final = 350
STEP: Final = 10
PARTS: Final = 70
MID_TURN_MS: Final = 120


def take(folder: Path) -> None:
    """Write the pictures of the pages into `folder`, in both looks."""
    dashboard = Dashboard(["--link", "usb"])
    server = Server(dashboard)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium())
            _take_robot(browser, dashboard, server, folder)
            _take_puzzles(browser, server, folder)
            _take_board(browser, dashboard, server, folder)
            _take_cube(browser, server, folder)
            browser.close()
    finally:
        server.end()
        thread.join()


def _take_robot(browser: Browser, dashboard: Dashboard, server: Server, folder: Path) -> None:
    desktop = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    began = threading.Event()

    def hear(event: RobotEvent) -> None:
        if isinstance(event, PrimitiveStarted) and event.index == PRIMITIVE:
            began.set()

    dashboard.robot.on_event = hear
    pages = [_opened(context, server) for context in (desktop, phone)]
    dashboard.robot.simulate(SimulateRequest(speed=1, seed=SEED, camera=1))
    pages[0].locator(f"#state[data-phase={Phase.READY}]").wait_for()
    dashboard.robot.solve(SolveRequest())
    assert began.wait(LONGEST_MS / 1000)
    pages[0].wait_for_timeout(MID_MOTION_MS)
    pages[0].screenshot(path=folder / "dashboard-robot.png")
    pages[1].screenshot(path=folder / "dashboard-phone.png")
    dashboard.stop()
    dashboard.robot.wait(LONGEST_MS / 1000)
    dashboard.robot.disconnect()


def _take_puzzles(browser: Browser, server: Server, folder: Path) -> None:
    """Take a search of the Bedlam cube while it runs: a solution half put together, and the count.

    On the phone the same solution.
    """
    desktop = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    address = f"{server.origin}/puzzles?puzzle=bedlam&solution=1&step={STEP}"
    pages = [_opened(context, server) for context in (desktop, phone)]
    for page in pages:
        page.goto(address)
        page.locator(f".viewer[data-step='{STEP}']").wait_for()
    pages[0].get_by_role("button", name="Count all").click()
    pages[0].locator(".parts .d").nth(PARTS).wait_for()
    pages[0].screenshot(path=folder / "dashboard-puzzles.png")
    pages[1].screenshot(path=folder / "dashboard-puzzles-phone.png")
    pages[0].get_by_role("button", name="Stop and keep").click()
    pages[0].locator("#job[data-phase=stopped]").wait_for()


def _take_board(browser: Browser, dashboard: Dashboard, server: Server, folder: Path) -> None:
    """Over a line that loses bytes, with an 8-puzzle that was solved before."""
    controller, halved = dashboard.board, threading.Event()
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as faults:
        faults.write(BAD_LINE)
        faults.flush()
        controller.simulator_options = ("--faults", faults.name)
        controller.simulate(board.SimulateRequest(speed=5))
        assert controller.wait(LONGEST_MS / 1000)
    controller.solve(board.SolveRequest(start="gaefdboch", goal="doefgbcah"))
    assert controller.wait(LONGEST_MS / 1000)
    controller.programs.build(board.BuildRequest(program="puzzle8-policy"))
    assert controller.wait(LONGEST_MS / 1000)
    shown: tuple[tuple[int, int, Literal["light", "dark"]], ...] = (
        (1440, 900, "light"),
        (390, 844, "dark"),
    )
    pages = []
    for width, height, look in shown:
        context = browser.new_context(
            viewport=ViewportSize(width=width, height=height), color_scheme=look
        )
        page = context.new_page()
        page.goto(f"{server.origin}/board?token={server.token}")
        pages.append(page)

    def hear(event: Progress) -> None:
        if isinstance(event, Programmed) and event.share is not None and event.share > PART_FLASHED:
            halved.set()

    controller.on_event = hear
    controller.flash(board.FlashRequest())
    assert halved.wait(LONGEST_MS / 1000)
    pages[0].screenshot(path=folder / "dashboard-board.png")
    pages[1].screenshot(path=folder / "dashboard-board-phone.png")
    controller.stop()
    assert controller.wait(LONGEST_MS / 1000)


def _take_cube(browser: Browser, server: Server, folder: Path) -> None:
    desktop = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    stickers = format_facelets(random_state(SEED))
    for context, name in ((desktop, "dashboard-cube"), (phone, "dashboard-cube-phone")):
        page = _opened(context, server)
        page.goto(f"{server.origin}/cube?facelets={stickers}")
        page.locator("#solve:enabled").wait_for()
        page.click("#solve")
        page.locator("#searched", has_text="searched").wait_for()
        page.click("#next")
        page.wait_for_timeout(MID_TURN_MS)
        page.screenshot(path=folder / f"{name}.png")


def _opened(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.goto(server.address)
    return page


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", own)
        take(Path(sys.argv[1]))
