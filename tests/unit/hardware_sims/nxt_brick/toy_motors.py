"""The motor model of the golden cases: no inertia, 9 thousandths of a degree a ms and unit."""

from typing import Any

from hardware_sims.nxt_firmware.io_maps import OUTPUTS
from tests.oracles.nxt_golden import OUTPUT_FIELDS


class ToyShafts:
    """Three shafts in whole degrees."""

    def __init__(self) -> None:
        self.degrees = [0] * OUTPUTS
        self._fractions = [0] * OUTPUTS

    def turn(self, port: int, power: int) -> int:
        """Return the degrees of a millisecond."""
        self._fractions[port] += 9 * power
        turned = int(self._fractions[port] / 1000)
        self._fractions[port] -= 1000 * turned
        self.degrees[port] += turned
        return turned


def fields_of(outputs: Any) -> dict[tuple[int, int], int]:
    """Return the traced fields of all outputs by port and the cases' field number."""
    return {
        (port, number): int(outputs[field][port])
        for port in range(OUTPUTS)
        for number, field in OUTPUT_FIELDS.items()
    }
