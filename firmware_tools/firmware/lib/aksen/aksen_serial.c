/* SPDX-License-Identifier: 0BSD */
/* Serial calls, and putchar of <stdio.h>. */
#include <stdio.h>
#include <stub.h>
#include "aksen_hal.h"

#ifdef PART_init
void serielle_init(void)
{
    aksen_hal_serial_start();
}
#endif

#ifdef PART_putchar
void serielle_putchar(char character)
{
    aksen_hal_serial_write(character);
}
#endif

#ifdef PART_puts
void serielle_puts(const char *text)
{
    while (*text)
        aksen_hal_serial_write(*text++);
}
#endif

#ifdef PART_getchar
char serielle_getchar(void)
{
    return aksen_hal_serial_read();
}
#endif

#ifdef PART_gets
void serielle_gets(char *text)
{
    char character = aksen_hal_serial_read();

    while (character && character != '\r' && character != '\n') {
        *text++ = character;
        character = aksen_hal_serial_read();
    }
    *text = 0;
}
#endif

#ifdef PART_stdio_putchar
int putchar(int character)
{
    if (character == '\n')
        aksen_hal_serial_write('\r');
    aksen_hal_serial_write(character);
    return character;
}
#endif

#ifdef PART_stdio_getchar
int getchar(void)
{
    return aksen_hal_serial_read();
}
#endif
