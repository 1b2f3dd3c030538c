"""Sizes of programs that were built before."""

from pathlib import Path

from firmware_tools.boards.facts import Board
from firmware_tools.errors import InvalidImageError
from firmware_tools.flashing.image import load_image
from firmware_tools.sizes.report import REPORT_SUFFIX, BudgetRow, SizeReport, read_report


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
