"""What stays where it is while things happen, in windows of four sizes, light and dark.

The views are sent by the test: what a run looks like needs no run. Whole runs are measured where
they are tested, beside this.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from controller.dashboard.board.view import FlashView, PhaseView
from controller.dashboard.puzzles.view import Phase as SearchPhase
from controller.dashboard.puzzles.view import SearchView
from controller.dashboard.robot.presenter import MotorView
from controller.dashboard.robot.view import STAGES, Block, Phase, RobotView, staged
from controller.motion.mechanism import Battery
from controller.rigs.registry import get_rig
from tests.integration.dashboard.conftest import (
    LONGEST_S,
    MOST_SHIFT,
    NOTE_SHIFTS,
    SIZES,
    Relay,
    Served,
    layout_shift,
)

LINES = 40
LEAST_LINES = 10
READY = RobotView(
    phase=Phase.READY,
    address="usb",
    is_simulated=True,
    rig="nxt-cradle",
    has_camera=False,
    can_scan=True,
    drives=("program", "direct"),
    battery=Battery(volts=8.1, is_low=False),
)
PICTURE = get_rig(READY.rig).picture
LONG = "Motor C (pusher) stalled at 167 degrees, on its way to 201. " * 3


@dataclass(frozen=True, slots=True)
class Window:
    """A tab of one size, and the socket over which it is sent views."""

    size: str
    page: Page
    relay: Relay
    served: Served

    def show(self, name: str) -> Page:
        """Load a page; what moves until it stands is not noted."""
        self.page.goto(f"{self.served.server.origin}/{name}")
        expect(self.page.locator("#lost")).to_be_hidden()
        expect(self.page.locator("main .panel:visible").first).to_be_visible()
        self.page.wait_for_load_state("networkidle")
        layout_shift(self.page)
        return self.page

    def send(self, **topics: object) -> None:
        """Send views, and wait until they are drawn."""
        self.relay.send({name.replace("_", "-"): value for name, value in topics.items()})
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )


@pytest.fixture(scope="module", params=SIZES)
def window(request: pytest.FixtureRequest, served: Served, browser: Browser) -> Iterator[Window]:
    width, height, look = SIZES[request.param]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
    )
    context.add_init_script(NOTE_SHIFTS)
    context.set_default_timeout(1000 * LONGEST_S)
    relay, page = Relay(context, without="robot"), context.new_page()
    page.goto(served.server.address)
    yield Window(request.param, page, relay, served)
    context.close()


def test_the_journal_shows_ten_lines_and_follows(window: Window) -> None:
    page, log = window.show("robot"), window.page.locator("#log")
    lines = [{"time": "12:00:00", "text": f"line {n}", "kind": ""} for n in range(LINES)]
    window.send(log=lines)
    box = "each => [each.scrollTop, each.clientHeight, each.scrollHeight]"
    top, shown, whole = log.evaluate(box)
    line_px = log.locator("p").last.evaluate("each => each.getBoundingClientRect().height")
    assert shown >= LEAST_LINES * line_px
    assert top + shown >= whole - 1
    window.send(robot=READY)  # the motors appear, and may take room
    expect(page.locator("#motors-panel")).to_be_visible()
    top, shown, whole = log.evaluate(box)
    assert shown >= LEAST_LINES * line_px
    assert top + shown >= whole - 1
    log.evaluate("each => { each.scrollTop = 0; }")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    window.send(log=lines[:1])
    assert log.evaluate("each => each.scrollTop") == 0  # a person reads there


def standing_at(angle: int) -> list[MotorView]:
    names = get_rig(READY.rig).motors
    return [MotorView(name, angle, goal=None, least=0, most=angle) for name in names]


MOVED = {
    "cradle": f"rotate({200 * -0.2857} 58 70)",
    "arm": f"rotate({200 * 1.071} 195 105)",
    "pusher": f"translate({200 * -0.367})",
}


def test_nothing_moves_when_a_robot_starts_drives_and_is_stopped(window: Window) -> None:
    page, change = window.show("robot"), msgspec.structs.replace
    blocks = [Block("turn", f"turn {n}", 1.0, "R") for n in range(LINES)]
    run = change(READY, total=LINES, planned_s=62.8, journal="2026-01-01_120000")
    fault = change(run, phase=Phase.FAULT, sentence=LONG, finished=9, can_resume=True)
    scanning = change(run, phase=Phase.RUNNING, stages=staged(STAGES, 0, "now", None), scans=1)
    driving = change(run, phase=Phase.RUNNING, stages=staged(STAGES, 2, "now", ""), primitive=8)
    driving = change(driving, finished=8, elapsed_s=12.0, remaining_s=50.0, verdict="accepted")
    views = [
        READY,
        scanning,
        change(driving, confidence=0.9998),
        change(driving, phase=Phase.PAUSED, cut_off="turn R"),
        change(driving, phase=Phase.STOPPING, retries=1, rescans=1),
        change(run, phase=Phase.STOPPED, finished=9, cut_off="turn R", can_resume=True),
        fault,
        change(driving, verdict="rescan", reasons=("The face at F was seen twice.",)),
        READY,
    ]
    page.route(
        "**/rig.svg?*", lambda route: route.fulfill(body=PICTURE, content_type="image/svg+xml")
    )
    window.send(robot=READY, plan=blocks, motors=standing_at(0))
    expect(page.locator("#rig-picture")).to_be_visible()
    layout_shift(page)  # the robot is connected
    for view in views:
        window.send(robot=view, motors=standing_at(200))
    shift, moved = layout_shift(page)
    assert shift < MOST_SHIFT, moved
    for motor, place in MOVED.items():
        part = page.locator(f"#rig-picture [data-motor={motor}]")
        expect(part).to_have_attribute("transform", place)


def test_nothing_moves_when_a_board_is_flashed_and_that_is_cancelled(window: Window) -> None:
    page = window.show("board")
    names = ("connect", "erase", "program", "check", "verify")
    addresses = tuple(range(0, 80 * 124, 124))
    for done, outcome in ((0, ""), (40, ""), (40, "incomplete"), (80, ""), (80, "complete")):
        state = "failed" if outcome == "incomplete" else "done" if done == 80 else "now"
        view = FlashView(
            name="hello",
            addresses=addresses,
            phases=tuple(PhaseView(name, state) for name in names),
            done=done,
            bytes=done * 124,
            total=80 * 124,
            repeats={3: 1},
            silent=1,
            elapsed_s=3.0,
            left_s=4.0,
            crc32="89ABCDEF",
            outcome=outcome,
        )
        window.send(board_flash=view)
    expect(page.locator("#outcome")).to_have_attribute("data-outcome", "complete")
    shift, moved = layout_shift(page)
    assert shift < MOST_SHIFT, moved


def test_nothing_moves_during_a_count_that_was_resumed_and_its_speed_is_its_own(
    window: Window,
) -> None:
    page, job = window.show("puzzles?puzzle=slide"), window.page.locator("#job")
    view = SearchView(
        phase=SearchPhase.RUNNING,
        puzzle="slide",
        heading="Count all solutions",
        share=0.17,
        share_before=0.17,
        parts="d" * 22 + "w" * 111,
        found=300,
        found_words="solutions so far, up to symmetry",
        nodes=8_000_000,
        nodes_before=8_000_000,
        seconds=0.5,
        workers=2,
    )
    window.send(puzzles=view)
    expect(job).to_contain_text("17 % searched, 17 % of it before")
    expect(job).not_to_contain_text("Speed")
    later = msgspec.structs.replace(view, share=0.53, nodes=9_000_000, seconds=2.0, left_s=2.0)
    window.send(puzzles=later)
    expect(job).to_contain_text("53 % searched, 17 % of it before")
    expect(job.locator(".numbers")).to_contain_text("Speed500,000 / s")
    assert job.evaluate("each => each.scrollWidth <= each.clientWidth")
    window.send(puzzles=msgspec.structs.replace(later, phase=SearchPhase.STOPPED, can_resume=True))
    expect(job.get_by_role("button", name="Resume")).to_be_visible()
    shift, moved = layout_shift(page)
    assert shift < MOST_SHIFT, moved
    window.send(puzzles=SearchView())


def test_a_puzzle_that_is_picked_comes_into_view(window: Window) -> None:
    page = window.show("puzzles?puzzle=slide")
    expect(page.locator(".entry")).not_to_have_count(0)
    page.locator(".entry[data-key=ubongo]").click()
    expect(page.locator("#title")).to_contain_text("Ubongo")
    expect(page.locator("#title")).to_be_in_viewport()
    expect(page.locator("#middle .pick").first).to_be_in_viewport()
