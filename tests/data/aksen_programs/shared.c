/* Four processes use the same outputs and inputs at once; nothing may get lost or mixed up. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

volatile unsigned char wrong[4];
volatile unsigned char done[4];

void work(unsigned char n, unsigned char input, unsigned char level)
{
    unsigned int i;

    for (i = 0; i < 400; i++) {
        led(n, 1);
        motor_richtung(n, 1);
        motor_pwm(n, 3 + n);
        if (analog(input) != level) wrong[n]++;
        if ((i & 15) == 0) serielle_putchar('a' + n);
        led(n, 0);
        motor_pwm(n, 0);
    }
    led(n, 1);
    motor_pwm(n, 3 + n);
    done[n] = 1;
}

void w0(void) { work(0, 0, 10); }
void w1(void) { work(1, 9, 90); }
void w2(void) { work(2, 14, 140); }

void AksenMain(void)
{
    process_start(w0, 1);
    process_start(w1, 1);
    process_start(w2, 1);
    work(3, 3, 30);
    while (!done[0] || !done[1] || !done[2]);
    lcd_puts("wrong ");
    lcd_ubyte(wrong[0] + wrong[1] + wrong[2] + wrong[3]);
    while (1);
}
