"""The 8-puzzle on the board: tables for the firmware, its protocol, and sessions with it."""
