"""The tree's own rules: which folders there are, and how large a folder and a module may grow."""

import subprocess
from collections import Counter
from pathlib import PurePosixPath
from typing import Final

from tests.architecture.sources import ROOT, modules, source

FOLDERS = {".ci", "controller", "docs", "firmware_tools", "hardware_sims", "solvers", "tests"}
MOST_MODULES = 12
NOT_COUNTED = {"__init__.py", "main.py"}  # the door of a folder, and of its command line
MOST_LINES = 250
LONGER: Final[dict[str, str]] = {
    "hardware_sims/mcs51/kernel.py": "a chip's instruction set, compiled as one function",
    "hardware_sims/nxt_firmware/io_maps.py": "tables of offsets",
    "hardware_sims/nxt_brick/telegrams/direct_commands.py": "one function a telegram",
    "hardware_sims/nxt_brick/telegrams/system_commands.py": "one function a telegram",
    "hardware_sims/cube_rig/mechanics/contacts.py": "the contacts of one mechanism",
    "hardware_sims/nxt_firmware/files/flash.py": "one function a call of the firmware's loader",
    "hardware_sims/nxt_vm/command_module.py": "one function a request to the firmware's module",
    "hardware_sims/nxt_vm/interpreter/aggregates.py": "one walk over nested variables",
    "hardware_sims/nxt_vm/interpreter/instructions.py": "one function an instruction",
    "solvers/search/lanes_llvm.py": "one function a vector instruction",
}
"""Modules that may be longer, each with the reason."""


def test_the_top_folders_are_the_agreed_ones() -> None:
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = map(PurePosixPath, listing.stdout.splitlines())
    assert {path.parts[0] for path in paths if len(path.parts) > 1} == FOLDERS


def test_no_folder_is_a_heap() -> None:
    paths = (PurePosixPath(module) for module in modules())
    sizes = Counter(path.parent.as_posix() for path in paths if path.name not in NOT_COUNTED)
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def test_no_module_is_long() -> None:
    lengths = {module: source(module).count("\n") for module in modules()}
    long = {module: lines for module, lines in lengths.items() if lines > MOST_LINES}
    assert {module: lines for module, lines in long.items() if module not in LONGER} == {}
    assert LONGER.keys() - long.keys() == set(), "exceptions that are not needed any more"
