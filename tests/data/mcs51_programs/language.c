/* What the language and its library do, in small: counts its checks and those that fail. */
#include <string.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdbool.h>
#include <math.h>
__xdata unsigned int failures, checks;
#define CHECK(x) (checks++, (x) ? 0 : (failures++, 0))
struct bits { unsigned int a : 3, b : 5, c : 8; signed int d : 4; };
struct pair { int x; long y; char name[6]; };
union word { unsigned long l; unsigned char b[4]; };
typedef int (*operation)(int, int);
static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }
static int times(int a, int b) { return a * b; }
__code const operation operations[] = { plus, minus, times };
struct bits bits; struct pair p, q; union word w; jmp_buf place;
char text[40];
volatile unsigned char vu = 200; volatile signed char vs = -100; volatile int vi = -1234; volatile unsigned int vw = 50000;
volatile long vl = -123456789; volatile unsigned long vul = 3000000000UL; volatile float vf = 2.5f;
static long sum(unsigned char n, ...) { va_list list; long s = 0; va_start(list, n); while (n--) s += va_arg(list, int); va_end(list); return s; }
static unsigned char pick(unsigned char n) { switch (n) { case 0: return 7; case 1: return 9; case 2: return 11; case 3: return 13; case 4: return 1; case 9: return 3; case 200: return 5; default: return 0; } }
static void jump(int n) { if (n) longjmp(place, n); }
static unsigned int ackermann(unsigned char m, unsigned char n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static bool flag(unsigned char x) { return x & 4; }
void done(void) { while (1); }
void main(void)
{
    unsigned char i; int r; char *s; __xdata char *h;
    bits.a = 5; bits.b = 17; bits.c = 201; bits.d = -3;
    CHECK(bits.a == 5 && bits.b == 17 && bits.c == 201 && bits.d == -3); bits.b++; CHECK(bits.b == 18 && bits.c == 201);
    p.x = 7; p.y = -70000L; strcpy(p.name, "abcde"); q = p; CHECK(q.y == -70000L && !strcmp(q.name, "abcde") && !memcmp(&p, &q, sizeof p));
    w.l = 0x12345678; CHECK(w.b[0] == 0x78 && w.b[3] == 0x12);
    for (i = 0; i < 3; i++) CHECK(operations[i](9, 4) == (i == 0 ? 13 : i == 1 ? 5 : 36));
    CHECK(pick(0) == 7 && pick(3) == 13 && pick(9) == 3 && pick(200) == 5 && pick(77) == 0);
    r = setjmp(place); if (!r) jump(5); CHECK(r == 5);
    CHECK(sum(4, 1, -20, 300, 4000) == 4281);
    CHECK(vu / 7 == 28 && vu % 7 == 4 && vs / 7 == -14 && vs % 7 == -2 && (unsigned char)(vu << 3) == 0x40 && vs >> 2 == -25);
    CHECK(vi / 100 == -12 && vi % 100 == -34 && vw / 300 == 166 && vw % 300 == 200 && vi * 3 == -3702);
    CHECK(vl / 1000 == -123456L && vl % 1000 == -789 && vul / 7 == 428571428UL && vul % 7 == 4 && vul >> 9 == 5859375UL && (vl << 2) == -493827156L);
    CHECK(vf * 4 == 10.0f && vf / 2 == 1.25f && (int)(vf + 0.6f) == 3 && -vf < 0 && fabsf(-vf) == 2.5f && floorf(vf) == 2.0f && sqrtf(6.25f) == 2.5f);
    CHECK(ackermann(2, 3) == 9); CHECK(flag(5) && !flag(3));
    sprintf(text, "%d %u %lx %s %c", vi, vw, vul, "end", 'z'); CHECK(!strcmp(text, "-1234 50000 b2d05e00 end z"));
    s = text; while (*s) s++; CHECK(s - text == 26); CHECK(atoi("-321") == -321 && strchr(text, 'e') != NULL && strlen(text) == 26);
    memmove(text + 2, text, 10); CHECK(text[2] == '-' && text[3] == '1'); memset(text, 'q', 5); CHECK(text[4] == 'q');
    h = malloc(20); CHECK(h != NULL); for (i = 0; i < 20; i++) h[i] = i * 13; CHECK((unsigned char)h[19] == 247); free(h);
    for (r = 0, i = 1; i; i <<= 1) r += i; CHECK(r == 255); CHECK((vu ^ 0x5A) == 0x92 && (~vu & 0xFF) == 55 && !vu == 0);
    done();
}
