"""The command line: one file per subcommand."""

from solvers.foundation.command_line.start import start


def begin() -> None:
    """Entry point of the `cuberobot` command."""
    start("controller.cli.main")
