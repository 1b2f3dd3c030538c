"""What an operator does to a simulated brick: files put on it, commands typed."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hardware_sims.errors import InvalidScenarioError, SimulatorError

if TYPE_CHECKING:
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.nxt_firmware.files.flash import FlashFiles


def put_files(files: "FlashFiles", paths: Sequence[Path]) -> None:
    """Put files of this computer on the brick. Raises InvalidScenarioError."""
    from hardware_sims.nxt_firmware.files.names import LONGEST_NAME

    for path in paths:
        name = path.name.encode("ascii", "replace")
        if len(name) > LONGEST_NAME:
            raise InvalidScenarioError(
                f"{path.name} is too long for a brick; rename it to at most {LONGEST_NAME} letters."
            )
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InvalidScenarioError(f"Cannot read {path}: {error.strerror or error}.") from error
        if len(data) > files.free:
            raise InvalidScenarioError(f"{path} has {len(data)} bytes and does not fit the brick.")
        files.store(name, data)


def read_commands(brick: "SimulatedBrick") -> None:
    """Do what is typed, line by line, until the input ends."""
    from hardware_sims.nxt_brick.operator_commands import parse_command

    if not _may_read():
        return
    for line in sys.stdin:
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
