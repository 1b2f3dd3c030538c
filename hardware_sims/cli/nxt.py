"""`hwsim nxt`: a brick, with the cube rig or without, until it is stopped."""

import json
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hardware_sims.cli.nxt_camera import camera_above
from hardware_sims.cli.nxt_operator import put_files, read_commands
from hardware_sims.cli.options import (
    ANY_PORT,
    AllowRemoteOption,
    EndWithInputOption,
    FaultsOption,
    ListenOption,
    PtyOption,
    SpeedOption,
)
from hardware_sims.errors import InvalidScenarioError, SimulatorError

if TYPE_CHECKING:
    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.robot_faults import RobotFaults

Remark = Callable[[str], None]
USUAL_INSTRUCTIONS: Final = 100  # a millisecond; 115 to 130 were measured on real bricks


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
        str | None, typer.Option(metavar="FACELETS", help="Start with this cube (54 stickers).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Start with random cube number N.")
    ] = None,
    speed: SpeedOption = 1.0,
    link: Annotated[
        Link | None,
        typer.Option(help="Add the delays of a real link; bluetooth with --pty, else none."),
    ] = None,
    faults: FaultsOption = None,
    rig_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the cube in FILE, and start with the one there."),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="[LEVEL|FILE]",
            help="Serve a camera above the rig: level 1 (easy, the default) to 3, or as FILE says.",
        ),
    ] = None,
    free: Annotated[
        bool, typer.Option("--free", help="A brick whose motors lie on the table, without a rig.")
    ] = False,
    sensor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PORT:KIND[=VALUE]",
            help="Plug in touch, light, sound, ultrasonic, color or rotation; may be given again.",
        ),
    ] = None,
    program: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.rxe", help="Put a file on the brick; may be given again."),
    ] = None,
    instructions: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=10_000, help="Program instructions a millisecond."),
    ] = USUAL_INSTRUCTIONS,
    end_with_input: EndWithInputOption = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Nothing but the JSON lines, no remarks on stderr.")
    ] = False,
) -> None:
    """Simulate an NXT brick, with the cube rig unless --free, until Ctrl-C or SIGTERM.

    The first line on stdout is a JSON object with the address to connect to and, with --camera,
    the URL of the video; the last one tells how the cube is left. Commands may be typed while it
    runs: plug PORT:KIND[=VALUE], set PORT VALUE, unplug PORT, stop.

    Examples:
      hwsim nxt --seed 4 --camera
    """
    stop = _stop_on_signal()
    from hardware_sims.cube_rig.camera.levels import LEVELS, level_called
    from hardware_sims.endpoints.listen_address import parse_listen_address
    from hardware_sims.nxt_brick import latency as delays
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
    from hardware_sims.nxt_brick.server import BrickServer
    from hardware_sims.robot_faults import NOTHING_WRONG, load_faults
    from solvers.foundation.clock import SystemClock

    remark: Remark = (lambda text: None) if as_json else _remark  # noqa: ARG005
    host, port = parse_listen_address(listen, allow_remote)
    going_wrong = load_faults(faults) if faults else NOTHING_WRONG
    seen_as = None if camera is None else level_called(camera)
    plugged_in = [parse_sensor(text) for text in sensor or ()]
    if free:
        _refuse_beside_free(scramble, facelets, seed, rig_file, camera)
    rig = None if free else _rig(scramble, facelets, seed, rig_file, going_wrong, remark)
    latency = delays.LATENCIES[link or (Link.bluetooth if pty else Link.none)]
    _warm_up(rig is not None)
    brick = SimulatedBrick(
        SystemClock(speed), rig, going_wrong.brick, latency, instructions_per_ms=instructions
    )
    for place, kind in plugged_in:
        brick.machine.plug_in(place, kind)
    put_files(brick.machine.files, program or ())
    brick.machine.programs.on_end = lambda report: remark(f"{report}.")
    with BrickServer(brick, host, port, pty) as server, ExitStack() as viewers:
        greeting: dict[str, Any] = {"address": server.address, "speed": speed}
        if rig is not None:
            greeting |= {"facelets": rig.facelets, "seed": seed}
        if rig is not None and seen_as is not None:
            video = viewers.enter_context(
                camera_above(brick, rig, seen_as, seed or 0, going_wrong.camera)
            )
            greeting["camera"] = video.url
            level = f"level {camera}" if seen_as == LEVELS.get(seen_as.level) else camera
            remark(f"A camera ({level}) shows the rig at {video.url}.")
        _print_line(greeting)
        remark(f"A brick answers at {server.address}; Ctrl-C stops it.")
        at_end = stop.set if end_with_input else lambda: None
        threading.Thread(target=_read_input, args=(brick, at_end), daemon=True).start()
        stop.wait()
    brick.advance()
    _print_line(_ending(brick, rig))
    if rig is not None and rig_file is not None:
        _keep(rig, rig_file)


