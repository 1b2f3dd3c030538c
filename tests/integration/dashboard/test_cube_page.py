"""The Cube page in a browser: painted, scrambled, scanned, solved, played, and driven."""

import re
import threading
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from controller.dashboard.cube.view import ScanByHandRequest
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.robot.view import Phase, SimulateRequest
from controller.job_events import RobotEvent
from controller.motion.executor import PrimitiveFinished
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import facelet_name, format_facelets
from solvers.rubik.held_cube import read_position
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from tests.dashboard_cube import doubtful_read
from tests.held_cube import held_before_a_camera
from tests.integration.dashboard.conftest import LONGEST_S, Relay, Served, confirm, violations

LONGEST_MS = 1000 * LONGEST_S
LEAST_ROWS = 4  # of solutions, to be seen without scrolling
STICKERS = format_facelets(SOLVED.apply(parse_moves("R U2 F' D B2 L'")))
WHOLE = "".join(letter * 9 for letter in "URFDLB")
TEXT = "#start .text input"


@pytest.fixture(scope="module", autouse=True)
def _prepared(served: Served) -> None:
    """Compile the search first: a page is waited for a minute, a busy machine compiles longer."""
    served.dashboard.cube.search.prepare()
    assert served.dashboard.cube.search.wait(5 * LONGEST_S)


