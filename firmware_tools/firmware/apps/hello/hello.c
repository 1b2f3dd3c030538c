/* SPDX-License-Identifier: 0BSD */
/* First program for a new board: greets, counts seconds, lets LED 0 blink. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

void AksenMain(void)
{
    unsigned int seconds = 0;

    lcd_cls();
    lcd_puts("Hello, AKSEN");
    serielle_puts("Hello, AKSEN\r\n");
    while (1) {
        led(0, seconds & 1);
        lcd_setxy(1, 0);
        lcd_uint(seconds++);
        sleep(1000);
    }
}
