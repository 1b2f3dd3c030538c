"""Images, boards, reports and traces; what a board or a loader answers."""

from functools import partial
from pathlib import Path
from typing import Final

import firmware_tools
from firmware_tools.boards.facts import load_board, read_board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.bootloader.hex_ack import decode
from firmware_tools.flashing import parse_image
from firmware_tools.line.serial_link import read_trace
from firmware_tools.puzzle8.protocol import parse_answer, parse_identity
from firmware_tools.sizes import parse_map, parse_mem, read_report
from tests.fuzz.target import Target, file, files, text, words

PACKAGE: Final = Path(firmware_tools.__file__).parent
HEX: Final = b":03000000020100FA\n:0401000090FFFE2250\n:00000001FF\n"
MEM: Final = """\
Internal RAM layout:
      0 1 2 3 4 5 6 7 8 9 A B C D E F
0x00:|0|0|0|0|0|0|0|0|a|a|a|b| | | | |
Stack starts at: 0x21 (sp set to 0x20) with 223 bytes available.
Other memory:
   Name             Start    End      Size     Max
   EXTERNAL RAM     0x0001   0x1b02   6914    65536
   ROM/EPROM/FLASH  0x0000   0x1265   4710    32768
"""
MAP: Final = """\
Area                                    Addr        Size        Decimal Bytes (Attributes)
CSEG                                00000100    00001234 =        4660. bytes (REL,CON,CODE)
      Value  Global                              Global Defined In Module
C:   00000249  _main                             main
C:   00000300  _fs_normalize                     _fsnormalize
"""


class BadLine:
    """A line on which something answers, whatever it is asked."""

    def __init__(self, answers: bytes) -> None:
        self._answers = bytearray(answers)

    def write(self, data: bytes) -> None:
        """Take it."""

    def read(self, count: int, timeout_s: float) -> bytes:  # noqa: ARG002 - no time passes
        """Return what comes next."""
        data = bytes(self._answers[:count])
        del self._answers[:count]
        return data

    def discard_input(self) -> None:
        """Keep it: more comes at once."""

    def close(self) -> None:
        """Do nothing."""


def _loader_session(answers: bytes, _: Path, *, name: str) -> None:
    loader = PROTOCOLS[name].open(BadLine(answers), load_board())
    loader.connect()
    loader.status()
    loader.read(0, 16)
    loader.crc32(0, 16)
    loader.run()


TARGETS: Final = (
    Target(
        "Intel HEX",
        lambda: [HEX, b"\x02\x01\x00" * 20],
        lambda data, _: parse_image(data, "image.ihx", load_board()),
    ),
    Target("HEX record", lambda: HEX.splitlines(), lambda data, _: decode(data)),
    Target("board file", files((PACKAGE / "boards", "*.toml")), file(read_board, "board.toml")),
    Target("link report", words(MEM), text(parse_mem)),
    Target("link map", words(MAP), text(parse_map)),
    Target("size report", words('{"format": 1, "code": 12}'), file(read_report, "report.json")),
    Target(
        "line trace",
        words("# aksen trace 1\n0.000000 > 00\n0.103112 < 55\n"),
        file(read_trace, "trace.txt"),
    ),
    Target(
        "puzzle8 answer",
        words("path 4 udlr 12.5 3000", "unsolvable 1.5 20", "malformed goal"),
        text(parse_answer),
    ),
    Target("puzzle8 identity", words("puzzle8 policy 1 3f2a"), text(parse_identity)),
    *(
        Target(
            f"answers of the {name} loader",
            lambda: [b"\x55" * 40, b"\x55\x89\xc5\x15" * 9, b"\0\x11\x13:.\r\n" * 8],
            partial(_loader_session, name=name),
        )
        for name in PROTOCOLS
    ),
)
