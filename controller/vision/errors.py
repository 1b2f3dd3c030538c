"""What can go wrong between the lens and the 54 letters.

PuzzlerigError
├── CameraError             exit 1: no usable picture
│   ├── CameraNotFoundError     nothing opens under this name
│   ├── CameraLostError         no further frame: unplugged, or the server is gone
│   ├── FrozenPictureError      the same frame again and again
│   └── BlackPictureError       frames with nothing in them
├── ScanFailedError         exit 1: the faces could not all be captured
├── ScanNotSavedError       exit 1: no room or no right to write there
└── InvalidInputError
    ├── InvalidScanError    exit 2: a file or list that is no scan
    └── ImpossibleFixError  exit 2: corrections by hand that no legal cube satisfies
"""

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


class CameraError(PuzzlerigError):
    """The camera gives no usable picture."""


class CameraNotFoundError(CameraError):
    """No camera, stream, file or folder opens under this name."""


class CameraLostError(CameraError):
    """The camera gives no further frame."""


class FrozenPictureError(CameraError):
    """The camera repeats one frame."""


class BlackPictureError(CameraError):
    """The camera gives frames without any light in them."""


class ScanFailedError(PuzzlerigError):
    """The six faces could not all be captured."""


class ScanNotSavedError(PuzzlerigError):
    """A scan could not be written."""


class InvalidScanError(InvalidInputError):
    """A file, folder or list is no scan of a cube."""


class ImpossibleFixError(InvalidInputError):
    """No legal cube has the stickers that were set by hand."""
