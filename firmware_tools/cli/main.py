"""The `aksen` command."""

from typing import NoReturn

from solvers.foundation.command_line.app import App, run

app = App(
    "Build, check, flash and run firmware on the AKSEN board.",
    lazy_commands={
        "build": "firmware_tools.cli.build_commands:build",
        "size": "firmware_tools.cli.build_commands:size",
        "flash": "firmware_tools.cli.loader_commands:flash",
        "verify": "firmware_tools.cli.loader_commands:verify",
        "info": "firmware_tools.cli.loader_commands:info",
        "erase": "firmware_tools.cli.loader_commands:erase",
        "run": "firmware_tools.cli.loader_commands:run",
        "monitor": "firmware_tools.cli.line_commands:monitor",
        "ports": "firmware_tools.cli.line_commands:ports",
        "puzzle8": "firmware_tools.cli.puzzle8_command:puzzle8",
    },
)


def main() -> NoReturn:
    """Run the `aksen` command."""
    run(app)
