"""Lays the cube straight after a primitive that could not be completed."""

import secrets
from dataclasses import dataclass
from typing import Final

from controller.errors import MotorStalledError
from controller.motion.primitives import Primitive, Tilt, TurnLayer
from controller.rigs.nxt_cradle.brick_program.player import LOOK_INTERVAL_S, Player
from controller.rigs.nxt_cradle.brick_program.scripts import scripts_of
from controller.rigs.nxt_cradle.brick_program.state import ProgramState
from controller.rigs.nxt_cradle.choreography import Choreographer, CutOff

UNDOING_S: Final = 8.0
"""How long that may take: twice a turn by three quarters with an empty battery."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """Plays primitives backwards with the program on the brick, by the counts of `state`."""

    player: Player
    choreographer: Choreographer
    state: ProgramState

    def undo(self, primitive: Primitive, cut_off: CutOff) -> bool:
        """Return whether the cube surely lies as before `primitive`; it lies straight.

        Raises MotorStalledError if a layer is left between its quarters, and RobotError. A cube
        that was spun or tilted is squared by finding home, which follows.
        """
        is_undone = True
        try:
            self._play_back(primitive, cut_off)
        except MotorStalledError:
            if isinstance(primitive, TurnLayer):
                raise
            is_undone = False
        if isinstance(primitive, Tilt):
            return not self.choreographer.may_have_rolled(cut_off)
        return is_undone

    def _play_back(self, primitive: Primitive, cut_off: CutOff) -> None:
        # A session of its own: whoever takes the old one up must not count this as a primitive.
        self.player.begin(1 + secrets.randbelow(0xFFFF))
        number = 1
        quarters = self.state.cradle_quarters
        for script in scripts_of(self.choreographer.undoing(primitive, quarters, cut_off)):
            self.player.send(number, script, self.state.home)
        for _ in range(round(UNDOING_S / LOOK_INTERVAL_S)):
            status = self.player.wait()
            if status.fault:
                break
            if status.is_idle and status.finished == number:
                return
        raise MotorStalledError(
            f"The {str(primitive).split()[0]} that was cut off cannot be taken back. "
            "Is something in the rig's way?"
        )
