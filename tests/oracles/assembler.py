"""A small 8051 assembler, so that tests can say what their programs do.

One instruction or `label:` per line; `;` starts a comment. Operands: A, C, AB, DPTR, R0-R7, @R0,
@R1, @DPTR, @A+DPTR, @A+PC, `#number`, addresses as numbers or register names, bits as `PSW.7` or
`/0x20.1`, labels or numbers for jumps. `.org number` moves on. AJMP and ACALL are left out.
"""

from collections.abc import Callable

from hardware_sims.mcs51.chip_state import ADDRESSES
from hardware_sims.mcs51.instructions import INSTRUCTIONS, Instruction


def assemble(source: str) -> bytes:
    """Return the machine code, from address 0 on."""
    lines = [line.split(";")[0].strip() for line in source.splitlines()]
    labels: dict[str, int] = {}
    _pass(lines, labels, lambda _: 0)

    def value_of(name: str) -> int:
        return labels[name] if name in labels else int(name, 0)

    return _pass(lines, dict(labels), value_of)


def _pass(lines: list[str], labels: dict[str, int], value_of: Callable[[str], int]) -> bytes:
    code = bytearray()
    for line in filter(None, lines):
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
        elif line.startswith(".org"):
            code += bytes(int(line.split()[1], 0) - len(code))
        else:
            code += _instruction(line, len(code), value_of)
    return bytes(code)


def _instruction(line: str, address: int, value_of: Callable[[str], int]) -> bytes:
    mnemonic, _, rest = line.partition(" ")
    tokens = [token.strip() for token in rest.split(",")] if rest.strip() else []
    for entry in INSTRUCTIONS:
        fits = len(entry.operands) == len(tokens) and all(
            _fits(operand, token, entry)
            for operand, token in zip(entry.operands, tokens, strict=True)
        )
        if entry.mnemonic == mnemonic.upper() and fits and "addr11" not in entry.operands:
            return _encode(entry, tokens, address, value_of)
    raise ValueError(f"cannot assemble {line!r}")


def _fits(operand: str, token: str, entry: Instruction) -> bool:
    match operand:
        case "Rn":
            return token == f"R{entry.opcode & 7}"
        case "@Ri":
            return token == f"@R{entry.opcode & 1}"
        case "#imm" | "#imm16":
            return token.startswith("#")
        case "/bit":
            return token.startswith("/")
        case "bit":
            return "." in token and not token.startswith("/")
        case "dir":
            return token in ADDRESSES or (token[0].isdigit() and "." not in token)
        case "rel" | "addr16":
            return token not in ADDRESSES and token[0] not in "#@/"
    return token == operand


def _encode(
    entry: Instruction, tokens: list[str], address: int, value_of: Callable[[str], int]
) -> bytes:
    encoded: list[int] = []
    for operand, token in zip(entry.operands, tokens, strict=True):
        if operand == "dir":
            encoded.append(_address(token))
        elif operand in ("bit", "/bit"):
            byte, bit = token.removeprefix("/").split(".")
            base = _address(byte)
            encoded.append((base if base >= 0x80 else (base - 0x20) * 8) + int(bit))
        elif operand == "#imm":
            encoded.append(int(token[1:], 0) & 0xFF)
        elif operand == "#imm16":
            encoded += int(token[1:], 0).to_bytes(2)
        elif operand == "addr16":
            encoded += value_of(token).to_bytes(2)
        elif operand == "rel":
            encoded.append((value_of(token) - address - entry.size) & 0xFF)
    if entry.operands == ("dir", "dir"):
        encoded.reverse()
    return bytes([entry.opcode, *encoded])


def _address(token: str) -> int:
    return ADDRESSES[token] if token in ADDRESSES else int(token, 0)
