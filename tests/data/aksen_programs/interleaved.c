/* Two processes that call the library at the same time. The program calls one function while the other
 * process, which waits for that, calls another; the switches choose which two. */
#include <can.h>
#include <stub.h>

volatile unsigned char go;
volatile unsigned char counted;
unsigned char answers[2];
unsigned long times[2];
struct CAN_MSG messages[2];

void stay(void) { for (;;); }
void count(void) { for (;;) counted++; }

void fill(unsigned char which, unsigned char letter)
{
    unsigned char i;

    for (i = 0; i < 8; i++) messages[which].Puffer[i] = letter;
    for (i = 0; i < 4; i++) messages[which].ID[i] = 8 * letter;
    messages[which].DatenLaenge = 8;
}

void act(unsigned char mode, unsigned char which)
{
    switch (mode) {
    case 0: answers[which] = process_kill(2); break;
    case 1: if (which) lcd_cls(); else lcd_putchar('x'); break;
    case 2: if (which) clear_time(); else times[0] = akt_time(); break;
    case 3: if (which) times[1] = akt_time(); else clear_time(); break;
    case 4: answers[which] = serielle_getchar(); break;
    case 5: if (which) digital_out(8, 0); else servobank_stop(); break;
    case 6: setze_ir_senden(which ? 0 : 4); break;
    case 7: answers[which] = CanEmpfang(&messages[which]); break;
    case 8: answers[which] = CanSenden(&messages[which]); break;
    }
}

void other(void)
{
    while (!go) process_defer();
    act(dip(), 1);
    process_defer();
    led(1, 1);
    stay();
}

void AksenMain(void)
{
    CanInit();
    fill(0, 'a');
    fill(1, 'b');
    process_start(other, 10);
    process_start(stay, 5);
    process_start(count, 5);
    if (dip() == 1) { /* these two would run while the display clears itself */
        process_kill(2);
        process_kill(3);
    }
    if (dip() == 5) servobank_start();
    sleep(600);
    process_hog();
    go = 1;
    act(dip(), 0);
    led(0, 1);
    stay();
}
