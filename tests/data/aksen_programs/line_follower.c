/* Follows a dark line with two reflex sensors; turns on the spot when both lose it. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

#define LEFT  0
#define RIGHT 1
#define DARK  120
#define RUNTIME 2000

unsigned char steps;

void drive(unsigned char l, unsigned char r)
{
    motor_pwm(LEFT, l);
    motor_pwm(RIGHT, r);
}

void show(char *what)
{
    lcd_setxy(1, 0);
    lcd_puts(what);
    lcd_puts(" ");
}

void AksenMain(void)
{
    unsigned char left, right;

    lcd_cls();
    lcd_puts("Line follower");
    motor_richtung(LEFT, 1);
    motor_richtung(RIGHT, 1);
    clear_time();
    while (akt_time() < RUNTIME) {
        left = analog(0);
        right = analog(8);
        if (left > DARK && right > DARK) { drive(10, 10); show("straight"); }
        else if (left > DARK)            { drive(3, 9);   show("left    "); }
        else if (right > DARK)           { drive(9, 3);   show("right   "); }
        else                             { drive(0, 0);   show("lost    "); }
        steps++;
        sleep(20);
    }
    drive(0, 0);
    lcd_setxy(1, 9);
    lcd_ubyte(steps);
    while (1);
}
