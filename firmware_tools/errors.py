"""Errors of building, flashing and talking to the board.

PuzzlerigError                      exit code 1: the job failed
├── ToolchainError                  sdcc is missing or too old
├── CompileError                    the compiler or linker refused the program
├── OverBudgetError                 the program does not fit the board; no image was written
├── PortError                       the serial port cannot be used
│   ├── PortNotFoundError           there is no such port
│   └── PortBusyError               it is there, but taken or forbidden
└── BoardError                      the board's answers end the job
    ├── NoAnswerError               silence: not in loader mode, wrong port, wrong speed
    ├── WrongChipError              a loader, but of another chip
    ├── TransferError               a block failed more often than it may be repeated
    ├── ImageChecksumError          the loader's checksum over the image differs from ours
    ├── VerifyMismatchError         flash and file differ; names the first address
    └── NoValidImageError           there is nothing that may be run
InvalidInputError                   exit code 2: what was asked cannot be read
├── InvalidProgramError             no sources, or no AksenMain
├── InvalidImageError               not an Intel-HEX image for this board
├── InvalidBoardFactsError          a board's TOML is incomplete or contradicts itself
└── InvalidTraceError               a trace file cannot be read
"""

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


class ToolchainError(PuzzlerigError):
    """The compiler is missing or unusable."""


class CompileError(PuzzlerigError):
    """The compiler or the linker refused the program; the message holds its own words."""


class OverBudgetError(PuzzlerigError):
    """The program needs more of the board than there is."""


class PortError(PuzzlerigError):
    """The serial port failed."""


class PortNotFoundError(PortError):
    """There is no such port."""


class PortBusyError(PortError):
    """The port is in use by another program, or this user may not open it."""


class BoardError(PuzzlerigError):
    """The board answered in a way that ends the job, or not at all."""


class NoAnswerError(BoardError):
    """Nothing came back from the boot loader."""


class WrongChipError(BoardError):
    """The boot loader belongs to another chip."""


class TransferError(BoardError):
    """A block could not be brought across within the allowed repetitions."""


class ImageChecksumError(BoardError):
    """The loader's checksum over the whole image is not ours."""


class VerifyMismatchError(BoardError):
    """Flash and image differ."""

    def __init__(self, message: str, address: int) -> None:
        super().__init__(message)
        self.address = address


class NoValidImageError(BoardError):
    """The board holds no image that it may run."""


class InvalidProgramError(InvalidInputError):
    """The named sources are not a program."""


class InvalidImageError(InvalidInputError):
    """The file is not an image for this board."""


class InvalidBoardFactsError(InvalidInputError):
    """A board description is incomplete or contradicts itself."""


class InvalidTraceError(InvalidInputError):
    """A trace file cannot be read."""
