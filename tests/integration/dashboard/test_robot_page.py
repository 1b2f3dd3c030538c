"""The Robot page in a browser, with a simulated robot in a process of its own."""

import re
import threading
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.robot.history import HISTORY, Records
from controller.dashboard.robot.presenter import stickers_in_rig
from controller.dashboard.robot.view import (
    STAGES,
    Phase,
    RobotView,
    SimulateRequest,
    SolveRequest,
)
from controller.job_events import PlanChosen, RobotEvent
from controller.motion.executor import PrimitiveFinished, PrimitiveStarted
from controller.motion.primitives import Primitive
from controller.motion.virtual_cube import VirtualCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.integration.dashboard.conftest import (
    LONGEST_S,
    MOST_SHIFT,
    NOTE_SHIFTS,
    SIZES,
    Served,
    confirm,
    layout_shift,
    violations,
)

LONGEST_MS = 1000 * LONGEST_S
SEED = 31


class Line:
    """The socket of a tab, which can be cut and is then refused until it is mended."""

    def __init__(self, context: BrowserContext) -> None:
        self._is_cut = False
        self._sockets: list[WebSocketRoute] = []
        context.route_web_socket(re.compile("/events$"), self._opened)

    def cut(self) -> None:
        self._is_cut = True
        for socket in self._sockets:
            socket.close()

    def mend(self) -> None:
        self._is_cut = False

    def _opened(self, socket: WebSocketRoute) -> None:
        if self._is_cut:
            socket.close()
            return
        socket.connect_to_server()
        self._sockets.append(socket)


class Watcher:
    """Hears the events of the robot's job, and does something when one comes."""

    def __init__(self) -> None:
        self.primitives: tuple[Primitive, ...] = ()
        self.came = threading.Event()
        self._going = threading.Event()
        self._going.set()
        self._wanted: Callable[[RobotEvent], bool] = lambda _: False
        self._then: Callable[[], object] = lambda: None

    def when(self, wanted: Callable[[RobotEvent], bool], then: Callable[[], object]) -> None:
        """Do `then`, once, in the job's own thread."""
        self.came.clear()
        self._wanted, self._then = wanted, then

    def hold(self, wanted: Callable[[RobotEvent], bool]) -> None:
        """Let the job wait, in the middle of a primitive, until it is let go."""
        self._going.clear()
        self.when(wanted, lambda: None)

    def let_go(self) -> None:
        """Let the job go on."""
        self._going.set()

    def hear(self, event: RobotEvent) -> None:
        if isinstance(event, PlanChosen):
            self.primitives = event.chosen.plan.primitives
        if not self.came.is_set() and self._wanted(event):
            self._then()
            self.came.set()
            self._going.wait(LONGEST_S)


def still(browser: Browser) -> BrowserContext:
    """Return a context in which nothing is drawn between two states: without a graphics card that
    costs more than all the rest."""
    return browser.new_context(reduced_motion="reduce")


@pytest.fixture(autouse=True)
def robot_is_left(served: Served) -> Iterator[None]:
    """Disconnect after each test, however that ends."""
    yield
    controller = served.dashboard.robot
    controller.on_event = lambda _: None
    controller.stop()
    assert controller.wait(LONGEST_S)
    controller.disconnect()


def opened(context: BrowserContext, served: Served, page: str = "robot") -> Page:
    tab = context.new_page()
    tab.set_default_timeout(LONGEST_MS)
    tab.goto(f"{served.server.origin}/{page}?token={served.server.token}")
    return tab


def expect_phase(tab: Page, phase: Phase) -> None:
    expect(tab.locator(f"#state[data-phase={phase}]")).to_be_visible(timeout=LONGEST_MS)


def press(tab: Page, text: str) -> None:
    """Press a button of the card that tells the robot's state."""
    tab.locator("#state").get_by_role("button", name=text).click()


def stickers(tab: Page) -> str:
    """Return the 54 colours as the page's elements have them."""
    found = re.findall(r'data-index="(\d+)" data-colour="(.)"', tab.locator("#scene").inner_html())
    return "".join(colour for _, colour in sorted(found, key=lambda each: int(each[0])))


