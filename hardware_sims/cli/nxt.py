"""`hwsim nxt`: a brick with the cube rig, until it is stopped."""

import json
import signal
import sys
import threading
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hardware_sims.cli.nxt_camera import camera_above
from hardware_sims.cli.options import (
    ANY_PORT,
    AllowRemoteOption,
    FaultsOption,
    ListenOption,
    PtyOption,
    SpeedOption,
)

if TYPE_CHECKING:
    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.nxt_brick.brick import SimulatedBrick


class Link(StrEnum):
    """How long telegrams take."""

    none = "none"
    usb = "usb"
    bluetooth = "bluetooth"


def nxt(
    listen: ListenOption = ANY_PORT,
    allow_remote: AllowRemoteOption = False,
    pty: PtyOption = None,
    scramble: Annotated[
        str | None, typer.Option(metavar="MOVES", help="Scramble the cube with these moves.")
    ] = None,
    facelets: Annotated[
        str | None, typer.Option(metavar="FACELETS", help="Start with this cube (54 letters).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Start with random cube number N.")
    ] = None,
    speed: SpeedOption = 1.0,
    link: Annotated[Link, typer.Option(help="Add the delays of a real link.")] = Link.none,
    faults: FaultsOption = None,
    rig_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the cube in FILE, and start with the one there."),
    ] = None,
    camera: Annotated[
        int | None,
        typer.Option(
            metavar="[LEVEL]",
            min=1,
            max=3,
            help="Serve a camera above the rig; level 1 (easy, the default) to 3.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Nothing but the JSON lines, no remarks on stderr.")
    ] = False,
) -> None:
    """Simulate an NXT brick with the cube rig until Ctrl-C or SIGTERM.

    The first line on stdout is a JSON object with the address to connect to and, with --camera,
    the URL of the video; the last one tells how the cube is left.
    """
    stop = _stop_on_signal()
    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.cube_rig.rig_file import load_cube, save_cube
    from hardware_sims.cube_rig.scenario import starting_cube
    from hardware_sims.endpoints.listen_address import parse_listen_address
    from hardware_sims.nxt_brick import brick as nxt_brick
    from hardware_sims.nxt_brick.faults import NO_FAULTS, load_faults
    from hardware_sims.nxt_brick.server import BrickServer
    from solvers.foundation.clock import SystemClock

    remark = (lambda text: None) if as_json else _remark  # noqa: ARG005
    host, port = parse_listen_address(listen, allow_remote)
    going_wrong = load_faults(faults) if faults else NO_FAULTS
    cube = starting_cube(scramble, facelets, seed)
    if rig_file is not None and rig_file.exists():
        cube = load_cube(rig_file)
        remark(f"Going on with the cube of {rig_file}.")

    def keep(changed: "CubeRig") -> None:
        if rig_file is not None:
            save_cube(rig_file, changed.cube)

    latency = {
        Link.none: nxt_brick.NO_LATENCY,
        Link.usb: nxt_brick.USB_LATENCY,
        Link.bluetooth: nxt_brick.BLUETOOTH_LATENCY,
    }[link]
    nxt_brick.warm_up(CubeRig())
    rig = CubeRig(cube, going_wrong.slips, on_cube_change=keep)
    keep(rig)
    brick = nxt_brick.SimulatedBrick(SystemClock(speed), rig, going_wrong, latency)
    with BrickServer(brick, host, port, pty) as server, ExitStack() as viewers:
        greeting: dict[str, Any] = {
            "address": server.address,
            "facelets": rig.facelets,
            "speed": speed,
            "seed": seed,
        }
        if camera is not None:
            video = viewers.enter_context(
                camera_above(brick, rig, camera, seed or 0, going_wrong.camera)
            )
            greeting["camera"] = video.url
            remark(f"A camera (level {camera}) shows the rig at {video.url}.")
        _print_line(greeting)
        remark(f"A brick answers at {server.address}; Ctrl-C stops it.")
        stop.wait()
    brick.advance()
    keep(rig)
    _print_line(_ending(brick, rig))


def _stop_on_signal() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _ending(brick: "SimulatedBrick", rig: "CubeRig") -> dict[str, Any]:
    return {
        "facelets": rig.facelets,
        "solved": rig.is_solved,
        "jams": [jam.sentence for jam in rig.jams],
        "tilts": rig.tilts,
        "telegrams": brick.telegrams,
        "robot_seconds": round(brick.seconds, 3),
    }


def _print_line(result: dict[str, Any]) -> None:
    print(json.dumps(result), flush=True)


def _remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
