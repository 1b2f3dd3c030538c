"""A 2x16 character display with an HD44780 controller on its 8-bit interface.

Source: Hitachi HD44780U data sheet: instruction table, execution times at 270 kHz (37 us, clear
and home 1.52 ms, 41 us after a data write with its address update), character ROM A00.
"""

ROW_CELLS = 40
SECOND_ROW_ADDRESS = 0x40
SHORT_US, DATA_US, LONG_US = 37, 41, 1520
BUSY = 0x80
BLANK = 0x20

# Cells of ROM A00 that are not their ASCII character.
ROM_A00 = {
    0x5C: "¥", 0x7E: "→", 0x7F: "←", 0xDF: "°", 0xE1: "ä", 0xE2: "ß", 0xE4: "µ", 0xEF: "ö",
    0xF5: "ü", 0xFF: "█",
}  # fmt: skip
UNKNOWN = "▯"


class CharacterLcd:
    """Display memory, cursor, and the busy time in which the controller ignores what it is sent."""

    def __init__(self, rows: int = 2, columns: int = 16) -> None:
        self.rows, self.columns = rows, columns
        self.ignored_writes = 0
        self.reset()

    def reset(self) -> None:
        """Power on: cleared, display off, one line, cursor moves right."""
        self._cells = bytearray([BLANK] * (2 * ROW_CELLS))
        self._glyphs = bytearray(64)
        self._address = 0
        self._writes_glyphs = False
        self._increment = 1
        self._shifts_on_write = False
        self._shift = 0
        self.is_on = False
        self.has_two_rows = False
        self._busy_until_us = 0

    def show(self, *rows: str) -> None:
        """Let the board's own firmware write: these texts and nothing else."""
        self.reset()
        self.is_on = self.has_two_rows = True
        for row, text in enumerate(rows):
            first = row * ROW_CELLS
            self._cells[first : first + len(text)] = text.encode("ascii")

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads, one string of `columns` characters per row."""
        return tuple(self._row_text(row) for row in range(self.rows))

    def _row_text(self, row: int) -> str:
        if not self.is_on or (row and not self.has_two_rows):
            return " " * self.columns
        cells = (
            self._cells[row * ROW_CELLS + (column + self._shift) % ROW_CELLS]
            for column in range(self.columns)
        )
        return "".join(_character(cell) for cell in cells)

    def read_status(self, now_us: int) -> int:
        """Return the busy flag in bit 7 and the address counter below."""
        return (BUSY if now_us < self._busy_until_us else 0) | self._address

    def read_data(self, now_us: int) -> int:
        """Return the byte at the cursor and move on."""
        memory, index = self._place()
        value = memory[index]
        self._step()
        self._busy_until_us = now_us + DATA_US
        return value

    def write_data(self, value: int, now_us: int) -> None:
        """Put a character (or a glyph's row) at the cursor and move on."""
        if self._is_busy(now_us):
            return
        memory, index = self._place()
        memory[index] = value
        self._step()
        if self._shifts_on_write and not self._writes_glyphs:
            self._shift = (self._shift + self._increment) % ROW_CELLS
        self._busy_until_us = now_us + DATA_US

    def write_command(self, command: int, now_us: int) -> None:
        """Execute an instruction; its highest set bit says which."""
        if self._is_busy(now_us) or command == 0:
            return
        duration_us = SHORT_US
        if command & 0x80:
            self._address, self._writes_glyphs = command & 0x7F, False
        elif command & 0x40:
            self._address, self._writes_glyphs = command & 0x3F, True
        elif command & 0x20:
            self.has_two_rows = bool(command & 0x08)
        elif command & 0x10:
            self._shift_or_move(command)
        elif command & 0x08:
            self.is_on = bool(command & 0x04)
        elif command & 0x04:
            self._increment = 1 if command & 0x02 else -1
            self._shifts_on_write = bool(command & 0x01)
        else:
            self._home(clear=command == 0x01)
            duration_us = LONG_US
        self._busy_until_us = now_us + duration_us

    def _is_busy(self, now_us: int) -> bool:
        if now_us >= self._busy_until_us:
            return False
        self.ignored_writes += 1
        return True

    def _home(self, clear: bool) -> None:
        if clear:
            self._cells[:] = bytes([BLANK]) * len(self._cells)
            self._increment = 1
        self._address, self._writes_glyphs, self._shift = 0, False, 0

    def _shift_or_move(self, command: int) -> None:
        step = 1 if command & 0x04 else -1
        if command & 0x08:
            # A shift to the right shows cells further left.
            self._shift = (self._shift - step) % ROW_CELLS
        else:
            self._move(step)

    def _place(self) -> tuple[bytearray, int]:
        if self._writes_glyphs:
            return self._glyphs, self._address & 0x3F
        row, column = divmod(self._address, SECOND_ROW_ADDRESS)
        return self._cells, row * ROW_CELLS + column % ROW_CELLS

    def _step(self) -> None:
        self._move(self._increment)

    def _move(self, step: int) -> None:
        if self._writes_glyphs:
            self._address = (self._address + step) & 0x3F
            return
        # The two rows of 40 cells form one ring: 00h-27h, 40h-67h.
        _, position = self._place()
        row, column = divmod((position + step) % (2 * ROW_CELLS), ROW_CELLS)
        self._address = row * SECOND_ROW_ADDRESS + column


def _character(cell: int) -> str:
    if cell in ROM_A00:
        return ROM_A00[cell]
    return chr(cell) if 0x20 <= cell < 0x7F else UNKNOWN
