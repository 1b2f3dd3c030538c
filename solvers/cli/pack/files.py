"""`puzzle pack list` and `puzzle pack convert`, and the puzzle files given to other commands."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from solvers.foundation.command_line import app as cli
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import write_text
from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, Target


# Reading the puzzle given to a command: a file, or a known name.

TOML: Final = ".toml"
BURRTOOLS: Final = ".xmpuzzle"


def choice_in_file(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose one of several puzzles in a file."""
    named = click.option(
        "--target", metavar="NAME", help="Which target of a TOML file; default: the first."
    )
    numbered = click.option(
        "--problem",
        type=click.IntRange(min=1),
        default=1,
        help="Which problem of a BurrTools file, from 1.",
    )
    return numbered(named(command))


def check_ending(path: Path) -> None:
    """Raise PuzzleFileError unless the file's extension is known."""
    from solvers.polycube.errors import PuzzleFileError

    if path.suffix not in (TOML, BURRTOOLS):
        raise PuzzleFileError(
            f"The ending of {path} does not say which format it has: {TOML} or {BURRTOOLS}."
        )


def read_puzzle(
    file: str, problem: int = 1, target: str | None = None
) -> "tuple[PackingPuzzle, tuple[str, ...]]":
    """Return the puzzle of a file or known name, and what of the file cannot be represented."""
    from solvers.polycube import library, puzzle_file
    from solvers.polycube.burrtools import reader as burrtools

    path = Path(file)
    if file in library.names() or not (path.suffix or path.exists()):
        return library.load(file, target), ()
    check_ending(path)
    if path.suffix == BURRTOOLS:
        if target is not None:
            raise InvalidInputError(
                f"--target {target}: the problems of a BurrTools file are numbered; give --problem."
            )
        imported = burrtools.load(path, problem)
        return imported.puzzle, imported.left_out
    return puzzle_file.load(path, target), ()


def read_target(file: str, problem: int = 1) -> "Target":
    """Return the target of a puzzle; a TOML file need not have pieces."""
    path = Path(file)
    if path.suffix == TOML:
        from solvers.polycube.puzzle_file import load_target

        return load_target(path)
    return read_puzzle(file, problem)[0].target


# `puzzle pack list`.


@click.command("list", cls=cli.Command)
@cli.json_option
def list_puzzles(
    as_json: bool,
) -> None:
    """List the puzzles that `puzzle pack solve` knows by name.

    Examples:
      puzzle pack list
    """
    from solvers.polycube import library

    puzzles = [library.load(name) for name in library.names()]
    if as_json:
        rows = [
            {
                "name": puzzle.name,
                "title": puzzle.title,
                "cells": len(puzzle.target.required),
                "targets": [name for name in puzzle.target_names if name],
                "pieces": [piece.name for piece in puzzle.pieces],
                "reflections": puzzle.reflections,
                "source": puzzle.source,
            }
            for puzzle in puzzles
        ]
        cli.print_json({"puzzles": rows})
        return
    width = max(len(puzzle.name) for puzzle in puzzles)
    for puzzle in puzzles:
        others = f"; targets: {', '.join(puzzle.target_names)}" if puzzle.other_targets else ""
        print(f"{puzzle.name:<{width}}  {puzzle.title}{others}")


# `puzzle pack convert`.


@click.command("convert", cls=cli.Command)
@click.argument("file", help="A .toml or .xmpuzzle file, or a known name.")
@click.argument("out", type=cli.OUTPUT_FILE)
@choice_in_file
@cli.json_option
def convert(
    file: str,
    out: Path,
    problem: int,
    target: str | None,
    as_json: bool,
) -> None:
    """Convert a packing puzzle; the file endings say from what to what.

    A BurrTools file written as one is checked, unzipped and left as it is, with all its problems.

    Examples:
      puzzle pack convert soma soma.xmpuzzle
      puzzle pack convert soma.xmpuzzle mine.toml
    """
    check_ending(out)
    if Path(file).suffix == out.suffix == BURRTOOLS:
        _copy_burrtools(Path(file), out, as_json=as_json)
        return
    puzzle, left_out = read_puzzle(file, problem, target)
    if others := ", ".join(puzzle.other_targets):
        left_out = (*left_out, f"further targets, {others}: choose one with --target")
    write_text(out, _text(puzzle, out))
    sentences = [f"Left out: {each}." for each in left_out]
    changed = _changed(puzzle, out)
    for sentence in (*sentences, *changed):
        cli.stderr.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if as_json:
        cli.print_json(
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


def _copy_burrtools(file: Path, out: Path, *, as_json: bool) -> None:
    """Copy a BurrTools file's XML, in UTF-8."""
    from solvers.polycube.burrtools.reader import check
    from solvers.polycube.burrtools.xml import read_plain, text_of

    found = check(file)
    write_text(out, text_of(read_plain(file), file))
    if as_json:
        cli.print_json({"puzzle": found.name, "file": str(out), "left_out": [], "changed": []})
        return
    shapes, problems = counted(found.shapes, "shape"), counted(found.problems, "problem")
    print(f"Wrote {found.name} with {shapes} and {problems} to {out}.")


def _text(puzzle: "PackingPuzzle", out: Path) -> str:
    if out.suffix == TOML:
        from solvers.polycube.puzzle_file import dumps

        return dumps(puzzle)
    from solvers.polycube.burrtools.writer import to_xml

    return to_xml(puzzle)
