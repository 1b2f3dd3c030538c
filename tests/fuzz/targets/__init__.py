"""The targets, by package; a further reader is a row in one of these modules."""

from typing import Final

from tests.fuzz.target import Target
from tests.fuzz.targets import controller, firmware_tools, hardware_sims, solvers

TARGETS: Final[dict[str, Target]] = {
    target.name: target
    for module in (solvers, firmware_tools, controller, hardware_sims)
    for target in module.TARGETS
}
