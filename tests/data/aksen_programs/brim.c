/* A process that uses its stack up to the last byte, or goes beyond. */
#include <stub.h>

volatile unsigned char bytes;

/* Fills the stack so that `bytes` of it are in use, stays there for some slices and comes back. */
void fill(unsigned char stack_bytes) __naked
{
    (void)stack_bytes; /* in DPL */
    __asm
        mov     r0,sp
        mov     r2,sp
        mov     a,#(__start__stack - 1)
        add     a,dpl
        mov     r1,a
        mov     sp,r1
    00001$:
        inc     r0
        mov     @r0,#0x5A
        mov     a,r0
        cjne    a,0x01,00001$
        mov     r3,#20
    00002$:
        mov     r4,#250
    00004$:
        djnz    r4,00004$
        djnz    r3,00002$
        mov     r7,#0
    00003$:
        mov     a,@r0                   ; all must still be there
        xrl     a,#0x5A
        orl     a,r7
        mov     r7,a
        dec     r0
        mov     a,r0
        cjne    a,0x02,00003$
        mov     sp,r2
        mov     dptr,#_bytes
        mov     a,r7
        jnz     00005$
        movx    a,@dptr
        inc     a
        movx    @dptr,a
    00005$:
        ret
    __endasm;
}

void blink(void) { for (;;) led(0, 1); }
void deep(void) { for (;;) fill(221 + dip()); }

void AksenMain(void)
{
    process_start(blink, 1);
    process_start(deep, 1);
    for (;;) {
        lcd_setxy(0, 0);
        lcd_ubyte(bytes);
        lcd_putchar(' ');
        lcd_ubyte(proz_tab.anz_proz);
        sleep(5);
    }
}
