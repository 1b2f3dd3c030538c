"""One device, one user: a lock by name, which says who holds it.

The lock is the operating system's, on a small file in the user's runtime folder. It ends with the
process that holds it, however that ends, so that there are no stale locks; what stands in the file
only names the holder. Where no such file can be made, nothing is locked: the lock prevents
mistakes, and a device without a runtime folder must still be usable.
"""

import hashlib
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from platformdirs import user_runtime_path

from solvers.foundation.errors import PuzzlerigError

_DIGEST_LETTERS: Final = 16
_LONGEST_COMMAND: Final = 200


def locks_folder() -> Path:
    """Return where the locks are."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without such a folder, the temporary one serves as well
        return user_runtime_path("puzzlerig") / "locks"


class DeviceLock:
    """A lock that is held from its making until `close`.

    All users of one device must give it the same `name`.
    """

    def __init__(self, name: str, error: type[PuzzlerigError] = PuzzlerigError) -> None:
        """Take the lock. Raises `error` with a sentence that names the holder if it is taken."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
        self._path = locks_folder() / f"{digest[:_DIGEST_LETTERS]}.lock"
        self._file = self._acquire(name, error)

    def close(self) -> None:
        """Release the lock."""
        if self._file is not None:
            with suppress(OSError):  # before it is closed: it is still locked
                self._path.unlink()
            self._file.close()
            self._file = None

    def _acquire(self, name: str, error: type[PuzzlerigError]) -> BinaryIO | None:
        while True:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                file = self._path.open("a+b")
            except OSError:
                return None
            if not _lock(file):
                file.seek(0)
                holder = file.read().decode("utf-8", "replace") or "another process"
                file.close()
                raise error(f"{name} is in use by {holder}. Wait until it ends, or end it.")
            if self._is_current(file):
                break
            file.close()  # its last holder has just removed it; lock the next file of this name
        file.truncate(0)
        file.write(f"process {os.getpid()} ({_command()})".encode("utf-8", "replace"))
        file.flush()
        return file

    def _is_current(self, file: BinaryIO) -> bool:
        """Return whether the file that is locked is still the one that others will find."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        return False


def _command() -> str:
    words = [Path(sys.argv[0]).name, *sys.argv[1:]]
    return " ".join(words)[:_LONGEST_COMMAND]


if sys.platform == "win32":
    import msvcrt

    _FAR: Final = 1 << 30  # no one else can read a locked byte; the holder's name stays readable

    def _lock(file: BinaryIO) -> bool:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:

    def _lock(file: BinaryIO) -> bool:
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True