@pytest.fixture
def tab(served: Served, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    page.goto(served.server.address)
    yield page
    context.close()
    served.dashboard.cube.search.stop()
    assert served.dashboard.cube.search.wait(LONGEST_S)


def show(tab: Page, served: Served, words: str = "") -> None:
    tab.goto(f"{served.server.origin}/cube{words}")
    expect(tab.locator("#start .legality")).not_to_have_text(re.compile("^(checking)?$"))


def cells(tab: Page, position: str = "start") -> str:
    """Return the 54 colours of a net, of the start or the target."""
    return colours(tab.locator(f"#{position} .net"), "cell")


def colours(part: Locator, kind: str) -> str:
    found = part.locator(f".{kind}").evaluate_all(
        "all => all.map(each => [Number(each.dataset.index), each.dataset.colour])"
    )
    return "".join(colour for _, colour in sorted(found))


def as_seen_from(tab: Page) -> tuple[float, ...]:
    """Return the degrees by which the cube is turned for the viewer, up and sideways."""
    turned = tab.locator("#scene .cube").evaluate("each => each.style.transform")
    return tuple(float(each) for each in re.findall(r"\((.*?)deg\)", turned))


def ringed(tab: Page, kind: str) -> set[str]:
    found = tab.locator(f"#start .cell.{kind}").evaluate_all("all => all.map(e => e.dataset.index)")
    return {facelet_name(int(index)) for index in found}


def address(tab: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(tab.url).query)


def test_a_twisted_corner_is_painted(served: Served, tab: Page) -> None:
    show(tab, served)
    expect(tab.locator("#words")).to_have_text("Scramble, scan, or paint.")
    expect(tab.locator("#start .legality")).to_have_text("a legal cube")
    assert cells(tab) == WHOLE

    # By mouse, by a letter, by a number: U9 becomes red, R1 green, F3 white.
    tab.click("#start .palette [data-colour=R]")
    tab.click("#start .cell[data-index='8']")
    tab.locator("#start .cell[data-index='9']").focus()
    tab.keyboard.press("f")
    tab.locator("#start .cell[data-index='20']").focus()
    tab.keyboard.press("1")
    expect(tab.locator("#start .legality")).to_have_text("not a cube yet")
    expect(tab.locator("#start .remark")).to_contain_text("A corner is twisted in its place.")
    assert ringed(tab, "ringed") == {"U9", "R1", "F3"}
    expect(tab.locator("#start .remark")).to_contain_text("(stickers U9 red R1 green F3 white)")
    expect(tab.locator("#solve")).to_be_disabled()
    expect(tab.locator("#on-robot")).to_be_disabled()
    assert tab.url.startswith(f"{served.server.origin}/cube?")  # "1" painted, and led to no page

    # Undone three times it is whole again; with colours gone the counts say so.
    for _ in range(3):
        tab.keyboard.press("Control+z")
    expect(tab.locator("#start .legality")).to_have_text("a legal cube")
    tab.click("#start .clear")
    expect(tab.locator("#start .remark")).to_contain_text("48 stickers have no colour yet.")
    expect(tab.locator("#start .palette [data-colour=F]")).to_have_attribute(
        "aria-label", "green, 1 of 9"
    )


def test_texts_make_cubes_and_say_what_is_wrong(served: Served, tab: Page) -> None:
    show(tab, served)
    tab.fill(TEXT, "R U2 F' D B2 L'")
    tab.keyboard.press("Enter")
    expect(tab.locator(TEXT)).to_have_value(STICKERS)
    assert cells(tab) == STICKERS
    assert address(tab)["facelets"] == [STICKERS]
    tab.fill(TEXT, "R K")
    tab.click("#start >> text=Apply")
    expect(tab.locator("#start > .error")).to_contain_text("'K'")
    assert cells(tab) == STICKERS


def test_start_and_target_stand_side_by_side_and_take_the_same(served: Served, tab: Page) -> None:
    tab.set_viewport_size({"width": 768, "height": 1024})
    show(tab, served, "?facelets=checkerboard&target=R U2 F' D B2 L'")
    target, checked = tab.locator("#target"), tab.locator("#target .legality")
    expect(tab.locator("#target .text input")).to_have_value(STICKERS)
    expect(tab.locator("#start .pattern option:checked")).to_have_text("checkerboard")
    start = cells(tab)
    left, right = (tab.locator(each).bounding_box() for each in ("#start .net", "#target .net"))
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"]
    assert left["y"] == right["y"]

    target.get_by_label("Stickers in any six letters").fill("R K")
    tab.keyboard.press("Enter")
    expect(tab.locator("#target > .error")).to_contain_text("'K'")
    tab.select_option("#target .pattern", label="superflip")
    superflip = format_facelets(read_position("superflip").position)
    expect(tab.locator("#target .text input")).to_have_value(superflip)
    expect(tab.locator("#target > .error")).to_be_hidden()
    assert address(tab) == {"facelets": [start], "target": [superflip]}
    tab.click("#target .palette [data-colour=R]")
    tab.click("#target .cell[data-index='0']")
    expect(checked).to_have_text("not a cube yet")
    expect(tab.locator("#why-not")).to_contain_text("Turns cannot lead to this target")
    expect(tab.locator("#solve")).to_be_disabled()
    expect(tab.locator("#start .legality")).to_have_text("a legal cube")
    assert violations(tab) == []
    tab.keyboard.press("Control+z")  # the position that was changed last
    expect(checked).to_have_text("a legal cube")
    assert (cells(tab), cells(tab, "target")) == (start, superflip)

    tab.click("#solve")
    expect(tab.locator(".solutions tbody tr").first).to_be_visible()
    tab.locator("#searched").click()
    tab.keyboard.press("End")
    assert colours(tab.locator("#scene"), "sticker") == superflip


def send_position(relay: Relay, tab: Page, facelets: str) -> None:
    """Send where the robot's cube is, and return when the page has taken it."""
    sentence = f"Position {facelets} was sent."
    twin = {"facelets": facelets, "kind": "", "quarters": 0, "seconds": 0.0}
    relay.send({"rig-cube": twin, "cube-preparing": sentence})
    expect(tab.locator("#found")).to_contain_text(sentence)


def test_an_address_without_a_cube_is_an_error_and_no_solved_cube(
    served: Served, tab: Page
) -> None:
    show(tab, served, "?facelets=XYZ")
    expect(tab.locator("#start > .error")).to_contain_text("Move 1 ('XYZ') cannot be read")
    expect(tab.locator(TEXT)).to_have_value("XYZ")
    expect(tab.locator("#start .legality")).to_have_text("not a cube yet")
    assert set(cells(tab)) == set("URFDLB?")
    show(tab, served, "?facelets=R U2 F' D B2 L'")
    expect(tab.locator(TEXT)).to_have_value(STICKERS)


def test_what_a_person_enters_stays_when_the_position_arrives_late(
    served: Served, tab: Page
) -> None:
    relay, patterns = Relay(tab.context, without="rig-cube"), list[Route]()
    tab.route("**/api/cube/patterns", lambda route: patterns.append(route))
    # No other test searches for these: a solution would stand where the sentence is expected.
    first, second, entered = (format_facelets(random_state(seed)) for seed in (405, 406, 407))
    text = tab.locator(TEXT)
    show(tab, served, "?for=robot")
    send_position(relay, tab, first)  # nothing is entered yet: it is where the person begins
    expect(text).to_have_value(first)
    text.fill(entered)
    for route in patterns:  # the page is still being filled
        route.continue_()
    expect(tab.locator("#target .pattern option").last).to_have_text("superflip")
    send_position(relay, tab, second)
    expect(text).to_have_value(entered)
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/cube?facelets={entered}*")
    send_position(relay, tab, first)
    assert cells(tab) == entered
    text.blur()
    tab.keyboard.press("Control+z")
    expect(text).to_have_value(first)
    send_position(relay, tab, second)
    assert cells(tab) == first


def test_solutions_are_played_and_another_tab_shows_them(served: Served, tab: Page) -> None:
    tab.set_viewport_size({"width": 1440, "height": 900})
    show(tab, served, f"?facelets={STICKERS}")
    tab.click("#solve")
    row = tab.locator(".solutions tbody tr")
    expect(row.first).to_contain_text("fastest")
    expect(row.first.locator("td").nth(2)).to_have_text(re.compile(r"^\d+\.\d s$"))
    expect(tab.locator("#searched")).to_contain_text("searched")
    found = tab.locator("#found").bounding_box()
    line = row.first.bounding_box()
    assert found is not None
    assert line is not None
    assert found["y"] + found["height"] >= line["y"] + LEAST_ROWS * line["height"]
    tab.click("#copy-moves")
    note = tab.locator("#note")
    expect(note).to_be_visible()
    copied = parse_moves((note.text_content() or "").partition(": ")[2])
    assert SOLVED.apply([*parse_moves("R U2 F' D B2 L'"), *copied]) == SOLVED
    tab.keyboard.press("End")
    expect(tab.locator("#which")).to_contain_text("All ")
    assert colours(tab.locator("#scene"), "sticker") == WHOLE

    # It is looked at from other sides: dragged, by keys, and as at first again.
    front = as_seen_from(tab)
    tab.keyboard.press("Shift+ArrowRight")
    assert as_seen_from(tab) == (front[0], front[1] + 15)
    box = tab.locator("#scene").bounding_box()
    assert box is not None
    tab.mouse.move(box["x"] + 200, box["y"] + 150)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 300, box["y"] + 190, steps=4)
    tab.mouse.up()
    tab.mouse.move(box["x"] + 100, box["y"] + 100)
    assert as_seen_from(tab) == (front[0] - 20, front[1] + 65)
    tab.mouse.dblclick(box["x"] + 200, box["y"] + 150)
    assert as_seen_from(tab) == front
    expect(tab.locator("#which")).to_contain_text("All ")

    # Step by step, backwards too, and played with the space bar.
    count = tab.locator("#moves button").count()
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowLeft")
    expect(tab.locator("#which")).to_have_text(f"Move 2 of {count}")
    tab.keyboard.press("Space")
    expect(tab.locator("#move")).to_have_text("Done")
    assert colours(tab.locator("#scene"), "sticker") == WHOLE

    other = tab.context.new_page()
    show(other, served, f"?facelets={STICKERS}")
    expect(other.locator(".solutions tbody tr")).to_have_count(row.count())
    other.close()

    # The beginner's method has names for its stages, and each is a place to begin at.
    tab.select_option("#method", "layers")
    tab.click("#solve")
    expect(tab.locator(".stages-list li").first).to_contain_text("cross")
    expect(tab.locator("#which")).to_contain_text("cross")
    tab.keyboard.press("End")
    assert colours(tab.locator("#scene"), "sticker") == WHOLE

    # Faces turn by their letters, those of the paper by choice; what was found is not for this.
    show(tab, served)
    tab.keyboard.press("r")
    tab.keyboard.press("Shift+U")
    turned = format_facelets(SOLVED.apply(parse_moves("R U'")))
    expect(tab.locator(TEXT)).to_have_value(turned)
    tab.select_option("#alphabet", "german")
    tab.locator("#alphabet").blur()
    tab.keyboard.press("v")
    turned = format_facelets(SOLVED.apply(parse_moves("R U' F")))
    expect(tab.locator(TEXT)).to_have_value(turned)
    expect(tab.locator(".solutions")).to_have_count(0)


