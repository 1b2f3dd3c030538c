"""Errors of the simulators that their user can do something about.

PuzzlerigError
└── SimulatorError                exit code 1
    └── InvalidScenarioError      exit code 2: a faults file, scramble or option makes no sense
"""

from solvers.foundation.errors import PuzzlerigError


class SimulatorError(PuzzlerigError):
    """A simulator could not start or continue; the message says why and what to do."""


class InvalidScenarioError(SimulatorError):
    """What the simulator was asked to simulate is malformed."""

    exit_code = 2
