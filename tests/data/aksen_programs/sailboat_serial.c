#include <regc515c.h>
#include "sailboat_serial.h"

void serielle_init(void)
{
    SCON = 0x50;
    SRELH = 0x03;
    SRELL = 0xD9;
    BD = 1;
    PCON |= 0x80;
    TI = 1;
}

void serielle_putchar(unsigned char c)
{
    while (!TI);
    TI = 0;
    SBUF = c;
}

void serielle_puts(char *s)
{
    while (*s) serielle_putchar(*s++);
}

unsigned char serielle_getchar(void)
{
    while (!RI);
    RI = 0;
    return SBUF;
}

unsigned char serielle_gets(char *s, unsigned char max)
{
    unsigned char n = 0;
    unsigned char c;

    while ((c = serielle_getchar()) != '\r')
        if (n < max - 1) s[n++] = c;
    s[n] = 0;
    return n;
}
