"""Boot-loader protocols of docs/bootloader.md, by name.

A new one is a module such as block.py and a word in `PROTOCOLS`.
"""

from collections.abc import Mapping
from typing import Final

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import block, hex_ack
from firmware_tools.bootloader.loader import LoaderProtocol
from firmware_tools.errors import InvalidBoardFactsError

PROTOCOLS: Final[Mapping[str, LoaderProtocol]] = {
    module.PROTOCOL.name: module.PROTOCOL for module in (block, hex_ack)
}


def protocol_for(board: Board, name: str | None = None) -> LoaderProtocol:
    """Return the protocol called `name`, or else the board's own.

    Raises InvalidBoardFactsError if there is none of that name.
    """
    wanted = name or board.loader.protocol
    if wanted not in PROTOCOLS:
        asked = "" if name else f"The {board.title} names an unknown boot loader. "
        raise InvalidBoardFactsError(
            f"{asked}There is no protocol {wanted!r}. Known: {', '.join(PROTOCOLS)}."
        )
    return PROTOCOLS[wanted]
