/* As many processes as there is room for; all of them sleep most of the time. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

volatile unsigned char turns[19];
unsigned char number, started, refused;
volatile unsigned char next;

void blink()
{
    unsigned char me = next++;
    while (1) { turns[me]++; sleep(100); }
}

void watch(void)
{
    unsigned char i, slowest;

    process_kill(0); /* the main function has done its work */
    process_kill(0) == PROCESS_ERROR ? led(3, 1) : led(2, 1);
    while (1) {
        slowest = 255;
        for (i = 0; i < 18; i++) if (turns[i] < slowest) slowest = turns[i];
        lcd_setxy(1, 0);
        lcd_ubyte(slowest);
        sleep(50);
    }
}

void AksenMain(void)
{
    process_start(blink, 150);
    process_hog(); /* until everything below is done */
    while (process_start(blink, 150) < 18) started++;
    started += 2;
    number = process_start(watch, 150);
    refused = process_start(watch, 150);
    lcd_ubyte(started);
    lcd_putchar(' ');
    lcd_ubyte(number);
    lcd_putchar(' ');
    lcd_ubyte(refused);
    while (1) led(0, 1);
}
