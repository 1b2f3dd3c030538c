"""`cuberobot scan`: read a cube with a camera, from saved scans, or from lists of colours."""

from pathlib import Path
from typing import Annotated

import typer

from solvers.cli.command_line import JsonOption, new_app, print_json, stderr

app = new_app("Read a cube with a camera, from saved scans, or from lists of colours.")


@app.command()
def read(
    file: Annotated[Path, typer.Argument(help='JSON list of {"name", "rgb": 54 x [r, g, b]}.')],
    fix: Annotated[
        list[str] | None,
        typer.Option(help="A sticker set by hand, such as F3=R; for a file with one case."),
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - the result is JSON lines either way
) -> None:
    """Read lists of 54 colours and print one JSON object per case."""
    from controller.vision.corrections import parse_corrections
    from controller.vision.errors import InvalidScanError
    from controller.vision.reader import read_cube
    from controller.vision.scan_list import load_scan_list

    cases = load_scan_list(file)
    corrections = parse_corrections(fix or [])
    if corrections and len(cases) > 1:
        raise InvalidScanError(f"--fix is for one case, but {file} holds {len(cases)}.")
    with stderr.status("Reading cubes"):
        for case in cases:
            print_json({"name": case.name, **read_cube(case.rgb, corrections).as_json()})
