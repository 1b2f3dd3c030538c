"""Programs are built from this computer's C or taken from bytes; a name is a text and no path."""

from pathlib import Path

import pytest

from controller.dashboard.board.view import ProgramView, TakeRequest
from controller.dashboard.board.work import MOST_OPENED, Opened, ProgramChoice, build, open_image
from controller.dashboard.jobs import DeviceJobs
from firmware_tools.boards.facts import load_board
from firmware_tools.bootloader import protocol_for
from firmware_tools.errors import InvalidImageError
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import run_job

FACTS = load_board()
PROTOCOL = protocol_for(FACTS)
THREE_BYTES = b":03000000020030CB\n:00000001FF\n"


def test_a_dropped_file_is_bytes_and_its_name_a_text() -> None:
    shown: list[ProgramView] = []
    controller = ProgramChoice(DeviceJobs("board", lambda: "now"), FACTS, PROTOCOL, shown.append)
    with pytest.raises(InvalidInputError, match="Choose a program first"):
        _ = controller.plan
    digest = controller.open(THREE_BYTES)
    controller.take(TakeRequest(opened=digest, name="../../x.ihx"))
    assert controller.plan.image.data == b"\x02\x00\x30"
    (view,) = shown
    assert (view.name, view.bytes, view.blocks, view.state) == ("../../x.ihx", 3, 1, "ready")
    with pytest.raises(InvalidInputError, match="open it again"):
        controller.take(TakeRequest(opened="0" * 64, name="x.ihx"))


def test_what_is_no_image_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidImageError, match=r"y\.ihx has no end record"):
        open_image(FACTS, PROTOCOL, THREE_BYTES[:18], "y.ihx")


def test_a_few_files_are_kept() -> None:
    opened = Opened()
    digests = [opened.put(bytes([number])) for number in range(MOST_OPENED + 1)]
    assert opened.get(digests[-1]) == bytes([MOST_OPENED])
    with pytest.raises(InvalidInputError):
        opened.get(digests[0])


@pytest.mark.needs_sdcc
def test_a_folder_is_built_and_one_over_budget_shows_its_bars(tmp_path: Path) -> None:
    source = tmp_path / "big.c"
    source.write_text("#include <stub.h>\nchar big[9000];\nvoid AksenMain(void) { big[1] = 1; }\n")
    chosen = run_job(build(FACTS, PROTOCOL, str(tmp_path)))
    assert chosen.plan is None
    assert chosen.view.state == "failed"
    assert "xdata needs 9002 of 8192 bytes" in chosen.view.error
    xdata = next(row for row in chosen.view.memory if row.name == "xdata")
    assert xdata.used > xdata.limit
    source.write_text("#include <stub.h>\nvoid AksenMain(void) { lcd_uint(7); }\n")
    chosen = run_job(build(FACTS, PROTOCOL, str(source)))
    assert chosen.plan is not None
    assert chosen.view.chain[:2] == ("main", "AksenMain")
    assert [row.name for row in chosen.view.memory][-1] == "stack, worst case"
