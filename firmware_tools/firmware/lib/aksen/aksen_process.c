/* Processes: round robin on the 1 ms tick.
 *
 * Internal RAM has room for one stack, so every process uses the same bytes of it: at a change the
 * scheduler copies the stack in use to the process's own 128 bytes of xdata and the next one's
 * back. That costs 11 us per byte each way, about 0.6 ms for a usual pair of stacks.
 */
#include <regc515c.h>
#include <stub.h>
#include "board_map.h"
#include "aksen_tick.h"

#define PROCESSES 8
#define STACK_BYTES 128
#define PROGRAM_TICKS 5
#define HOG_TICKS 255
#define NONE 255

/* What the scheduler finds on a stack, from the bottom: where the process's function returns to,
 * where it goes on, ACC, PSW, B, DPL, DPH, R0 to R7, frame pointer, bit registers. */
#define FRESH_STACK_BYTES 19

static __xdata unsigned char stacks[PROCESSES][STACK_BYTES];
static unsigned char stack_bytes[PROCESSES] = { 1 }; /* 0: free; process 0 is the program */
/* One tick more than asked for: the first one comes before its ms is over, since the change itself
 * takes a good part of it. */
static unsigned char slices[PROCESSES] = { PROGRAM_TICKS + 1 };
static volatile unsigned char current;

/* Set by choose() for aksen_change_process(). */
static __xdata unsigned char *leaving;
static __xdata unsigned char *entering;
static unsigned char entering_bytes;

/* Finds whose turn it is, the running process having `bytes` of stack in use.
 * Returns 0: nobody else's; 1: change; 2: change, and forget the stack of a process that ended. */
static unsigned char choose(unsigned char bytes)
{
    unsigned char next = current;
    unsigned char ended = !stack_bytes[current];

    aksen_slice = 1;
    if (bytes > STACK_BYTES && !ended)
        return 0; /* too deep to put away: try again at the next tick */
    do
        next = (next + 1) % PROCESSES;
    while (!stack_bytes[next] && next != current);
    aksen_slice = slices[next];
    if (next == current)
        return 0;
    if (!ended)
        stack_bytes[current] = bytes;
    leaving = stacks[current];
    entering = stacks[next];
    entering_bytes = stack_bytes[next];
    current = next;
    return 1 + ended;
}

/* Continues aksen_tick, which has put ACC, PSW, B, DPL and DPH on the stack. R0 walks over the
 * stack. A tick that falls due meanwhile is counted here, so that no time is lost. */
void aksen_change_process(void) __naked
{
    __asm
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
    process_kill(current);
}

unsigned char process_start(void (*function)(void), unsigned char ticks) __critical
{
    unsigned char process = 1;
    __xdata unsigned char *stack;
    unsigned char i;

    while (process < PROCESSES && stack_bytes[process])
        process++;
    if (process == PROCESSES)
        return NONE;
    stack = stacks[process];
    for (i = 4; i < FRESH_STACK_BYTES; i++)
        stack[i] = 0;
    stack[0] = (unsigned int)end_process;
    stack[1] = (unsigned int)end_process >> 8;
    stack[2] = (unsigned int)function;
    stack[3] = (unsigned int)function >> 8;
    stack_bytes[process] = FRESH_STACK_BYTES;
    slices[process] = ticks == 255 ? 255 : ticks + 1;
    if (!aksen_slice) {
        aksen_scheduler = (unsigned int)aksen_change_process;
        aksen_slice = PROGRAM_TICKS;
    }
    return process;
}

void process_hog(void)
{
    if (aksen_slice)
        aksen_slice = HOG_TICKS;
}

void process_defer(void)
{
    if (aksen_slice)
        aksen_slice = 1;
}

void process_kill(unsigned char process)
{
    if (!process || process >= PROCESSES)
        return; /* the program itself stays */
    stack_bytes[process] = 0;
    while (process == current)
        process_defer();
}
