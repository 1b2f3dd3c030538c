/* Rudder and sail by serial commands: "R<angle>", "S<us>"; brings its own serial code. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <regc515c.h>
#include <stub.h>
#include "sailboat_serial.h"

char line[20];
int angle;

int main_loop()
{
    serielle_gets(line, 20);
    if (line[0] == 'R') {
        angle = atoi(line + 1);
        if (angle < 31) angle = 31;
        if (angle > 114) angle = 114;
        servo_arc(0, angle);
        lcd_setxy(0, 8);
        lcd_int(angle);
        lcd_puts("  ");
        serielle_puts("ok ");
        serielle_putchar(angle > 72 ? '>' : '<');
        serielle_puts("\r\n");
        return 1;
    }
    if (line[0] == 'S') {
        servo(1, atoi(line + 1));
        serielle_puts("ok\r\n");
        return 1;
    }
    serielle_puts("?\r\n");
    return -1;
}

void AksenMain(void)
{
    char result;
    unsigned int errors = 0;

    serielle_init();
    lcd_puts("rudder ");
    serielle_puts("ready\r\n");
    while (1) {
        result = main_loop();
        if (result == -1) {
            errors++;
            lcd_setxy(1, 0);
            lcd_puts("errors ");
            lcd_uint(errors);
        }
    }
}
