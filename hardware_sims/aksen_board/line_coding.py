"""What a line carries, and what a receiver makes of a byte that was sent at another speed."""

DATA_BITS = 8
MOST_ON_THE_LINE = 4096
"""Bytes on their way: as many as Linux keeps for a serial port (N_TTY_BUF_SIZE)."""


def heard(value: int, sender_bit: float, receiver_bit: float) -> tuple[int, bool]:
    """Sample an 8-N-1 frame in the middle of each of the receiver's bits.

    Returns the byte and whether its stop bit was there; bit lengths in any common unit. With equal
    speeds the byte comes out as sent, and so it does up to about 5 % of difference.
    """
    levels = [0, *(value >> bit & 1 for bit in range(DATA_BITS)), 1]

    def level(position: float) -> int:
        sent_bit = int((position + 0.5) * receiver_bit / sender_bit)
        return levels[sent_bit] if sent_bit < len(levels) else 1

    byte = sum(level(1 + bit) << bit for bit in range(DATA_BITS))
    return byte, level(1 + DATA_BITS) == 1