def view(hub: Hub) -> RobotView:
    seen = hub.value("robot")
    assert isinstance(seen, RobotView)
    return seen


def last_word(hub: Hub) -> str:
    """Return the last line of the journal panel."""
    (lines,) = (message.value for message in hub.subscribe(lambda: None).take()[-1:])
    return str(lines[-1]["text"])


def finished(index: int) -> Callable[[RobotEvent], bool]:
    return lambda event: isinstance(event, PrimitiveFinished) and event.index == index


def test_one_run_in_many_tabs(served: Served, browser: Browser) -> None:
    controller, hub = served.dashboard.robot, served.dashboard.hub
    watcher, start = Watcher(), random_state(SEED)
    controller.on_event = watcher.hear
    controller.simulate(SimulateRequest(speed=20, seed=SEED, camera=0))
    assert controller.wait(LONGEST_S)
    first_context, context = still(browser), still(browser)
    line = Line(first_context)
    first, second = opened(first_context, served), opened(context, served)
    expect_phase(first, Phase.READY)

    # A stickers' text that is no cube is refused with the solver's own sentence.
    first.fill("#stickers", "U" * 54)
    press(first, "Solve this cube")
    expect(first.locator("#note")).to_contain_text("centres")

    # Paused, all tabs show the same, and one that comes late needs no click.
    watcher.when(finished(4), lambda: controller.pause())
    expect(first.locator("#not-known")).to_have_text("not seen yet")
    first.fill("#stickers", format_facelets(start))
    press(first, "Solve this cube")
    first.get_by_role("button", name="Cancel").click()
    assert view(hub).phase is Phase.READY
    press(first, "Solve this cube")
    confirm(first)
    late, done = None, 0
    for tab in (first, second, None):
        if tab is None:
            tab = late = opened(context, served)
        expect_phase(tab, Phase.PAUSED)
        done = view(hub).finished  # what the brick had begun by itself is finished first
        where = "within" if view(hub).cut_off else "before"
        expect(tab.locator("#state h2")).to_contain_text(f"Paused {where} primitive {done + 1} of")
        expect(tab.locator("#plan .past")).to_have_count(done)
        assert stickers(tab) == stickers_in_rig(
            VirtualCube(start).after_all(watcher.primitives[:done])
        )
    assert 5 <= done <= 7
    assert late is not None

    # A second start is refused with the name of the first, which goes on undisturbed.
    with pytest.raises(DeviceBusyError, match="solving the cube, since"):
        controller.solve(SolveRequest(format_facelets(start)))
    assert view(hub).phase is Phase.PAUSED

    # Any tab ends the pause; a tab without its socket stops the run.
    def is_moving(event: RobotEvent) -> bool:
        return isinstance(event, PrimitiveStarted) and event.index >= 9

    line.cut()
    expect(first.locator("#lost")).to_be_visible()
    watcher.hold(is_moving)
    late.keyboard.press("Space")
    assert watcher.came.wait(LONGEST_S)
    first.keyboard.press("Escape")
    expect_phase(second, Phase.STOPPING)
    watcher.let_go()
    expect_phase(second, Phase.STOPPED)
    done, journal = view(hub).finished, view(hub).journal
    assert 9 <= done < view(hub).total
    line.mend()
    expect(first.locator("#lost")).to_be_hidden(timeout=LONGEST_MS)
    expect_phase(first, Phase.STOPPED)
    assert stickers(first) == stickers_in_rig(
        VirtualCube(start).after_all(watcher.primitives[:done])
    )

    # Nothing runs: a motor can be turned by hand, by the keys of the pad alone.
    arm = first.locator("#angles li", has_text="Arm").locator("strong")
    expect(arm).to_be_visible()
    first.keyboard.press("w")
    first.get_by_role("button", name="Turn the arm backwards").focus()
    first.keyboard.press("[")
    first.keyboard.press("s")  # away from the cube, on which it may press
    expect(first.locator("#log")).to_contain_text("by hand: arm from")
    assert controller.wait(LONGEST_S)
    expect(first.locator("#log p", has_text="by hand")).to_have_count(1)

    # It goes on from its journal, is stopped from another page, out of a text field too, and goes
    # on with nobody looking.
    puzzles = opened(context, served, "puzzles")
    watcher.hold(finished(done + 6))
    first.get_by_role("button", name=f"Resume {journal}").click()
    assert watcher.came.wait(LONGEST_S)
    expect(first.locator("#jog")).to_contain_text("Jog by hand when nothing runs")
    puzzles.evaluate("document.body.append(document.createElement('textarea'))")
    puzzles.locator("textarea").last.focus()
    puzzles.keyboard.press("Escape")
    expect_phase(second, Phase.STOPPING)
    watcher.let_go()
    expect_phase(second, Phase.STOPPED)
    watcher.when(finished(view(hub).finished + 3), lambda: controller.pause())
    press(second, "Resume")
    assert watcher.came.wait(LONGEST_S)
    for each in (first_context, context):
        each.close()
    controller.end_pause()
    assert controller.wait(LONGEST_S)
    again = opened(still(browser), served)
    expect_phase(again, Phase.FINISHED)
    faces = stickers(again)
    assert {faces[i : i + 9] for i in range(0, 54, 9)} == {letter * 9 for letter in "URFDLB"}
    press(again, "Disconnect")
    expect_phase(again, Phase.NONE)
    assert "the simulated cube is solved" in last_word(hub)
    again.context.close()


