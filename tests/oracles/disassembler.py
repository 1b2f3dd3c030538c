"""Prints machine code as assembler text, from the opcode table alone."""

from hardware_sims.mcs51.chip_state import ADDRESSES
from hardware_sims.mcs51.instructions import INSTRUCTIONS

_NAMES = {address: name for name, address in ADDRESSES.items()}


def disassemble(code: bytes, address: int) -> tuple[str, int]:
    """Return the instruction at `address` as text, and its size in bytes.

    Bytes beyond the end of `code` count as FFh, as in erased flash.
    """
    opcode, *following = (
        code[place] if place < len(code) else 0xFF for place in range(address, address + 3)
    )
    entry = INSTRUCTIONS[opcode]
    encoded = following[: entry.size - 1]
    if entry.operands == ("dir", "dir"):
        encoded.reverse()
    operands = [_operand(name, opcode, encoded, address + entry.size) for name in entry.operands]
    return f"{entry.mnemonic} {', '.join(operands)}".strip(), entry.size


def _operand(name: str, opcode: int, encoded: list[int], following: int) -> str:
    """Return one operand as text, taking its bytes from `encoded`."""
    match name:
        case "Rn":
            return f"R{opcode & 7}"
        case "@Ri":
            return f"@R{opcode & 1}"
        case "dir":
            return _direct(encoded.pop(0))
        case "bit" | "/bit":
            bit = encoded.pop(0)
            byte = 0x20 + (bit >> 3) if bit < 0x80 else bit & 0xF8
            return f"{name.removesuffix('bit')}{_direct(byte)}.{bit & 7}"
        case "#imm":
            return f"#{_hex(encoded.pop(0), 2)}"
        case "#imm16":
            return f"#{_hex(encoded.pop(0) << 8 | encoded.pop(0), 4)}"
        case "rel":
            distance = encoded.pop(0)
            return _hex((following + distance - ((distance & 0x80) << 1)) & 0xFFFF, 4)
        case "addr16":
            return _hex(encoded.pop(0) << 8 | encoded.pop(0), 4)
        case "addr11":
            return _hex(following & 0xF800 | (opcode & 0xE0) << 3 | encoded.pop(0), 4)
    return name


def _direct(address: int) -> str:
    return _NAMES.get(address, _hex(address, 2))


def _hex(value: int, digits: int) -> str:
    """Return assembler's hexadecimal: a leading 0 where a letter would come first."""
    text = f"{value:0{digits}X}h"
    return text if text[0].isdigit() else f"0{text}"
