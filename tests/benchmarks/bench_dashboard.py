"""The dashboard: Stop to motors off, tabs, half an hour of values, and a driver beside a count

Real time, Debian's Chromium without a graphics card on the same cores.
"""

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from controller.dashboard.app import PAGES, Dashboard, digest
from controller.dashboard.puzzles.view import PackRequest
from controller.dashboard.robot.view import (
    ConnectRequest,
    Phase,
    ResumeRequest,
    SimulateRequest,
    SolveRequest,
)
from controller.dashboard.server import Server
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.benchmarks.dashboard.powered_brick import powered_brick
from tests.benchmarks.dashboard.served import served
from tests.browser import chromium

LONGEST_S: Final = 300.0
LONGEST_MS: Final = 1000 * LONGEST_S
SEED: Final = 7
STOPS: Final = 10
MOST_RUN_S: Final = 4.5
AFTER_STOP_S: Final = 2.0
TABS: Final = 8
PARTS: Final = os.environ.get("PARTS", "").split()
"""Some of stops, first, tabs, beside, minutes; all if none is named. Without RESULTS.md:
`PARTS=beside python -c "from tests.benchmarks import bench_dashboard as b; print(b.run())"`."""
MINUTES: Final = float(os.environ.get("MINUTES", "30"))
SLEEP_S: Final = 0.01
BESIDE_S: Final = 40.0
NOTE_OPENED: Final = """
    const timer = setInterval(() => {
      const frame = document.querySelector('#frame');
      if (frame && !frame.hidden && frame.complete) {
        window.opened = performance.now();
        clearInterval(timer);
      }
    }, 20);
"""


def run() -> str:
    """Return the section of RESULTS.md."""
    rows = ["| what | figure | bound | load |", "|---|---|---|---:|"]
    with _user_folder() as folder, _chromium() as browser:
        parts: dict[str, Callable[[], list[str]]] = {
            "stops": lambda: stops(browser, "usb", 0.5) + stops(browser, "bluetooth", 1.0),
            "first": lambda: first_picture(browser, folder),
            "tabs": lambda: eight_tabs(browser),
            "beside": beside_a_count,
            "minutes": lambda: half_an_hour(browser, folder),
        }
        for name, part in parts.items():
            if name in PARTS or not PARTS:
                rows += part()
    return "\n".join(rows)


def stops(browser: Browser, link: str, bound_s: float) -> list[str]:
    """Press Escape at random moments of a run, on each page in turn, and watch the motors."""
    moments = random.Random(link)
    driven, off = [], []
    with powered_brick(link, SEED) as brick, _dashboard() as (dashboard, server):
        dashboard.robot.connect(ConnectRequest(brick.address))
        _until(dashboard, Phase.READY)
        context = browser.new_context()
        tabs = [_opened(context, server, name) for name in PAGES]
        tabs[1].evaluate("document.body.prepend(document.createElement('input'))")
        solve = SolveRequest(format_facelets(random_state(SEED)))
        dashboard.robot.solve(solve)
        while not dashboard.hub.value("robot").finished:  # the program is on the brick from then on
            time.sleep(0.1)
        for count in range(STOPS):
            time.sleep(moments.uniform(0.5, MOST_RUN_S))
            tab = tabs[count % len(tabs)]
            tab.bring_to_front()
            if count % len(tabs) == 1:
                tab.locator("input").first.focus()
            pressed_s = time.monotonic()
            tab.keyboard.press("Escape")
            _until(dashboard, Phase.STOPPED)
            time.sleep(AFTER_STOP_S)
            to_braked_s, to_off_s = brick.power_since(pressed_s)
            driven.append(to_braked_s)
            off.append(to_off_s)
            if dashboard.hub.value("robot").can_resume:
                dashboard.robot.resume(ResumeRequest())
            else:  # it was stopped before it drove
                dashboard.robot.solve(solve)
        _until(dashboard, Phase.FINISHED)
        context.close()
    return [
        f"| Stop by `Esc` to motors braked, {link} link, {STOPS} moments, all pages "
        f"| median {median(driven):.2f} s, most {max(driven):.2f} s | {bound_s:g} s | {_load()} |",
        f"| Stop to no power at all, {link} link | median {median(off):.2f} s, "
        f"most {max(off):.2f} s | {bound_s:g} s | {_load()} |",
    ]


def first_picture(browser: Browser, folder: Path) -> list[str]:
    """Open each page in a fresh browser's context."""
    found = []
    with served(folder) as dashboard:
        for name in PAGES:
            context = browser.new_context()
            page = context.new_page()
            page.goto(dashboard.address)  # has the cookie from then on; nothing else is kept
            page.close()
            page = context.new_page()
            page.goto(f"{dashboard.origin}/{name}", wait_until="load")
            seconds, size = page.evaluate(
                """() => {
                const paint = performance.getEntriesByName('first-contentful-paint')[0];
                const all = [...performance.getEntriesByType('navigation'),
                             ...performance.getEntriesByType('resource')];
                const size = all.reduce((sum, each) => sum + each.encodedBodySize, 0);
                return [(paint ? paint.startTime : performance.now()) / 1000, size];
                }"""
            )
            found.append((name, seconds, size))
            context.close()
    slowest = max(found, key=lambda each: each[1])
    largest = max(found, key=lambda each: each[2])
    return [
        f"| First picture of a page, the slowest ({slowest[0]}) | {slowest[1]:.2f} s | 2.5 s "
        f"| {_load()} |",
        f"| Bytes of a page, the most ({largest[0]}) | {largest[2] / 1000:.0f} KB | 700 KB "
        f"| {_load()} |",
    ]


