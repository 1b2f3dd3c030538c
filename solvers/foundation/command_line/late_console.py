"""A console whose library is imported when something is printed, which most commands never do."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


class LateConsole:
    """Stands for rich's console on stderr; importing rich takes as long as a command's work."""

    @cached_property
    def _console(self) -> "Console":
        from rich.console import Console

        return Console(stderr=True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._console, name)

    def __enter__(self) -> Any:
        return self._console.__enter__()

    def __exit__(self, *exception: Any) -> Any:
        return self._console.__exit__(*exception)
