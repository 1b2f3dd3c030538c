"""The protocols by name. A new one is a module like block.py and a line here."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import block, hex_ack
from firmware_tools.bootloader.loader import Block, Loader
from firmware_tools.errors import InvalidBoardFactsError
from firmware_tools.line.byte_link import ByteLink


@dataclass(frozen=True)
class LoaderProtocol:
    """How to talk to a loader, and what that costs."""

    name: str
    open: Callable[[ByteLink, Board], Loader]
    split: Callable[[bytes, int, Board], list[Block]]
    wire_bytes: Callable[[list[Block], Board], int]


PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        LoaderProtocol("block", block.BlockLoader, block.split, block.wire_bytes),
        LoaderProtocol("hex-ack", hex_ack.HexAckLoader, hex_ack.split, hex_ack.wire_bytes),
    )
}


def find_protocol(name: str) -> LoaderProtocol:
    """Return the protocol called `name`. Raises InvalidBoardFactsError if there is none."""
    if name not in PROTOCOLS:
        known = ", ".join(PROTOCOLS)
        raise InvalidBoardFactsError(f"There is no protocol {name!r}. Known: {known}.")
    return PROTOCOLS[name]
