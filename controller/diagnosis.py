"""Finds out what this computer has for the robot and which machines answer."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from controller.rigs.installed import package
from controller.rigs.rig import Finding, Rig


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found on this computer and at the addresses of machines."""

    installation: tuple[Finding, ...]
    machines: tuple[Finding, ...]

    @property
    def a_machine_answers(self) -> bool:
        """Whether there is something to drive."""
        return any(finding.ok for finding in self.machines)


def diagnose(rig: Rig, more_addresses: Iterable[str]) -> Diagnosis:
    """Look at Python, the libraries, what the rig needs, and the machines that answer.

    Raises InvalidAddressError for an address that is none.
    """
    installation, machines = rig.examine(more_addresses)
    general = [Finding("Python", True, sys.version.split()[0]), package("opencv-python-headless")]
    return Diagnosis((*general, *installation), tuple(machines))
