"""Faults in a browser: a motor that is held, a brick without power."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from controller.dashboard.robot.view import ConnectRequest, Phase, SolveRequest
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.faults import Faults, Restart, Stall
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.levels import LEVELS
from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import SystemClock
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.integration.dashboard.conftest import LONGEST_S, Served, confirm

SPEED = 20.0
SEEN_SPEED = 10.0  # leaves a busy computer time for the camera
CUBE = random_state(31)
IN_THE_DRIVE = 600
"""A telegram after home was found and before the last primitive."""


@pytest.fixture
def tab(served: Served, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(1000 * LONGEST_S)
    page.goto(served.server.address)
    yield page
    served.dashboard.robot.stop()
    assert served.dashboard.robot.wait(LONGEST_S)
    served.dashboard.robot.disconnect()
    context.close()


@contextmanager
def driven_on(served: Served, faults: Faults) -> Iterator[tuple[SimulatedBrick, CubeRig]]:
    """Let the dashboard solve the cube of a brick with `faults`, in whose rig one can reach."""
    rig, controller = CubeRig(CradledCube(CUBE)), served.dashboard.robot
    warm_up(rig)
    brick = SimulatedBrick(SystemClock(SPEED), rig, faults, instructions_per_ms=100)
    with BrickServer(brick) as server:
        controller.connect(ConnectRequest(server.address, speed=SPEED))
        assert controller.wait(LONGEST_S)
        controller.solve(SolveRequest(format_facelets(CUBE)))
        yield brick, rig
        assert controller.wait(LONGEST_S)


def expect_phase(tab: Page, phase: Phase) -> None:
    expect(tab.locator("#state")).to_have_attribute("data-phase", phase)


def test_a_motor_that_is_held_is_named_with_its_angle(served: Served, tab: Page) -> None:
    faults = Faults(stalls=(Stall(port=0, seconds=1e6, telegram=IN_THE_DRIVE),))
    with driven_on(served, faults):
        expect_phase(tab, Phase.FAULT)
    card = tab.locator("#state")
    expect(card).to_contain_text(re.compile(r"[Mm]otor A \(cradle\).* degrees in the middle of a"))
    expect(card).to_contain_text("primitives are done and recorded in")
    expect(card.get_by_role("button", name=re.compile("Resume at primitive"))).to_be_visible()


def test_after_a_power_cut_the_cube_is_painted_and_solved(served: Served, tab: Page) -> None:
    faults = Faults(restarts=(Restart(off_s=3.0, telegram=IN_THE_DRIVE),))
    with driven_on(served, faults) as (brick, rig):
        expect_phase(tab, Phase.UNCERTAIN)
        expect(tab.locator("#state-title")).to_have_text("Where is the cube now?")
        # As the card asks for, when everything before it has happened.
        brick.operate(lambda _: rig.straighten())
        tab.locator("#state").get_by_role("link", name="Paint it").click()
        tab.wait_for_url("**/cube?for=robot*")
        tab.fill("#start .text input", rig.facelets)
        tab.keyboard.press("Enter")
        # The cube in the rig is a legal cube, too: what was typed is taken when the address has it.
        tab.wait_for_url(f"**/cube?facelets={rig.facelets}*")
        expect(tab.locator("#start .legality")).to_have_text("a legal cube")
        tab.click("#use-position")
        confirm(tab)
        tab.wait_for_url("**/robot")
        expect_phase(tab, Phase.FINISHED)
    assert rig.is_solved


def test_another_cube_than_entered_is_noticed_and_shown(served: Served, tab: Page) -> None:
    rig, controller = CubeRig(CradledCube(CUBE)), served.dashboard.robot
    warm_up(rig)
    brick = SimulatedBrick(SystemClock(SEEN_SPEED), rig, instructions_per_ms=100)
    camera = SimulatedCamera(lambda: rig.pose, brick.clock, replace(LEVELS[1], binning=2), seed=1)
    with BrickServer(brick) as server, MjpegServer(camera.jpeg, SystemClock()) as pictures:
        controller.connect(ConnectRequest(server.address, pictures.url, SEEN_SPEED))
        assert controller.wait(LONGEST_S)
        tab.goto(f"{served.server.origin}/cube")
        tab.fill("#start .text input", "R U F")
        tab.keyboard.press("Enter")
        expect(tab.locator("#start .text input")).not_to_have_value("R U F")  # it has been read
        tab.click("#on-robot")
        expect(tab.locator("#is-this .cam img")).to_be_visible()
        confirm(tab)
        tab.wait_for_url("**/robot")
        expect_phase(tab, Phase.FINISHED)
        expect(tab.locator("#state")).to_contain_text("Scanned and planned again: The camera sees")
        expect(tab.locator("#rescans")).to_have_text("1")
        expect(tab.locator("#not-known")).to_be_hidden()
        seen = tab.locator("#scene .sticker").evaluate_all(
            "all => all.map(each => [Number(each.dataset.index), each.dataset.colour])"
        )
        assert "".join(colour for _, colour in sorted(seen)) == rig.cube.stickers
    assert rig.is_solved
