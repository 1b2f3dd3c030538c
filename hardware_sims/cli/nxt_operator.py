"""What an operator does to a simulated brick: files put on it, commands typed."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.files import iter_lines, read_bytes

if TYPE_CHECKING:
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_firmware.flash import FlashFiles


def put_files(files: "FlashFiles", paths: Sequence[Path]) -> None:
    """Put files of this computer on the brick. Raises InvalidScenarioError."""
    from hardware_sims.nxt_firmware.flash import LONGEST_NAME
    from hardware_sims.nxt_firmware.statuses import CommandError

    for path in paths:
        name = path.name.encode("ascii", "replace")
        if len(name) > LONGEST_NAME:
            raise InvalidScenarioError(
                f"{path.name} is too long for a brick; rename it to at most {LONGEST_NAME} letters."
            )
        data = read_bytes(path, InvalidScenarioError, "The file")
        try:
            files.store(name, data)
        except CommandError:
            raise InvalidScenarioError(
                f"{path} has {len(data)} bytes; only {files.free} are free on the brick."
            ) from None


def read_commands(brick: "SimulatedBrick") -> None:
    """Do what is typed, line by line, until the input ends."""
    from hardware_sims.nxt_brick.operator_commands import parse_command

    if not _may_read():
        return
    for line in iter_lines(sys.stdin, SimulatorError, "The input"):
        if line.strip():
            try:
                brick.operate(parse_command(line))
            except SimulatorError as error:
                print(f"Error: {error}", file=sys.stderr, flush=True)


def _may_read() -> bool:
    """Return whether the input is ours: not a terminal at which another command is waiting."""
    if not sys.stdin.isatty():
        return True
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False
