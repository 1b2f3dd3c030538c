"""The C header through which a board's TOML reaches the firmware library."""

from typing import Final

from firmware_tools.boards.facts import Board, Register

HEADER_NAME: Final = "board_map.h"


def port_map_header(board: Board) -> str:
    """Return the text of board_map.h: one #define per constant of the board."""
    lines = [
        f"/* Generated from {board.name}.toml. Change that file, not this one. */",
        "#ifndef BOARD_MAP_H",
        "#define BOARD_MAP_H",
        "",
        *(f"#define {name} {_literal(value)}" for name, value in board.constants.items()),
        "",
        *(_definition(name, register) for name, register in board.registers.items()),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _definition(name: str, register: Register) -> str:
    meaning = register.meaning.replace("*/", "* /")
    return (
        f"/* {register.access}: {meaning} */\n#define {name}_ADDRESS {_literal(register.address)}"
    )


def _literal(value: int) -> str:
    return str(value) if value < 256 else f"0x{value:04X}"
