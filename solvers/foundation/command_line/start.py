"""The start of a command line: handles Ctrl-C while the rest is imported."""

import sys

STOPPED_BY_USER = 130  # what shells report of a command that Ctrl-C ended
STOPPED = "Stopped by you."


def start(module: str) -> None:
    """Import a command line's module and call its `main`, which ends the process.

    Nothing else is imported first, not even `importlib`: until the `try` below, Ctrl-C prints a
    traceback.
    """
    try:
        __import__(module)
        sys.modules[module].main()
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            print(f'{{"error": "{STOPPED}", "kind": "Stopped"}}')
        print(f"Error: {STOPPED}", file=sys.stderr)
        sys.exit(STOPPED_BY_USER)
