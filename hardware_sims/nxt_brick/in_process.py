"""A brick without any line: an object with the methods that nxt-python expects of a connection."""

from collections import deque

from hardware_sims.nxt_brick.brick import LineCutError, SimulatedBrick


class InProcessConnection:
    """Takes telegrams with `send` and hands their replies out with `recv`.

    nxt-python's `Brick(connection)` works with it directly. Where a real line would fail or wait
    for ever, it raises OSError or TimeoutError.
    """

    bsize = 60
    type = "usb"

    def __init__(self, brick: SimulatedBrick) -> None:
        self._brick = brick
        self._replies: deque[bytes] = deque()
        self._is_open = True

    def send(self, data: bytes) -> None:
        """Send one telegram."""
        if not self._is_open:
            raise OSError("The connection to the simulated brick is closed.")
        try:
            reply = self._brick.handle(data)
        except LineCutError as error:
            self._is_open = False
            raise OSError(str(error)) from error
        if reply is not None:
            self._replies.append(reply)

    def recv(self) -> bytes:
        """Return the oldest reply."""
        if not self._replies:
            raise TimeoutError("The simulated brick does not answer.")
        return self._replies.popleft()

    def close(self) -> None:
        """End the connection."""
        self._is_open = False
