"""The serial line to the host: a port or a terminal, its faults, and the board's time behind it."""
