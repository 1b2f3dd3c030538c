"""The trace of a command: every telegram to and from the brick, in a file."""

import logging
from contextlib import suppress
from pathlib import Path
from typing import Final

from solvers.foundation.errors import InvalidInputError

_FORMAT: Final = "%(relativeCreated)10.1f ms  %(message)s"
_RIGS: Final = logging.getLogger("controller.rigs")
_log: Final = logging.getLogger(__name__)


class _TraceFile(logging.FileHandler):
    """A file that is given up with a warning when it takes no more; the robot goes on."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's own
        _RIGS.removeHandler(self)
        with suppress(OSError):
            self.close()
        _log.warning(
            "The trace %s cannot be written any more, so it ends here. Is the disk full?",
            self.baseFilename,
        )


def start_trace(path: Path | None) -> None:
    """Write what the rigs log from now on, their telegrams, to a file.

    Raises InvalidInputError if that is not possible.
    """
    if path is None:
        return
    try:
        handler = _TraceFile(path, mode="w", encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(f"The trace {path} cannot be written: {error.strerror}.") from None
    handler.setFormatter(logging.Formatter(_FORMAT))
    _RIGS.setLevel(logging.DEBUG)
    _RIGS.addHandler(handler)
