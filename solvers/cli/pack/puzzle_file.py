"""Which puzzle a packing command is given: a file, told by its ending, or a known name."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingPuzzle, Target

TOML: Final = ".toml"
BURRTOOLS: Final = ".xmpuzzle"


def check_ending(path: Path) -> None:
    """Raise PuzzleFileError unless the ending tells the format."""
    from solvers.polycube.errors import PuzzleFileError

    if path.suffix not in (TOML, BURRTOOLS):
        raise PuzzleFileError(
            f"The ending of {path} does not say which format it has: {TOML} or {BURRTOOLS}."
        )


def read_puzzle(file: str, problem: int = 1) -> "tuple[PackingPuzzle, tuple[str, ...]]":
    """Return the puzzle of a file or known name, and what of the file cannot be represented."""
    from solvers.polycube.burrtools import reader as burrtools
    from solvers.polycube.files import library, toml_format

    path = Path(file)
    if file in library.names() or not (path.suffix or path.exists()):
        return library.named(file), ()
    check_ending(path)
    if path.suffix == BURRTOOLS:
        imported = burrtools.load(path, problem)
        return imported.puzzle, imported.left_out
    return toml_format.load(path), ()


def read_target(file: str, problem: int = 1) -> "Target":
    """Return the target of a puzzle; a file of drawings may be without pieces."""
    path = Path(file)
    if path.suffix == TOML:
        from solvers.polycube.files.toml_format import load_target

        return load_target(path)
    return read_puzzle(file, problem)[0].target
