"""`cuberobot scan`: read a cube with a camera, from saved scans, or from lists of colours."""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from controller.cli import options
from solvers.foundation.command_line import app
from solvers.foundation.command_line.progress_view import show_waiting

if TYPE_CHECKING:
    from controller.job_events import ScanReport
    from controller.vision.reading.pocket_reader import PocketReading
    from controller.vision.reading.result import ScanResult


fix_option = click.option(
    "--fix", metavar="STICKER=FACE", multiple=True, help="A sticker set by hand, such as F3=R."
)
scan_folder_argument = click.argument(
    "folder", type=app.PATH, help="A saved scan, or a folder of them."
)


@click.group("scan", cls=app.LazyGroup, invoke_without_command=True)
@click.option(
    "--camera", metavar="SOURCE", help="Device number, URL, video file, or folder of pictures."
)
@click.option("--brick", metavar="ADDRESS", help="Let this brick's robot turn the cube.")
@click.option("--save", type=app.OUTPUT_FOLDER, help="Save pictures and reading below it.")
@click.option(
    "--preview/--no-preview",
    default=True,
    help="By hand: show in your browser what the camera sees.",
)
@click.option("--preview-file", type=app.OUTPUT_FILE, help="By hand: write that picture here.")
@click.option(
    "--mirrored/--not-mirrored",
    default=None,
    help="By hand: whether the camera mirrors its pictures; else the cube's colours decide.",
)
@click.option(
    "--scheme",
    metavar="COLOURS",
    help="By hand: colours of your cube's faces U R F D L B, if not WRGYOB.",
)
@click.option(
    "--size",
    type=click.Choice(["2", "3"]),
    default="3",
    help="By hand: 2 for a 2x2x2 cube.",
)
@options.rig
@options.drive
@options.calibration
@options.speed
@options.trace
@app.json_option
@click.pass_context
def scan(
    context: click.Context,
    camera: str | None,
    brick: str | None,
    save: Path | None,
    preview: bool,
    preview_file: Path | None,
    mirrored: bool | None,
    scheme: str | None,
    size: str,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    speed: float,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Read a cube with a camera, from saved scans, or from lists of colours.

    Without a command the six faces are scanned; without --brick you show them by hand,
    guided by which faces are there and how to hold the cube next.

    Examples:
      cuberobot scan --camera 0
      cuberobot scan --camera 0 --brick usb --save scans
    """
    if context.invoked_subcommand is not None:
        return
    from controller.cli.hand_view import HandView
    from controller.cli.job_view import show_job
    from controller.cli.scan import pocket_as_text, reading_as_text, save_report
    from controller.opening import camera_opener, robot_at
    from controller.robot_jobs import scan_by_hand, scan_by_robot, scan_pocket_by_hand
    from controller.vision.reading.result import Verdict
    from controller.vision.reading.scheme import USUAL_SCHEME, parse_scheme
    from controller.vision.reading.shown_reader import Viewing
    from solvers.foundation.clock import SystemClock

    if camera is None:
        raise click.BadParameter("Name a camera: --camera 0, a URL, a video file or a folder.")
    viewing = Viewing(mirrored, USUAL_SCHEME if scheme is None else parse_scheme(scheme))
    if size == "2" and (brick is not None or save is not None):
        raise click.BadParameter(
            "A 2x2x2 cube is scanned by hand, and not saved. Leave out --brick and --save.",
            param_hint="--size",
        )
    options.start_trace(trace)
    if size == "2":
        with HandView.opened(page=preview, file=preview_file) as hand:
            pocket = show_job(scan_pocket_by_hand(camera_opener(camera), viewing), hand)
        if as_json:
            app.print_json(pocket.as_json())
        else:
            print(pocket_as_text(pocket))
        if pocket.verdict is not Verdict.ACCEPTED:
            raise click.exceptions.Exit(1)
        return
    if brick is None:
        with HandView.opened(page=preview, file=preview_file) as hand:
            report = show_job(scan_by_hand(camera_opener(camera), viewing), hand)
    else:
        clock = SystemClock(speed)
        robot = robot_at(brick, clock, rig=rig, drive=drive, calibration=calibration)
        report = show_job(scan_by_robot(robot, camera_opener(camera)))
    saved = save_report(report, save) if save else None
    result = report.outcome.result
    if as_json:
        app.print_json({**result.as_json(), "saved": str(saved) if saved else None})
    else:
        print(reading_as_text(result))
        if saved:
            app.stderr.print(f"Saved in {saved}", highlight=False)
    if result.verdict is not Verdict.ACCEPTED:
        raise click.exceptions.Exit(1)


@scan.command("read", cls=app.Command)
@click.argument("file", type=app.PATH, help='JSON list of {"name", "rgb": 54 x [r, g, b]}.')
@fix_option
@app.json_option
def read(
    file: Path,
    fix: tuple[str, ...],
    as_json: bool,  # noqa: ARG001 - the result is JSON either way
) -> None:
    """Read lists of 54 colours and print one JSON object per case.

    Examples:
      cuberobot scan read tests/data/vision/real_scans.json
    """
    from controller.vision.errors import InvalidScanError
    from controller.vision.reading.reader import parse_corrections, read_cube
    from controller.vision.scans.store import load_scan_list

    cases = load_scan_list(file)
    corrections = parse_corrections(fix or [])
    if corrections and len(cases) > 1:
        raise InvalidScanError(f"--fix is for one case, but {file} holds {len(cases)}.")
    for case in cases:
        reading = show_waiting(partial(read_cube, case.rgb, corrections), f"Reading {case.name}")
        app.print_json({"name": case.name, **reading.as_json()})


@scan.command("replay", cls=app.Command)
@scan_folder_argument
@fix_option
@app.json_option
def replay(
    folder: Path,
    fix: tuple[str, ...],
    as_json: bool,  # noqa: ARG001 - the result is JSON either way
) -> None:
    """Find and read saved pictures again and print one JSON object per scan.

    Examples:
      cuberobot scan replay scans
    """
    from controller.vision.errors import InvalidScanError
    from controller.vision.reading.reader import parse_corrections
    from controller.vision.scans.store import load_scan, replay_scan, scans_below

    folders = scans_below(folder)
    corrections = parse_corrections(fix or [])
    if corrections and len(folders) > 1:
        raise InvalidScanError(f"--fix is for one scan, but {folder} holds {len(folders)}.")
    for each in folders:
        stored = load_scan(each)
        reading = show_waiting(partial(replay_scan, stored, corrections), f"Reading {stored.name}")
        app.print_json({"name": stored.name, **reading.as_json()})


@scan.command("export-case", cls=app.Command)
@scan_folder_argument
@click.option("--truth", metavar="FACELETS", help="What the cube really was, if that was doubtful.")
@app.json_option
def export_case(
    folder: Path,
    truth: str | None,
    as_json: bool,  # noqa: ARG001 - the result is JSON either way
) -> None:
    """Print saved scans as a list of cases for `cuberobot scan read` and for the tests.

    Examples:
      cuberobot scan export-case scans > cases.json
    """
    import json

    from controller.vision.errors import InvalidScanError
    from controller.vision.scans.store import case_of_scan, load_scan, scans_below

    folders = scans_below(folder)
    if truth and len(folders) > 1:
        raise InvalidScanError(f"--truth is for one scan, but {folder} holds {len(folders)}.")
    print(json.dumps([case_of_scan(load_scan(each), truth) for each in folders]))


def save_report(report: "ScanReport", folder: Path) -> Path:
    """Save a scan below `folder` under a name with the time; return where."""
    from controller.vision.scans.store import save_scan

    place = folder / f"scan-{datetime.now():%Y%m%d-%H%M%S-%f}"
    save_scan(report.outcome, report.camera, report.settings, place)
    return place


def pocket_as_text(reading: "PocketReading") -> str:
    """Return the unfolded 2x2x2 cube by the letters of its colours, what was decided, and why."""
    decision = f"{reading.verdict} with confidence {reading.confidence:.3f}"
    return "\n".join([*_net(reading.stickers, 2), reading.stickers, decision, *reading.reasons])


def reading_as_text(result: "ScanResult") -> str:
    """Return the unfolded cube, what was decided, and why."""
    decision = f"{result.verdict} with confidence {result.confidence:.3f}"
    return "\n".join([*_net(result.facelets, 3), result.facelets, decision, *result.reasons])


def _net(stickers: str, side: int) -> list[str]:
    """Return the unfolded cube of `side` stickers a row, line by line."""
    rows = [stickers[start : start + side] for start in range(0, len(stickers), side)]
    up, right, front, down, left, back = (rows[side * f : side * (f + 1)] for f in range(6))
    indent = " " * (side + 1)
    return [
        *(indent + row for row in up),
        *(" ".join(strips) for strips in zip(left, front, right, back, strict=True)),
        *(indent + row for row in down),
    ]
