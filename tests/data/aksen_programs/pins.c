/* Every call that writes or reads pins, numbers of every kind, and the infrared sender. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

void other(void)
{
    lcd_setxy(1, 14);
    lcd_ubyte(process_get_pid());
    process_set_ticks(0, 77);
    while (1) sleep(5);
}

void AksenMain(void)
{
    digital_out(3, 0);
    digital_out(9, 0);
    digital_out(16, 0);
    lcd_hbyte(digital_bytein(PORT_1));
    lcd_hbyte(digital_bytein(PORT_2));
    digital_out(9, 1);
    digital_byteout(PORT_1, 0x5F);
    lcd_hint(0x9ABC);
    lcd_putchar(' ');
    lcd_byte(-5);
    lcd_putchar(' ');
    lcd_ubyte(dip());
    lcd_setxy(1, 0);
    lcd_hlong(0x1234ABCDL);
    lcd_long(-70000L);
    mod_ir0_takt(4);
    mod_ir0_maxfehler(2);
    setze_ir_senden(4);
    process_start(other, 5);
    sleep(100);
    lcd_home();
    lcd_ubyte(proz_tab.proz_ticks[0]);
    lcd_ubyte(process_get_pid());
    lcd_setup(DISPLAY_ON, CURSOR_ON, CURSOR_BLINK);
    while (mod_ir0_status() < 5);
    led(0, 1);
    sleep(100);
    setze_ir_senden(0);
    sleep(20);
    mod_ir_an();
    sleep(20);
    mod_ir_aus();
    while (1) ;
}
