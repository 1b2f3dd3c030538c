"""The 8-puzzle on the board: tables for the firmware, the lines it speaks, whole sessions."""
