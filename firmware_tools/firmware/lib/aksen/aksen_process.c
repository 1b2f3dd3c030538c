/* Processes: round robin on the 1 ms tick.
 *
 * Internal RAM has room for one stack, so every process uses the same bytes of it: at a change the
 * scheduler copies the stack in use to the process's own page of xdata and the next one's back.
 * That costs 11 us per byte each way, about 0.6 ms for a usual pair of stacks. The pages are those
 * at the end of xdata that the program's variables leave free.
 */
#include <regc515c.h>
#include <stub.h>
#include "aksen_end.h"
#include "board_map.h"
#include "aksen_tick.h"

#define PROCESSES 20
#define SCHEDULER_BYTES 20
#define PROGRAM_TICKS 5
#define HOG_TICKS 255
#define RUNS 1
#define STACK_OF(process) ((__xdata unsigned char *)((XDATA_BYTES / 256 - 1 - (process)) << 8))

/* What the scheduler finds on a stack, from the bottom: where the process's function returns to,
 * where it goes on, ACC, PSW, B, DPL, DPH, R0 to R7, frame pointer, bit registers. */
#define FRESH_STACK_BYTES 19

volatile struct aksen_processes proz_tab;

static unsigned char stack_bytes[PROCESSES]; /* in use while another process runs */

/* Set by choose() for aksen_change_process(). */
static __xdata unsigned char *leaving;
static __xdata unsigned char *entering;
static unsigned char entering_bytes;

/* Finds whose turn it is, the running process having `bytes` of stack in use.
 * Returns 0: nobody else's; 1: change; 2: change, and forget the stack of a process that ended. */
static unsigned char choose(unsigned char bytes)
{
    unsigned char ended = !proz_tab.proz_status[proz_tab.akt_proz];
    unsigned char next;

    if (++proz_tab.akt_proz_index >= proz_tab.anz_proz)
        proz_tab.akt_proz_index = 0;
    next = proz_tab.proz_liste[proz_tab.akt_proz_index];
    aksen_slice = proz_tab.proz_ticks[next];
    if (aksen_slice != HOG_TICKS)
        aksen_slice++; /* the first tick comes before its ms is over: changing takes a part of it */
    if (next == proz_tab.akt_proz || !proz_tab.anz_proz)
        return 0;
    if (!ended)
        stack_bytes[proz_tab.akt_proz] = bytes;
    leaving = STACK_OF(proz_tab.akt_proz);
    entering = STACK_OF(next);
    entering_bytes = stack_bytes[next];
    proz_tab.akt_proz = next;
    return 1 + ended;
}

static void stop_at_overflow(void)
{
    aksen_stop_at_overflow(proz_tab.akt_proz);
}

/* Continues aksen_tick or aksen_yield, which have put ACC, PSW, B, DPL and DPH on the stack. R0
 * walks over the stack. A stack without room for what is done here has overflown. A tick that falls due meanwhile is counted here, so that no time is lost. */
void aksen_change_process(void) __naked
{
    __asm
        mov     a,sp
        add     a,#SCHEDULER_BYTES
        jnc     00030$
        mov     r0,#(__start__stack - 1)
        mov     sp,r0                   ; nobody returns
        ljmp    _stop_at_overflow
    00030$:
        push    0x00
        push    0x01
        push    0x02
        push    0x03
        push    0x04
        push    0x05
        push    0x06
        push    0x07
        push    _bp
        push    0x20                    ; bit registers, or a byte of the stack: either is right
        mov     psw,#0x00
        mov     a,sp
        clr     c
        subb    a,#(__start__stack - 1)
        mov     dpl,a
        lcall   _choose
        mov     a,dpl
        jz      00009$
        dec     a
        jnz     00005$
        mov     dptr,#_leaving
        lcall   00020$
        mov     r0,#__start__stack
    00001$:
        mov     a,@r0
        movx    @dptr,a
        inc     dptr
        jbc     _TF2,00010$
    00002$:
        mov     a,r0
        inc     r0
        cjne    a,sp,00001$
    00005$:
        mov     dptr,#_entering_bytes
        movx    a,@dptr
        add     a,#(__start__stack - 1)
        mov     r7,a
        mov     dptr,#_entering
        lcall   00020$
        mov     r0,#__start__stack
        mov     sp,r7
    00003$:
        movx    a,@dptr
        mov     @r0,a
        inc     dptr
        jbc     _TF2,00011$
    00004$:
        mov     a,r0
        inc     r0
        cjne    a,sp,00003$
    00009$:
        pop     0x20
        pop     _bp
        pop     0x07
        pop     0x06
        pop     0x05
        pop     0x04
        pop     0x03
        pop     0x02
        pop     0x01
        pop     0x00
        pop     dph
        pop     dpl
        pop     b
        pop     psw
        pop     acc
        setb    _EA                     ; aksen_yield has cleared it
        reti
    00010$:
        lcall   _aksen_count_tick
        sjmp    00002$
    00011$:
        lcall   _aksen_count_tick
        sjmp    00004$
    00020$:
        movx    a,@dptr                 ; load DPTR from where it points
        mov     r6,a
        inc     dptr
        movx    a,@dptr
        mov     dph,a
        mov     dpl,r6
        ret
    __endasm;
}

