"""`puzzle pack print`: pieces for a 3D printer."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from solvers.cli.pack.files import choice_in_file, read_puzzle
from solvers.cli.searches import load_search
from solvers.foundation.command_line import app as cli
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import write_bytes

if TYPE_CHECKING:
    from solvers.polycube.printing.parts import Part
    from solvers.polycube.printing.solids import Finish
    from solvers.polycube.puzzle import PackingPuzzle

STL: Final = ".stl"
THREEMF: Final = ".3mf"


@click.command("print", cls=cli.Command)
@click.argument("puzzle", help="A puzzle file (.toml, .xmpuzzle), or a name from `pack list`.")
@choice_in_file
@click.option(
    "--stl",
    type=cli.output_folder_or_file(STL),
    help="A folder for one file a piece, or one file of all.",
)
@click.option(
    "--3mf", "threemf", type=cli.OUTPUT_FILE, help="Write all pieces, coloured, side by side."
)
@click.option(
    "--solution", type=cli.OUTPUT_FILE, help="Write a solution put together: .3mf or .stl."
)
@click.option(
    "--cell-mm",
    type=click.FloatRange(min=1, max=200),
    default=15.0,
    help="The side of a cell, in mm.",
)
@click.option(
    "--bevel",
    type=click.FloatRange(min=0, max=50),
    default=0.6,
    help="How much is cut off at edges, in mm.",
)
@click.option(
    "--clearance",
    type=click.FloatRange(min=0, max=50),
    default=0.3,
    help="The gap between pieces, in mm.",
)
@cli.json_option
def print_pieces(
    puzzle: str,
    problem: int,
    target: str | None,
    stl: Path | None,
    threemf: Path | None,
    solution: Path | None,
    cell_mm: float,
    bevel: float,
    clearance: float,
    as_json: bool,
) -> None:
    """Write the pieces of a packing puzzle for a 3D printer, with their bores.

    Examples:
      puzzle pack print soma --3mf soma.3mf
      puzzle pack print bedlam --stl bedlam --cell-mm 12 --clearance 0.2
      puzzle pack print drilled-cube --3mf pieces.3mf --solution solved.3mf
    """
    from solvers.polycube.printing.parts import pieces_on_plate
    from solvers.polycube.printing.solids import Finish

    if not (stl or threemf or solution):
        raise InvalidInputError("Give a file to write: --stl, --3mf or --solution.")
    _check_ending("--3mf", threemf, (THREEMF,))
    _check_ending("--solution", solution, (THREEMF, STL))
    _check_folders({"--stl": stl, "--3mf": threemf, "--solution": solution})
    loaded, left_out = read_puzzle(puzzle, problem, target)
    for missing in left_out:
        cli.stderr.print(f"Left out: {missing}.", markup=False, highlight=False)
    finish = Finish(cell_mm, bevel, clearance)
    parts: list[Part] = []
    written: list[Path] = []
    if stl or threemf:
        parts = show_progress(pieces_on_plate(loaded, finish), f"Pieces of {loaded.title}")
    solved = _solved(loaded, finish) if solution else []
    if stl:
        written += _write_stl(parts, loaded, stl)
    if threemf:
        written.append(_write(parts, loaded, threemf))
    if solution:
        written.append(_write(solved, loaded, solution))
    if as_json:
        files = [str(path) for path in written]
        pieces = [_as_json(part) for part in parts]
        cli.print_json({"puzzle": loaded.name, "files": files, "pieces": pieces})
        return
    for part in parts:
        print(_as_text(part))
    for path in written:
        print(f"Wrote {path}.")


def _check_ending(option: str, path: Path | None, endings: tuple[str, ...]) -> None:
    if path is not None and path.suffix not in endings:
        raise InvalidInputError(f"{option} {path}: the ending must be {' or '.join(endings)}.")


def _check_folders(paths: dict[str, Path | None]) -> None:
    """Raise InvalidInputError for a path that would make another folder than that of --stl."""
    for option, path in paths.items():
        if path is None or path.is_dir():
            continue
        if option == "--stl" and path.suffix not in ("", STL):
            raise InvalidInputError(
                f"--stl {path}: one file of all pieces ends with {STL}, a new folder for one file "
                f"a piece has no ending. To write into a folder {path}, make it first."
            )
        if not path.parent.is_dir():
            raise InvalidInputError(
                f"{option} {path}: there is no folder {path.parent}; make it first."
            )


def _solved(puzzle: "PackingPuzzle", finish: "Finish") -> "list[Part]":
    from solvers.polycube.printing.parts import place_solution
    from solvers.polycube.solving import solver

    load_search()
    looking = solver.find_first_job(puzzle)
    found, _ = show_progress(looking, f"Looking for a solution of {puzzle.title}")
    if found is None:
        raise PuzzlerigError(f"{puzzle.title} has no solution to put together.")
    return show_progress(place_solution(puzzle, found, finish), f"A solution of {puzzle.title}")


def _write_stl(parts: "list[Part]", puzzle: "PackingPuzzle", path: Path) -> list[Path]:
    if path.suffix == STL:
        return [_write(parts, puzzle, path)]
    from solvers.polycube.printing.mesh_files import to_stl

    files = []
    for number, part in enumerate(parts, start=1):
        # Names may be anything, and may differ in what some systems take for the same.
        name = "".join(letter if letter.isalnum() else "_" for letter in part.name)
        files.append(path / f"{number:02}-{name}{STL}")
        write_bytes(files[-1], to_stl(part.mesh))
    return files


def _write(parts: "list[Part]", puzzle: "PackingPuzzle", path: Path) -> Path:
    from solvers.polycube.printing.mesh_files import to_3mf, to_stl
    from solvers.polycube.printing.parts import merge_parts

    data = to_stl(merge_parts(parts)) if path.suffix == STL else to_3mf(parts, puzzle.title)
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
