"""What the suite has stored on this computer: where, how much, and what of it can go."""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path, user_config_path, user_state_path

from controller.motion.journal import journals_folder, remove_runs
from solvers.foundation.code_cache import compiled_folders
from solvers.foundation.files import format_size
from solvers.foundation.table_cache import cache_directory

NAME: Final = "puzzlerig"


@dataclass(frozen=True, slots=True)
class Stored:
    """Files of one kind. `is_cache` if they can be removed: what needs them makes them again."""

    name: str
    paths: tuple[Path, ...]
    bytes: int
    is_cache: bool

    @property
    def size(self) -> str:
        """Return how much it is, in words."""
        return format_size(self.bytes)


def stored_data() -> list[Stored]:
    """Return all that is stored, of each kind one, those that take no room as well."""
    cache, state = user_cache_path(NAME), user_state_path(NAME)
    places: list[tuple[str, bool, list[Path]]] = [
        ("compiled code", True, compiled_folders()),
        ("tables of searches", True, [cache_directory()]),
        ("AKSEN library and programs", True, [cache / "aksen", cache / "puzzle8"]),
        ("runs of the robot", False, [journals_folder()]),
        ("history of solves", False, [state / "history.json"]),
        ("unfinished searches", False, [state / "packing", state / "tiles", state / "designs"]),
        ("calibration", False, [user_config_path(NAME)]),
    ]
    return [
        Stored(name, tuple(each for each in paths if each.exists()), _total(paths), is_cache)
        for name, is_cache, paths in places
    ]


def clean() -> int:
    """Remove all caches, and runs that cannot be resumed; return how many bytes are free now."""
    stored = stored_data()
    for each in stored:
        if each.is_cache:
            for path in each.paths:
                shutil.rmtree(path, ignore_errors=True)
    remove_runs(0)
    return sum(each.bytes for each in stored) - sum(each.bytes for each in stored_data())


def _total(paths: list[Path]) -> int:
    return sum(_bytes(each) for path in paths for each in (path, *path.rglob("*")))


def _bytes(path: Path) -> int:
    with suppress(OSError):  # it has gone meanwhile
        if path.is_file():
            return path.stat().st_size
    return 0
