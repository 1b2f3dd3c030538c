"""The puzzles that come with the program."""

from importlib.resources import files

from solvers.foundation.wording import did_you_mean
from solvers.polycube.errors import PuzzleError
from solvers.polycube.puzzle import PackingPuzzle, Piece
from solvers.polycube.puzzle_file import loads, loads_pieces

PIECES_ENDING = "_pieces.toml"
ENDING = ".toml"


def names() -> list[str]:
    """Return the names of the puzzles, sorted."""
    return sorted(
        file.name.removesuffix(ENDING).replace("_", "-")
        for file in files("solvers.polycube.data").iterdir()
        if file.name.endswith(ENDING) and not file.name.endswith(PIECES_ENDING)
    )


def load(name: str, target: str | None = None) -> PackingPuzzle:
    """Return the puzzle of this name, with the target of a name or the first.

    Raises PuzzleError if there is none.
    """
    if name not in names():
        guess, known = did_you_mean(name, names()), ", ".join(names())
        raise PuzzleError(f"There is no puzzle or file {name!r}.{guess} Known puzzles are {known}.")
    return loads(_text(name.replace("-", "_") + ENDING), name, target)


def ubongo_pieces() -> tuple[Piece, ...]:
    """Return the 16 pieces of Ubongo 3-D, named "1" to "16"."""
    return loads_pieces(_text("ubongo_pieces.toml"), "ubongo_pieces.toml")


def _text(file_name: str) -> str:
    return (files("solvers.polycube.data") / file_name).read_text(encoding="utf-8")
