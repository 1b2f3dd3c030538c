"""Where a simulated device meets its client: a TCP port or a pseudo-terminal."""
