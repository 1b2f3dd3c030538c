"""Runs a program in s51 (uCsim), the simulator that comes with sdcc, and reads its state back.

All console commands go in one batch, because each start and stop of the simulation costs about
an eighth of a second. `-X 12M` makes its 12-clock cycle one microsecond, as on the board.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from intelhex import IntelHex

from tests.cpu_time import children_cpu_s

S51 = shutil.which("s51")
CLOCKS_PER_CYCLE = 12
SFR_NAMES = {"SP": 0x81, "DPL": 0x82, "DPH": 0x83, "PSW": 0xD0, "ACC": 0xE0, "B": 0xF0}


@dataclass(frozen=True)
class Snapshot:
    """State of a chip: what both simulators must agree on."""

    cycles: int
    pc: int
    registers: dict[str, int]
    idata: bytes
    xdata: bytes
    instructions: int = field(default=0, compare=False)
    cpu_s: float = field(default=0.0, compare=False)
    """Processor time of the whole s51 process, its start and its dumps included."""


def run_s51(
    image: bytes | Path, *, stop_at: int, hits: int = 1, folder: Path, timeout_s: float = 120
) -> Snapshot:
    """Run from reset until `stop_at` is reached for the `hits`-th time; RAM starts as zeros."""
    assert S51, "s51 is not installed"
    path = image if isinstance(image, Path) else _write(image, folder / "program.ihx")
    commands = [
        "fill xram 0 0xffff 0",
        "fill iram 0 0xff 0",
        f"break {stop_at:#x} {hits}",
        "run",
        "dump /i iram 0 0xff",
        "dump /i sfr 0x80 0xff",
        "dump /i xram 0 0xffff",
        "state",
        "expr sim_ticks",
        "expr PC",
        "quit",
    ]
    cpu_before_s = children_cpu_s()
    finished = subprocess.run(
        [S51, "-t", "52", "-X", "12M", "-b", "-q", str(path)],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    return _parse(finished.stdout, children_cpu_s() - cpu_before_s)


def _write(image: bytes, path: Path) -> Path:
    contents = IntelHex()
    contents.puts(0, image)
    contents.write_hex_file(str(path))
    return path


def _parse(output: str, cpu_s: float) -> Snapshot:
    blocks = re.findall(r"((?:^:[0-9A-F]+\n)+?):00000001FF\n", output, re.MULTILINE)
    assert len(blocks) == 3, output[-2000:]
    idata, sfr, xdata = (_bytes(block) for block in blocks)
    ticks, pc = (int(line) for line in re.findall(r"^-?\d+$", output, re.MULTILINE)[-2:])
    return Snapshot(
        cycles=ticks // CLOCKS_PER_CYCLE,
        pc=pc,
        registers={name: sfr[address] for name, address in SFR_NAMES.items()},
        idata=idata[:256],
        xdata=xdata,
        instructions=int(re.findall(r"Inst= (\d+)", output)[-1]),
        cpu_s=cpu_s,
    )


def _bytes(block: str) -> bytes:
    """Return the data of Intel-HEX records in address order, from address 0."""
    size = 0x10000
    memory = bytearray(size)
    end = 0
    for line in block.split():
        record = bytes.fromhex(line[1:])
        if record[3] == 0:
            address = record[1] << 8 | record[2]
            memory[address : address + record[0]] = record[4:-1]
            end = max(end, address + record[0])
    return bytes(memory[:end])
