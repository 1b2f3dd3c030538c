"""Sessions with a puzzle8 program: find it, flash it where it is missing, ask, check the answer.

The same C files run on the host too, compiled with gcc. `policy` is assembler on the board; on
the host `policy-c`, the same in C, replaces it.
"""

import hashlib
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import platformdirs

from firmware_tools.board_job import flash_program
from firmware_tools.boards.facts import Board
from firmware_tools.building.program import Program, find_program
from firmware_tools.errors import BoardError, CompileError, NoAnswerError, ToolchainError
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.puzzle8 import protocol
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress, run_job
from solvers.sliding_tile.board import Board as TileBoard
from solvers.sliding_tile.board import InvalidBoardError, UnsolvableError, format_board, place

IDENTITY_TIMEOUT_S = 1.0
EXAMPLE_TIMEOUT_S = 60.0
"""The paper's slowest program took 44 s for the example that a program solves after its start."""
ATTEMPTS = 3
LONGEST_LINE = 120
MOST_NOISE_LINES = 25
MOST_NOISE_BYTES = 2000
"""Bytes after which a line is given up, two seconds at 9600 baud: noise may never stop."""
_POLL_S = 0.2


class WrongPathError(BoardError):
    """The moves that the board sent do not lead from start to goal."""


@dataclass(frozen=True)
class Task:
    """What to solve. `step_width` None leaves it to the program."""

    start: TileBoard
    goal: TileBoard
    step_width: int | None = None
    parent_heuristic: bool = False


@dataclass(frozen=True)
class CheckedAnswer:
    """An answer replayed on the host; `optimal_length` is None for an unsolvable task."""

    answer: protocol.Answer
    optimal_length: int | None

    @property
    def is_optimal(self) -> bool:
        """Return whether the path found is a shortest one."""
        found = self.answer.outcome is protocol.Outcome.PATH
        return found and len(self.answer.moves) == self.optimal_length


class Puzzle8Client:
    """Requests and answers over one open line."""

    def __init__(self, link: ByteLink) -> None:
        self._link = link

    def identity(self) -> protocol.Identity | None:
        """Return the identity of the program, or None if no puzzle8 program answers.

        Two seconds after its start a program sends its identity unasked and solves an example,
        without reading its input. An identity therefore counts only if the next query is answered
        by the same and nothing came between; otherwise the example's solution might be taken for
        the answer to a task.
        """
        for _ in range(ATTEMPTS):
            self._link.discard_input()
            # The first line end makes a complete line of whatever noise the program may have read.
            self._link.write(b"\n" + protocol.IDENTITY_QUERY)
            lines = list(self._lines_until_identity())
            if not lines:
                return None
            if identity := protocol.parse_identity(lines[-1]):
                self._link.write(protocol.IDENTITY_QUERY)
                again = run_job(self._line("identity", EXAMPLE_TIMEOUT_S))
                if again is not None and protocol.parse_identity(again) == identity:
                    return identity
            self._discard_output()
        return None

    def _lines_until_identity(self) -> Iterator[str]:
        for _ in range(MOST_NOISE_LINES):
            line = run_job(self._line("identity", IDENTITY_TIMEOUT_S))
            if line is None:
                return
            yield line
            if protocol.parse_identity(line):
                return

    def _discard_output(self) -> None:
        """Read until the program is silent."""
        for _ in range(MOST_NOISE_LINES):
            if not self._link.read(LONGEST_LINE, _POLL_S):
                return

    def solve(self, task: Task, timeout_s: float) -> Job[Progress, CheckedAnswer]:
        """Return the board's answer, replayed and compared with the shortest solution.

        Events count the seconds waited. Raises NoAnswerError after `timeout_s`, WrongPathError if
        the path leads elsewhere.
        """
        self._link.discard_input()  # an earlier answer that came too late is not this one's
        self._link.write(
            protocol.task_line(
                format_board(task.start),
                format_board(task.goal),
                task.step_width,
                parent_heuristic=task.parent_heuristic,
            )
        )
        line = yield from self._line("search", timeout_s)
        if line is None:
            raise NoAnswerError(
                f"No answer came in {timeout_s:g} s. The search may take longer (allow it more "
                "with --timeout), or the program has stopped: press reset and start again."
            )
        return check(task, protocol.parse_answer(line))

    def _line(self, what: str, timeout_s: float) -> Job[Progress, str | None]:
        """Return the next line, or None if none is complete in time, or there are only ends."""
        received, waited_s, noise = bytearray(), 0.0, 0
        while waited_s < timeout_s and len(received) < LONGEST_LINE and noise < MOST_NOISE_BYTES:
            data = self._link.read(1, _POLL_S)
            noise += len(data)
            if not data:
                waited_s += _POLL_S
                yield Progress(what, waited_s, timeout_s, "s")
            elif data in b"\r\n":
                if received:
                    return received.decode(protocol.ENCODING, errors="replace")
            else:
                received += data
        return None


