"""The shipped program: built from its source, and executable on LEGO's own firmware."""

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from controller.errors import InvalidProgramError
from controller.rigs.nxt_brick.programs import (
    GUARD,
    PLAYER,
    check_program,
    name_on_brick,
    shipped_program,
)

needs_nbc = pytest.mark.skipif(not shutil.which("nbc"), reason="needs the compiler nbc")

BRICK = Path(str(files("controller.rigs.nxt_brick")))


def compiled(folder: Path, source: Path, *options: str) -> bytes:
    """Compile a program; same source, same bytes."""
    output = folder / "out.rxe"
    command = ["nbc", "-Z2", *options, f"-O={output}", str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert output.exists(), result.stdout + result.stderr
    return output.read_bytes()


@needs_nbc
@pytest.mark.parametrize("path", [PLAYER, GUARD])
def test_shipped_program_is_what_its_source_compiles_to(tmp_path: Path, path: str) -> None:
    source = (BRICK / path).with_suffix(".nxc")
    assert compiled(tmp_path, source) == shipped_program(path), "run `make brick-program`"


@pytest.mark.parametrize("path", [PLAYER, GUARD])
def test_shipped_program_runs_on_the_standard_firmware(path: str) -> None:
    check_program(shipped_program(path))


def test_name_tells_the_content_and_fits_the_brick() -> None:
    name = name_on_brick(shipped_program())
    assert len(name) <= 19
    assert name.endswith(".rxe")
    assert name != name_on_brick(shipped_program() + b"\0")


@needs_nbc
@pytest.mark.parametrize(
    ("statements", "what"),
    [
        ("float x = sin(1); NumOut(0, 0, x);", "opcode 0x78"),
        ("FileTellType t; SysFileTell(t); NumOut(0, 0, t.Position);", "system call"),
    ],
)
def test_program_for_the_enhanced_firmware_is_refused(
    tmp_path: Path, statements: str, what: str
) -> None:
    source = tmp_path / "enhanced.nxc"
    source.write_text(f"task main() {{ {statements} }}")
    with pytest.raises(InvalidProgramError, match=f"enhanced firmware .{what}"):
        check_program(compiled(tmp_path, source, "-EF"))


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (b"", "no program"),
        (b"MindstormsNXT", "no program"),
        (bytes(3000), "no program"),
        (shipped_program()[:-1], "cut off"),
        (shipped_program() + b"\0\0", "cut off"),
        (shipped_program()[:14] + b"\2\0" + shipped_program()[16:], "version 2.0"),
        (shipped_program()[:-4] + b"\x25\x10\x25\x10", "damaged"),
    ],
)
def test_file_that_is_no_whole_program_is_refused(damaged: bytes, sentence: str) -> None:
    with pytest.raises(InvalidProgramError, match=sentence):
        check_program(damaged)
