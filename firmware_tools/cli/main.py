"""The `aksen` command."""

from typing import NoReturn

from solvers.foundation.command_line.app import run
from solvers.foundation.command_line.commands import new_app

app = new_app(
    "Build, check, flash and run firmware on the AKSEN board.",
    {
        "build": "firmware_tools.cli.build_command:build",
        "size": "firmware_tools.cli.size_command:size",
        "flash": "firmware_tools.cli.flash_command:flash",
        "verify": "firmware_tools.cli.verify_command:verify",
        "info": "firmware_tools.cli.info_command:info",
        "erase": "firmware_tools.cli.erase_command:erase",
        "run": "firmware_tools.cli.run_command:run",
        "monitor": "firmware_tools.cli.monitor_command:monitor",
        "ports": "firmware_tools.cli.ports_command:ports",
        "puzzle8": "firmware_tools.cli.puzzle8_command:puzzle8",
    },
)


def main() -> NoReturn:
    """Run the `aksen` command."""
    run(app)
