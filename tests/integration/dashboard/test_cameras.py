"""The camera in many tabs: a real stream over HTTP, read once for all who look."""

import re

import msgspec
from playwright.sync_api import Browser, Page, expect

from controller.dashboard.robot.view import Phase
from controller.opening import camera_opener
from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.levels import LEVELS, CameraFault, FaultKind
from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
from hardware_sims.rigs.cradle.rig import RigPose
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import SystemClock
from tests.integration.dashboard.conftest import Served

TABS = 8
FROZEN_S, BLACK_S, UNPLUGGED_S = 1000.0, 2000.0, 3000.0  # of the camera's own time
POSE = RigPose(0, 0, 0, 0, 0, "seated", CradledCube().stickers)


def test_eight_tabs_show_the_camera_and_say_what_is_wrong_with_it(
    served: Served, browser: Browser
) -> None:
    clock = VirtualClock()
    camera = SimulatedCamera(
        lambda: POSE,
        clock,
        msgspec.structs.replace(LEVELS[1], binning=4),
        faults=[
            CameraFault(FaultKind.FROZEN, FROZEN_S, FROZEN_S + 500),
            CameraFault(FaultKind.BLACK, BLACK_S, BLACK_S + 500),
            CameraFault(FaultKind.UNPLUGGED, UNPLUGGED_S),
        ],
    )
    hub, cameras = served.dashboard.hub, served.dashboard.cameras
    before = hub.value("robot")
    context = browser.new_context(
        reduced_motion="reduce",
        viewport={"width": 480, "height": 360},  # cheap to paint
    )
    first = context.new_page()
    first.goto(f"{served.server.origin}/robot?token={served.server.token}")
    with MjpegServer(camera.jpeg, SystemClock()) as server:
        cameras.use(camera_opener(server.url))
        hub.publish("robot", msgspec.structs.replace(before, has_camera=True, phase=Phase.RUNNING))
        for _ in range(TABS - 1):
            with context.expect_page():
                first.evaluate("window.open('/robot')")
        expect_all(context.pages, "live")
        for tab in context.pages:
            expect(tab.locator("#frame")).to_be_visible()
        for moment_s, sentence in (
            (FROZEN_S, "repeats one frame"),
            (FROZEN_S + 600, "live"),
            (BLACK_S, "gives black frames"),
            (UNPLUGGED_S, re.compile("gives no frames|does not open")),
        ):
            clock.sleep(moment_s - clock.now())
            expect_all(context.pages, sentence)
            word = "on" if sentence == "live" else "no picture"
            expect(first.locator("#chip-camera b")).to_have_text(word)
    hub.publish("robot", before)
    expect_all(context.pages, "no camera")
    cameras.use(None)
    context.close()


def expect_all(tabs: list[Page], caption: str | re.Pattern[str]) -> None:
    for tab in tabs:
        tab.bring_to_front()  # one that is hidden asks for no picture
        expect(tab.locator("#cap")).to_contain_text(caption)
