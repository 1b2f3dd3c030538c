"""The Puzzles page in a browser: searches, foreign files, cards, tiles, sliding boards."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from controller.dashboard.puzzles.view import PackRequest, Phase
from controller.dashboard.robot.view import Phase as RobotPhase
from controller.dashboard.robot.view import SimulateRequest, SolveRequest
from solvers.polycube import library
from solvers.polycube.puzzle_file import dumps
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.integration.dashboard.conftest import (
    LONGEST_S,
    MOST_SHIFT,
    NOTE_SHIFTS,
    Served,
    layout_shift,
)

LONGEST_MS = 1000 * LONGEST_S
EVIL = "<img src=x onerror=document.body.remove()>"
SEED = 31
BEDLAM_COUNT = 19_186
SOLVED_8 = "1.2.3.4.5.6.7.8.0"


def opened(context: BrowserContext, served: Served, address: str = "") -> Page:
    tab = context.new_page()
    tab.set_default_timeout(LONGEST_MS)
    tab.goto(served.server.address)
    tab.goto(f"{served.server.origin}/puzzles{address}")
    return tab


def press(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()


def expect_phase(tab: Page, phase: Phase) -> None:
    expect(tab.locator(f"#job[data-phase={phase}]")).to_be_visible(timeout=LONGEST_MS)


def expect_step(tab: Page, step: int) -> None:
    expect(tab.locator(f".viewer[data-step='{step}']")).to_be_visible(timeout=LONGEST_MS)


def said_in(tab: Page) -> dict[str, str]:
    """Return what the address says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(tab.url).query).items()}


@pytest.fixture
def context(browser: Browser) -> BrowserContext:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_init_script(NOTE_SHIFTS)
    return context


def test_a_search_in_two_tabs_with_the_state_in_the_address(
    served: Served, context: BrowserContext
) -> None:
    tab = opened(context, served, "?puzzle=soma&solution=1&step=3")
    expect_step(tab, 3)
    expect(tab.locator(".word .lab")).to_have_text("Step 3 of 7")
    tab.keyboard.press("ArrowRight")
    expect_step(tab, 4)
    assert said_in(tab) == {"puzzle": "soma", "solution": "1", "step": "4"}
    legend = tab.locator(".piece")
    expect(legend).to_have_count(7)
    legend.first.click()
    expect(legend.first).to_have_attribute("aria-pressed", "false")

    tab.get_by_role("button", name="Find all").focus()
    tab.keyboard.press("Enter")
    expect_phase(tab, Phase.FINISHED)
    expect(tab.locator("#found")).to_have_text("240")
    expect(tab.locator(".numbers")).to_contain_text("11,520")
    expect(tab.locator("#recent")).to_contain_text("Soma cube, all")
    tab.locator("#solution").fill("7")
    expect(tab.locator("#which")).to_have_text("solution 7")
    late = opened(context, served, f"?{urlsplit(tab.url).query}")
    expect(late.locator("#which")).to_have_text("solution 7")
    expect_step(late, 4)
    expect(late.locator("#found")).to_have_text("240")
    with late.expect_download() as download:
        press(late, "SVG")
    svg = Path(download.value.path()).read_text()
    assert svg.startswith("<?xml")
    assert "Soma cube" in svg
    context.close()


def test_a_count_is_stopped_from_anywhere_and_gone_on_with(
    served: Served, context: BrowserContext
) -> None:
    tab, other = opened(context, served, "?puzzle=bedlam"), opened(context, served)
    expect(tab.locator("#title")).to_have_text("Bedlam cube")
    layout_shift(tab)  # until here the page has loaded
    press(tab, "Count all")
    expect(tab.locator(".parts .d").nth(2)).to_be_visible(timeout=LONGEST_MS)
    expect(tab.locator("#stop")).not_to_have_class(re.compile("idle"))
    expect(tab.locator(".entry[data-key=bedlam] .tag")).to_contain_text("%")
    other.goto(f"{served.server.origin}/board")
    expect(other.locator("nav:visible a[href='/puzzles'] .live").first).to_be_visible()
    other.keyboard.press("Escape")
    expect_phase(tab, Phase.STOPPED)
    expect(tab.locator("#job")).to_contain_text("of the search is saved on disk")
    kept = tab.locator(".parts .d").count()
    assert kept >= 3
    shift, moved = layout_shift(tab)
    assert shift < MOST_SHIFT, moved
    tab.close()
    other.goto(f"{served.server.origin}/puzzles?puzzle=bedlam")
    press(other, "Resume")
    expect_phase(other, Phase.RUNNING)
    expect(other.locator(".parts .d").nth(kept - 1)).to_be_visible(timeout=LONGEST_MS)
    press(other, "Stop and keep")
    expect_phase(other, Phase.STOPPED)
    context.close()


def test_foreign_files_are_text_or_get_a_sentence(
    served: Served, context: BrowserContext, tmp_path: Path
) -> None:
    tab = opened(context, served)
    mine = dumps(library.load("soma")).replace('"Soma cube"', f"'{EVIL}'")
    for name, text in {"mine.toml": mine, "broken.toml": "name = 3"}.items():
        (tmp_path / name).write_text(text)
    tab.set_input_files("#file", tmp_path / "mine.toml")
    expect(tab.locator("#title")).to_have_text(EVIL)
    expect(tab.locator(".entry[aria-current] b")).to_have_text(EVIL)
    expect(tab.locator("img[src=x]")).to_have_count(0)
    expect(tab.locator("#remark")).to_contain_text("no solution has been looked for yet")
    press(tab, "Find one")
    expect_step(tab, 7)
    expect(tab.locator("#recent li").first).to_contain_text(EVIL)

    tab.set_input_files("#file", tmp_path / "broken.toml")
    expect(tab.locator("#note")).to_contain_text("broken.toml, line 1")
    expect(tab.locator("#recent .fault")).to_contain_text("broken.toml, line 1")
    (tmp_path / "large.toml").write_bytes(b"#" * 10_000_000)
    tab.set_input_files("#file", tmp_path / "large.toml")
    expect(tab.locator("#note")).to_contain_text("may have 1048576 bytes")
    tab.goto(f"{served.server.origin}/puzzles?puzzle=file-99")
    expect(tab.locator("#note")).to_contain_text("There is no puzzle 'file-99' here")
    context.close()


