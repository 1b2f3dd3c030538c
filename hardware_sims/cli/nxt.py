"""`hwsim nxt`: a brick, with the cube rig or without, until it is stopped."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

import click

from hardware_sims.cli.options import (
    allow_remote_option,
    end_with_input_option,
    faults_option,
    listen_option,
    pty_option,
    speed_option,
)
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from hardware_sims.rigs.registry import DEFAULT_RIG, RIGS, get_model
from solvers.foundation.command_line.app import PATH, Command, EnumChoice
from solvers.foundation.files import iter_lines, read_bytes

if TYPE_CHECKING:
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_firmware.flash import FlashFiles


def put_files(files: "FlashFiles", paths: Sequence[Path]) -> None:
    """Put files of this computer on the brick. Raises InvalidScenarioError."""
    from hardware_sims.nxt_firmware.flash import LONGEST_NAME
    from hardware_sims.nxt_firmware.statuses import CommandError

    for path in paths:
        name = path.name.encode("ascii", "replace")
        if len(name) > LONGEST_NAME:
            raise InvalidScenarioError(
                f"{path.name} is too long for a brick; rename it to at most {LONGEST_NAME} letters."
            )
        data = read_bytes(path, InvalidScenarioError, "The file")
        try:
            files.store(name, data)
        except CommandError:
            raise InvalidScenarioError(
                f"{path} has {len(data)} bytes; only {files.free} are free on the brick."
            ) from None


def read_commands(brick: "SimulatedBrick") -> None:
    """Do what is typed, line by line, until the input ends."""
    from hardware_sims.nxt_brick.operator_commands import parse_command

    if not _may_read():
        return
    for line in iter_lines(sys.stdin, SimulatorError, "The input"):
        if line.strip():
            try:
                brick.operate(parse_command(line))
            except SimulatorError as error:
                print(f"Error: {error}", file=sys.stderr, flush=True)


def _may_read() -> bool:
    """Return whether the input is ours: not a terminal at which another command is waiting."""
    if not sys.stdin.isatty():
        return True
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False


if TYPE_CHECKING:
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.rigs.registry import RigModel, SimulatedRig
    from hardware_sims.robot_faults import RobotFaults

Remark = Callable[[str], None]
EASIEST_CAMERA: Final = "1"
LOOK_AGAIN_S: Final = 0.5
USUAL_INSTRUCTIONS: Final = 100  # a millisecond; 115 to 130 were measured on real bricks


class Link(StrEnum):
    """How long telegrams take."""

    none = "none"
    usb = "usb"
    bluetooth = "bluetooth"


@click.command("nxt", cls=Command)
@listen_option
@allow_remote_option
@pty_option
@click.option("--scramble", metavar="MOVES", help="Scramble the cube with these moves.")
@click.option("--facelets", metavar="FACELETS", help="Start with this cube (54 stickers).")
@click.option("--seed", type=int, metavar="N", help="Start with random cube number N.")
@speed_option
@click.option(
    "--link",
    type=EnumChoice(Link),
    help="Add the delays of a real link; bluetooth with --pty, else none.",
)
@faults_option
@click.option(
    "--rig-file",
    type=PATH,
    metavar="FILE",
    help="Keep the cube in FILE, and start with the one there.",
)
@click.option(
    "--camera",
    is_flag=False,
    flag_value=EASIEST_CAMERA,
    metavar="[LEVEL|FILE]",
    help="Serve a camera above the rig: level 1 (easy, the default) to 3, or as FILE says.",
)
@click.option(
    "--rig",
    default=DEFAULT_RIG,
    metavar="NAME|FILE",
    help=f"The rig on the motors: {', '.join(RIGS)}, or the geometry of one in a TOML file.",
)
@click.option("--free", is_flag=True, help="A brick with its motors on the table, without a rig.")
@click.option(
    "--sensor",
    metavar="PORT:KIND[=VALUE]",
    multiple=True,
    help="Plug in touch, light, sound, ultrasonic, color or rotation; may be given again.",
)
@click.option(
    "--program",
    type=PATH,
    metavar="FILE.rxe",
    multiple=True,
    help="Put a file on the brick; may be given again.",
)
@click.option(
    "--instructions",
    type=click.IntRange(min=1, max=10_000),
    default=USUAL_INSTRUCTIONS,
    metavar="N",
    help="Program instructions a millisecond.",
)
@end_with_input_option
@click.option(
    "--json", "as_json", is_flag=True, help="Nothing but the JSON lines, no remarks on stderr."
)
def nxt(
    listen: str,
    allow_remote: bool,
    pty: Path | None,
    scramble: str | None,
    facelets: str | None,
    seed: int | None,
    speed: float,
    link: Link | None,
    faults: Path | None,
    rig_file: Path | None,
    camera: str | None,
    rig: str,
    free: bool,
    sensor: tuple[str, ...],
    program: tuple[Path, ...],
    instructions: int,
    end_with_input: bool,
    as_json: bool,
) -> None:
    """Simulate an NXT brick, with a cube rig unless --free, until Ctrl-C or SIGTERM.

    The first line on stdout is a JSON object with the address to connect to and, with --camera,
    the URL of the video; the last one has the cube at the end. Commands may be typed while it
    runs: plug PORT:KIND[=VALUE], set PORT VALUE, unplug PORT, press left|right|orange|grey
    [SECONDS], stop (the grey button), on (the orange one, which wakes a brick that fell asleep);
    where the rig allows it, cube in [SEED] and cube out.

    Examples:
      hwsim nxt --seed 4 --camera
    """
    from hardware_sims.endpoints import parse_listen_address
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_brick.faults import LATENCIES
    from hardware_sims.nxt_brick.sensors.plugged_in import parse_sensor
    from hardware_sims.nxt_brick.server import BrickServer
    from hardware_sims.robot_faults import NOTHING_WRONG, load_faults
    from solvers.foundation.clock import SystemClock

    remark: Remark = (lambda text: None) if as_json else _remark  # noqa: ARG005
    host, port = parse_listen_address(listen, allow_remote)
    model = _model(rig)
    going_wrong = load_faults(faults, model.faults) if faults else NOTHING_WRONG
    view = None if camera is None else model.camera(camera)
    plugged_in = [parse_sensor(text) for text in sensor or ()]
    if free:
        _refuse_with_free(scramble, facelets, seed, rig_file, camera)
    cube_rig = (
        None if free else _rig(model, scramble, facelets, seed, rig_file, going_wrong, remark)
    )
    latency = LATENCIES[link or (Link.bluetooth if pty else Link.none)]
    # A program that started the simulator, and ends it with its input, shows what it waits for.
    _warm_up(None if free else model.build(), is_shown=not end_with_input)
    stop = _stop_on_signal()  # not before: until then a signal ends the command at once
    brick = SimulatedBrick(
        SystemClock(speed), cube_rig, going_wrong.brick, latency, instructions_per_ms=instructions
    )
    for place, kind in plugged_in:
        brick.machine.plug_in(place, kind)
    put_files(brick.machine.files, program or ())
    brick.machine.programs.on_end = lambda report: remark(f"{report}.")
    brick.on_power = _remark
    with BrickServer(brick, host, port, pty) as server, ExitStack() as viewers:
        greeting: dict[str, Any] = {"address": server.address, "speed": speed}
        if cube_rig is not None:
            greeting |= {"facelets": cube_rig.facelets, "seed": seed}
        if cube_rig is not None and view is not None:
            video = viewers.enter_context(
                view.serve(brick, cube_rig, seed or 0, going_wrong.camera)
            )
            greeting["camera"] = video.url
            remark(f"At {video.url} a camera ({view.name}) shows the rig.")
        _print_line(greeting)
        remark(f"A brick answers at {server.address}; Ctrl-C stops it.")
        at_end = (lambda: stop.put(None)) if end_with_input else lambda: None
        threading.Thread(target=_read_input, args=(brick, at_end), daemon=True).start()
        _wait_for(stop)
    brick.advance()
    _print_line(_result(brick, cube_rig))
    if cube_rig is not None and rig_file is not None:
        _keep(cube_rig, rig_file)


def _model(rig: str) -> "RigModel":
    """Return the make of rig; a rig file is tried out, which compiles that the first time."""
    from rich.console import Console

    with Console(stderr=True).status("Preparing the rig"):
        return get_model(rig)


def _refuse_with_free(*options: object) -> None:
    """Complain about options of the rig where there is none."""
    if any(option is not None for option in options):
        raise InvalidScenarioError(
            "A free brick has no rig; leave --free or --scramble, --facelets, --seed, --rig-file "
            "and --camera away."
        )


def _rig(
    model: "RigModel",
    scramble: str | None,
    facelets: str | None,
    seed: int | None,
    rig_file: Path | None,
    going_wrong: "RobotFaults",
    remark: Remark,
) -> "SimulatedRig":
    """Return the rig with its cube, whose position is stored in `rig_file` from now on."""
    from hardware_sims.rigs.cubes import load_cube, starting_cube

    cube = starting_cube(scramble, facelets, seed)
    if rig_file is None:
        return model.build(cube, going_wrong.rig)
    if rig_file.exists():
        cube = load_cube(rig_file)
        remark(f"Resuming with the cube of {rig_file}.")
    rig = model.build(
        cube,
        going_wrong.rig,
        on_cube_change=lambda changed: _keep_if_possible(changed, rig_file),
    )
    _keep(rig, rig_file)
    return rig


def _keep(rig: "SimulatedRig", rig_file: Path) -> None:
    from hardware_sims.rigs.cubes import save_cube

    save_cube(rig_file, rig.cube)


def _keep_if_possible(rig: "SimulatedRig", rig_file: Path) -> None:
    """Keep the cube, or say why not: a full disk is no reason for a brick to fall silent."""
    try:
        _keep(rig, rig_file)
    except SimulatorError as error:
        _remark(f"Warning: {error} The rig continues without it.")


def _read_input(brick: "SimulatedBrick", at_end: Callable[[], None]) -> None:
    read_commands(brick)
    at_end()


def _warm_up(rig: "SimulatedRig | None", *, is_shown: bool) -> None:
    """Compile the brick before a client waits for an answer; seconds the first time."""
    from hardware_sims.nxt_brick.brick import warm_up
    from solvers.foundation.command_line.progress_view import show_waiting

    if is_shown:
        show_waiting(lambda: warm_up(rig), "Preparing the simulated brick (once 15 s)")
    else:
        warm_up(rig)


def _stop_on_signal() -> SimpleQueue[None]:
    """Return a queue that gets something when a signal asks to stop.

    Not an event: its lock is not reentrant, so that a handler that sets it waits for ever if the
    signal comes while this thread is inside `wait`.
    """
    stop = SimpleQueue[None]()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.put(None))
    return stop


def _wait_for(stop: SimpleQueue[None]) -> None:
    """Wait until there is something in the queue.

    A signal that comes just before this thread is put to sleep does not wake it: its handler runs
    when Python code runs again, which is what the time limit is for.
    """
    while True:
        try:
            stop.get(timeout=LOOK_AGAIN_S)
        except Empty:
            continue
        return


def _result(brick: "SimulatedBrick", rig: "SimulatedRig | None") -> dict[str, Any]:
    cube = {} if rig is None else rig.result()
    counts = {"telegrams": brick.telegrams, "robot_seconds": round(brick.seconds, 3)}
    programs = [str(report) for report in brick.machine.programs.reports]
    off = {"off": f"It {brick.machine.why_off}."} if brick.is_off else {}
    return {**cube, **counts, **({"programs": programs} if programs else {}), **off}


def _print_line(result: dict[str, Any]) -> None:
    print(json.dumps(result), flush=True)


def _remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
