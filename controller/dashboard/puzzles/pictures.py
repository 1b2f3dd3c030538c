"""Pictures of packing puzzles, and files of others: functions that a worker process calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final

from solvers.drawing.export import to_pdf, to_svg
from solvers.drawing.shapes import Drawing, Shape, Text, arrange, mix, with_margin
from solvers.foundation.progress import run_job
from solvers.polycube import puzzle_file
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.errors import PuzzleFileError
from solvers.polycube.lattices import CUBES
from solvers.polycube.pictures.drawings import steps_drawing
from solvers.polycube.pictures.signs import signs_of, signs_of_solution
from solvers.polycube.pictures.solids import Block, paint, piece_colours, shades
from solvers.polycube.pictures.story import story_of
from solvers.polycube.pictures.viewer import Shown, as_data, to_html
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.assembly import assemble
from solvers.polycube.taking_apart.disassembly import MOST_PIECES, Disassembly

MARGIN_MM: Final = 1.5
PIECES_IN_A_ROW: Final = 5
GAP_MM: Final = 8.0
MOST_BYTES_APART: Final = 1 << 28
"""Of positions while a solution is taken apart; one that needs more is shown to interlock."""
TIMES: Final = "\N{MULTIPLICATION SIGN}"
PLAIN: Final = "#b9b4a7"


@dataclass(frozen=True, slots=True)
class Opened:
    """The puzzle of a foreign file, and what of the file a puzzle cannot hold."""

    puzzle: PackingPuzzle
    left_out: tuple[str, ...]


def read_puzzle(name: str, data: bytes) -> Opened:
    """Read a puzzle file that is in memory; the ending of its name says of which kind it is.

    Raises PuzzleFileError with a sentence that starts with the name.
    """
    match PurePath(name).suffix.lower():
        case ".toml":
            puzzle = puzzle_file.loads(_text(name, data), name)
            others = ", ".join(puzzle.other_targets)
            return Opened(puzzle, (f"further targets, {others}",) if others else ())
        case ".xmpuzzle":
            imported = burrtools.loads(data, name)
            return Opened(imported.puzzle, imported.left_out)
    raise PuzzleFileError(f"The ending of {name} does not say what it is: .toml or .xmpuzzle.")


def story_data(
    puzzle: PackingPuzzle, solution: PackingSolution, colours: Mapping[str, str]
) -> dict[str, Any]:
    """Return how a solution goes together, as the viewer shows it; `colours` by pieces' names."""
    story = as_data(_shown(puzzle, solution))
    for piece in story["pieces"]:
        piece["colour"] = colours.get(piece["name"], piece["colour"])
    return story


def small_picture(
    puzzle: PackingPuzzle, solution: PackingSolution | None, colours: Mapping[str, str]
) -> bytes:
    """Return an SVG of a solution, or of the target alone where none is known."""
    if solution is None:
        target = Block(puzzle.target.cells, PLAIN)
        signs = signs_of(puzzle, puzzle.target.marks)
        return _svg(with_margin(paint([target], signs, puzzle.lattice), MARGIN_MM), puzzle.title)
    names = [placement.piece for placement in solution.placements]
    blocks = [
        Block(each.cells, colours.get(each.piece, shade))
        for each, shade in zip(solution.placements, shades(names), strict=True)
    ]
    shapes = paint(blocks, signs_of_solution(puzzle, solution), puzzle.lattice)
    return _svg(with_margin(shapes, MARGIN_MM), puzzle.title)


def picture_of_pieces(puzzle: PackingPuzzle, colours: Mapping[str, str]) -> bytes:
    """Return an SVG of the pieces side by side, each once, with their names and numbers."""
    colour_of = {**piece_colours([piece.name for piece in puzzle.pieces]), **colours}
    drawings = []
    for piece in puzzle.pieces:
        block = Block(piece.shape.cells, colour_of[piece.name])
        signs = signs_of(puzzle, piece.marks)
        drawing = with_margin(paint([block], signs, puzzle.lattice), MARGIN_MM)
        most = piece.copies_max
        words = piece.name if most == 1 else f"{most} {TIMES} {piece.name}"
        ink = mix(colour_of[piece.name], "#808080", 0.6)
        caption = Text((drawing.width_mm / 2, drawing.height_mm + 5), words, 4.2, ink, "middle")
        shapes = (*drawing.shapes, caption)
        drawings.append(Drawing(drawing.width_mm, drawing.height_mm + 8, shapes))
    return _svg(arrange(drawings, PIECES_IN_A_ROW, GAP_MM), puzzle.title)


def steps_as_svg(puzzle: PackingPuzzle, solution: PackingSolution) -> bytes:
    """Return the steps of a solution as one SVG."""
    shown = _shown(puzzle, solution)
    return _svg(steps_drawing(shown.story, shown.signs, shown.lattice), puzzle.title)


def steps_as_pdf(puzzle: PackingPuzzle, solution: PackingSolution) -> bytes:
    """Return the steps of a solution as one page of PDF."""
    shown = _shown(puzzle, solution)
    drawing = steps_drawing(shown.story, shown.signs, shown.lattice)
    page = replace(drawing, shapes=tuple(map(_latin, drawing.shapes)))
    return to_pdf([page], _as_latin(puzzle.title))


def page_to_turn(puzzle: PackingPuzzle, solutions: Sequence[PackingSolution]) -> bytes:
    """Return a page that shows solutions without the dashboard."""
    return to_html([_shown(puzzle, each) for each in solutions], puzzle.title).encode()


def as_burrtools(puzzle: PackingPuzzle) -> bytes:
    """Return the puzzle as a BurrTools file. Raises PuzzleError for what that cannot hold."""
    return to_xml(puzzle).encode()


def _shown(puzzle: PackingPuzzle, solution: PackingSolution) -> Shown:
    apart = _apart(solution) if puzzle.lattice == CUBES else None
    story = story_of(solution, puzzle.title, apart, puzzle.lattice)
    return Shown(story, signs_of_solution(puzzle, solution), puzzle.lattice)


def _apart(solution: PackingSolution) -> Disassembly | None:
    """Take a solution of cubes apart if no order of single pieces in straight moves makes it."""
    if assemble(solution, gravity=False).possible or len(solution.placements) > MOST_PIECES:
        return None
    return run_job(Disassembler(MOST_BYTES_APART).take_apart(solution))


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PuzzleFileError(f"{name} is no text file (byte {error.start}).") from error


def _svg(drawing: Drawing, title: str) -> bytes:
    return to_svg(drawing, title).encode("utf-8", errors="replace")


def _latin(shape: Shape) -> Shape:
    return replace(shape, text=_as_latin(shape.text)) if isinstance(shape, Text) else shape


def _as_latin(text: str) -> str:
    """Return what the fonts that every PDF reader has can show of a text."""
    return text.encode("latin-1", errors="replace").decode("latin-1")
