/* Waits for a modulated infrared beacon, then starts. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

void AksenMain(void)
{
    mod_ir0_takt(4);
    mod_ir0_maxfehler(2);
    mod_ir2_takt(5);
    mod_ir2_maxfehler(2);
    (mod_ir0_status()) = 0;
    lcd_puts("wait");
    while (mod_ir0_status() < 10);
    lcd_setxy(0, 0);
    lcd_puts("beacon ");
    lcd_uint(mod_ir_empf0_gutzaehler);
    led(2, 1);
    while (mod_ir0_status() > 0);
    lcd_setxy(1, 0);
    lcd_puts("lost ");
    lcd_ubyte(mod_ir2_status());
    while (1);
}
