"""Assembly by hand, and disassembly: the ways in which the pieces of a solution go together."""