def test_scan_and_solve_by_two_clicks(served: Served, browser: Browser) -> None:
    hub, stages = served.dashboard.hub, list[str]()

    def note(_: RobotEvent) -> None:
        now = next((each.title for each in view(hub).stages if each.state == "now"), "")
        if now and now not in stages[-1:]:
            stages.append(now)

    served.dashboard.robot.on_event = note
    tabs = dict[str, Page]()
    for size in ("desktop", "tablet"):
        width, height, look = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
        )
        context.add_init_script(NOTE_SHIFTS)
        tabs[size] = opened(context, served)
    tab = tabs["desktop"]
    tab.select_option("#speed", "20")
    press(tab, "Start a simulated robot")
    expect_phase(tab, Phase.READY)
    for each in tabs.values():
        expect(each.locator("#motors-panel")).to_be_visible()
        layout_shift(each)  # the page has loaded, and a robot is connected
    press(tab, "Scan and solve")
    expect_phase(tab, Phase.FINISHED)
    for size, each in tabs.items():
        expect_phase(each, Phase.FINISHED)
        shift, moved = layout_shift(each)
        assert shift < MOST_SHIFT, (size, moved)
    tabs["tablet"].context.close()
    assert stages == ["Scan", "Search", "Drive", "Check"]
    expect(tab.locator("#state")).to_contain_text("The camera sees the expected cube.")
    expect(tab.locator("#verdict")).to_contain_text("accepted")
    expect(tab.locator("#solves-plot circle").first).to_be_visible()
    Records(later := Hub())  # what a dashboard of tomorrow shows
    assert later.value(HISTORY) == hub.value(HISTORY)
    expect(tab.locator("#frame")).to_be_visible()
    looks = tab.locator("#looks img")
    expect(looks).to_have_count(6)
    for picture in looks.all():
        address = picture.get_attribute("src")
        assert address is not None
        answer = tab.request.get(served.server.origin + address)
        assert answer.headers["content-type"] == "image/jpeg"
    faces = stickers(tab)
    assert all(len(set(faces[i : i + 9])) == 1 for i in range(0, 54, 9))
    result = view(hub).result
    assert result is not None
    expect(tab.locator("#solves tr")).to_have_count(1)
    kept_s = Decimal(round(result.robot_s, 2))
    shown_s = kept_s.quantize(Decimal("0.1"), ROUND_HALF_UP)  # 61.25 is 61.3 to the page's toFixed
    expect(tab.locator("#solves")).to_contain_text(str(shown_s))
    expect(tab.locator("#angles li")).to_have_count(3)
    assert violations(tab) == []

    # Another cube, of which nothing is known, in another simulated robot like this one.
    press(tab, "Scramble again")
    expect_phase(tab, Phase.READY)
    expect(tab.locator("#log")).to_contain_text("the simulated cube is solved")
    expect(tab.locator("#not-known")).to_have_text("not seen yet")
    expect(tab.locator("#verdict")).to_have_text("nothing yet")
    assert (view(hub).speed, view(hub).stages) == (20, STAGES)
    press(tab, "Disconnect")
    expect_phase(tab, Phase.NONE)
    assert "the simulated cube is not solved" in last_word(hub)
    tab.context.close()


