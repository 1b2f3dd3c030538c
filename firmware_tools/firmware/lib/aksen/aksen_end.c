/* SPDX-License-Identifier: 0BSD */
/* Messages of the handbook: end of AksenMain, and a stack that has overflown. The texts have names
 * of their own, because the compiler's would be the same in both parts. */
#include <regc515c.h>
#include <stub.h>
#include "aksen_end.h"

#ifdef PART_say_end
static const __code char end_above[] = "-  AkSenMain  - ";
static const __code char end_below[] = "wurde verlassen ";

void aksen_say_end(void)
{
    lcd_cls();
    lcd_puts(end_above);
    lcd_setxy(1, 0);
    lcd_puts(end_below);
}
#endif

#ifdef PART_overflow
static const __code char overflow_above[] = "Stack-Ueberlauf";
static const __code char overflow_below[] = "in Prozess ";

void aksen_stop_at_overflow(unsigned char process)
{
    EA = 0;
    lcd_cls();
    lcd_puts(overflow_above);
    lcd_setxy(1, 0);
    lcd_puts(overflow_below);
    lcd_ubyte(process);
    for (;;)
        ;
}
#endif
