"""An open line to the board: a listener has it, and gives it to the job that works."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from firmware_tools.errors import PortError
from firmware_tools.line.byte_link import ByteLink
from solvers.foundation.errors import InvalidInputError

POLL_S: Final = 0.05
CHUNK_BYTES: Final = 256
END_S: Final = 5.0


class BoardLine:
    """Hears what the board sends while no job talks with it.

    `hear` is told the bytes, `broke` why the line is gone; both in the listener's thread.
    """

    def __init__(
        self,
        link: ByteLink,
        hear: Callable[[bytes], object],
        broke: Callable[[PortError], object],
    ) -> None:
        self._link = link
        self._hear = hear
        self._broke = broke
        self._lock = threading.Lock()
        self._is_free = threading.Event()
        self._is_free.set()
        self._is_closed = threading.Event()
        self._listener = threading.Thread(target=self._listen, name="board line")
        self._listener.start()

    @contextmanager
    def taken(self) -> Iterator[ByteLink]:
        """Have the line to oneself."""
        self._is_free.clear()
        try:
            with self._lock:
                yield self._link
        except PortError:
            self._is_closed.set()  # it is dead: nobody need listen to it any more
            raise
        finally:
            self._is_free.set()

    def send(self, data: bytes) -> None:
        """Send bytes to the program. Raises InvalidInputError while a job has the line."""
        if not self._is_free.is_set():
            raise InvalidInputError("The line is in use; wait until that ends, or cancel it.")
        with self._lock:
            self._link.write(data)

    def close(self) -> None:
        """Stop listening and close the line; may be called twice."""
        self._is_closed.set()
        if threading.current_thread() is not self._listener:
            self._listener.join(END_S)
        self._link.close()

    def _listen(self) -> None:
        while not self._is_closed.is_set():
            if not self._is_free.wait(POLL_S):
                continue
            try:
                with self._lock:
                    data = self._link.read(1, POLL_S)
                    if data:
                        data += self._link.read(CHUNK_BYTES, 0)
            except PortError as error:
                if not self._is_closed.is_set():
                    self._is_closed.set()
                    self._broke(error)
                return
            if data:
                self._hear(data)
