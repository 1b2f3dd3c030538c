"""`puzzle ubongo`: cards of Ubongo 3-D, solved, asked for and made."""
