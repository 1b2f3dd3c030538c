"""Reading the linker's .mem and .map files."""

import pytest

from firmware_tools.errors import ToolchainError
from firmware_tools.sizes import MemorySizes, object_xdata_bytes, parse_map, parse_mem

MEM = """
Stack starts at: 0x21 (sp set to 0x20) with 223 bytes available.

Other memory:
   Name             Start    End      Size     Max
   ---------------- -------- -------- -------- --------
   PAGED EXT. RAM                         0      256
   EXTERNAL RAM     0x0001   0x1b02    6914     8192
   ROM/EPROM/FLASH  0x0000   0x1265    4710    32768
"""
MAP = """
     00000018  _bp                                _bp
     00000021  __start__stack                     aksen_start
C:   0000008D  s_CSEG
C:   0000008D  A$aksen_start$146                  aksen_start
C:   0000008D  G$main$0$0                         aksen_start
C:   0000008D  _main                              aksen_start
C:   00000096  Fsw$helper$0$0                     sw
C:   000000A0  Fa$__str_1$0_0$0                   a
C:   000000A0  _AksenMain                         sw
C:   00000249  fs_normalize_a                     _fsnormalize
"""


def test_memory_sizes() -> None:
    assert parse_mem(MEM) == MemorySizes(code=4710, xdata=6914, stack_start=0x21)


def test_another_linkers_report_is_refused() -> None:
    with pytest.raises(ToolchainError, match="cannot be read"):
        parse_mem("Memory: plenty")


def test_symbols_static_functions_and_run_time_library() -> None:
    table = parse_map(MAP)
    names = [(f.address, f.name, f.module) for f in table.functions]
    assert names == [
        (0x8D, "main", "aksen_start"),
        (0x96, "helper", "sw"),
        (0xA0, "AksenMain", "sw"),
        (0x249, "fs_normalize_a", "_fsnormalize"),
    ]
    assert table.at(0x9F).name == "helper"
    assert table.at(0xA0).name == "AksenMain", "not the text that ends the module before it"
    assert table.at(0).name == "start-up code"
    assert table.addresses["_bp"] == 0x18


def test_a_programs_own_xdata() -> None:
    rel = "A CSEG size 5B flags 0 addr 0\nA XSEG size 1F flags 40 addr 0\nA XISEG size 2 flags 40\n"
    assert object_xdata_bytes([rel, rel]) == 66
