"""Asking, waiting, and asking again: what sessions of all protocols share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from firmware_tools.boards.facts import Board
from firmware_tools.errors import BoardError, NoAnswerError, TransferError
from firmware_tools.line.byte_link import ByteLink

Result = TypeVar("Result")
# A loader gives up a broken frame after frame_silence_s; waiting half as long again is safe.
SILENCE_FACTOR = 1.5
# A line that never falls silent is no boot loader: stop listening after this many bytes.
NOISE_LIMIT_BYTES = 4096

NO_ANSWER = (
    "The board does not answer. Is the mode switch at red (load) and the red LED on? Press reset "
    "and try again; check the cable and the port."
)


@dataclass
class Counters:
    """How often something had to be asked again, and why."""

    silent: int = 0
    refused: int = 0

    @property
    def repeated(self) -> int:
        """Return the number of repetitions."""
        return self.silent + self.refused


class Unanswered(Exception):  # noqa: N818 - a signal within the session, never shown
    """Nothing came, or too little."""


class Refused(Exception):  # noqa: N818 - likewise
    """The loader answered, but not with what was hoped for.

    `error` is the error to end with if repeating does not help.
    """

    def __init__(self, reason: str, error: type[BoardError] = TransferError) -> None:
        super().__init__(reason)
        self.error = error


class Session:
    """One conversation over a link."""

    def __init__(self, link: ByteLink, board: Board) -> None:
        self.link = link
        self.board = board
        self.facts = board.loader
        self.counters = Counters()

    def ask(self, frame: bytes, answer_bytes: int, timeout_s: float | None = None) -> bytes:
        """Send a frame and return `answer_bytes` bytes. Raises Unanswered if fewer came.

        `timeout_s` (default: answer_timeout_s) counts from the end of the frame; the time that the
        bytes themselves take on the line is added.
        """
        wait_s = self.facts.answer_timeout_s if timeout_s is None else timeout_s
        self.link.discard_input()
        self.link.write(frame)
        line_s = (len(frame) + answer_bytes) * self.board.seconds_per_byte
        answer = self.link.read(answer_bytes, wait_s + line_s)
        if len(answer) < answer_bytes:
            if answer:
                raise Refused(f"the answer {answer.hex(' ').upper()} was cut off")
            raise Unanswered
        return answer

    def more(self, count: int) -> bytes:
        """Return the next `count` bytes of an answer. Raises Refused if they are missing."""
        wait_s = self.facts.answer_timeout_s + count * self.board.seconds_per_byte
        data = self.link.read(count, wait_s)
        if len(data) < count:
            raise Refused("the answer was cut off")
        return data

    def wait_for_silence(self) -> None:
        """Read until nothing more comes for so long that the loader has given up any frame."""
        for _ in range(NOISE_LIMIT_BYTES):
            if not self.link.read(1, self.facts.frame_silence_s * SILENCE_FACTOR):
                return

    def repeat(self, what: str, attempt: Callable[[], Result]) -> Result:
        """Return what `attempt` returns, trying it 1 + retries_per_block times.

        Raises NoAnswerError if all attempts met silence, otherwise the last refusal's error.
        """
        refusal: Refused | None = None
        for _ in range(1 + self.facts.retries_per_block):
            try:
                return attempt()
            except Unanswered:
                self.counters.silent += 1
            except Refused as reason:
                self.counters.refused += 1
                refusal = reason
            self.wait_for_silence()
        tries = 1 + self.facts.retries_per_block
        if refusal is None:
            raise NoAnswerError(f"{NO_ANSWER} (No answer to {what} in {tries} attempts.)")
        raise refusal.error(f"{what[:1].upper()}{what[1:]} failed {tries} times: {refusal}.")