def test_a_card_is_drawn_by_keys_and_solved_and_cards_are_made(
    served: Served, context: BrowserContext
) -> None:
    tab = opened(context, served, "?puzzle=ubongo")
    expect(tab.locator(".pick[aria-pressed=true]")).to_have_count(4)
    solve = tab.get_by_role("button", name="Solve the card")
    tab.locator(".cell").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter"):
        tab.keyboard.press(key)
    expect(tab.locator(".card-editor [role=status]")).to_contain_text("they must be as many")
    solve.click()
    expect(tab.locator("#note")).to_contain_text("have 16 cubes, but a base area of 7 fields")
    tab.keyboard.press("Control")
    tab.locator(".cell").nth(14).click()
    solve.click()
    expect_step(tab, 4)
    expect(tab.locator("#found")).to_have_text("4")
    assert said_in(tab)["board"] == "##.#/...#/...."
    assert said_in(tab)["pieces"] == "3,10,8,5"

    tab.get_by_label("How many cards").fill("2")
    tab.get_by_label("Seed").fill("7")
    press(tab, "Make cards")
    with tab.expect_download() as download:
        press(tab, "Cards as PDF")
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")
    expect(tab.locator("#recent li").first).to_contain_text("2 Ubongo cards")
    context.close()


def test_a_refusal_stays_when_a_picture_comes_late(served: Served, context: BrowserContext) -> None:
    tab = context.new_page()
    tab.set_default_timeout(LONGEST_MS)
    waiting: list[Route] = []
    tab.goto(served.server.address)
    tab.route("**/api/puzzles/show", lambda route: waiting.append(route))
    with tab.expect_request("**/api/puzzles/show"):
        tab.goto(f"{served.server.origin}/puzzles?puzzle=ubongo")
    tab.locator(".cell").first.click()
    tab.get_by_role("button", name="Solve the card").click()
    refusal = tab.locator("#note")
    expect(refusal).to_contain_text("but a base area of")
    with tab.expect_response("**/api/puzzles/show"):
        waiting.pop().continue_()
    expect(tab.locator("#saves button").first).to_be_visible()
    expect(refusal).to_contain_text("but a base area of")
    context.close()


def test_tiles_are_laid_and_drawn(served: Served, context: BrowserContext) -> None:
    tab = opened(context, served, "?puzzle=tiles-nine-triangles")
    expect(tab.locator("#which")).to_have_text("not placed yet")
    tab.select_option("#workers", "1")
    press(tab, "Find all")
    expect_phase(tab, Phase.FINISHED)
    expect(tab.locator("#found")).to_have_text("1")
    expect(tab.locator("#job")).to_contain_text("the board's 3 turns as one")
    picture = tab.locator(".board-picture")
    expect(picture).to_have_attribute("alt", "Solution 1")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    context.close()


def test_a_sliding_board_is_moved_by_hand_solved_and_played(
    served: Served, context: BrowserContext
) -> None:
    tab = opened(context, served, f"?puzzle=slide&board={SOLVED_8}&width=3")
    board = tab.locator(".slide-board")
    tab.keyboard.press("ArrowDown")
    expect(board).to_have_attribute("data-cells", "1.2.3.4.5.0.7.8.6")
    tile = tab.locator(".tile", has_text="5").bounding_box()
    assert tile is not None
    middle = (tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    tab.mouse.move(*middle)
    tab.mouse.down()
    tab.mouse.move(middle[0] + 0.8 * tile["width"], middle[1], steps=4)
    tab.mouse.up()
    expect(board).to_have_attribute("data-cells", "1.2.3.4.0.5.7.8.6")
    assert said_in(tab)["board"] == "1.2.3.4.0.5.7.8.6"
    press(tab, "Solve")
    expect_phase(tab, Phase.FINISHED)
    expect(tab.locator("#found")).to_have_text("2")
    expect(tab.locator("#job")).to_contain_text("moves, the fewest possible")
    press(tab, "Play")
    expect(board).to_have_attribute("data-cells", SOLVED_8)
    press(tab, "Scramble")
    expect(board).not_to_have_attribute("data-cells", SOLVED_8)
    tab.goto(f"{served.server.origin}/puzzles?puzzle=slide&board=1.2.3.4.5.6.8.7.0&width=3")
    press(tab, "Solve")
    expect(tab.locator("#note")).to_contain_text("No moves lead from")
    context.close()


def test_bedlam_is_counted_beside_a_driving_robot(served: Served) -> None:
    robot, puzzles = served.dashboard.robot, served.dashboard.puzzles
    robot.simulate(SimulateRequest(speed=20, seed=SEED, camera=0))
    assert robot.wait(3 * LONGEST_S)
    robot.solve(SolveRequest(format_facelets(random_state(SEED))))
    puzzles.pack(PackRequest("bedlam", "count", 1))
    assert puzzles.search.wait(3 * LONGEST_S)
    assert robot.wait(3 * LONGEST_S)
    assert (puzzles.search.view.phase, puzzles.search.view.found) == (Phase.FINISHED, BEDLAM_COUNT)
    assert served.dashboard.hub.value("robot").phase is RobotPhase.FINISHED
    robot.disconnect()
    puzzles.halt()
