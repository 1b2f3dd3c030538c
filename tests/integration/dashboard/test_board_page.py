"""The Board page in a browser, with a simulated board in a process of its own."""

import http.client
import io
import os
import random
import re
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from intelhex import IntelHex
from playwright.sync_api import Browser, FilePayload, Page, Route, expect

from controller.dashboard.board.controller import BoardController
from controller.dashboard.board.view import FlashRequest, Phase
from controller.dashboard.jobs import DeviceBusyError
from firmware_tools.errors import PortBusyError
from firmware_tools.flashing import Programmed
from firmware_tools.line.serial_link import open_port
from hardware_sims.aksen_board.facts import board_facts
from solvers.foundation.progress import Progress
from tests.integration.dashboard.conftest import (
    LONGEST_S,
    MOST_SHIFT,
    NOTE_SHIFTS,
    Served,
    layout_shift,
    violations,
)
from tests.oracles.assembler import assemble

LONGEST_MS = 1000 * LONGEST_S
LEDS, DIP = (board_facts().registers[name] for name in ("LEDS", "DIP"))
# Shows the DIP switches on the LEDs, for ever.
MIRROR = assemble(f"x:\nMOV DPTR,#{DIP}\nMOVX A,@DPTR\nMOV DPTR,#{LEDS}\nMOVX @DPTR,A\nSJMP x")
BLOCK_BYTES = 124
BLOCKS = 80
SOLUTION = "urulddruu"  # of the paper's example
OPPOSITE = {"u": "d", "d": "u", "l": "r", "r": "l"}
STEPS = {"u": -3, "d": 3, "l": -1, "r": 1}


class Halt:
    """Holds the job's thread at the event that is wanted, until it is let go."""

    def __init__(self, controller: BoardController) -> None:
        self._wanted: Callable[[Progress], bool] = lambda _: False
        self._reached, self._gate = threading.Event(), threading.Event()
        self.repeats = 0
        controller.on_event = self._hear

    def at(self, wanted: Callable[[Progress], bool]) -> None:
        self._reached.clear()
        self._gate.clear()
        self.repeats = 0
        self._wanted = wanted

    def wait(self) -> None:
        assert self._reached.wait(LONGEST_S)

    def let_go(self) -> None:
        self._gate.set()

    def _hear(self, event: Progress) -> None:
        if isinstance(event, Programmed):
            self.repeats += event.silent + event.refused
        if not self._reached.is_set() and self._wanted(event):
            self._reached.set()
            assert self._gate.wait(LONGEST_S)


def half(event: Progress) -> bool:
    return isinstance(event, Programmed) and event.share is not None and event.share >= 0.5


def long_image() -> bytes:
    """Return the mirror with random bytes behind it, which it never reaches."""
    image = IntelHex()
    image.puts(0, MIRROR)
    filler = random.Random(7).randbytes(BLOCKS * BLOCK_BYTES - len(MIRROR))
    image.puts(len(MIRROR), filler.replace(b"\xff", b"\x01"))
    text = io.StringIO()
    image.write_hex_file(text)
    return text.getvalue().encode()


@pytest.fixture
def tab(served: Served, browser: Browser) -> Iterator[Page]:
    controller = served.dashboard.board
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(NOTE_SHIFTS)
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.goto(f"{served.server.origin}/board?token={served.server.token}")
    yield page
    controller.stop()
    assert controller.wait(LONGEST_S)
    if page.locator("#board-card[data-phase=none]").count() == 0:
        page.get_by_role("button", name="Disconnect").click()
        expect_phase(page, Phase.NONE)
    context.close()


def expect_phase(tab: Page, phase: Phase) -> None:
    expect(tab.locator(f"#board-card[data-phase={phase}]")).to_be_visible(timeout=LONGEST_MS)


def simulate(tab: Page) -> None:
    tab.select_option("#board-speed", "20")
    tab.get_by_role("button", name="Start a simulated board").click()
    expect_phase(tab, Phase.READY)


def drop(tab: Page, name: str, content: bytes) -> None:
    tab.set_input_files("#file", FilePayload(name=name, mimeType="text/plain", buffer=content))


def test_a_late_list_of_ports_leaves_a_focused_address_alone(served: Served, tab: Page) -> None:
    ports = [{"device": "/dev/ttyUSB7", "description": "an adapter", "is_usb": True}]

    def open_page(*, focus: bool) -> Page:
        page = tab.context.new_page()

        def answer(route: Route) -> None:
            if focus:
                page.focus("#port")
            route.fulfill(json=ports)

        page.route("**/api/board/ports", answer)
        page.goto(f"{served.server.origin}/board")
        expect(page.locator("#ports option")).to_have_count(1)
        return page

    typing = open_page(focus=True)
    typing.keyboard.type("/dev/ttyACM1")
    expect(typing.locator("#port")).to_have_value("/dev/ttyACM1")
    expect(open_page(focus=False).locator("#port")).to_have_value("/dev/ttyUSB7")


