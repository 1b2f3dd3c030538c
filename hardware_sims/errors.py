"""Errors of the simulators that their user can do something about.

    SimulatorError                exit code 1
    └── InvalidScenarioError      exit code 2: a faults file, scramble or option makes no sense

The simulators may know nothing of the products, so this tree stands on its own.
"""


class SimulatorError(Exception):
    """A simulator could not start or go on; the message says why and what to do."""

    exit_code = 1


class InvalidScenarioError(SimulatorError):
    """What the simulator was asked to simulate is malformed."""

    exit_code = 2
