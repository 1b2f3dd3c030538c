"""What an installation may lack: the extras, and the sentence for one that is missing.

Python's own error names the module that was not found, not how to get it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from solvers.foundation.errors import InvalidInputError

EXTRA_OF: Final = MappingProxyType(
    {
        "cv2": "robot",
        "distributed": "cluster",
        "fpdf": "pdf",
        "manifold3d": "print",
        "nxt": "robot",
        "segno": "dashboard",
        "starlette": "dashboard",
        "usb": "robot",
        "uvicorn": "dashboard",
        "websockets": "dashboard",
    }
)
"""The extra that brings a module; everything else is always installed."""


class MissingExtraError(InvalidInputError):
    """What was asked needs an extra that is not installed."""

    def __init__(self, module: str) -> None:
        extra = EXTRA_OF[module]
        super().__init__(
            f"This needs the extra `{extra}`, which is not installed (no module {module}). "
            f"Install puzzlerig again with it: pip install "
            f"'puzzlerig-{version('puzzlerig')}-py3-none-any.whl[{extra}]', "
            f"or pipx install --force, or uv tool install, with the same name."
        )


def missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    """Return the error that says which extra is missing, None if the module belongs to none."""
    module = (error.name or "").partition(".")[0]
    return MissingExtraError(module) if module in EXTRA_OF else None


def require(module: str) -> None:
    """Raise MissingExtraError now if a module is missing that the work needs only at its end."""
    if find_spec(module) is None:
        raise MissingExtraError(module)


@contextmanager
def explained_imports() -> Iterator[None]:
    """Raise MissingExtraError instead of ModuleNotFoundError where an extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if explained := missing_extra(error):
            raise explained from error
        raise
