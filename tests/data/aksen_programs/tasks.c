// Three processes beside the program; one ends by itself, one is deep in recursion.
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

volatile unsigned long a, b;
volatile unsigned int sums;
volatile unsigned char done;

void count_a()
{
    while (1) a++;
}

void count_b()
{
    unsigned char i;
    for (i = 0; i < 50; i++) { b++; sleep(2); }
    done = 1;
}

unsigned int sum(unsigned char n)
{
    if (n == 0) return 0;
    return n + sum(n - 1);
}

void deep()
{
    while (1)
        if (sum(12) == 78) sums++;
        else sums = 60000;
}

void AksenMain(void)
{
    unsigned char pa, pd;

    lcd_puts("tasks ");
    pa = process_start(count_a, 3);
    process_start(count_b, 5);
    pd = process_start(deep, 4);
    lcd_ubyte(pa);
    while (!done);
    process_kill(pa);
    a = 0;
    sleep(30);
    process_kill(pd);
    lcd_setxy(1, 0);
    lcd_puts(a == 0 ? "killed " : "alive ");
    lcd_ulong(b);
    lcd_puts(sums > 10 && sums < 60000 ? " deep" : " BAD");
    process_hog();
    while (1);
}
