"""Twenty message queues between the host and a program on the brick."""

from collections import deque

from hardware_sims.nxt_brick.opcodes import (
    STATUS_BAD_MAILBOX,
    STATUS_MAILBOX_EMPTY,
    STATUS_OUT_OF_RANGE,
)
from hardware_sims.nxt_brick.telegrams import CommandError

MAILBOX_COUNT = 20
MESSAGES_PER_MAILBOX = 5
LONGEST_MESSAGE = 59  # with the zero byte at its end


class Mailboxes:
    """Queues that hold five messages each; a sixth pushes the oldest out."""

    def __init__(self) -> None:
        self._queues = [deque[bytes](maxlen=MESSAGES_PER_MAILBOX) for _ in range(MAILBOX_COUNT)]

    def write(self, mailbox: int, message: bytes) -> None:
        """Append a message, which ends with a zero byte."""
        queue = self._queue(mailbox)
        if not 0 < len(message) <= LONGEST_MESSAGE or message[-1]:
            raise CommandError(STATUS_OUT_OF_RANGE)
        queue.append(message)

    def read(self, mailbox: int, remove: bool = True) -> bytes:
        """Return the oldest message, and take it out if asked."""
        queue = self._queue(mailbox)
        if not queue:
            raise CommandError(STATUS_MAILBOX_EMPTY)
        return queue.popleft() if remove else queue[0]

    def clear(self) -> None:
        """Forget all messages, as at the start of a program."""
        for queue in self._queues:
            queue.clear()

    def _queue(self, mailbox: int) -> deque[bytes]:
        if mailbox >= MAILBOX_COUNT:
            raise CommandError(STATUS_BAD_MAILBOX)
        return self._queues[mailbox]
