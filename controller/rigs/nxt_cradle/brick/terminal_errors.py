"""What Python raises where a device file turns out to be no terminal."""

import sys

# Windows has no terminals of this kind, and so no device files.
if sys.platform == "win32":
    TERMINAL_ERRORS: tuple[type[Exception], ...] = ()
else:
    import termios

    TERMINAL_ERRORS = (termios.error,)
