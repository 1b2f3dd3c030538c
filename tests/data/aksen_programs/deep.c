/* A process that needs more stack than there is. */
#include <stub.h>

unsigned char limit = 12;

unsigned char sum(unsigned char n)
{
    unsigned char room[8];
    unsigned int i;

    for (i = 0; i < 150; i++) room[i & 7] = n;
    return n == 0 ? 0 : sum(n - 1) + room[3];
}

void idle(void) { while (1) led(0, 1); }
void dig(void) { for (;;) sum(++limit); }

void AksenMain(void)
{
    process_start(idle, 2);
    process_start(dig, 2);
    while (1) led(1, 1);
}