def test_a_doubtful_sticker_is_mended_and_the_cube_solved(served: Served, tab: Page) -> None:
    event, true = doubtful_read()
    show(tab, served)
    served.dashboard.cube.readings.take(event)
    tab.click("#start >> text=Use this reading")
    expect(tab.locator("#start .legality")).to_have_text("doubtful")
    assert ringed(tab, "doubted") == set(event.result.doubtful)
    first, *_, last = event.result.doubtful
    expect(tab.locator("#start .remark")).to_contain_text(first)
    expect(tab.locator("#start .remark")).to_contain_text("uncertain: ")
    expect(tab.locator("#why-not")).to_contain_text("not sure of the ringed stickers")

    index = [facelet_name(each) for each in range(54)].index(last)
    tab.locator(f"#start .cell[data-index='{index}']").focus()
    expect(tab.locator("#start .remark")).to_contain_text(last)
    names = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}
    tab.get_by_role("button", name=f"It is {names[true[index]]}").click()
    expect(tab.locator("#start .legality")).to_have_text("a legal cube")
    assert ringed(tab, "doubted") == set()
    assert cells(tab) == true
    tab.click("#solve")
    expect(tab.locator(".solutions tbody tr").first).to_be_visible()

    # The target is scanned by the robot, with the same doubts: they are the target's alone.
    tab.route("**/api/robot/scan", lambda route: route.fulfill(body="null"))
    tab.click("#target .scan")
    expect(tab.locator("#note")).to_have_text("The robot shows the cube to the camera.")
    served.dashboard.cube.readings.take(event)
    expect(tab.locator("#target .legality")).to_have_text("doubtful")
    assert cells(tab) == true
    expect(tab.locator("#start .remark")).not_to_contain_text("The camera has read")
    expect(tab.locator("#why-not")).to_contain_text("not sure of the ringed stickers")


