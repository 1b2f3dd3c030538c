"""`puzzle pack print`: pieces for a 3D printer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from solvers.cli.loading import load_search
from solvers.cli.pack.puzzle_file import read_puzzle
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file, output_file_or_folder
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from solvers.polycube.printing.parts import Part
    from solvers.polycube.printing.workshop import Finish
    from solvers.polycube.puzzle import PackingPuzzle

STL: Final = ".stl"
THREEMF: Final = ".3mf"


def print_pieces(
    puzzle: Annotated[
        str, typer.Argument(help="A puzzle file (.toml, .xmpuzzle), or a name from `pack list`.")
    ],
    problem: Annotated[
        int, typer.Option(min=1, help="Which problem of a BurrTools file, from 1.")
    ] = 1,
    stl: Annotated[
        Path | None,
        output_file_or_folder(
            "--stl", ending=STL, help="A folder for one file a piece, or one file of all."
        ),
    ] = None,
    threemf: Annotated[
        Path | None, output_file("--3mf", help="Write all pieces, coloured, side by side.")
    ] = None,
    solution: Annotated[
        Path | None,
        output_file("--solution", help="Write a solution put together: .3mf or .stl."),
    ] = None,
    cell_mm: Annotated[
        float, typer.Option("--cell-mm", min=1, max=200, help="The side of a cell, in mm.")
    ] = 15.0,
    bevel: Annotated[
        float, typer.Option(min=0, max=50, help="How much is cut off at edges, in mm.")
    ] = 0.6,
    clearance: Annotated[
        float, typer.Option(min=0, max=50, help="The gap between pieces, in mm.")
    ] = 0.3,
    as_json: JsonOption = False,
) -> None:
    """Write the pieces of a packing puzzle for a 3D printer, with their bores.

    Examples:
      puzzle pack print soma --3mf soma.3mf
      puzzle pack print bedlam --stl bedlam --cell-mm 12 --clearance 0.2
      puzzle pack print drilled-cube --3mf pieces.3mf --solution solved.3mf
    """
    from solvers.polycube.printing.parts import pieces_on_plate
    from solvers.polycube.printing.workshop import Finish

    if not (stl or threemf or solution):
        raise InvalidInputError("Name what is to be written: --stl, --3mf or --solution.")
    _check_ending("--3mf", threemf, (THREEMF,))
    _check_ending("--solution", solution, (THREEMF, STL))
    loaded, left_out = read_puzzle(puzzle, problem)
    for missing in left_out:
        stderr.print(f"Left out: {missing}.", markup=False, highlight=False)
    finish = Finish(cell_mm, bevel, clearance)
    parts: list[Part] = []
    written: list[Path] = []
    if stl or threemf:
        parts = show_progress(pieces_on_plate(loaded, finish), f"Pieces of {loaded.title}")
    if stl:
        written += _write_stl(parts, loaded, stl)
    if threemf:
        written.append(_write(parts, loaded, threemf))
    if solution:
        written.append(_write(_solved(loaded, finish), loaded, solution))
    if as_json:
        files = [str(path) for path in written]
        pieces = [_as_json(part) for part in parts]
        print_json({"puzzle": loaded.name, "files": files, "pieces": pieces})
        return
    for part in parts:
        print(_as_text(part))
    for path in written:
        print(f"Wrote {path}.")


def _check_ending(option: str, path: Path | None, endings: tuple[str, ...]) -> None:
    if path is not None and path.suffix not in endings:
        raise InvalidInputError(f"{option} {path}: the ending must be {' or '.join(endings)}.")


def _solved(puzzle: "PackingPuzzle", finish: "Finish") -> "list[Part]":
    from solvers.polycube.printing.parts import put_together
    from solvers.polycube.solving import solver

    load_search()
    looking = solver.finding_first(puzzle)
    found, _ = show_progress(looking, f"Looking for a solution of {puzzle.title}")
    if found is None:
        raise PuzzlerigError(f"{puzzle.title} has no solution to be put together.")
    return show_progress(put_together(puzzle, found, finish), f"A solution of {puzzle.title}")


def _write_stl(parts: "list[Part]", puzzle: "PackingPuzzle", path: Path) -> list[Path]:
    if path.suffix == STL:
        return [_write(parts, puzzle, path)]
    from solvers.foundation.files import write_bytes
    from solvers.polycube.printing.stl import to_stl

    files = []
    for number, part in enumerate(parts, start=1):
        # Names may be anything, and may differ in what some systems take for the same.
        name = "".join(letter if letter.isalnum() else "_" for letter in part.name)
        files.append(path / f"{number:02}-{name}{STL}")
        write_bytes(files[-1], to_stl(part.mesh))
    return files


def _write(parts: "list[Part]", puzzle: "PackingPuzzle", path: Path) -> Path:
    from solvers.foundation.files import write_bytes
    from solvers.polycube.printing.parts import whole
    from solvers.polycube.printing.stl import to_stl
    from solvers.polycube.printing.threemf import to_3mf

    data = to_stl(whole(parts)) if path.suffix == STL else to_3mf(parts, puzzle.title)
    write_bytes(path, data)
    return path


def _as_json(part: "Part") -> dict[str, Any]:
    return {
        "piece": part.name,
        "copies": len(part.places),
        "size_mm": [round(float(length), 2) for length in part.mesh.size],
        "volume_mm3": round(part.mesh.volume, 1),
    }


def _as_text(part: "Part") -> str:
    size = " x ".join(f"{length:.1f}" for length in part.mesh.size)
    copies = f", {len(part.places)} copies" if len(part.places) > 1 else ""
    return f"{part.name}: {size} mm, {part.mesh.volume / 1000:.2f} cm3{copies}"
