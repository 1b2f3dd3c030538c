"""The `aksen` command line."""


def main() -> None:
    """Entry point of the `aksen` command; imports come after Ctrl-C is handled."""
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("firmware_tools.cli.main")
