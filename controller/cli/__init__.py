"""The command line: one file per subcommand."""


def main() -> None:
    """Entry point of `cuberobot`; nothing is imported before Ctrl-C is handled."""
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("controller.cli.main")
