"""Memory budget of a program: bytes used of each of the board's memories."""

from dataclasses import dataclass
from pathlib import Path

from firmware_tools.boards.facts import Board, Memory
from firmware_tools.errors import InvalidImageError
from firmware_tools.flashing.image import load_image
from firmware_tools.sizes.link_report import MemorySizes
from firmware_tools.sizes.stack_usage import StackUsage
from solvers.foundation.typed_files import read_json

REPORT_SUFFIX = ".size.json"


@dataclass(frozen=True)
class BudgetRow:
    """One kind of memory, in bytes."""

    name: str
    used: int
    limit: int
    note: str = ""

    @property
    def over(self) -> bool:
        """Return whether the program needs more than there is."""
        return self.used > self.limit


@dataclass(frozen=True)
class SizeReport:
    """The budget table of one program."""

    program: str
    board: str
    rows: tuple[BudgetRow, ...]
    stack: StackUsage | None  # None if the program could not be linked

    @property
    def over_budget(self) -> bool:
        """Return whether any row is over its limit."""
        return any(row.over for row in self.rows)


def budget(
    memory: Memory, sizes: MemorySizes, program_xdata_bytes: int, stack: StackUsage | None
) -> tuple[BudgetRow, ...]:
    """Return the rows of the table."""
    library = max(0, sizes.xdata - program_xdata_bytes)
    stack_limit = memory.idata_bytes - sizes.stack_start
    rows = [
        BudgetRow("code", sizes.code, memory.code_bytes),
        BudgetRow("xdata", sizes.xdata, memory.xdata_bytes, f"{library} of them the library's"),
        BudgetRow(
            "internal RAM",
            sizes.stack_start,
            memory.idata_bytes,
            "register banks and variables; the stack has the rest",
        ),
    ]
    if stack is not None:
        certain = "" if stack.bounded else "at least; see below"
        note = certain or f"{stack.interrupt_bytes} of them for interrupts"
        rows.append(BudgetRow("stack, worst case", stack.total_bytes, stack_limit, note))
    return tuple(rows)


def read_report(path: Path) -> SizeReport:
    """Return the report that a build wrote. Raises InvalidImageError if it cannot be read."""
    try:
        return read_json(path, SizeReport, "The size report", InvalidImageError)
    except InvalidImageError as error:
        raise InvalidImageError(f"{error} Build the program again.") from error


def measure(path: Path, board: Board) -> list[SizeReport]:
    """Return the reports of the image `path`, or of every program built into the folder `path`.

    Of an image without its build's report only the code size can be said.
    Raises InvalidImageError if there is nothing to measure.
    """
    if path.is_dir():
        reports = sorted(path.glob(f"*{REPORT_SUFFIX}"))
        if not reports:
            raise InvalidImageError(f"No program was built into {path}.")
        return [read_report(report) for report in reports]
    image = load_image(path, board)
    report = path.with_name(path.stem + REPORT_SUFFIX)
    if report.is_file():
        return [read_report(report)]
    row = BudgetRow("code", image.used_bytes, board.memory.code_bytes)
    return [SizeReport(path.stem, board.title, (row,), None)]
