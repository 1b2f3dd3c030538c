"""`cuberobot scan`: read a cube with a camera, from saved scans, or from lists of colours."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import (
    CalibrationOption,
    DriveOption,
    RigOption,
    SpeedOption,
    TraceOption,
)
from controller.cli.trace import start_trace
from controller.rigs.registry import DEFAULT_RIG
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file, output_folder
from solvers.foundation.command_line.progress_view import show_waiting

FixOption = Annotated[
    list[str] | None,
    typer.Option("--fix", metavar="STICKER=FACE", help="A sticker set by hand, such as F3=R."),
]
ScanFolder = Annotated[Path, typer.Argument(help="A saved scan, or a folder of them.")]


def scan(
    context: typer.Context,
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE", help="Device number, URL, video file, or folder of pictures."
        ),
    ] = None,
    brick: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Let this brick's robot turn the cube."),
    ] = None,
    save: Annotated[
        Path | None, output_folder("--save", help="Save pictures and reading below it.")
    ] = None,
    preview: Annotated[
        bool, typer.Option(help="By hand: show in your browser what the camera sees.")
    ] = True,
    preview_file: Annotated[
        Path | None,
        output_file("--preview-file", help="By hand: write that picture here."),
    ] = None,
    rig: RigOption = DEFAULT_RIG,
    drive: DriveOption = None,
    calibration: CalibrationOption = None,
    speed: SpeedOption = 1.0,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Scan the six faces with a camera; without --brick somebody shows them by hand.

    Then it is said which faces are there and how to hold the cube next.

    Examples:
      cuberobot scan --camera 0
      cuberobot scan --camera 0 --brick usb --save scans
    """
    if context.invoked_subcommand is not None:
        return
    from controller.cli.views.hand_view import HandView
    from controller.cli.views.job_view import show_job
    from controller.cli.views.scan_view import reading_as_text, save_report
    from controller.opening import camera_called, robot_at
    from controller.scan_job import scan_by_hand, scan_by_robot
    from controller.vision.reading.result import Verdict
    from solvers.foundation.clock import SystemClock

    if camera is None:
        raise typer.BadParameter("Name a camera: --camera 0, a URL, a video file or a folder.")
    start_trace(trace)
    if brick is None:
        with HandView.opened(page=preview, file=preview_file) as hand:
            report = show_job(scan_by_hand(camera_called(camera)), hand)
    else:
        clock = SystemClock(speed)
        robot = robot_at(brick, clock, rig=rig, drive=drive, calibration=calibration)
        report = show_job(scan_by_robot(robot, camera_called(camera)))
    saved = save_report(report, save) if save else None
    result = report.outcome.result
    if as_json:
        print_json({**result.as_json(), "saved": str(saved) if saved else None})
    else:
        print(reading_as_text(result))
        if saved:
            stderr.print(f"Saved in {saved}", highlight=False)
    if result.verdict is not Verdict.ACCEPTED:
        raise typer.Exit(1)


def read(
    file: Annotated[Path, typer.Argument(help='JSON list of {"name", "rgb": 54 x [r, g, b]}.')],
    fix: FixOption = None,
    as_json: JsonOption = False,  # noqa: ARG001 - the result is JSON lines either way
) -> None:
    """Read lists of 54 colours and print one JSON object per case.

    Examples:
      cuberobot scan read tests/data/vision/real_scans.json
    """
    from controller.vision.errors import InvalidScanError
    from controller.vision.reading.corrections import parse_corrections
    from controller.vision.reading.reader import read_cube
    from controller.vision.scans.scan_list import load_scan_list

    cases = load_scan_list(file)
    corrections = parse_corrections(fix or [])
    if corrections and len(cases) > 1:
        raise InvalidScanError(f"--fix is for one case, but {file} holds {len(cases)}.")
    for case in cases:
        reading = show_waiting(partial(read_cube, case.rgb, corrections), f"Reading {case.name}")
        print_json({"name": case.name, **reading.as_json()})


def replay(
    folder: ScanFolder,
    fix: FixOption = None,
    as_json: JsonOption = False,  # noqa: ARG001 - the result is JSON lines either way
) -> None:
    """Find and read saved pictures again and print one JSON object per scan.

    Examples:
      cuberobot scan replay scans
    """
    from controller.vision.errors import InvalidScanError
    from controller.vision.reading.corrections import parse_corrections
    from controller.vision.scans.replay import replay_scan
    from controller.vision.scans.store import load_scan, scans_below

    folders = scans_below(folder)
    corrections = parse_corrections(fix or [])
    if corrections and len(folders) > 1:
        raise InvalidScanError(f"--fix is for one scan, but {folder} holds {len(folders)}.")
    for each in folders:
        stored = load_scan(each)
        reading = show_waiting(partial(replay_scan, stored, corrections), f"Reading {stored.name}")
        print_json({"name": stored.name, **reading.as_json()})


def export_case(
    folder: ScanFolder,
    truth: Annotated[
        str | None,
        typer.Option(metavar="FACELETS", help="What the cube really was, if that was doubtful."),
    ] = None,
    as_json: JsonOption = False,  # noqa: ARG001 - the result is JSON either way
) -> None:
    """Print saved scans as a list of cases for `cuberobot scan read` and for the tests.

    Examples:
      cuberobot scan export-case scans > cases.json
    """
    import json

    from controller.vision.errors import InvalidScanError
    from controller.vision.scans.replay import case_of_scan
    from controller.vision.scans.store import load_scan, scans_below

    folders = scans_below(folder)
    if truth and len(folders) > 1:
        raise InvalidScanError(f"--truth is for one scan, but {folder} holds {len(folders)}.")
    print(json.dumps([case_of_scan(load_scan(each), truth) for each in folders]))
