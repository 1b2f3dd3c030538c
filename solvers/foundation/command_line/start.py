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
        # Numpy's linear algebra would start a thread for each core, which takes as long as the rest
        # of numpy's import; what is computed with it here is too small for several threads.
        __import__("os").environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        __import__(module)
        sys.modules[module].main()
    except KeyboardInterrupt:
        if "--json" in sys.argv:
            print(f'{{"error": "{STOPPED}", "kind": "Stopped"}}')
        print(f"Error: {STOPPED}", file=sys.stderr)
        sys.exit(STOPPED_BY_USER)
