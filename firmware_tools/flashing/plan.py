"""What flashing an image will do, before it does it."""

from dataclasses import dataclass

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.loader import LARGEST_IMAGE_BYTES, Block, LoaderProtocol
from firmware_tools.errors import InvalidImageError
from firmware_tools.flashing.image import ERASED, Image

# Shorter gaps are sent along: opening a new run costs a header and its answer, 9 bytes.
SHORTEST_GAP_BYTES = 16


@dataclass(frozen=True)
class FlashPlan:
    """Blocks to send, and how long they take on the line."""

    image: Image
    protocol: LoaderProtocol
    blocks: tuple[Block, ...]
    estimated_s: float

    @property
    def programmed_bytes(self) -> int:
        """Return how many bytes are sent; gaps stay erased."""
        return sum(len(block.data) for block in self.blocks)

    @property
    def last_address(self) -> int:
        """Return the highest address of the image."""
        return len(self.image.data) - 1


def plan_flash(image: Image, board: Board, protocol: LoaderProtocol) -> FlashPlan:
    """Return the plan for `image`. The time is the line's alone, erasing comes on top.

    Raises InvalidImageError if the image is longer than a boot loader can be told.
    """
    if len(image.data) > LARGEST_IMAGE_BYTES:
        raise InvalidImageError(
            f"{image.name} has {len(image.data)} bytes, and a boot loader takes at most "
            f"{LARGEST_IMAGE_BYTES}: make the program smaller."
        )
    blocks = [
        block
        for start, end in runs(image.data)
        for block in protocol.split(image.data[start:end], start, board)
    ]
    estimated_s = protocol.wire_bytes(blocks, board) * board.seconds_per_byte
    return FlashPlan(image, protocol, tuple(blocks), estimated_s)


def runs(data: bytes) -> list[tuple[int, int]]:
    """Return the ranges (start, end) of `data` that are not long gaps of erased bytes."""
    found: list[tuple[int, int]] = []
    for address, byte in enumerate(data):
        if byte == ERASED:
            continue
        if found and address - found[-1][1] < SHORTEST_GAP_BYTES:
            found[-1] = (found[-1][0], address + 1)
        else:
            found.append((address, address + 1))
    return found
