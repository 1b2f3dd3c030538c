"""Pictures of solutions for the packing commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.foundation.command_line.app import stderr

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
    from solvers.polycube.taking_apart.disassembly import Disassembly


def interlocking(solution: "PackingSolution") -> "Disassembly | None":
    """Return a disassembly if no order of single straight moves assembles the solution."""
    from solvers.foundation.command_line.progress_view import show_progress
    from solvers.polycube.taking_apart.apart import Disassembler
    from solvers.polycube.taking_apart.assembly import assemble

    if assemble(solution, gravity=False).possible:
        return None
    return show_progress(Disassembler().take_apart(solution), "Taking apart")


def write_pictures(
    found: "Sequence[tuple[PackingPuzzle, PackingSolution]]",
    title: str,
    svg: Path | None,
    html: Path | None,
    disassemblies: "Sequence[Disassembly] | None" = None,
    *,
    among: int | None = None,
    pdf: Path | None = None,
) -> None:
    """Write the first solution's steps as SVG or on sheets, and the solutions as a page.

    Steps that are too many for one SVG file fill several, which are numbered.

    For prisms other than cubes the layers are drawn, for other cells the pieces appear one by one,
    unless `disassemblies` show how they come apart.

    Solutions of cubes that no single straight moves assemble are shown as they come apart; this is
    computed here unless `disassemblies` are given for all solutions. `among` is the number of
    solutions if it is more than are given.
    """
    from solvers.drawing.export import to_pdf, to_svg
    from solvers.drawing.shapes import lay_out_on_sheets
    from solvers.foundation.files import write_bytes, write_text
    from solvers.polycube.lattices import CUBES
    from solvers.polycube.pictures.drawings import plan_drawing, step_pictures, steps_drawings
    from solvers.polycube.pictures.signs import signs_of_solution
    from solvers.polycube.pictures.story import story_of
    from solvers.polycube.pictures.viewer import MAX_SOLUTIONS, Shown, to_html

    if not (svg or html or pdf):
        return
    if not found:
        stderr.print("No picture is written: there is no solution to draw.", soft_wrap=True)
        return
    lattice = found[0][0].lattice
    shown = []
    for number, (puzzle, solution) in enumerate(found[: MAX_SOLUTIONS if html else 1]):
        known = disassemblies[number] if disassemblies else None
        if lattice == CUBES and not disassemblies:
            known = interlocking(solution)
        story = story_of(solution, title, known, lattice)
        shown.append(Shown(story, signs_of_solution(puzzle, solution), lattice))
    if lattice.layered and lattice != CUBES and shown[0].story.puts_together:
        pictures = drawings = [plan_drawing(found[0][1], lattice)]
    else:
        pictures = step_pictures(shown[0].story, shown[0].signs, lattice)
        drawings = steps_drawings(pictures)
    if svg is not None:
        files = [svg] if len(drawings) == 1 else _numbered(svg, len(drawings))
        for file, drawing in zip(files, drawings, strict=True):
            write_text(file, to_svg(drawing, title))
        if len(files) > 1:
            stderr.print(
                f"The {len(pictures)} pictures are in {files[0]} to {files[-1]}.", soft_wrap=True
            )
    if pdf is not None:
        write_bytes(pdf, to_pdf(lay_out_on_sheets(pictures), title))
    if html is not None:
        write_text(html, to_html(shown, title))
        if (most := among or len(found)) > len(shown):
            stderr.print(f"{html} shows the first {len(shown)} of {most} solutions.")


def _numbered(path: Path, files: int) -> list[Path]:
    """Return that many files beside a path, named in their order."""
    digits = len(str(files))
    return [path.with_stem(f"{path.stem}-{number:0{digits}}") for number in range(1, files + 1)]
