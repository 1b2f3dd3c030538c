/* SPDX-License-Identifier: 0BSD */
/* Parts of the library in ROM only: its start, and the check of a program's version. */
#include <regc515c.h>
#include <stub.h>
#include "aksen_hal.h"
#include "board_map.h"

#ifdef ROM_LIBRARY
void aksen_encoder0_start(void);
void aksen_encoder1_start(void);
void aksen_encoder2_start(void);
void aksen_servobank_start(void);

/* Sets the library's own xdata: initial values are copied from behind the code, the rest is 0. A
 * program's start-up code does not touch these bytes. */
static void set_variables(void) __naked
{
    __asm
        mov     dptr,#s_XSEG
        mov     r2,#(l_XSEG + 1)
        mov     r3,#((l_XSEG + 0x100) >> 8)
        clr     a
        sjmp    00002$
    00001$:
        movx    @dptr,a
        inc     dptr
    00002$:
        djnz    r2,00001$
        djnz    r3,00001$
        mov     dptr,#s_XINIT
        mov     r0,#s_XISEG
        mov     r2,#(l_XINIT + 1)
        mov     _P2,#(s_XISEG >> 8)
        sjmp    00004$
    00003$:
        clr     a
        movc    a,@a+dptr
        movx    @r0,a
        inc     dptr
        inc     r0
    00004$:
        djnz    r2,00003$
        mov     _P2,#0xFF
        ret
    __endasm;
}

void aksen_rom_init(void)
{
    set_variables();
    aksen_hal_start();
    aksen_encoder0_start();
    aksen_encoder1_start();
    aksen_encoder2_start();
    aksen_servobank_start();
}

/* A program made for another version is not started (handbook, 4.6). */
void aksen_rom_check(const char *wanted)
{
    char own[8];
    unsigned char i;

    version(own);
    for (i = 0; i == 0 || own[i - 1]; i++)
        if (own[i] != wanted[i])
            for (;;)
                ;
}

void aksen_timer_0(void) __interrupt(1)
{
}
#endif
