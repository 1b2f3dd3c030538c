/* 8-puzzle by A* in big arrays of external memory; old storage classes, Latin-1 comment: Lösung */
#include <stdio.h>
#include <regc515c.h>
#include <stub.h>

#define MAX_NODES 500
#define NONE -1

xdata unsigned char boards[MAX_NODES][9];
xdata unsigned int parent[MAX_NODES];
xdata char move[MAX_NODES];
xdata unsigned char cost[MAX_NODES];
xdata unsigned char closed[MAX_NODES];
unsigned int nodes;

code unsigned char start[9] = { 1, 2, 3, 4, 6, 8, 7, 5, 0 };

unsigned char distance(unsigned char *b)
{
    unsigned char i, d = 0, r, c;
    for (i = 0; i < 9; i++) {
        if (b[i] == 0) continue;
        r = (b[i] - 1) / 3; c = (b[i] - 1) % 3;
        d += r > i / 3 ? r - i / 3 : i / 3 - r;
        d += c > i % 3 ? c - i % 3 : i % 3 - c;
    }
    return d;
}

char known(unsigned char *b)
{
    unsigned int n;
    unsigned char i;
    for (n = 0; n < nodes; n++) {
        for (i = 0; i < 9 && boards[n][i] == b[i]; i++);
        if (i == 9) return 1;
    }
    return 0;
}

int best(void)
{
    unsigned int n;
    int found = NONE;
    unsigned char f, least = 255;
    for (n = 0; n < nodes; n++) {
        if (closed[n]) continue;
        f = cost[n] + distance(boards[n]);
        if (f < least) { least = f; found = n; }
    }
    return found;
}

void expand(unsigned int n, signed char by, char name)
{
    unsigned char i, hole, b[9];
    for (i = 0; i < 9; i++) { b[i] = boards[n][i]; if (b[i] == 0) hole = i; }
    if (by == -1 && hole % 3 == 0) return;
    if (by == 1 && hole % 3 == 2) return;
    if ((signed char)hole + by < 0 || (signed char)hole + by > 8) return;
    b[hole] = b[hole + by];
    b[hole + by] = 0;
    if (known(b) || nodes == MAX_NODES) return;
    for (i = 0; i < 9; i++) boards[nodes][i] = b[i];
    parent[nodes] = n;
    move[nodes] = name;
    cost[nodes] = cost[n] + 1;
    nodes++;
}

void AksenMain(void)
{
    int n;
    unsigned char i, length;
    unsigned int at;
    char path[32];

    clear_time();
    for (i = 0; i < 9; i++) boards[0][i] = start[i];
    nodes = 1;
    while ((n = best()) != NONE && distance(boards[n]) != 0) {
        closed[n] = 1;
        expand(n, -3, 'u'); expand(n, 3, 'd'); expand(n, -1, 'l'); expand(n, 1, 'r');
    }
    if (n == NONE) { lcd_puts("no solution"); while (1); }
    length = cost[n];
    path[length] = 0;
    for (at = n, i = length; i > 0; i--) { path[i - 1] = move[at]; at = parent[at]; }
    lcd_puts("Found: ");
    lcd_ubyte(length);
    lcd_puts(" steps");
    lcd_setxy(1, 0);
    lcd_puts(path);
    serielle_puts(path);
    serielle_puts("\r\n");
    if (akt_time() > 0) led(0, 1);
    while (1);
}