def eight_tabs(browser: Browser) -> list[str]:
    """Open eight tabs of the Robot page with the camera, at once."""
    with _dashboard() as (dashboard, server):
        dashboard.robot.simulate(SimulateRequest(speed=1, seed=SEED, camera=1))
        _until(dashboard, Phase.READY)
        context = browser.new_context()
        context.add_init_script(NOTE_OPENED)
        first = _opened(context, server, "robot")
        # From a page of ours: the cookie comes with no other.
        first.evaluate(f"for (let tab = 0; tab < {TABS}; tab += 1) window.open('/robot')")
        while len(context.pages) < 1 + TABS:
            first.wait_for_timeout(100)
        seconds = []
        for tab in context.pages[1:]:
            while not tab.evaluate("window.opened"):
                tab.wait_for_timeout(100)
            seconds.append(tab.evaluate("window.opened") / 1000)
        context.close()
    return [
        f"| {TABS} tabs opened at once, until the camera shows in the last "
        f"| {max(seconds):.1f} s | 3 s | {_load()} |"
    ]


def beside_a_count() -> list[str]:
    """Sample how late a driver's sleep ends, alone and beside a count of Bedlam's solutions."""
    rows, retries = [], []
    for is_beside in (False, True):
        with _dashboard() as (dashboard, _):
            dashboard.robot.simulate(SimulateRequest(speed=1, seed=SEED, camera=0))
            _until(dashboard, Phase.READY)
            dashboard.robot.solve(SolveRequest(format_facelets(random_state(SEED))))
            if is_beside:
                dashboard.puzzles.pack(PackRequest("bedlam", "count", 1))
            late = sorted(_late())
            _until(dashboard, Phase.FINISHED)
            retries.append(dashboard.hub.value("robot").retries)
            dashboard.puzzles.stop()
        p95 = 1000 * late[int(0.95 * len(late))]
        where = "beside a count of the Puzzles page" if is_beside else "alone"
        rows.append(
            f"| Over-sleep of the driver's 10 ms, {where} | median "
            f"{1000 * median(late):.1f} ms, 95 % {p95:.1f} ms, retries {retries[-1]} "
            f"| 95 % 25 ms | {_load()} |"
        )
    return rows


def _late() -> Iterator[float]:
    until_s = time.monotonic() + BESIDE_S
    while (began_s := time.monotonic()) < until_s:
        time.sleep(SLEEP_S)
        yield time.monotonic() - began_s - SLEEP_S


def half_an_hour(browser: Browser, folder: Path) -> list[str]:
    """Tell two tabs a value 15 times a second."""
    with served(folder, tells=True) as dashboard:
        context = browser.new_context(reduced_motion="reduce")
        tabs = []
        for _ in range(2):
            page = context.new_page()
            page.goto(dashboard.address)
            page.evaluate(
                """async (digest) => {
                const { on } = await import(`/assets/${digest}/link.js`);
                window.late = [];
                on('bench', (told) => window.late.push(Date.now() - told));
                }""",
                digest(),
            )
            tabs.append(page)
        tabs[0].wait_for_timeout(20_000)  # what is imported and cached at first is no growth
        began_s, cpu_s, memory_mb = time.monotonic(), dashboard.cpu_s, dashboard.memory_mb
        while time.monotonic() < began_s + 60 * MINUTES:
            tabs[0].wait_for_timeout(5000)
        seconds = time.monotonic() - began_s
        share = (dashboard.cpu_s - cpu_s) / seconds
        growth = dashboard.memory_mb - memory_mb
        late = sorted(tabs[-1].evaluate("window.late"))  # the one in front
        context.close()
    p95 = late[int(0.95 * len(late))]
    title = f"{seconds / 60:.0f} minutes of 15 values a second, two tabs"
    return [
        f"| {title}: server | {share:.1%} of a core | 10 % | {_load()} |",
        f"| its growth | {growth:.1f} MB, from {memory_mb:.0f} | 20 MB | {_load()} |",
        f"| a value until a tab has it, {len(late)} values | median {median(late):.0f} ms, "
        f"95 % {p95:.0f} ms | 95 % 150 ms | {_load()} |",
    ]


def _opened(context: BrowserContext, server: Server, name: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.goto(server.address)
    page.goto(f"{server.origin}/{name}")
    return page


def _until(dashboard: Dashboard, phase: Phase) -> None:
    assert dashboard.robot.wait(LONGEST_S)
    found = dashboard.hub.value("robot")
    assert found.phase is phase, found.sentence


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


@contextmanager
def _dashboard() -> Iterator[tuple[Dashboard, Server]]:
    dashboard = Dashboard(["--link", "usb"])
    server = Server(dashboard)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield dashboard, server
    finally:
        server.end()
        thread.join()


@contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        yield browser
        browser.close()


@contextmanager
def _user_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", folder)
        patched.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)
