"""The instruction set as one table, what it is decoded into, and its arithmetic."""
