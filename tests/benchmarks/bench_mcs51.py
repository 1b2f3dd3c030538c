"""The simulated 8051: speed against s51, and a hundred million random instructions.

Both simulators run the same image to the same instruction, and the benchmark fails if their
registers, memory or cycle counts differ. Time is processor time: ours by `time.process_time`, that
of s51 as the system counts it, less what a run of two instructions takes (start and dumps). The
report of s51 itself ("Host usage") is wall time and of no use on a busy machine.
"""

import re
import subprocess
import tempfile
import time
from pathlib import Path

from hardware_sims.mcs51.microcontroller import Microcontroller
from tests.oracles.random_program import random_program
from tests.oracles.s51 import SFR_NAMES, Snapshot, run_s51

RANDOM_PROGRAMS, INSTRUCTIONS_PER_PROGRAM, ROUNDS = 20, 18_000, 300
PROGRAMS = {
    "sieve of Eratosthenes, 16-bit indices in xdata": """
#define N 2000
__xdata unsigned char flags[N];
unsigned int count;
void done(void) { while (1); }
void main(void) {
    unsigned int i, j; unsigned char round;
    for (round = 0; round < 120; round++) {
        count = 0;
        for (i = 0; i < N; i++) flags[i] = 1;
        for (i = 2; i < N; i++)
            if (flags[i]) { count++; for (j = i + i; j < N; j += i) flags[j] = 0; }
    }
    done();
}
""",
    "sorting, CRC, recursion, 32-bit and float arithmetic": """
__xdata unsigned char numbers[64];
__xdata long total;
static long fibonacci(unsigned char n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static unsigned int crc(unsigned char *p, unsigned char n) {
    unsigned int c = 0xFFFF; unsigned char i;
    while (n--) { c ^= *p++; for (i = 0; i < 8; i++) c = c & 1 ? (c >> 1) ^ 0xA001 : c >> 1; }
    return c;
}
void done(void) { while (1); }
void main(void) {
    unsigned char i, j, t, round; float f = 0;
    for (round = 0; round < 120; round++) {
        for (i = 0; i < 64; i++) numbers[i] = i * 73 + round;
        for (i = 0; i < 64; i++) for (j = i + 1; j < 64; j++)
            if (numbers[i] > numbers[j])
                { t = numbers[i]; numbers[i] = numbers[j]; numbers[j] = t; }
        total += crc(numbers, 64) + fibonacci(10);
        total = total * 7 % 100003L;
        f += total / 3.0f; total ^= (long)f;
    }
    done();
}
""",
    "counting with a timer interrupt every millisecond": """
#include <8052.h>
volatile __xdata unsigned long ticks;
__xdata unsigned long sum;
void tick(void) __interrupt(1) { TH0 = 0xFC; TL0 = 0x18; ticks++; }
void done(void) { while (1); }
void main(void) {
    unsigned int i;
    TMOD = 0x01; TH0 = 0xFC; TL0 = 0x18; TR0 = 1; IE = 0x82;
    for (i = 0; i < 60000; i++) sum += i * 3;
    IE = 0;
    done();
}
""",
}


def run() -> str:
    """Return the section's text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        speed = _speed_table(folder)
        return f"{speed}\n\n{_random_instructions(folder)}"


def _speed_table(folder: Path) -> str:
    lines = [
        "| compiled C (sdcc, large model, stack-auto) | machine cycles | s51, million cycles/s "
        "| ours, million cycles/s | ratio |",
        "|---|--:|--:|--:|--:|",
    ]
    overhead_s = run_s51(bytes(3), stop_at=2, folder=folder).cpu_s
    for number, (title, source) in enumerate(PROGRAMS.items()):
        image, stop_at = _compile(source, folder / str(number))
        expected = run_s51(image, stop_at=stop_at, folder=folder, timeout_s=600)
        found, seconds = _run_ours(image, stop_at)
        assert found == expected, f"{title}: the simulators differ"
        theirs, mine = (expected.cycles / s / 1e6 for s in (expected.cpu_s - overhead_s, seconds))
        lines.append(
            f"| {title} | {expected.cycles:,} | {theirs:.1f} | {mine:.0f} | {mine / theirs:.0f}x |"
        )
    lines.append("")
    lines.append(
        "Same registers, memory and cycle counts in every row; all watches of ours are on. One "
        "machine cycle of the board is a microsecond, so a million cycles/s is real time."
    )
    return "\n".join(lines)


def _compile(source: str, folder: Path) -> tuple[Path, int]:
    folder.mkdir()
    (folder / "program.c").write_text(source)
    command = ["sdcc", "-mmcs51", "--model-large", "--stack-auto", "--data-loc", "0x18"]
    command += ["--iram-size", "256", "-o", "program.ihx", "program.c"]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    symbol = re.search(r"([0-9A-F]{8})\s+_done\b", (folder / "program.map").read_text())
    assert symbol is not None
    return folder / "program.ihx", int(symbol[1], 16)


def _run_ours(image: bytes | Path, stop_at: int, hits: int = 1) -> tuple[Snapshot, float]:
    """Run in our core, which enters interrupts as fast as s51 does here (see the unit tests)."""
    _new_chip(image).run_cycles(1)  # the compiled core is loaded before the clock starts
    chip = _new_chip(image)
    start = time.process_time()
    for _ in range(hits):
        assert chip.run_until(pc=stop_at)
    seconds = time.process_time() - start
    snapshot = Snapshot(
        cycles=chip.cycles,
        pc=chip.pc,
        registers={name: chip.register(name) for name in SFR_NAMES},
        idata=bytes(chip.idata),
        xdata=bytes(chip.xdata),
    )
    return snapshot, seconds


def _new_chip(image: bytes | Path) -> Microcontroller:
    chip = Microcontroller(interrupt_entry_cycles=1)
    chip.load(image)
    return chip


def _random_instructions(folder: Path) -> str:
    total = 0
    for seed in range(1000, 1000 + RANDOM_PROGRAMS):
        code, last = random_program(seed, INSTRUCTIONS_PER_PROGRAM)
        expected = run_s51(code, stop_at=last, hits=ROUNDS, folder=folder, timeout_s=900)
        found, _ = _run_ours(code, last, ROUNDS)
        assert found == expected, f"random program {seed}: the simulators differ"
        total += expected.instructions
    return (
        f"{total:,} random instructions in {RANDOM_PROGRAMS} programs with every opcode but A5h: "
        "no difference in registers, memory or cycles."
    )
