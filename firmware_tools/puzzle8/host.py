"""The puzzle8 programs compiled with gcc: the same C files with a console for the host.

`policy` is assembler on the board; on the host its twin in C, `policy-c`, stands for it.
"""

import hashlib
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from firmware_tools.building.program import find_program
from firmware_tools.errors import CompileError, NoAnswerError, ToolchainError
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm

BOARD_CONSOLE, HOST_CONSOLE = "board_console.c", "host_console.c"
TIMEOUT_S = 120
_FLAGS = ("-O2", "-std=c11")


def host_program(algorithm: Puzzle8Algorithm) -> Path:
    """Return the compiled program, from the cache or built now.

    Raises ToolchainError without gcc, CompileError.
    """
    on_host = Puzzle8Algorithm.POLICY_C if algorithm is Puzzle8Algorithm.POLICY else algorithm
    program = find_program([f"puzzle8-{on_host}"])
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
