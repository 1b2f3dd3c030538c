/* SPDX-License-Identifier: 0BSD */
/* Console on the AKSEN board. */
#include <regc515c.h>
#include <stub.h>
#include "console.h"

#define SILENCE_MS 2000
#define COLUMNS 16
#define ROWS 2
#define TIMER_0_BITS 0x0F
#define TIMER_0_COUNTS_16_BITS 0x01
#define CYCLES_PER_MS BOARD_CYCLES_PER_MS /* given by the build */

unsigned long console_cycles;

unsigned char console_has_input(void)
{
    clear_time();
    while (!RI)
        if (akt_time() >= SILENCE_MS)
            return 0;
    return 1;
}

void console_read(XDATA char *line, unsigned char room)
{
    char character;

    for (;;) {
        character = serielle_getchar();
        if (character == '\r')
            continue;
        if (character == '\n')
            break;
        if (room > 1) {
            *line++ = character;
            room--;
        }
    }
    *line = 0;
}

void console_put(char character)
{
    serielle_putchar(character);
}

void console_write(const CODE char *text)
{
    serielle_puts(text);
}

void console_show(const CODE char *text)
{
    lcd_cls();
    lcd_puts(text);
}

void console_show_moves(IDATA char *letters, unsigned char count)
{
    unsigned char column;

    lcd_cls();
    for (column = 0; column != count && column != ROWS * COLUMNS; column++) {
        if (column == COLUMNS)
            lcd_setxy(1, 0);
        lcd_putchar(letters[column]);
    }
}

/* Timer 0 counts cycles, 16 bits of them. A short solver runs with interrupts off, so the count is
 * exact: the call with both instructions that start and stop the timer. A long one runs with the
 * 1 ms tick, whose time gives the number of overflows. */
unsigned char console_solve(void)
{
    unsigned char count;
    unsigned int rest;

    clear_time();
    TMOD = (TMOD & ~TIMER_0_BITS) | TIMER_0_COUNTS_16_BITS;
    TL0 = 0;
    TH0 = 0;
    if (solver_is_short)
        EA = 0;
    TR0 = 1;
    count = solve();
    TR0 = 0;
    EA = 1;
    rest = (unsigned int)TH0 << 8 | TL0;
    console_cycles = rest;
    if (!solver_is_short) {
        unsigned int rounds = (akt_time() * CYCLES_PER_MS - rest + 0x8000) >> 16;

        console_cycles |= (unsigned long)rounds << 16;
    }
    return count;
}
