"""Begins a command line: from here on Ctrl-C is heard in order, while the rest is imported."""

import sys

STOPPED_BY_USER = 130  # what shells report of a command that Ctrl-C ended
STOPPED = "Stopped by you."


def start(module: str) -> None:
    """Import a command line's module and call its `main`, which ends the process.

    Nothing is imported for that itself, not even `importlib`: what is not guarded yet has to be
    over in a moment.
    """
    try:
        __import__(module)
        sys.modules[module].main()
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            print(f'{{"error": "{STOPPED}", "kind": "Stopped"}}')
        print(f"Error: {STOPPED}", file=sys.stderr)
        sys.exit(STOPPED_BY_USER)