def _refuse_beside_free(*options: object) -> None:
    """Complain about options of the rig where there is none."""
    if any(option is not None for option in options):
        raise InvalidScenarioError(
            "A free brick has no rig; leave --free or --scramble, --facelets, --seed, --rig-file "
            "and --camera away."
        )


def _rig(
    scramble: str | None,
    facelets: str | None,
    seed: int | None,
    rig_file: Path | None,
    going_wrong: "RobotFaults",
    remark: Remark,
) -> "CubeRig":
    """Return the rig with its cube, which is kept in `rig_file` from now on."""
    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.cube_rig.rig_file import load_cube
    from hardware_sims.cube_rig.scenario import starting_cube

    cube = starting_cube(scramble, facelets, seed)
    if rig_file is None:
        return CubeRig(cube, going_wrong.rig)
    if rig_file.exists():
        cube = load_cube(rig_file)
        remark(f"Going on with the cube of {rig_file}.")
    rig = CubeRig(
        cube,
        going_wrong.rig,
        on_cube_change=lambda changed: _keep_if_possible(changed, rig_file),
    )
    _keep(rig, rig_file)
    return rig


def _keep(rig: "CubeRig", rig_file: Path) -> None:
    from hardware_sims.cube_rig.rig_file import save_cube

    save_cube(rig_file, rig.cube)


def _keep_if_possible(rig: "CubeRig", rig_file: Path) -> None:
    """Keep the cube, or say why not: a full disk is no reason for a brick to fall silent."""
    try:
        _keep(rig, rig_file)
    except SimulatorError as error:
        _remark(f"Warning: {error} The rig goes on without.")


def _read_input(brick: "SimulatedBrick", at_end: Callable[[], None]) -> None:
    read_commands(brick)
    at_end()


def _warm_up(with_rig: bool) -> None:
    """Compile the brick before anybody waits for an answer; a minute or more the first time."""
    from rich.console import Console

    from hardware_sims.cube_rig.rig import CubeRig
    from hardware_sims.nxt_brick.warming_up import warm_up

    with Console(stderr=True).status("Preparing the simulated brick"):
        warm_up(CubeRig() if with_rig else None)


def _stop_on_signal() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _ending(brick: "SimulatedBrick", rig: "CubeRig | None") -> dict[str, Any]:
    cube: dict[str, Any] = {}
    if rig is not None:
        cube = {
            "facelets": rig.facelets,
            "solved": rig.is_solved,
            "jams": [jam.sentence for jam in rig.jams],
            "tilts": rig.tilts,
        }
    counts = {"telegrams": brick.telegrams, "robot_seconds": round(brick.seconds, 3)}
    programs = [str(report) for report in brick.machine.programs.reports]
    return {**cube, **counts, **({"programs": programs} if programs else {})}


def _print_line(result: dict[str, Any]) -> None:
    print(json.dumps(result), flush=True)


def _remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
