"""The command line: one file per subcommand."""


def main() -> None:
    """Entry point of the `hwsim` command; imports come after Ctrl-C is handled."""
    try:
        from solvers.foundation.command_line.start import start
    except KeyboardInterrupt:
        raise SystemExit("Error: Stopped by you.") from None
    start("hardware_sims.cli.main")
