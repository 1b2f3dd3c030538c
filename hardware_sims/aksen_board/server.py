"""The board behind a TCP port or a pseudo-terminal: keeps its time in step with a clock."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from hardware_sims.aksen_board import serial_line
from hardware_sims.aksen_board.board import Board
from hardware_sims.endpoints import TcpEndpoint
from solvers.foundation.clock import Clock

LONGEST_WAIT_S = 0.01  # real seconds: how finely a running program's output reaches the host
LARGEST_STEP_US = 50_000
GIVE_UP_US = 1_000_000  # so far behind the clock, the board goes slower instead of catching up

Action = Callable[[Board], None]


class BoardServer:
    """Serves one line until it is stopped. `on_step` sees the board after each step.

    Everything that touches the board happens in `serve`; other threads hand in `do(action)`.
    """

    def __init__(
        self,
        board: Board,
        clock: Clock,
        endpoint: TcpEndpoint | serial_line.SerialTerminal,
        *,
        faults: serial_line.SerialFaults | None = None,
        on_step: Action = lambda _: None,
    ) -> None:
        self.board = board
        self._clock = clock
        self._endpoint = endpoint
        self._faults = faults or serial_line.SerialFaults()
        self._on_step = on_step
        self._to_board = serial_line.FaultyLine(self._faults, serial_line.Direction.TO_BOARD)
        self._to_host = serial_line.FaultyLine(self._faults, serial_line.Direction.TO_HOST)
        self._received = 0
        self._offset_us = board.now_us - round(clock.now() * 1e6)
        self._actions: SimpleQueue[Action] = SimpleQueue()
        self._is_stopped = False
        self._thread = threading.Thread(target=self.serve, name="aksen-board", daemon=True)

    @property
    def address(self) -> str:
        """What pyserial's `serial_for_url` takes."""
        if isinstance(self._endpoint, serial_line.SerialTerminal):
            return str(self._endpoint.link)
        return f"socket://{self._endpoint.host}:{self._endpoint.port}"

    def do(self, action: Action) -> None:
        """Have `action` done to the board, soon, between two steps."""
        self._actions.put(action)
        self._endpoint.wake()

    def stop(self) -> None:
        """End `serve`; may come from any thread or a signal handler, which must not take a lock."""
        self._is_stopped = True
        self._endpoint.wake()

    def serve(self) -> None:
        """Serve the line until `stop`."""
        while not self._is_stopped:
            data = self._endpoint.receive(self._wait_s())
            self._catch_up()
            self._take_in(data)
            self._give_out()
            self._do_actions()
            self._on_step(self.board)

    def _wait_s(self) -> float:
        due_us = self.board.next_due_us()
        if due_us is None:
            return LONGEST_WAIT_S
        ahead_us = due_us - self._offset_us - self._clock.now() * 1e6
        return min(max(ahead_us / 1e6, 0.0), LONGEST_WAIT_S)

    def _catch_up(self) -> None:
        target_us = round(self._clock.now() * 1e6) + self._offset_us
        behind_us = target_us - self.board.now_us
        if behind_us > GIVE_UP_US:
            self._offset_us -= behind_us - LARGEST_STEP_US
        # One microsecond at least: what arrived in this very instant is worked on, too.
        self.board.run_us(min(max(behind_us, 1), LARGEST_STEP_US))

    def _take_in(self, data: bytes) -> None:
        if isinstance(self._endpoint, serial_line.SerialTerminal) and data:
            self.board.line_baud = self._endpoint.baud or self.board.line_baud
        if self._faults.board_baud:
            self.board.line_baud = self._faults.board_baud
        self._to_board.put(data, self.board.now_us)
        arrived = self._to_board.take(self.board.now_us)
        before, self._received = self._received, self._received + len(arrived)
        if before < self._faults.reset_after_bytes <= self._received:
            until_reset = self._faults.reset_after_bytes - before
            self.board.send(arrived[:until_reset])
            self.board.let_arrive()
            self.board.reset()
            arrived = arrived[until_reset:]
        self.board.send(arrived)
        if before < self._faults.disconnect_after_bytes <= self._received:
            self._endpoint.drop_client()

    def _give_out(self) -> None:
        now_us = self.board.now_us
        self._to_host.put(self.board.take_serial(), now_us)
        data = self._to_host.take(now_us)
        if data:
            self._endpoint.send(data)

    def _do_actions(self) -> None:
        while True:
            try:
                action = self._actions.get_nowait()
            except Empty:
                return
            action(self.board)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        self._thread.join()
        self._endpoint.close()
