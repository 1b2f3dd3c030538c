"""The `aksen` command line."""


def begin() -> None:
    """Entry point of the `aksen` command; nothing is imported before Ctrl-C is heard in order."""
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("firmware_tools.cli.main")
