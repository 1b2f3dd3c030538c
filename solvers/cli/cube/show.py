"""`puzzle cube show`: the unfolded cube."""

from typing import TYPE_CHECKING

import click

from solvers.cli.cube import input as cube_input
from solvers.foundation.command_line.app import Command, json_option, print_json

if TYPE_CHECKING:
    from rich.text import Text

# The faces of the net, row by row; a space is no face.
NET = (" U  ", "LFRB", " D  ")


@click.command("show", cls=Command)
@cube_input.facelets_argument
@cube_input.scramble_option
@cube_input.notation_option
@json_option
def show(
    facelets: str | None,
    scramble: str | None,
    notation: cube_input.NotationName,
    as_json: bool,
) -> None:
    """Show a position as an unfolded net: U on top, L F R B in the middle, D below.

    Examples:
      puzzle cube show --scramble "R U R' U'"
    """
    from rich.console import Console

    from solvers.rubik.facelets import FACE_LETTERS, format_facelets

    cube = cube_input.read_cube(facelets, scramble, cube_input.get_notation(notation))
    letters = cube.stickers
    faces = {face: _rows(letters[9 * i : 9 * i + 9]) for i, face in enumerate(FACE_LETTERS)}
    if as_json:
        print_json(
            {
                "facelets": format_facelets(cube.position),
                **cube_input.hold_as_json(cube),
                "faces": faces,
                "solved": cube.position.is_solved,
            }
        )
        return
    # Without highlighting, which would colour digits that stand for stickers.
    console = Console(highlight=False)
    for line in _net(faces, _styles(cube.centres)):
        console.print(line)
    print(letters)
    if not cube.is_upright:
        print(f"Held with {cube.how}.")


def _rows(face: str) -> list[str]:
    return [face[row : row + 3] for row in (0, 3, 6)]


def _styles(centres: str) -> dict[str, str]:
    from solvers.rubik.held_cube import DARK, sticker_colours

    return {
        letter: f"{'white' if colour in DARK else 'black'} on {colour}"
        for letter, colour in sticker_colours(centres).items()
    }


def _net(faces: dict[str, list[str]], styles: dict[str, str]) -> "list[Text]":
    from rich.text import Text

    lines = []
    for faces_in_row in NET:
        for row in range(3):
            line = Text()
            for face in faces_in_row.rstrip():
                for letter in faces[face][row] if face != " " else "   ":
                    line.append(f" {letter} ", styles.get(letter, ""))
            lines.append(line)
    return lines