def test_flashing_over_a_bad_line_is_cut_off_and_done_again(
    served: Served, tab: Page, tmp_path: Path
) -> None:
    controller = served.dashboard.board
    faults = tmp_path / "faults.toml"
    faults.write_text('seed = 3\ndirection = "to_board"\nlose = 0.001\n')
    controller.simulator_options = ("--faults", str(faults))
    simulate(tab)
    controller.simulator_options = ()

    # A file's name is a text; what is no image, or too large, is refused with a sentence.
    drop(tab, "<img onerror=alert(1)>.ihx", b"no image")
    expect(tab.locator("#program-error")).to_contain_text("<img onerror=alert(1)>.ihx is not")
    drop(tab, "large.ihx", bytes(256 * 1024 + 1))
    expect(tab.locator("#program-error")).to_contain_text("262,145 bytes")
    drop(tab, "../x.ihx", long_image())
    expect(tab.locator("#program-name")).to_have_text("../x.ihx")
    expect(tab.locator("#program-error")).to_be_hidden()

    # Cancelled at 50 %: the board says itself that its image is incomplete.
    halt = Halt(controller)
    halt.at(half)
    layout_shift(tab)  # until here the page has loaded
    tab.click("#flash")
    halt.wait()
    expect(tab.locator("#phases .now")).to_have_text("Program 50 %")
    expect(tab.locator("#blocks li")).to_have_count(BLOCKS)
    expect(tab.locator("#blocks .now")).to_have_count(1)
    assert violations(tab) == []
    with pytest.raises(DeviceBusyError, match=r"flashing \.\./x\.ihx, since"):
        controller.flash(FlashRequest())
    assert controller.devices.device is not None
    with pytest.raises(PortBusyError, match=f"in use by process {os.getpid()}"):
        open_port(controller.devices.device.address, 9600)
    tab.click("#cancel")
    expect_phase(tab, Phase.STOPPING)
    halt.let_go()
    expect_phase(tab, Phase.STOPPED)
    expect(tab.locator("#outcome")).to_have_attribute("data-outcome", "incomplete")
    expect(tab.locator("#board-card")).to_contain_text("incomplete")
    expect(tab.locator("#on-board")).to_be_hidden()
    expect(tab.locator("#phases .failed")).to_have_text("Program")
    expect(tab.locator("#start")).to_be_hidden()
    assert violations(tab) == []

    # Esc does the same, from another page, with the focus in a text field.
    halt.at(half)
    tab.click("#flash")
    halt.wait()
    expect(tab.locator("#outcome")).to_be_hidden()  # of the last time
    other = tab.context.new_page()
    other.goto(f"{served.server.origin}/robot")
    other.focus("#address")
    other.keyboard.press("Escape")
    expect_phase(tab, Phase.STOPPING)
    halt.let_go()
    expect_phase(tab, Phase.STOPPED)
    other.close()

    # To the end: as many amber squares as the report has repeats, then verified and started.
    halt.at(lambda _: False)
    tab.click("#flash-run")
    expect_phase(tab, Phase.FINISHED)
    outcome = tab.locator("#outcome")
    expect(outcome).to_contain_text("Complete: verified, CRC-32 ")
    shift, moved = layout_shift(tab)  # of three flashes, two of them cancelled
    assert shift < MOST_SHIFT, moved
    expect(tab.locator("#on-board")).to_have_text("../x.ihx")
    amber = [
        int(each.get_attribute("data-repeats") or 0)
        for each in tab.locator("#blocks .repeated").all()
    ]
    assert sum(amber) == halt.repeats > 0
    expect(tab.locator("#blocks .done")).to_have_count(BLOCKS - len(amber))
    told = re.search(
        r"(\d+) repeated \(.*?(?:, (\d+) of them outside programming)?\)", outcome.inner_text()
    )
    assert told is not None
    assert int(told[1]) - int(told[2] or 0) == halt.repeats
    expect(tab.locator("#board-card")).to_contain_text("valid, 9,920 bytes")

    # The program runs: what is switched is lit. Reset brings the boot loader back.
    tab.get_by_role("switch", name="DIP switch 2").click()
    expect(tab.locator("#leds .on")).to_have_text("2")
    tab.click("#reset")
    expect(tab.locator("#lcd")).to_have_attribute("aria-label", re.compile("flashen"))
    expect(tab.locator("#lines .mark").last).to_have_text(re.compile("reset, mode load"))
    tab.locator("#mode").get_by_text("run").click()
    expect(tab.locator("#mode [aria-pressed=true]")).to_have_text("run")


