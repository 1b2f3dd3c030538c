"""Writes the pictures of solutions that the packing commands are asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solvers.cli.command_line import stderr

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingSolution


def write_pictures(
    solutions: "Sequence[PackingSolution]", title: str, svg: Path | None, html: Path | None
) -> None:
    """Draw the first solution's steps as SVG, and the solutions as a page to turn."""
    from solvers.cli.output_file import write_text
    from solvers.drawing.svg import to_svg
    from solvers.polycube.assembly import assembly_steps
    from solvers.polycube.pictures.isometric import steps_drawing
    from solvers.polycube.pictures.viewer import MAX_SOLUTIONS, to_html

    if not solutions and (svg or html):
        stderr.print("No picture is written: there is no solution to draw.", soft_wrap=True)
        return
    if svg is not None:
        write_text(svg, to_svg(steps_drawing(assembly_steps(solutions[0]), title), title))
    if html is not None:
        shown = [assembly_steps(solution) for solution in solutions[:MAX_SOLUTIONS]]
        write_text(html, to_html(shown, title))
