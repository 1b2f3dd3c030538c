/* SPDX-License-Identifier: 0BSD */
/* Console of the host build: standard input and output for the serial line, no display, and no
 * machine cycles to count.
 */
#include <stdio.h>
#include <stdlib.h>
#include "console.h"

void AksenMain(void);

unsigned long console_cycles;

unsigned char console_has_input(void)
{
    return 1;
}

void console_read(char *line, unsigned char room)
{
    int character;

    fflush(stdout);
    while ((character = getchar()) != '\n') {
        if (character == EOF)
            exit(0);
        if (room > 1) {
            *line++ = (char)character;
            room--;
        }
    }
    *line = 0;
}

void console_put(char character)
{
    putchar(character);
}

void console_write(const char *text)
{
    fputs(text, stdout);
}

void console_show(const char *text)
{
    (void)text;
}

void console_show_moves(char *letters, unsigned char count)
{
    (void)letters;
    (void)count;
}

unsigned char console_solve(void)
{
    return solve();
}

int main(void)
{
    AksenMain();
    return 0;
}
