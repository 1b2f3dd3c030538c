"""The command line: one file per subcommand."""


def main() -> None:
    """Entry point of the `puzzle` command; imports come after Ctrl-C is handled."""
    # Importing takes long enough for Ctrl-C to hit it; there is no handler in place yet.
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("solvers.cli.main")
