"""The machine: a holder that turns, and a lid that flips or clamps. It keeps still without power.

This is the stand-in at the end of the line; the rig beside it only sends it words.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hardware_sims.rigs.cubes import CradledCube
from solvers.rubik.cubies import CubieCube

HOLDER_LIMIT = 2  # quarters either way: a servo does not turn round and round


class UnpluggedError(Exception):
    """The line to the servo board is gone."""


@dataclass
class Servos:
    """The servo board with its cube. `words` counts what it was told."""

    cube: CradledCube
    fail_at: int | None = None
    holder: int = 0
    lid: str = "open"
    words: int = 0
    is_powered: bool = False
    sleep: Callable[[float], None] = field(default=lambda _: None)

    @classmethod
    def with_cube(cls, cube: CubieCube, fail_at: int | None = None) -> "Servos":
        """Return a board whose line breaks at its word number `fail_at`."""
        return cls(CradledCube(cube), fail_at)

    def tell(self, word: str, quarters: int = 0) -> None:
        """Do one thing; "turn" moves the holder to `quarters` from the middle."""
        self.words += 1
        if self.words == self.fail_at:
            raise UnpluggedError
        self.is_powered = word != "off"
        match word:
            case "off":
                pass
            case "flip":
                assert self.lid == "open"
                self.cube = self.cube.tilted()
                self.sleep(0.6)
            case "open" | "clamp" | "lift":
                self.lid = word
                self.sleep(0.2)
            case "turn":
                self._turn(quarters)

    def _turn(self, quarters: int) -> None:
        assert abs(quarters) <= HOLDER_LIMIT
        by = quarters - self.holder
        self.holder = quarters
        self.sleep(0.3 * abs(by))
        # Seen from above the holder turns the whole cube one way and its bottom layer the other.
        if self.lid == "open":
            self.cube = self.cube.spun(by)
        elif self.lid == "clamp":
            self.cube = self.cube.bottom_turned(-by)
