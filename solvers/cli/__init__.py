"""The command line: one file per subcommand."""


def begin() -> None:
    """Entry point of the `puzzle` command; nothing is imported before Ctrl-C is heard in order."""
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("solvers.cli.main")