def check(task: Task, answer: protocol.Answer) -> CheckedAnswer:
    """Replay an answer and look up the length of a shortest solution."""
    from solvers.sliding_tile.whole_space import UNREACHED, distance

    shortest = distance(place(task.start, task.goal))
    if answer.outcome is protocol.Outcome.PATH:
        try:
            reached = task.start.moved(answer.moves)
        except InvalidBoardError as error:
            raise WrongPathError(f"The board's path {answer.moves} is wrong: {error}") from error
        if reached != task.goal:
            raise WrongPathError(
                f"The board's path {answer.moves} leads to {format_board(reached)}, "
                f"not to {format_board(task.goal)}."
            )
    return CheckedAnswer(answer, None if shortest == UNREACHED else shortest)


BOARD_CONSOLE, HOST_CONSOLE = "board_console.c", "host_console.c"
TIMEOUT_S = 120
_FLAGS = ("-O2", "-std=c11")


def host_program(algorithm: protocol.Puzzle8Algorithm, network: Path | None = None) -> Path:
    """Return the compiled program, from the cache or built now.

    Raises ToolchainError without gcc, CompileError.
    """
    on_host = (
        protocol.Puzzle8Algorithm.POLICY_C
        if algorithm is protocol.Puzzle8Algorithm.POLICY
        else algorithm
    )
    program = puzzle8_program(on_host, network)
    sources = [
        path.with_name(HOST_CONSOLE) if path.name == BOARD_CONSOLE else path
        for path in program.sources
    ]
    digest = _digest(sources[0].parent, program.generated)
    binary = platformdirs.user_cache_path("puzzlerig") / "puzzle8" / f"{on_host}-{digest}"
    if not binary.is_file():
        _compile(sources, program.generated, binary)
    return binary


def _digest(folder: Path, generated: Mapping[str, str]) -> str:
    """Return a name for a state of all sources, so that a change makes another program."""
    digest = hashlib.sha256(" ".join(_FLAGS).encode())
    for path in sorted(folder.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for name in sorted(generated):
        digest.update(name.encode() + b"\0" + generated[name].encode())
    return digest.hexdigest()[:16]


def _compile(sources: list[Path], generated: Mapping[str, str], binary: Path) -> None:
    """Compile in a temporary folder and move the result, so that half a program never counts."""
    gcc = shutil.which("gcc") or shutil.which("cc")
    if gcc is None:
        raise ToolchainError("The host build needs gcc: install it with your package manager.")
    binary.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=binary.parent) as folder:
        work = Path(folder)
        for name, text in generated.items():
            (work / name).write_text(text, encoding="ascii")
        includes = ["-I", str(work), "-I", str(sources[0].parent)]
        files = [*map(str, sources), *map(str, sorted(work.glob("*.c")))]
        command = [gcc, *_FLAGS, *includes, *files, "-o", str(work / "program")]
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )
        if result.returncode != 0:
            raise CompileError(f"The host build failed:\n{result.stderr.strip()}")
        (work / "program").replace(binary)


