"""The boot loader's ear and clock: finds frames in the bytes that arrive, and answers in time.

Bytes in, bytes out, and a time in microseconds that the caller hands in: no thread and no clock.
docs/bootloader.md, section "How the loader reads the line", is what this follows.
"""

from collections import deque
from enum import Enum, auto

from hardware_sims.aksen_board.facts import BoardFacts, board_facts
from hardware_sims.aksen_board.loader.block_protocol import BLOCK_ERROR, DONE, HEADER, BlockProtocol
from hardware_sims.aksen_board.loader.flash import NO_WORK, Answer, Flash, LoaderTiming
from hardware_sims.aksen_board.loader.hex_protocol import NOT_HEX, HexProtocol

COLON, LINE_FEED, CARRIAGE_RETURN = 0x3A, 0x0A, 0x0D
BUFFERED_WHILE_WORKING = 256


class _State(Enum):
    WAITING = auto()  # for the first byte of a frame
    IN_FRAME = auto()
    WORKING = auto()  # on a good frame; what arrives is buffered
    DISCARDING = auto()  # until the line is silent, then the error answer goes out


class BootLoader:
    """Listens from reset until a program is started."""

    def __init__(
        self, flash: Flash, facts: BoardFacts | None = None, timing: LoaderTiming = NO_WORK
    ) -> None:
        self.flash = flash
        facts = facts or board_facts()
        self._timing = timing
        self._silence_us = facts.frame_silence_us
        self._blocks = BlockProtocol(flash, facts, timing)
        self._records = HexProtocol(flash, facts, timing)
        self._state = _State.WAITING
        self._frame = bytearray()
        self._wanted: int | None = None  # length of a block; None for a record line
        self._deadline_us: int | None = None  # end of silence, or of work
        self._answer: Answer | None = None
        self._buffered: deque[int] = deque(maxlen=BUFFERED_WHILE_WORKING)
        self._output: deque[tuple[int, bytes]] = deque()
        self._start_us: int | None = None

    @property
    def next_due_us(self) -> int | None:
        """When something happens next without another byte; None if nothing will."""
        times = [time for time in (self._deadline_us, self._start_us) if time is not None]
        times += [time for time, _ in self._output]
        return min(times, default=None)

    def started(self, now_us: int) -> bool:
        """Return whether the program has taken over."""
        return self._start_us is not None and now_us >= self._start_us

    def take_output(self, now_us: int) -> bytes:
        """Return, once, the bytes that were sent by now."""
        self.advance(now_us)
        sent = bytearray()
        while self._output and self._output[0][0] <= now_us:
            sent += self._output.popleft()[1]
        return bytes(sent)

    def receive(self, data: bytes, now_us: int) -> None:
        """Take bytes that arrive now."""
        self.advance(now_us)
        for value in data:
            self._take(value, now_us)

    def advance(self, now_us: int) -> None:
        """Let time pass: silences end, work gets done."""
        while self._deadline_us is not None and self._deadline_us <= now_us:
            at_us, self._deadline_us = self._deadline_us, None
            if self._state is _State.IN_FRAME:
                self._silence_in_frame(at_us)
            else:
                self._send_answer(at_us)

    def _take(self, value: int, now_us: int) -> None:
        if self._start_us is not None:
            return
        if self._state is _State.WORKING:
            if len(self._buffered) < BUFFERED_WHILE_WORKING:
                self._buffered.append(value)
        elif self._state is _State.DISCARDING:
            self._deadline_us = now_us + self._silence_us
        elif self._state is _State.WAITING:
            self._start(value, now_us)
        else:
            self._continue(value, now_us)

    def _start(self, value: int, now_us: int) -> None:
        if value in (LINE_FEED, CARRIAGE_RETURN):
            return
        self._frame = bytearray([value])
        self._wanted = None if value == COLON else self._blocks.frame_bytes(value)
        if value != COLON and self._wanted is None:
            self._settle(Answer(bytes([BLOCK_ERROR]), is_error=True), now_us)
            return
        self._state = _State.IN_FRAME
        self._deadline_us = now_us + self._silence_us

    def _continue(self, value: int, now_us: int) -> None:
        self._deadline_us = now_us + self._silence_us
        if self._wanted is not None:
            self._frame.append(value)
            if len(self._frame) == self._wanted:
                self._settle(self._blocks.handle(bytes(self._frame)), now_us)
        elif value == LINE_FEED:
            self._settle(self._records.handle(bytes(self._frame)), now_us)
        else:
            self._frame.append(value)
            if len(self._frame) > 1 + self._records.longest_line:
                self._settle(self._records.refuse_long_line(bytes(self._frame)), now_us)

    def _settle(self, answer: Answer, now_us: int) -> None:
        """Work on a frame until its answer is due; an error waits for a silent line besides."""
        self._answer = answer
        if answer.is_error:
            self._state = _State.DISCARDING
            self._deadline_us = now_us + max(self._silence_us, answer.work_us)
        else:
            self._state = _State.WORKING
            self._deadline_us = now_us + answer.work_us
            if not answer.work_us:
                self._deadline_us = None
                self._send_answer(now_us)

    def _silence_in_frame(self, at_us: int) -> None:
        if self._frame == bytes([HEADER]):  # the test byte
            self._blocks.drop_transfer()
            given = bytes([DONE])
        else:
            given = NOT_HEX if self._wanted is None else bytes([BLOCK_ERROR])
        self._answer = Answer(given)
        self._send_answer(at_us)

    def _send_answer(self, at_us: int) -> None:
        """Send the pending answer, listen again, and read what was buffered meanwhile."""
        assert self._answer is not None
        answer, self._answer = self._answer, None
        self._output.append((at_us, answer.data))
        self._state = _State.WAITING
        if answer.starts_program:
            self._start_us = at_us + self._timing.start_program_us
        buffered = list(self._buffered)
        self._buffered.clear()
        for value in buffered:
            self._take(value, at_us)
