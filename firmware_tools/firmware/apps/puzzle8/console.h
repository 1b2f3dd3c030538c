/* SPDX-License-Identifier: 0BSD */
/* Serial line, display and stop-watch: board_console.c on the board, host_console.c on the host. */
#ifndef CONSOLE_H
#define CONSOLE_H

#include "solver.h"

/* Returns 1 if a byte arrives within two seconds. */
unsigned char console_has_input(void);

/* Reads a line without its end; what is longer than `room` - 1 characters is dropped. */
void console_read(XDATA char *line, unsigned char room);

/* Both write to the serial line. */
void console_put(char character);
void console_write(const CODE char *text);

/* Shows a text on the display. */
void console_show(const CODE char *text);

/* Shows `count` letters on the display, 16 in a row; as many as there is room for. */
void console_show_moves(IDATA char *letters, unsigned char count);

/* Calls solve() and counts the machine cycles it takes. */
unsigned char console_solve(void);
extern unsigned long console_cycles;

#endif