def place(tab: Page, board: str, index: int) -> tuple[float, float]:
    box = tab.locator(f"#{board} .tile").nth(index).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def letters(tab: Page, board: str) -> str:
    return "".join(text or "o" for text in tab.locator(f"#{board} .tile").all_inner_texts())


@pytest.mark.needs_sdcc
def test_a_puzzle_that_was_dragged_is_solved_on_the_board(served: Served, tab: Page) -> None:
    simulate(tab)
    tab.click("#as-goal")
    assert letters(tab, "start-board") == letters(tab, "goal-board") == "doefgbcah"
    for move in reversed(SOLUTION):
        blank = letters(tab, "start-board").index("o")
        tab.mouse.move(*place(tab, "start-board", blank + STEPS[OPPOSITE[move]]))
        tab.mouse.down()
        tab.mouse.move(*place(tab, "start-board", blank), steps=3)
        tab.mouse.up()
    assert letters(tab, "start-board") == "gaefdboch"
    tab.click("#solve")
    row = tab.locator("#answers tr", has=tab.get_by_role("rowheader", name="policy"))
    expect(row).to_have_text("policy96350.6351,072", timeout=LONGEST_MS)
    expect(tab.locator("#verdict")).to_have_text("✓ shortest, replayed")
    expect(tab.locator("#count")).to_have_text("9")
    expect(tab.locator("#lcd")).to_have_attribute("aria-label", f"The display: {SOLUTION} / ")
    expect(tab.locator("#start-label")).to_have_text("after 9 of 9")  # it is played by itself
    assert letters(tab, "start-board") == "doefgbcah"
    assert violations(tab) == []
    tab.click("#back")
    expect(tab.locator("#start-label")).to_have_text("after 8 of 9")

    # By keyboard: two tiles change places, and the board finds no way any more.
    tab.click("#example")
    tab.locator("#start-board .tile").first.focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        tab.keyboard.press(key)
    assert letters(tab, "start-board") == "agefdboch"
    expect(tab.locator("#answers tr")).to_have_count(0)
    expect(tab.locator("#start-board .tile:focus")).to_have_text("g")
    tab.locator("#solve").press("Enter")
    expect(tab.locator("#answers")).to_contain_text("there are none", timeout=LONGEST_MS)
    expect_phase(tab, Phase.READY)

    # The console: what is sent is echoed, what comes back is shown, as bytes if wanted.
    tab.fill("#text", "?")
    tab.locator("#text").press("Enter")
    lines = tab.locator("#lines")
    expect(lines.locator(".out").last).to_contain_text("> ?")
    expect(lines.locator(".in").last).to_contain_text("puzzle8 policy 1 ")
    tab.click("#hex")
    expect(lines.locator(".in").last).to_contain_text("70 75 7A 7A 6C 65 38 20")
    tab.fill("#text", "日")
    tab.locator("#text").press("Enter")
    expect(tab.locator("#send-error")).to_contain_text("no letter that one byte holds")

    # A simulated board that has died is told, and another can be started.
    os.kill(served.dashboard.board.devices.simulator.process_id, signal.SIGKILL)
    expect_phase(tab, Phase.NONE)
    expect(tab.locator("#board-card")).to_contain_text("has ended; start another")
    expect(tab.locator("#pcb")).to_have_class(re.compile("off"))


def test_an_upload_of_ten_megabytes_is_refused(served: Served) -> None:
    line = http.client.HTTPConnection("127.0.0.1", served.server.port, timeout=LONGEST_S)
    cookie = f"puzzlerig_{served.server.port}={served.server.token}"
    line.putrequest("POST", "/api/board/open")
    for name, value in {
        "Cookie": cookie,
        "Origin": served.server.origin,
        "Content-Length": str(10 * 1024 * 1024),
    }.items():
        line.putheader(name, value)
    line.endheaders(b":00000001FF\n")
    answer = line.getresponse()
    assert (answer.status, b"262144 bytes" in answer.read()) == (413, True)
    line.close()


def test_a_board_that_is_not_there_is_told_at_once(tab: Page) -> None:
    tab.fill("#port", "/dev/no-such-port")
    tab.get_by_role("button", name="Connect").click()
    expect(tab.locator("#board-card")).to_contain_text("There is no port /dev/no-such-port.")
    expect(tab.locator("#flash")).to_be_disabled()
    expect(tab.locator("#pcb")).to_have_class(re.compile("off"))
