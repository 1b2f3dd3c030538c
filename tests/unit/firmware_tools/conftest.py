"""The board and a boot loader that follows a script."""

import pytest

from firmware_tools.boards.facts import Board, load_board
from firmware_tools.line.serial_link import BOARD, HOST, ReplayLink


@pytest.fixture(scope="session")
def aksen() -> Board:
    return load_board()


class Script:
    """Builds a conversation line by line: `host("00").board("55")`."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, bytes]] = []

    def host(self, data: str | bytes) -> "Script":
        return self._add(HOST, data)

    def board(self, data: str | bytes) -> "Script":
        return self._add(BOARD, data)

    def link(self) -> ReplayLink:
        return ReplayLink(self.entries)

    def _add(self, direction: str, data: str | bytes) -> "Script":
        self.entries.append((direction, bytes.fromhex(data) if isinstance(data, str) else data))
        return self


@pytest.fixture
def script() -> Script:
    return Script()
