"""The low speed module: transfers on the I2C bus of a sensor port (c_lowspeed.c, c_cmd.c).

A transfer takes two milliseconds to start and one a byte, as at the brick's 9600 bits a second.
An address without an answer is tried four times and ends in an error that stays until
the next one.
"""

from typing import Any, Final

from hardware_sims.nxt_brick.sensors.input_module import LOW_SPEED, LOW_SPEED_9V
from hardware_sims.nxt_brick.sensors.plugged_in import Sensor, Ultrasonic
from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.io_maps import INPUTS, IoMap
from hardware_sims.nxt_firmware.statuses import CommandError

BUFFER_BYTES: Final = 16
TRIES: Final = 4
TRY_TICKS: Final = 2  # loading the buffer, and sending an address without an acknowledgement

IDLE: Final = 0
INIT: Final = 1
LOAD_BUFFER: Final = 2
COMMUNICATING: Final = 3
ERROR: Final = 4
DONE: Final = 5
TRANSMITTING: Final = 1
DATA_RECEIVED: Final = 3
NO_ERROR: Final = 0
NOT_READY: Final = 1
TRANSMIT_ERROR: Final = 2


class LowSpeed:
    """Channels 0 to 3, on the module's I/O map; `inputs` is that of the input module."""

    def __init__(self, io_map: IoMap, inputs: Any, sensors: dict[int, Sensor]) -> None:
        self._map = io_map
        self._inputs = inputs
        self._sensors = sensors
        self._ticks_left = [0] * INPUTS

    @property
    def is_active(self) -> bool:
        """Whether a transfer is under way."""
        return bool(self._map["state"][0])

    def check_status(self, port: int) -> int:
        """Return OK or "pending". Raises CommandError where the channel cannot be used."""
        self._check_ready(port)
        state = int(self._map["channel_states"][0][port])
        if state == ERROR:
            raise CommandError(statuses.BUS_ERROR)
        return statuses.OK if state == IDLE else statuses.COMMUNICATION_PENDING

    def bytes_ready(self, port: int) -> int:
        """Return how many received bytes have not been read."""
        buffer = self._map["in_buffers"][0][port]
        return (int(buffer["in_pointer"]) - int(buffer["out_pointer"])) % BUFFER_BYTES

    def write(self, port: int, data: bytes, wanted: int) -> int:
        """Start a transfer; return OK, or "pending" if one is under way. Raises CommandError."""
        if len(data) > BUFFER_BYTES or wanted > BUFFER_BYTES:
            raise CommandError(statuses.INVALID_SIZE)
        self._check_ready(port)
        channel = self._map[0]
        if channel["channel_states"][port] not in (IDLE, ERROR):
            return statuses.COMMUNICATION_PENDING
        out = channel["out_buffers"][port]
        out["bytes"][: len(data)] = list(data)
        out["in_pointer"], out["out_pointer"] = len(data), 0
        channel["in_buffers"][port]["bytes_to_receive"] = wanted
        channel["channel_states"][port] = INIT
        channel["state"] |= 1 << port
        return statuses.OK

    def read(self, port: int, count: int) -> bytes:
        """Take received bytes out of the buffer."""
        buffer = self._map["in_buffers"][0][port]
        start = int(buffer["out_pointer"])
        taken = bytes(int(buffer["bytes"][(start + n) % BUFFER_BYTES]) for n in range(count))
        buffer["out_pointer"] = (start + count) % BUFFER_BYTES
        return taken

    def reset(self) -> None:
        """Empty the buffers and let transfers end, as at a program's start and end."""
        channel = self._map[0]
        for port in range(INPUTS):
            for buffer in (channel["in_buffers"][port], channel["out_buffers"][port]):
                buffer["in_pointer"] = buffer["out_pointer"] = buffer["bytes_to_receive"] = 0
            if channel["channel_states"][port] != IDLE:
                channel["channel_states"][port] = DONE
                channel["state"] |= 1 << port

    def tick(self) -> None:
        """Do the module's millisecond."""
        for port in range(INPUTS):
            if self._map["state"][0] & (1 << port):
                self._tick(port)

    def _tick(self, port: int) -> None:
        channel = self._map[0]
        state = channel["channel_states"][port]
        if state in (DONE, ERROR):
            channel["state"] &= ~(1 << port) & 0xFF
            if state == DONE:
                channel["channel_states"][port] = IDLE
        elif not self._is_low_speed(port):
            self._enter(port, ERROR, NOT_READY)
        elif state == INIT:
            self._enter(port, LOAD_BUFFER)
        elif state == LOAD_BUFFER:
            self._start(port)
        elif self._ticks_left[port] > 1:
            self._ticks_left[port] -= 1
        else:
            self._finish(port)

    def _start(self, port: int) -> None:
        channel = self._map[0]
        sent = int(channel["out_buffers"][port]["in_pointer"])
        wanted = int(channel["in_buffers"][port]["bytes_to_receive"])
        answers = self._registers(port) is not None
        # With an answer: the bytes out, the address again, the bytes in; without: the address.
        # A read needs a second start condition with the address, which costs another byte.
        taken = sent + (wanted + 1 if wanted else 0)
        self._ticks_left[port] = taken if answers else TRIES * TRY_TICKS - 1
        channel["channel_states"][port] = COMMUNICATING
        channel["modes"][port] = TRANSMITTING

    def _finish(self, port: int) -> None:
        channel = self._map[0]
        out = channel["out_buffers"][port]
        buffer = channel["in_buffers"][port]
        wanted = int(buffer["bytes_to_receive"])
        registers = self._registers(port)
        sent = bytes(out["bytes"][: out["in_pointer"]])
        answer = registers.transfer(sent, wanted) if registers else None
        if answer is None:
            self._enter(port, ERROR, TRANSMIT_ERROR)
            return
        for value in answer:
            place = int(buffer["in_pointer"]) % BUFFER_BYTES
            buffer["bytes"][place] = value
            buffer["in_pointer"] = (place + 1) % BUFFER_BYTES
        channel["modes"][port] = DATA_RECEIVED
        self._enter(port, DONE)

    def _enter(self, port: int, state: int, error: int = NO_ERROR) -> None:
        self._map["channel_states"][0][port] = state
        self._map["error_types"][0][port] = error

    def _registers(self, port: int) -> Any:
        sensor = self._sensors.get(port)
        return sensor.registers if isinstance(sensor, Ultrasonic) else None

    def _is_low_speed(self, port: int) -> bool:
        return int(self._inputs["sensor_type"][port]) in (LOW_SPEED, LOW_SPEED_9V)

    def _check_ready(self, port: int) -> None:
        if not self._is_low_speed(port) or self._inputs["invalid_data"][port]:
            raise CommandError(statuses.CHANNEL_NOT_READY)