def test_by_keys_alone_a_cube_is_planned_driven_paused_and_stopped(
    served: Served, browser: Browser
) -> None:
    tab = opened(still(browser), served, "")
    expect(tab).to_have_url(re.compile("/robot$"))

    def reach(selector: str, key: str = "Tab") -> None:
        """Go from one thing to the next until this one has the focus, which is to be seen."""
        for _ in range(60):
            tab.keyboard.press(key)
            if tab.locator(f"{selector}:focus").count():
                assert (
                    tab.locator(selector).evaluate("e => getComputedStyle(e).outlineStyle")
                    == "solid"
                )
                return
        raise AssertionError(f"{selector} is not reached")

    reach("#speed")
    tab.keyboard.press("ArrowDown")
    reach("#state .primary", "Shift+Tab")
    tab.keyboard.press("Enter")
    expect_phase(tab, Phase.READY)
    assert view(served.dashboard.hub).speed == 20

    # A dry run plans and moves nothing; the run itself is paused and stopped.
    reach("#stickers")
    tab.keyboard.type(format_facelets(random_state(SEED)))
    reach("#state summary")
    tab.keyboard.press("Enter")
    reach("#state .check input")
    tab.keyboard.press("Space")
    reach("#solve-this", "Shift+Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("#state")).to_contain_text("A dry run:")
    assert view(served.dashboard.hub).finished == 0
    reach("#state .check input")
    tab.keyboard.press("Space")
    reach("#stickers", "Shift+Tab")
    tab.keyboard.type(format_facelets(random_state(SEED)))
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("#is-this")).to_be_visible()
    assert violations(tab) == []
    tab.keyboard.press("Enter")
    expect(tab.locator("#plan .now")).to_have_count(1, timeout=LONGEST_MS)
    tab.keyboard.press("Space")
    expect_phase(tab, Phase.PAUSED)
    tab.keyboard.press("Escape")
    expect_phase(tab, Phase.STOPPED)
    tab.context.close()


@pytest.fixture
def other_rig(served: Served) -> Iterator[Served]:
    """Serve the dashboard, with no robot before and after."""
    yield served
    served.dashboard.robot.stop()
    assert served.dashboard.robot.wait(LONGEST_S)
    served.dashboard.robot.disconnect()


def test_a_rig_with_a_sensor_shows_its_own_picture_and_reads_its_cube(
    other_rig: Served, browser: Browser
) -> None:
    controller = other_rig.dashboard.robot
    controller.disconnect()
    tab = opened(still(browser), other_rig)
    expect(tab.locator("#rig-picture")).to_be_hidden()
    tab.select_option("#rig", "mindcuber")
    tab.select_option("#speed", "20")
    press(tab, "Start a simulated robot")
    expect_phase(tab, Phase.READY)
    expect(tab.locator("#state")).to_contain_text("own sensor reads the cube")

    table = tab.locator('#rig-picture [data-motor="table"]')
    arm = tab.locator('#rig-picture [data-motor="tilt arm"]')
    expect(table).to_be_visible()
    assert arm.get_attribute("transform") == "rotate(-62 184 104)"  # away
    controller.scan()
    assert controller.wait(LONGEST_S)
    expect(tab.locator("#verdict")).to_contain_text("accepted")
    expect(tab.locator("#looks img")).to_have_count(6)
    # The motors are where the brick has counted them, the tilt arm not at its stop.
    expect(arm).not_to_have_attribute("transform", "rotate(-62 184 104)")
    expect(table).to_have_attribute("transform", re.compile(r"rotate\(-?[0-9.]+ 75 75\)"))

    tab.get_by_role("button", name="Turn the tilt arm forwards").wait_for()
    assert violations(tab) == []