static void end_process(void)
{
    process_kill(proz_tab.akt_proz);
}

/* Puts a process at the end of the list of those that take turns. */
static void append(unsigned char process, unsigned char ticks)
{
    stack_bytes[process] = FRESH_STACK_BYTES;
    proz_tab.proz_status[process] = RUNS;
    proz_tab.proz_ticks[process] = ticks;
    proz_tab.proz_liste[proz_tab.anz_proz++] = process;
}

/* First address behind the program's variables: the linker knows how long their area is. */
static unsigned int end_of_variables(void) __naked
{
    __asm
        mov     a,#s_XISEG
        add     a,#l_XISEG
        mov     dpl,a
        mov     a,#(s_XISEG >> 8)
        addc    a,#(l_XISEG >> 8)
        mov     dph,a
        ret
    __endasm;
}

unsigned char process_start(void (*function)(void), unsigned char ticks) __critical
{
    unsigned char process = 0;
    __xdata unsigned char *stack;
    unsigned char i;

    if (!aksen_slice) { /* the first one: the program itself is the process before it */
        append(0, PROGRAM_TICKS);
        aksen_scheduler = (unsigned int)aksen_change_process;
        aksen_slice = PROGRAM_TICKS;
    }
    while (process < PROCESSES && proz_tab.proz_status[process])
        process++;
    stack = STACK_OF(process);
    if (process == PROCESSES || (unsigned int)stack < end_of_variables())
        return PROCESS_ERROR;
    for (i = 4; i < FRESH_STACK_BYTES; i++)
        stack[i] = 0;
    stack[0] = (unsigned int)end_process;
    stack[1] = (unsigned int)end_process >> 8;
    stack[2] = (unsigned int)function;
    stack[3] = (unsigned int)function >> 8;
    append(process, ticks);
    return process;
}

void process_hog(void)
{
    if (aksen_slice)
        aksen_slice = HOG_TICKS;
}

void process_defer(void)
{
    aksen_yield();
}

void process_set_ticks(unsigned char process, unsigned char ticks)
{
    if (process < PROCESSES)
        proz_tab.proz_ticks[process] = ticks;
}

/* Takes a process out of the list; those behind it move up. */
static void take_out(unsigned char process) __critical
{
    unsigned char i = 0;

    while (proz_tab.proz_liste[i] != process)
        i++;
    if (i <= proz_tab.akt_proz_index)
        proz_tab.akt_proz_index--; /* from 0 to 255: the next one is again 0 */
    proz_tab.anz_proz--;
    for (; i < proz_tab.anz_proz; i++)
        proz_tab.proz_liste[i] = proz_tab.proz_liste[i + 1];
    proz_tab.proz_status[process] = 0;
}

unsigned char process_kill(unsigned char process)
{
    if (process >= PROCESSES || !proz_tab.proz_status[process])
        return PROCESS_ERROR;
    take_out(process);
    while (process == proz_tab.akt_proz)
        aksen_yield();
    return 0;
}
