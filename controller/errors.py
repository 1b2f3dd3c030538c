"""Errors of the robot that its owner can do something about.

PuzzlerigError
├── RobotError                  exit 1: the robot could not do what it was asked
│   ├── BrickNotFoundError          no brick answers at the address
│   ├── BrickBusyError              another command uses the brick
│   ├── LinkLostError               the connection broke or fell silent
│   ├── BrickRefusedError           the brick answered a command with an error status
│   │   └── BrickFullError              it has no room for the program
│   ├── MotorStalledError           a motor did not reach its angle, even on the second try
│   ├── CubeUncertainError          the cube's position is unknown; a person or a scan must give it
│   │   └── DoubtfulScanError           a scan left doubts about its position
│   └── StoppedError                stopped by the user; the journal can be resumed
└── InvalidInputError
    ├── InvalidAddressError     exit 2: not a brick address
    ├── InvalidCalibrationError exit 2: a calibration file with a wrong or missing value
    ├── InvalidJournalError     exit 2: not a journal, damaged, or of another version
    ├── InvalidPlanError        exit 2: the moves do not do what was asked of them
    └── InvalidProgramError     exit 2: a file that a standard brick cannot execute
"""

from solvers.foundation.errors import InvalidInputError, PuzzlerigError


class RobotError(PuzzlerigError):
    """The robot could not do what it was asked."""


class BrickNotFoundError(RobotError):
    """No brick answers at the address."""


class BrickBusyError(RobotError):
    """Another command uses the brick."""


class LinkLostError(RobotError):
    """The connection to the brick broke or fell silent."""


class BrickRefusedError(RobotError):
    """The brick answered a command with an error status."""


class BrickFullError(BrickRefusedError):
    """The brick has no room for the program."""


class MotorStalledError(RobotError):
    """A motor did not reach its angle, even on the second try."""


class CubeUncertainError(RobotError):
    """The cube's position is unknown; a person or a scan must give it."""


class DoubtfulScanError(CubeUncertainError):
    """A scan left doubts about the cube's position."""


class StoppedError(RobotError):
    """The user stopped the run; the journal can be resumed."""


class InvalidAddressError(InvalidInputError):
    """The text is no brick address."""


class InvalidCalibrationError(InvalidInputError):
    """A calibration file has a wrong or missing value."""


class InvalidJournalError(InvalidInputError):
    """The file is no journal, is damaged or has another version."""


class InvalidPlanError(InvalidInputError):
    """The moves do not do what was asked of them."""


class InvalidProgramError(InvalidInputError):
    """The file is no program for the brick, is damaged, or needs another firmware."""
