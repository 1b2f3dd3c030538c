"""`puzzle pack convert`: between puzzle files and BurrTools files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.cli.pack.puzzle_file import BURRTOOLS, TOML, check_ending, read_puzzle
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_argument

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle


def convert(
    file: Annotated[str, typer.Argument(help="A .toml or .xmpuzzle file, or a known name.")],
    out: Annotated[Path, output_argument("The file to write: .toml or .xmpuzzle.")],
    problem: Annotated[
        int, typer.Option(min=1, help="Which problem of a BurrTools file, from 1.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Convert a packing puzzle; the file endings say from what to what.

    A BurrTools file written as one is checked, unzipped and left as it is, with all its problems.

    Examples:
      puzzle pack convert soma soma.xmpuzzle
      puzzle pack convert soma.xmpuzzle mine.toml
    """
    from solvers.foundation.files import write_text
    from solvers.foundation.wording import counted

    check_ending(out)
    if Path(file).suffix == out.suffix == BURRTOOLS:
        _pass_on(Path(file), out, as_json=as_json)
        return
    puzzle, left_out = read_puzzle(file, problem)
    write_text(out, _text(puzzle, out))
    told = [f"Left out: {each}." for each in left_out]
    changed = _changed(puzzle, out)
    for sentence in (*told, *changed):
        stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if as_json:
        print_json(
            {
                "puzzle": puzzle.name,
                "file": str(out),
                "left_out": list(left_out),
                "changed": changed,
            }
        )
    else:
        pieces = counted(len(puzzle.pieces), "different piece")
        print(f"Wrote {puzzle.name} with {pieces} to {out}.")


def _changed(puzzle: "PackingPuzzle", out: Path) -> list[str]:
    if out.suffix == TOML:
        return []
    from solvers.polycube.burrtools.writer import changed_in_export

    return changed_in_export(puzzle)


def _pass_on(file: Path, out: Path, *, as_json: bool) -> None:
    """Write a BurrTools file's own XML, which then is in UTF-8."""
    from solvers.foundation.files import write_text
    from solvers.foundation.wording import counted
    from solvers.polycube.burrtools.reader import check
    from solvers.polycube.burrtools.xml import read_plain, text_of

    found = check(file)
    write_text(out, text_of(read_plain(file), file))
    if as_json:
        print_json({"puzzle": found.name, "file": str(out), "left_out": [], "changed": []})
        return
    shapes, problems = counted(found.shapes, "shape"), counted(found.problems, "problem")
    print(f"Wrote {found.name} with {shapes} and {problems} to {out}.")


def _text(puzzle: "PackingPuzzle", out: Path) -> str:
    if out.suffix == TOML:
        from solvers.polycube.files.toml_format import dumps

        return dumps(puzzle)
    from solvers.polycube.burrtools.writer import to_xml

    return to_xml(puzzle)
