"""The three motor outputs as the telegrams see them."""

import struct

from hardware_sims.nxt_brick.motor_state import (
    MOTOR_COUNT,
    STATE_HOLD,
    STATE_RUNNING,
    MotorArray,
    new_motors,
)
from hardware_sims.nxt_brick.opcodes import STATUS_OUT_OF_RANGE
from hardware_sims.nxt_brick.output_control import reset_tacho_count, set_output_state
from hardware_sims.nxt_brick.telegrams import CommandError
from hardware_sims.nxt_brick.trajectory import begin_move

ALL_PORTS = 0xFF


class Outputs:
    """Ports A, B and C; `motors` is the array that the kernels work on."""

    def __init__(self) -> None:
        self.motors: MotorArray = new_motors()

    def set_state(
        self,
        port: int,
        power: int,
        mode: int,
        regulation_mode: int,
        turn_ratio: int,
        run_state: int,
        tacho_limit: int,
    ) -> None:
        """Do SET_OUT_STATE for one port, or for all with port 0xFF."""
        for each in range(MOTOR_COUNT) if port == ALL_PORTS else [self._checked(port)]:
            set_output_state(
                self.motors,
                each,
                power,
                mode,
                regulation_mode,
                turn_ratio,
                run_state,
                tacho_limit,
            )

    def state(self, port: int) -> bytes:
        """Return the body of the reply to GET_OUT_STATE."""
        motor = self.motors[self._checked(port)]
        run_state = int(motor["run_state"])
        return struct.pack(
            "<BbBBbBIiii",
            port,
            int(motor["power"]),
            int(motor["mode"]) & 0x07,
            min(int(motor["regulation_mode"]), 2),
            int(motor["turn_ratio"]),
            STATE_RUNNING if run_state == STATE_HOLD or motor["move_active"] else run_state,
            int(motor["tacho_limit"]),
            int(motor["tacho_count"]),
            int(motor["block_count"]),
            int(motor["rotation_count"]),
        )

    def reset_position(self, port: int, block: bool) -> None:
        """Zero the block count or the rotation count."""
        self.motors["block_count" if block else "rotation_count"][self._checked(port)] = 0

    def reset_tacho(self, port: int) -> None:
        """Zero the tacho count, which makes the firmware forget the previous limit's error."""
        reset_tacho_count(self.motors, self._checked(port))

    def reset_all(self) -> None:
        """Let all motors coast and zero all counts, as at the start and the end of a program."""
        self.set_state(ALL_PORTS, 0, 0, 0, 0, 0, 0)
        for port in range(MOTOR_COUNT):
            self.reset_tacho(port)
        self.motors["block_count"] = 0
        self.motors["rotation_count"] = 0

    def begin_move(self, port: int, power: int, degrees: int, smooth: bool, holds: bool) -> None:
        """Start a precise move of the MotorControl program."""
        begin_move(self.motors, port, power, degrees, smooth, holds)

    def is_moving(self, port: int) -> bool:
        """Return whether a precise move is under way."""
        return bool(self.motors["move_active"][port])

    @staticmethod
    def _checked(port: int) -> int:
        if port >= MOTOR_COUNT:
            raise CommandError(STATUS_OUT_OF_RANGE)
        return port