def test_a_cube_is_shown_to_a_camera_by_hand(served: Served, tab: Page) -> None:
    show(tab, served)
    cube, panel, said = random_state(4), tab.locator("#hand"), tab.locator("#hand-said")
    tab.click("#start .by-hand")
    tab.fill("#hand-camera", "http://127.0.0.1:9/video")
    tab.keyboard.press("Enter")
    expect(said).to_contain_text("does not open")
    expect(said).to_have_class("error")
    tab.click("#target .by-hand")
    expect(tab.locator("#hand-for")).to_have_text("Target: camera")
    with held_before_a_camera(cube) as held:
        tab.fill("#hand-camera", held.url)
        tab.keyboard.press("Enter")
        for face in range(5):
            held.shown = face
            expect(panel.locator(".spot:not(.none)")).to_have_count(face + 1)
            expect(said).to_contain_text(f"{face + 1} of 6")
        expect(said).to_contain_text("Next: tip it over twice")
        expect(tab.locator("#hand-frame")).to_be_visible()
        assert violations(tab) == []
        with pytest.raises(DeviceBusyError, match="a scan by hand, since"):
            served.dashboard.cube.scan_by_hand(ScanByHandRequest(held.url))
        held.shown = 5
        expect(said).to_have_text("The cube is read.")
    assert (cells(tab), cells(tab, "target")) == (WHOLE, format_facelets(cube))
    expect(tab.locator("#target .legality")).to_have_text("a legal cube")
    expect(tab.locator("#hand-frame")).to_be_hidden()


