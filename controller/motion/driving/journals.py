"""Where journals are kept, and how a new one is named."""

import re
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from controller.errors import InvalidJournalError, RobotError

_NAME: Final = re.compile(r"run-(\d+)\.journal")


def journals_folder() -> Path:
    """Return where journals are kept unless the user names another place."""
    return user_state_path("puzzlerig") / "journals"


def new_journal_path() -> Path:
    """Make an empty journal under the next number and return its path. Raises RobotError."""
    folder = journals_folder()
    number = max((number for number, _ in _numbered(folder)), default=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            number += 1
            path = folder / f"run-{number:06}.journal"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:  # another run began just now
                continue
            return path
    except OSError as error:
        raise RobotError(
            f"No journal can be kept in {folder}: {error.strerror}. "
            "Name another place with --journal."
        ) from None


def journals_newest_first() -> list[Path]:
    """Return the journals, the highest number first; one whose run has no plan yet is empty."""
    return [path for _, path in sorted(_numbered(journals_folder()), reverse=True)]


def no_journal() -> InvalidJournalError:
    """Return the error that says that no run can be gone on with."""
    return InvalidJournalError(
        f"There is no journal of an unfinished run in {journals_folder()}. "
        "Name one: cuberobot resume JOURNAL."
    )


def _numbered(folder: Path) -> list[tuple[int, Path]]:
    """Return the journals of the folder with their numbers."""
    found = [(_NAME.fullmatch(path.name), path) for path in folder.glob("*.journal")]
    return [(int(match[1]), path) for match, path in found if match]
