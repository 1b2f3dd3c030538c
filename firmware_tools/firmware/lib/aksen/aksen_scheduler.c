/* SPDX-License-Identifier: 0BSD */
/* The change from one process to the next: round robin on the 1 ms tick.
 *
 * Internal RAM has room for one stack, so every process uses the same bytes of it: the stack in use
 * is copied to the process's own page of xdata, and the next one's back, at 10 us a byte. By hand
 * and in register bank 1, so that nothing is pushed: a process may use its stack to the last byte.
 */
#include <regc515c.h>
#include <stub.h>
#include "board_map.h"
#include "aksen_end.h"
#include "aksen_process.h"
#include "aksen_tick.h"

static void stop_at_overflow(void)
{
    aksen_stop_at_overflow(aksen_processes.akt_proz);
}

/* Continues aksen_tick or aksen_yield. R1 is the process that leaves, R2 the next one, R3 counts
 * ticks that fall due meanwhile, R0 walks over the stack. A process whose stack pointer has come
 * round to 0 has overflown, and so has one that used the byte behind its stack (R4). */
void aksen_change_process(void) __naked
{
    __asm
        mov     psw,#0x08
        mov     r3,#0
        mov     a,sp
        clr     c
        subb    a,#FIRST_STACK
        jc      00017$
#ifdef UNTOUCHED
        mov     a,#FIRST_STACK
        add     a,#STACK_BYTES
        jnc     00018$
        mov     a,#0xFF
    00018$:
        mov     r4,a
        mov     r0,a
        cjne    @r0,#UNTOUCHED,00017$
#endif
        sjmp    00001$
    00017$:
        mov     psw,#0x00
        mov     r0,#(FIRST_STACK - 1)
        mov     sp,r0                   ; nothing returns from here
        ljmp    _stop_at_overflow
    00001$:
        mov     dptr,#(_aksen_processes + PLACE_AT)
        movx    a,@dptr
        inc     a
        mov     r0,a
        inc     dptr
        movx    a,@dptr
        jz      00008$                  ; all have ended: stay here
        setb    c
        subb    a,r0
        jnc     00002$
        mov     r0,#0
    00002$:
        mov     dptr,#(_aksen_processes + PLACE_AT)
        mov     a,r0
        movx    @dptr,a
        add     a,#(_aksen_processes + LIST_AT)
        mov     dpl,a
        clr     a
        addc    a,#((_aksen_processes + LIST_AT) >> 8)
        mov     dph,a
        movx    a,@dptr
        mov     r2,a
        add     a,#(_aksen_processes + TICKS_AT)
        mov     dpl,a
        clr     a
        addc    a,#((_aksen_processes + TICKS_AT) >> 8)
        mov     dph,a
        movx    a,@dptr
        mov     _aksen_slice,a
        inc     a                       ; the first tick comes before its ms is over,
        jz      00003$                  ; except that more than 255 is not possible
        mov     _aksen_slice,a
    00003$:
        mov     dptr,#(_aksen_processes + RUNNING_AT)
        movx    a,@dptr
        mov     r1,a
        xrl     a,r2
        jz      00008$                  ; no other one
        mov     a,r2
        movx    @dptr,a
        mov     a,r1                    ; one that has ended is not saved
        add     a,#_aksen_processes
        mov     dpl,a
        clr     a
        addc    a,#(_aksen_processes >> 8)
        mov     dph,a
        movx    a,@dptr
        jz      00006$

        mov     dpl,#0
        clr     c
        mov     a,#TOP_PAGE
        subb    a,r1
        mov     dph,a
        mov     a,sp
        movx    @dptr,a
        inc     dptr
        mov     a,_aksen_saved_acc
        movx    @dptr,a
        inc     dptr
        mov     a,_aksen_saved_psw
        movx    @dptr,a
        inc     dptr
        mov     a,r5
        movx    @dptr,a
        inc     dptr
        mov     a,r6
        movx    @dptr,a
        inc     dptr
        mov     a,r7
        movx    @dptr,a
        inc     dptr
        mov     r0,#0
    00004$:
        mov     a,@r0
        movx    @dptr,a
        inc     dptr
        inc     r0
        cjne    r0,#8,00004$
        mov     a,_bp
        movx    @dptr,a
        inc     dptr
        mov     a,0x20                  ; bit registers, or a byte of the stack: either is right
        movx    @dptr,a
        inc     dptr
        mov     r0,#FIRST_SAVED
    00005$:
        mov     a,@r0
        movx    @dptr,a
        inc     dptr
        jbc     _TF2,00010$
    00015$:
        mov     a,r0
        inc     r0
        cjne    a,sp,00005$
        sjmp    00006$
    00008$:
        ljmp    00009$
    00010$:
        inc     r3
        sjmp    00015$

    00006$:
        mov     dpl,#0
        clr     c
        mov     a,#TOP_PAGE
        subb    a,r2
        mov     dph,a
        movx    a,@dptr
        inc     dptr
        mov     sp,a
        movx    a,@dptr
        inc     dptr
        mov     _aksen_saved_acc,a
        movx    a,@dptr
        inc     dptr
        mov     _aksen_saved_psw,a
        movx    a,@dptr
        inc     dptr
        mov     r5,a
        movx    a,@dptr
        inc     dptr
        mov     r6,a
        movx    a,@dptr
        inc     dptr
        mov     r7,a
        mov     r0,#0
    00007$:
        movx    a,@dptr
        mov     @r0,a
        inc     dptr
        inc     r0
        cjne    r0,#8,00007$
        movx    a,@dptr
        mov     _bp,a
        inc     dptr
        movx    a,@dptr
        mov     0x20,a
        inc     dptr
        mov     r0,#FIRST_SAVED
    00011$:
        movx    a,@dptr
        mov     @r0,a
        inc     dptr
        jbc     _TF2,00012$
    00016$:
        mov     a,r0
        inc     r0
        cjne    a,sp,00011$
        sjmp    00009$
    00012$:
        inc     r3
        sjmp    00016$

    00014$:
        dec     r3
        inc     _aksen_ticks
        mov     a,_aksen_ticks
        jnz     00009$
        inc     (_aksen_ticks + 1)
        mov     a,(_aksen_ticks + 1)
        jnz     00009$
        inc     (_aksen_ticks + 2)
        mov     a,(_aksen_ticks + 2)
        jnz     00009$
        inc     (_aksen_ticks + 3)
    00009$:
        mov     a,r3
        jnz     00014$
#ifdef UNTOUCHED
        mov     a,r4
        mov     r0,a
        mov     @r0,#UNTOUCHED
#endif
        mov     b,r5
        mov     dpl,r6
        mov     dph,r7
        mov     psw,_aksen_saved_psw
        mov     a,_aksen_saved_acc
        setb    _ET2                    ; aksen_yield has cleared it
        reti
    __endasm;
}
