"""The compiler sdcc, run with the flags of the AKSEN project's own programs.

The flags are those of the published config.mak ("Makefile for simple AKSEN projects", 2004) plus
what later sdcc versions need: --fsigned-char, because plain char became unsigned in 2016 and old
sources compare chars with -1; --std-sdcc11, because later defaults read `()` as "no parameters";
and the memory sizes, so that the linker checks them.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_tools.boards.facts import Memory
from firmware_tools.errors import CompileError, ToolchainError

COMMON_FLAGS = ("-mmcs51", "--std-sdcc11", "--model-large", "--stack-auto", "--fsigned-char")
TIMEOUT_S = 120
_VERSION = re.compile(r"\b(\d+\.\d+\.\d+) #(\d+)")


@dataclass(frozen=True)
class Toolchain:
    """An sdcc installation."""

    sdcc: Path
    sdar: Path
    assembler: Path
    version: str

    def compile(self, source: Path, output: Path, arguments: Sequence[str] = ()) -> str:
        """Compile one C file into the object `output` and return the compiler's warnings."""
        command = [str(self.sdcc), *COMMON_FLAGS, "--debug", *arguments]
        return self._run([*command, "-c", str(source), "-o", str(output)], source.name)

    def preprocess(self, source: Path, arguments: Sequence[str] = ()) -> str:
        """Return a C file as the compiler's preprocessor leaves it. Raises CompileError."""
        command = [str(self.sdcc), *COMMON_FLAGS, *arguments, "-E", str(source)]
        result = _execute(command, errors="surrogateescape")  # old files are often Latin-1
        if result.returncode != 0:
            # Standard output has the source as far as it was preprocessed: thousands of lines.
            raise CompileError(_refusal(source.name, result.stderr))
        return result.stdout

    def assemble(self, source: Path, output: Path, includes: Sequence[Path] = ()) -> None:
        """Assemble one file into the object `output`, with the flags that sdcc itself uses."""
        folders = [f"-I{folder}" for folder in includes]
        command = [str(self.assembler), "-plosgff", *folders, str(output), str(source)]
        self._run(command, source.name)

    def link(
        self,
        objects: Sequence[Path],
        library: Path,
        output: Path,
        memory: Memory,
    ) -> subprocess.CompletedProcess[str]:
        """Link into `output` (.ihx); the caller judges exit status and messages."""
        places = {
            "--data-loc": memory.data_start,
            "--iram-size": memory.idata_bytes,
            "--xram-size": memory.xdata_bytes,
            "--code-size": memory.code_bytes,
        }
        return self.link_at(objects, library, output, places)

    def link_at(
        self, objects: Sequence[Path], library: Path, output: Path, places: Mapping[str, int]
    ) -> subprocess.CompletedProcess[str]:
        """Link into `output`, with these flags of sdcc and their values."""
        flags = [text for flag, value in places.items() for text in (flag, str(value))]
        inputs = [*(str(path) for path in objects), str(library)]
        command = [str(self.sdcc), *COMMON_FLAGS, "--debug", *flags, *inputs, "-o", str(output)]
        return _execute(command)

    def archive(self, objects: Sequence[Path], output: Path) -> None:
        """Put objects into the archive `output` (.lib)."""
        command = [str(self.sdar), "-rc", str(output), *(str(path) for path in objects)]
        self._run(command, output.name)

    def _run(self, command: Sequence[str], what: str) -> str:
        result = _execute(command)
        if result.returncode != 0:
            raise CompileError(_refusal(what, result.stderr + result.stdout))
        return result.stderr


def _refusal(what: str, messages: str) -> str:
    return f"{what} does not compile:\n{messages.strip()}"


def include_flags(*folders: Path) -> list[str]:
    """Return the flags that make sdcc look for headers in `folders`, in this order."""
    return [text for folder in folders for text in ("-I", str(folder))]


def find_toolchain() -> Toolchain:
    """Return the sdcc installation on the PATH. Raises ToolchainError if there is none."""
    sdcc, sdar, assembler = map(shutil.which, ("sdcc", "sdar", "sdas8051"))
    if sdcc is None or sdar is None or assembler is None:
        raise ToolchainError(
            "The compiler sdcc is not installed: install it with your package manager "
            "(Debian and Ubuntu: sudo apt install sdcc; macOS: brew install sdcc)."
        )
    match = _VERSION.search(_execute([sdcc, "--version"]).stdout)
    if match is None:
        raise ToolchainError(f"{sdcc} does not say which version of sdcc it is.")
    return Toolchain(Path(sdcc), Path(sdar), Path(assembler), f"{match[1]}-{match[2]}")


def _execute(command: Sequence[str], errors: str = "replace") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors=errors,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"{command[0]} did not finish within {TIMEOUT_S} s.") from error
    except OSError as error:
        raise ToolchainError(f"{command[0]} cannot be started: {error}.") from error
