"""The page that plays a solution, for whoever asks for one by `--html`."""

from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cli.cube.input import counted_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solvers.cli.cube.solving.question import Question
    from solvers.rubik.beginner.layers import Stage
    from solvers.rubik.notation import Move
    from solvers.rubik.pictures.player import Part


def write_page(path: Path | None, question: "Question", moves: "tuple[Move, ...]") -> None:
    """Write the page of a solution that is one part; nothing without a path."""
    if path is None:
        return
    from solvers.rubik.pictures.player import Part

    _write(path, question, [Part("solution", counted_moves(len(moves)), moves)])


def write_stages(path: Path | None, question: "Question", stages: "Sequence[Stage]") -> None:
    """Write the page of a solution in stages; nothing without a path."""
    if path is None:
        return
    from solvers.rubik.pictures.player import Part

    _write(path, question, [Part(each.name, each.purpose, each.moves) for each in stages])


def _write(path: Path, question: "Question", parts: "list[Part]") -> None:
    from solvers.foundation.files import write_text
    from solvers.rubik.pictures.player import to_html

    total = counted_moves(sum(len(part.moves) for part in parts))
    write_text(path, to_html(question.held, parts, f"A cube in {total}", question.letters))
