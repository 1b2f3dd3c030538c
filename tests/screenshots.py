"""Pictures of the dashboard during a real run: `python -m tests.screenshots FOLDER`."""

import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from controller.dashboard.app import Dashboard
from controller.dashboard.robot.requests import Nothing, Simulate, Solve
from controller.dashboard.robot.view import Phase
from controller.dashboard.server import Server
from controller.job_events import RobotEvent
from controller.motion.driving.executor import PrimitiveStarted

LONGEST_MS: Final = 120_000
SEED: Final = 7
PRIMITIVE: Final = 23
MID_MOTION_MS: Final = 350
STEP: Final = 10
PARTS: Final = 70


def take(folder: Path) -> None:
    """Write the pictures of the pages into `folder`, in both looks."""
    dashboard = Dashboard(["--link", "usb"])
    server = Server(dashboard)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            chromium = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium)
            _take_robot(browser, dashboard, server, folder)
            _take_puzzles(browser, server, folder)
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

    dashboard.robot.hear = hear
    pages = [_opened(context, server) for context in (desktop, phone)]
    dashboard.robot.simulate(Simulate(speed=1, seed=SEED, camera=1))
    pages[0].locator(f"#state[data-phase={Phase.READY}]").wait_for()
    dashboard.robot.solve(Solve())
    assert began.wait(LONGEST_MS / 1000)
    pages[0].wait_for_timeout(MID_MOTION_MS)
    pages[0].screenshot(path=folder / "dashboard-robot.png")
    pages[1].screenshot(path=folder / "dashboard-phone.png")
    dashboard.stop()
    dashboard.robot.wait(LONGEST_MS / 1000)
    dashboard.robot.disconnect(Nothing())


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


def _opened(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.goto(server.address)
    return page


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", own)
        take(Path(sys.argv[1]))
