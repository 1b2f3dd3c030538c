"""What the stack analysis must know of the 8051's instructions: lengths and kinds of jumps.

Source: Siemens C500 architecture and instruction set manual, table of instructions by opcode.
"""

# One digit per opcode, one line per high nibble.
_LENGTHS = (
    "1231121111111111"
    "3231121111111111"
    "3211221111111111"
    "3211221111111111"
    "2223221111111111"
    "2223221111111111"
    "2223221111111111"
    "2221232222222222"
    "2221132222222222"
    "3221221111111111"
    "2221112222222222"
    "2221333333333333"
    "2221121111111111"
    "2221131122222222"
    "1211121111111111"
    "1211121111111111"
)
LENGTHS = tuple(int(digit) for digit in _LENGTHS)

LJMP, LCALL, RET, RETI, SJMP, JMP_A_DPTR = 0x02, 0x12, 0x22, 0x32, 0x80, 0x73
AJMP_BITS, ACALL_BITS = 0x01, 0x11  # low five bits; the upper three belong to the address
# Branches whose last byte is a signed distance: JBC JB JNB JC JNC JZ JNZ, CJNE, DJNZ.
BRANCHES = frozenset(
    {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0xD5, *range(0xB4, 0xC0), *range(0xD8, 0xE0)}
)


def signed(byte: int) -> int:
    """Return a byte as a two's-complement number."""
    return byte - 256 if byte > 127 else byte


def jump_target(image: bytes, address: int) -> int | None:
    """Return where the jump, branch or call at `address` leads; None if it is none or computed."""
    opcode = image[address]
    following = address + LENGTHS[opcode]
    if opcode in (LJMP, LCALL):
        return image[address + 1] << 8 | image[address + 2]
    if opcode & 0x1F in (AJMP_BITS, ACALL_BITS):
        return (following & 0xF800) | (opcode >> 5) << 8 | image[address + 1]
    if opcode == SJMP or opcode in BRANCHES:
        return (following + signed(image[following - 1])) & 0xFFFF
    return None


def is_call(opcode: int) -> bool:
    """Return whether the opcode is LCALL or ACALL."""
    return opcode == LCALL or opcode & 0x1F == ACALL_BITS


def falls_through(opcode: int) -> bool:
    """Return whether the next instruction may follow."""
    leaves = (LJMP, RET, RETI, SJMP, JMP_A_DPTR)
    return opcode not in leaves and opcode & 0x1F != AJMP_BITS
