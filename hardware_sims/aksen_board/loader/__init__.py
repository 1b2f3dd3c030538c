"""The boot loader: its ear and clock, its two protocols, and the flash that it writes."""
