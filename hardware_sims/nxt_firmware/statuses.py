"""Statuses that end a telegram or a system call, and the exception that carries one.

Source: LEGO's direct commands document and the published firmware 1.29 (c_cmd.iom, d_loader.h).
"""

from typing import Final

OK: Final = 0x00
COMMUNICATION_PENDING: Final = 0x20
MAILBOX_EMPTY: Final = 0x40
NO_MORE_HANDLES: Final = 0x81
NO_SPACE: Final = 0x82
NO_MORE_FILES: Final = 0x83
END_OF_FILE_EXPECTED: Final = 0x84
END_OF_FILE: Final = 0x85
NOT_A_LINEAR_FILE: Final = 0x86
FILE_NOT_FOUND: Final = 0x87
HANDLE_ALREADY_CLOSED: Final = 0x88
NO_LINEAR_SPACE: Final = 0x89
UNDEFINED_ERROR: Final = 0x8A
FILE_BUSY: Final = 0x8B
NO_WRITE_BUFFERS: Final = 0x8C
APPEND_NOT_POSSIBLE: Final = 0x8D
FILE_FULL: Final = 0x8E
FILE_EXISTS: Final = 0x8F
MODULE_NOT_FOUND: Final = 0x90
OUT_OF_BOUNDS: Final = 0x91
ILLEGAL_NAME: Final = 0x92
ILLEGAL_HANDLE: Final = 0x93
UNKNOWN_OPCODE: Final = 0xBE
OUT_OF_RANGE: Final = 0xC0
BUS_ERROR: Final = 0xDD
CHANNEL_NOT_READY: Final = 0xE0
NO_PROGRAM: Final = 0xEC
INVALID_SIZE: Final = 0xED
BAD_MAILBOX: Final = 0xEE


class CommandError(Exception):
    """Something that the brick answers with a status other than success.

    `body` is what the reply carries besides; None stands for the usual reply filled with zeros.
    """

    def __init__(self, status: int, body: bytes | None = None) -> None:
        super().__init__(f"status 0x{status:02X}")
        self.status = status
        self.body = body
