/* Many processes that share the display's cursor, each in its own column; with switch 0 on, one at a
 * time by a semaphore made with process_hog. */
#include <stub.h>

unsigned char is_taken;

void take(void)
{
    for (;;) {
        process_hog();
        if (!is_taken) { is_taken = 1; process_defer(); return; }
        process_defer();
    }
}

void give(void) { is_taken = 0; }

void blink(void)
{
    unsigned char me = process_get_pid();
    unsigned char on = 0;

    for (;;) {
        if (dip_pin(0)) take();
        lcd_setxy(me & 1, me >> 1);
        process_defer(); /* here the cursor may be moved by another one */
        lcd_putchar(on ? 'a' + me : '.');
        on = !on;
        if (dip_pin(0)) give();
        sleep(100);
    }
}

void AksenMain(void)
{
    unsigned char i;

    for (i = 0; i < 12; i++) process_start(blink, 3);
    process_kill(0);
}
