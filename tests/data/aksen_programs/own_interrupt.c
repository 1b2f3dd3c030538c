/* Measures with timer 0 and an interrupt function of its own, in the syntax of old compilers. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

volatile unsigned int overflows;

void timer_0(void) interrupt 1 using 1
{
    overflows++;
}

void AksenMain(void)
{
    TMOD = (TMOD & 0xF0) | 0x01; /* 16 bits: an overflow every 65536 us */
    TR0 = 1;
    ET0 = 1;
    while (overflows < 10);
    ET0 = 0;
    lcd_puts("10 in ");
    lcd_ulong(akt_time());
    lcd_puts(" ms");
    while (1);
}
