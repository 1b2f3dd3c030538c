/* SPDX-License-Identifier: 0BSD */
/* Infrared sender: its carrier switched by the program, or flashing at a fixed rate. */
#include <stub.h>
#include "aksen_hal.h"
#include "board_map.h"
#include "aksen_tick.h"

#ifdef PART_on
void mod_ir_an(void)
{
    aksen_hal_ir_carrier(1);
}
#endif

#ifdef PART_off
void mod_ir_aus(void)
{
    aksen_hal_ir_carrier(0);
}
#endif

/* The receivers' sampler, called behind the sender while it flashes. */
extern unsigned int aksen_behind_sender;
extern unsigned char aksen_sender_is_on;
#ifdef PART_behind
unsigned int aksen_behind_sender;
unsigned char aksen_sender_is_on;
#endif

#ifdef PART_flash
void aksen_hal_ir_step(unsigned char on) __using(1);

static unsigned char half;
static unsigned char left;
static unsigned char is_sending;

static void step(void) __using(1)
{
    if (!half || --left)
        return;
    left = half;
    is_sending ^= 1;
    aksen_hal_ir_step(is_sending);
}

/* Called by the tick, in register bank 1. */
void aksen_ir_flash(void) __naked
{
    __asm
        lcall   _step
        mov     dptr,#_aksen_behind_sender
        movx    a,@dptr
        mov     b,a
        inc     dptr
        movx    a,@dptr
        mov     dph,a
        mov     dpl,b
        orl     a,b
        jz      00001$
        clr     a
        jmp     @a+dptr
    00001$:
        ret
    __endasm;
}

void setze_ir_senden(unsigned char half_period_ms) __critical
{
    half = half_period_ms;
    left = half_period_ms;
    is_sending = half_period_ms != 0;
    aksen_hal_ir_carrier(is_sending);
    if (!aksen_sender_is_on) {
        aksen_behind_sender = aksen_sampler;
        aksen_sender_is_on = 1;
        aksen_sampler = (unsigned int)aksen_ir_flash;
        aksen_keep_busy(SAMPLES);
    }
}
#endif