class HostLink:
    """A running host program as a byte link: its standard input and output are the line."""

    def __init__(self, binary: Path) -> None:
        self._process = subprocess.Popen(
            [str(binary)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def write(self, data: bytes) -> None:
        """Send `data` to the program."""
        try:
            self._input.write(data)
        except OSError as error:
            raise NoAnswerError("The host program has ended.") from error

    def read(self, count: int, timeout_s: float) -> bytes:
        """Return up to `count` bytes, or none if nothing came in time."""
        ready, _, _ = select.select([self._output], [], [], timeout_s)
        if not ready:
            return b""
        data = os.read(self._output.fileno(), count)
        if not data:
            raise NoAnswerError("The host program has ended.")
        return data

    def discard_input(self) -> None:
        """Do nothing: the program speaks only when asked."""

    def close(self) -> None:
        """End the program."""
        self._input.close()
        self._output.close()
        self._process.wait()


_IDENTITY_QUESTIONS: Final = 5  # a program that has just been started shows its example first


class GaveUpError(PuzzlerigError):
    """The search reached the limits of its depth or its agenda."""


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Program and checked answer; times are 0 on the host, which does not count them."""

    identity: protocol.Identity
    checked: CheckedAnswer
    milliseconds: float


def solve_on_board(
    link: ByteLink,
    board: Board,
    algorithm: protocol.Puzzle8Algorithm,
    task: Task,
    timeout_s: float,
    before_flashing: Callable[[], object] = lambda: None,
    network: Path | None = None,
) -> Job[Progress, SessionReport]:
    """Have the board solve a task; flash `algorithm` first if the board runs another program.

    `before_flashing` may reset a simulated board. `network` is the file of a network to use instead
    of the shipped one. Raises NoAnswerError if no boot loader answers
    then, GaveUpError, UnsolvableError, and what flashing and asking raise.
    """
    client = Puzzle8Client(link)
    program = puzzle8_program(algorithm, network)
    yield Progress("ask which program runs", 0, None)
    identity = client.identity()
    if identity is None or not _is_wanted(identity, algorithm, program):
        yield from _flash(link, board, algorithm, program, identity, before_flashing)
        identity = _identity_after_start(client)
    checked = yield from client.solve(task, timeout_s)
    milliseconds = 1000 * checked.answer.cycles / board.mcu.cycles_per_second
    return _report(task, SessionReport(identity, checked, milliseconds))


def solve_on_host(
    algorithm: protocol.Puzzle8Algorithm,
    task: Task,
    timeout_s: float,
    network: Path | None = None,
) -> Job[Progress, SessionReport]:
    """Have the same C files solve a task on this computer. Raises as `solve_on_board`."""
    yield Progress("compile the program", 0, None)
    with closing(HostLink(host_program(algorithm, network))) as link:
        client = Puzzle8Client(link)
        identity = client.identity()
        if identity is None:
            raise NoAnswerError("The host program does not answer.")
        checked = yield from client.solve(task, timeout_s)
    return _report(task, SessionReport(identity, checked, 0.0))


def puzzle8_program(algorithm: protocol.Puzzle8Algorithm, network: Path | None = None) -> Program:
    """Return the program of an algorithm; with another network than the shipped one if named.

    Raises InvalidNetworkError if the file is none, or the algorithm is not `neural`.
    """
    program = find_program([f"puzzle8-{algorithm}"])
    if network is None:
        return program
    from firmware_tools.puzzle8.network import InvalidNetworkError, read_network
    from firmware_tools.puzzle8.tables import neural_sources

    if algorithm is not protocol.Puzzle8Algorithm.NEURAL:
        raise InvalidNetworkError(f"The algorithm {algorithm} has no network; neural has one.")
    return replace(program, generated=neural_sources(read_network(network)))


def _is_wanted(
    identity: protocol.Identity, algorithm: protocol.Puzzle8Algorithm, program: Program
) -> bool:
    tables = identity.tables == "none" or any(
        identity.tables in text for text in program.generated.values()
    )
    return (identity.algorithm, identity.protocol) == (algorithm, protocol.PROTOCOL) and tables


def _flash(
    link: ByteLink,
    board: Board,
    algorithm: protocol.Puzzle8Algorithm,
    program: Program,
    running: protocol.Identity | None,
    before: Callable[[], object],
) -> Job[Progress, None]:
    try:
        yield from flash_program(link, board, program, before)
    except NoAnswerError as error:
        if running is None:
            raise
        raise NoAnswerError(
            f"The board runs puzzle8 {running.algorithm}, not {algorithm}. To flash another "
            "program, set the mode switch to red, press reset, and repeat the command."
        ) from error


def _identity_after_start(client: Puzzle8Client) -> protocol.Identity:
    for _ in range(_IDENTITY_QUESTIONS):
        identity = client.identity()
        if identity is not None:
            return identity
    raise NoAnswerError("The program was flashed and started, but does not answer: press reset.")


def _report(task: Task, report: SessionReport) -> SessionReport:
    """Return the report of a path. Raises for every other outcome."""
    checked = report.checked
    boards = f"{format_board(task.start)} to {format_board(task.goal)}"
    if checked.answer.outcome is protocol.Outcome.UNSOLVABLE:
        if checked.optimal_length is not None:
            raise PuzzlerigError(f"The board calls {boards} unsolvable, which is wrong.")
        raise UnsolvableError(f"The board finds no moves from {boards}, and there are none.")
    if checked.answer.outcome is protocol.Outcome.GAVE_UP:
        raise GaveUpError(
            f"{report.identity.algorithm} reached its limits on the way from {boards}, which takes "
            f"{checked.optimal_length} moves. The algorithm policy solves every position."
        )
    return report
