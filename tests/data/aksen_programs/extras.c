/* Encoders, the servo bank, CAN, the library's version, and what processes may know. */
#include <can.h>
#include <stub.h>

char text[8];
struct CAN_MSG message;
unsigned char bank_answers[4];

void answer_can(void)
{
    CanInit();
    for (;;) {
        if (CanEmpfang(&message)) {
            lcd_setxy(0, 8);
            lcd_hbyte(message.Puffer[0]);
            lcd_hbyte(message.ID[0]);
            lcd_hbyte(message.ID[3]);
            if (message.DatenLaenge != 8)
                message.Puffer[message.DatenLaenge++] = 0x99;
            led(3, CanSenden(&message));
        }
        sleep(1);
    }
}

void AksenMain(void)
{
    unsigned char mode;

    version(text);
    lcd_puts(text);
    bank_answers[0] = servobank(0, 1500);
    bank_answers[1] = servobank(7, 2100);
    bank_answers[2] = servobank(8, 1500);
    bank_answers[3] = servobank(1, 2101);
    process_start(answer_can, 3);
    while (!digital_in(0))
        ;
    encoder0();
    encoder1();
    encoder2();
    for (;;) {
        mode = dip();
        if (mode & 1)
            servobank_start();
        if (mode & 2)
            servobank_stop();
        if (mode & 4) {
            process_set_ticks(1, 9);
            lcd_setxy(0, 0);
            lcd_ubyte(proz_tab.proz_ticks[1]);
            lcd_ubyte(proz_tab.schedule_erlaubt);
            process_defer();
            lcd_ubyte(proz_tab.ticks_aktuell);
            process_hog();
            lcd_ubyte(proz_tab.ticks_aktuell);
        }
        if (mode & 8) {
            lcd_setxy(1, 0);
            lcd_uint(encoder0());
            lcd_putchar(' ');
            lcd_uint(encoder1());
            lcd_putchar(' ');
            lcd_uint(encoder2());
            lcd_puts("  ");
        }
        sleep(100);
    }
}
