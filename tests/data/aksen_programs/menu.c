/* LCD menu driven by the DIP switches; shows inputs, a float average and printf output. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

typedef enum { BANNER, INPUTS, AVERAGE, NUMBERS } page_t;

static const char *titles[] = { "Banner", "Inputs", "Average", "Numbers" };

page_t page(void)
{
    return (page_t)(dip_pin(0) | dip_pin(1) << 1);
}

void average(void)
{
    unsigned char i;
    float sum = 0.0;

    for (i = 0; i < 15; i++)
        sum += analog(i);
    lcd_int((int)(sum / 15.0f * 10.0f));
}

void AksenMain(void)
{
    page_t last = (page_t)99, now;
    char text[17];

    printf("menu %d of %s\n", 4, "pages");
    for (;;) {
        now = page();
        if (now == last) { sleep(10); continue; }
        last = now;
        lcd_cls();
        lcd_puts(titles[now]);
        lcd_setxy(1, 0);
        switch (now) {
        case BANNER:
            lcd_putchar('*');
            break;
        case INPUTS:
            lcd_ubyte(digital_in(0));
            lcd_ubyte(digital_in(9));
            lcd_ubyte(dip_pin(3));
            break;
        case AVERAGE:
            average();
            break;
        case NUMBERS:
            lcd_int(-32768);
            lcd_putchar(' ');
            lcd_ulong(4294967295UL);
            break;
        }
        sprintf(text, "page %u\n", (unsigned)now);
        serielle_puts(text);
    }
}
