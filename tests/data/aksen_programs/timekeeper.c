/* Five processes with deep stacks; after 3 s by the board's own clock LED 0 goes on. */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

volatile unsigned int turns[5];

unsigned char dig(unsigned char depth, unsigned char n)
{
    unsigned char room[6];
    unsigned char i;

    for (i = 0; i < 6; i++) room[i] = depth + i;
    if (depth == 0) { turns[n]++; return 0; }
    return dig(depth - 1, n) + room[5] - room[4];
}

void p0(void) { while (1) if (dig(4, 0) != 4) led(3, 1); }
void p1(void) { while (1) if (dig(5, 1) != 5) led(3, 1); }
void p2(void) { while (1) if (dig(2, 2) != 2) led(3, 1); }
void p3(void) { while (1) if (dig(6, 3) != 6) led(3, 1); }

void AksenMain(void)
{
    process_start(p0, 1);
    process_start(p1, 2);
    process_start(p2, 1);
    process_start(p3, 3);
    while (akt_time() < 3000)
        if (dig(3, 4) != 3) led(3, 1);
    led(0, 1);
    lcd_puts(turns[0] && turns[1] && turns[2] && turns[3] && turns[4] ? "all ran" : "starved");
    while (1);
}
