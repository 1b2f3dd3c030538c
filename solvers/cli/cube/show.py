"""`puzzle cube show`: the unfolded cube."""

from typing import TYPE_CHECKING

from rich.console import Console

from solvers.cli.cube.input import (
    FaceletsArgument,
    NotationName,
    NotationOption,
    ScrambleOption,
    notation_called,
    read_cube,
)
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from rich.text import Text

# The usual colours: white on top, green in front. The papers' cube has other ones.
STYLES = {
    "U": "black on #f4f4f4",
    "R": "white on #b71234",
    "F": "white on #009b48",
    "D": "black on #ffd500",
    "L": "black on #ff5800",
    "B": "white on #0046ad",
}
# The faces of the net, row by row; a space is no face.
NET = (" U  ", "LFRB", " D  ")


def show(
    facelets: FaceletsArgument = None,
    scramble: ScrambleOption = None,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Show a position as an unfolded net: U on top, L F R B in the middle, D below.

    Examples:
      puzzle cube show --scramble "R U R' U'"
    """
    from solvers.rubik.facelets import FACE_LETTERS, format_facelets

    cube = read_cube(facelets, scramble, notation_called(notation))
    letters = format_facelets(cube)
    faces = {face: _rows(letters[9 * i : 9 * i + 9]) for i, face in enumerate(FACE_LETTERS)}
    if as_json:
        print_json({"facelets": letters, "faces": faces, "solved": cube.is_solved})
    else:
        console = Console(highlight=False)
        for line in _net(faces):
            console.print(line)
        print(letters)


def _rows(face: str) -> list[str]:
    return [face[row : row + 3] for row in (0, 3, 6)]


def _net(faces: dict[str, list[str]]) -> "list[Text]":
    from rich.text import Text

    lines = []
    for faces_beside in NET:
        for row in range(3):
            line = Text()
            for face in faces_beside.rstrip():
                for letter in faces[face][row] if face != " " else "   ":
                    line.append(f" {letter} ", STYLES.get(letter, ""))
            lines.append(line)
    return lines