def test_the_robot_solves_by_keys_alone(served: Served, tab: Page) -> None:
    controller, facelets = served.dashboard.robot, format_facelets(random_state(31))
    show(tab, served)
    expect(tab.locator("#why-not")).to_contain_text("No robot is connected")
    controller.simulate(SimulateRequest(speed=20, seed=31, camera=0))
    assert controller.wait(LONGEST_S)

    def go_to(selector: str) -> None:
        for _ in range(120):
            if tab.evaluate("s => document.activeElement?.matches(s)", selector):
                outline = tab.evaluate("getComputedStyle(document.activeElement).outlineWidth")
                assert outline == "3px"
                return
            tab.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    go_to("#start .scramble")
    tab.keyboard.press("Enter")
    expect(tab.locator(TEXT)).not_to_have_value(WHOLE)
    go_to(TEXT)
    tab.keyboard.press("Control+a")
    tab.keyboard.type(facelets)  # the cube that is in the rig
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/cube?facelets={facelets}*")
    expect(tab.locator("#solve")).to_be_enabled()
    go_to("#solve")
    tab.keyboard.press("Enter")
    expect(tab.locator(".solutions tbody tr").first).to_be_visible()

    # Start, pause, go on, stop: the job is held meanwhile, so that it cannot end before.
    gate = Gate()
    controller.on_event = gate.hear
    state = tab.locator("#state")
    go_to("#on-robot")
    tab.keyboard.press("Enter")
    confirm(tab)
    tab.wait_for_url("**/robot")
    expect(state).to_have_attribute("data-phase", Phase.RUNNING)
    tab.keyboard.press("Space")
    expect(state).to_have_attribute("data-phase", Phase.PAUSING)
    gate.open()
    expect(state).to_have_attribute("data-phase", Phase.PAUSED)
    gate.close_behind(6)
    tab.keyboard.press("Space")
    expect(state).to_have_attribute("data-phase", Phase.RUNNING)
    assert gate.is_reached()
    tab.keyboard.press("Space")
    expect(state).to_have_attribute("data-phase", Phase.PAUSING)
    gate.open()
    expect(state).to_have_attribute("data-phase", Phase.PAUSED)
    tab.keyboard.press("Escape")
    expect(state).to_have_attribute("data-phase", Phase.STOPPED)

    # Somebody says how the cube lies: what the robot knew last is there already, and is corrected.
    show(tab, served, "?for=robot")
    twin = served.dashboard.hub.value("rig-cube").facelets
    expect(tab.locator(TEXT)).to_have_value(twin)
    controller.disconnect()
    controller.simulate(SimulateRequest(speed=20, seed=31, camera=0))
    assert controller.wait(LONGEST_S)
    show(tab, served, f"?for=robot&facelets={facelets}")
    go_to("#use-position")
    tab.keyboard.press("Enter")
    confirm(tab)
    tab.wait_for_url("**/robot")
    expect(state).to_have_attribute("data-phase", Phase.FINISHED)
    controller.disconnect()
    (lines,) = (
        message.value for message in served.dashboard.hub.subscribe(lambda: None).take()[-1:]
    )
    assert "the simulated cube is solved" in lines[-1]["text"]


class Gate:
    """Holds a robot's job after a primitive until it is opened."""

    def __init__(self) -> None:
        self._after = 3
        self._reached, self._opened = threading.Event(), threading.Event()

    def hear(self, event: RobotEvent) -> None:
        if isinstance(event, PrimitiveFinished) and event.index == self._after:
            self._reached.set()
            assert self._opened.wait(LONGEST_S)

    def open(self) -> None:
        self._opened.set()

    def close_behind(self, index: int) -> None:
        self._after = index
        self._reached.clear()
        self._opened.clear()

    def is_reached(self) -> bool:
        return self._reached.wait(LONGEST_S)
