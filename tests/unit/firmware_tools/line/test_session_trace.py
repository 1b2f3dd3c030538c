"""Traces: what is written, and playing it back."""

from pathlib import Path
from typing import Any

import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.block import BlockLoader
from firmware_tools.errors import InvalidTraceError, PortError
from firmware_tools.line.serial_link import TracingLink, open_link, read_trace
from solvers.foundation.clock import ImmediateClock
from tests.full_disk import full_disk


class TickingClock(ImmediateClock):
    """A clock that moves on by 10 ms whenever it is read."""

    def now(self) -> float:
        self.sleep(0.01)
        return super().now()


def test_a_recorded_session_plays_back(script: Any, aksen: Board, tmp_path: Path) -> None:
    script.host("00").board("55").host("00 0A 00 00 00 00 00 0A").board("55 C5 15 0C 01 DD")
    path = tmp_path / "session.trace"
    with path.open("w", encoding="ascii") as file:
        link = TracingLink(script.link(), file, TickingClock())
        chip_id = BlockLoader(link, aksen).connect()
        link.close()
    lines = path.read_text(encoding="ascii").splitlines()
    assert lines[0] == "# aksen trace 1"
    assert lines[1].split() == ["0.010000", ">", "00"]
    assert lines[2].split()[1:] == ["<", "55"]
    replayed = open_link(f"replay:{path}", aksen.baud, TickingClock())
    assert BlockLoader(replayed, aksen).connect() == chip_id


def test_leaving_the_trace_is_an_error(script: Any) -> None:
    script.host("00")
    with pytest.raises(PortError, match="differs from the trace"):
        script.link().write(b"\x01")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a trace"),
        ("# aksen trace 2\n", "not a trace"),
        ("# aksen trace 1\n0.0 > XX\n", "line 2"),
        ("# aksen trace 1\n0.0 ? 00\n", "line 2"),
        ("# aksen trace 1\nsoon > 00\n", "line 2"),
    ],
)
def test_damaged_traces(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.trace"
    path.write_text(text, encoding="ascii")
    with pytest.raises(InvalidTraceError, match=message):
        read_trace(path)


def test_a_trace_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(InvalidTraceError, match="cannot be read"):
        read_trace(tmp_path / "none.trace")
    with pytest.raises(PortError, match="cannot be written"):
        open_link("loop://", 9600, TickingClock(), tmp_path / "no" / "folder.trace")


def test_a_full_disk_is_a_sentence(tmp_path: Path, script: Any) -> None:
    file = (tmp_path / "trace").open("w", encoding="ascii")
    link = TracingLink(script.host(bytes(20_000).hex()).link(), file, TickingClock())
    with full_disk(), pytest.raises(PortError, match="cannot be written any more"):
        link.write(bytes(20_000))
    link.close()
