/* SPDX-License-Identifier: 0BSD */
/* Start, end and table of processes.
 *
 * Their stacks are pages at the end of xdata, as far as the program's variables leave room.
 */
#include <stub.h>
#include "board_map.h"
#include "aksen_process.h"
#include "aksen_tick.h"

void aksen_start_processes(void);

#ifdef PART_table
#define PROGRAM_TICKS 5

volatile struct aksen_processes aksen_processes;

/* Until another process is started there is no scheduler; the program itself is process 0. */
void aksen_start_processes(void) __critical
{
    if (aksen_processes.schedule_erlaubt)
        return;
    aksen_processes.schedule_erlaubt = 1;
    aksen_processes.proz_status[0] = 1;
    aksen_processes.proz_ticks[0] = PROGRAM_TICKS;
    aksen_processes.anz_proz = 1;
}

volatile struct aksen_processes *aksen_proz_tab(void)
{
    aksen_start_processes();
    aksen_processes.ticks_aktuell = aksen_slice;
    return &aksen_processes;
}
#endif

#ifdef PART_start
#define RUNS 1
#define ENTRY_BYTES 4 /* return address of the process's function, and its start */

#ifdef ROM_LIBRARY
#define first_stack() FIRST_STACK
#define end_of_variables() 0 /* known to the program alone */
#else
static unsigned char first_stack(void) __naked
{
    __asm
        mov     dpl,#__start__stack
        ret
    __endasm;
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
#endif

#define REGISTERS 16 /* in front of the stack in a process's page */

#ifdef UNTOUCHED
static void watch_stack(void)
{
    unsigned char room = 255 - first_stack();

    *(__idata unsigned char *)(room < STACK_BYTES ? 255 : first_stack() + STACK_BYTES) = UNTOUCHED;
}
#else
#define watch_stack()
#endif

static void end_process(void)
{
    process_kill(process_get_pid());
}

unsigned char process_start(void (*function)(void), unsigned char ticks) __critical
{
    unsigned char process = 0;
    __xdata unsigned char *page;
    unsigned char i;

    aksen_start_processes();
    while (process < PROCESSES && aksen_processes.proz_status[process])
        process++;
    page = (__xdata unsigned char *)((TOP_PAGE - process) << 8);
    if (process == PROCESSES || (unsigned int)page < end_of_variables())
        return PROCESS_ERROR;
    *page++ = first_stack() + ENTRY_BYTES - 1; /* SP */
    for (i = 1; i < REGISTERS + BELOW_STACK; i++)
        *page++ = 0;
    *page++ = (unsigned int)end_process;
    *page++ = (unsigned int)end_process >> 8;
    *page++ = (unsigned int)function;
    *page = (unsigned int)function >> 8;
    aksen_processes.proz_status[process] = RUNS;
    aksen_processes.proz_ticks[process] = ticks;
    aksen_processes.proz_liste[aksen_processes.anz_proz++] = process;
    if (!aksen_slice) {
        watch_stack();
        aksen_scheduler = (unsigned int)aksen_change_process;
        aksen_slice = aksen_processes.proz_ticks[0];
        aksen_keep_busy(CHANGES_PROCESSES);
    }
    return process;
}
#endif

#ifdef PART_hog
#define HOG_TICKS 255

void process_hog(void)
{
    if (aksen_slice)
        aksen_slice = HOG_TICKS;
}
#endif

#ifdef PART_defer
void process_defer(void)
{
    aksen_yield();
}
#endif

#ifdef PART_set_ticks
void process_set_ticks(unsigned char process, unsigned char ticks)
{
    aksen_start_processes();
    if (process < PROCESSES)
        aksen_processes.proz_ticks[process] = ticks;
}
#endif

#ifdef PART_kill
/* Takes a process out of the list, and those behind it move up; 0 if there is no such process. Looking
 * and taking are one critical section: another process may kill the same one in between, and the
 * search would run past the end of the list. */
static unsigned char take_out(unsigned char process) __critical
{
    unsigned char i = 0;

    if (!aksen_processes.proz_status[process])
        return 0;
    while (aksen_processes.proz_liste[i] != process)
        i++;
    if (i <= aksen_processes.akt_proz_index)
        aksen_processes.akt_proz_index--; /* from 0 to 255: the next one is again 0 */
    aksen_processes.anz_proz--;
    for (; i < aksen_processes.anz_proz; i++)
        aksen_processes.proz_liste[i] = aksen_processes.proz_liste[i + 1];
    aksen_processes.proz_status[process] = 0;
    return 1;
}

unsigned char process_kill(unsigned char process)
{
    aksen_start_processes();
    if (process >= PROCESSES || !take_out(process))
        return PROCESS_ERROR;
    while (process == aksen_processes.akt_proz)
        aksen_yield();
    return 0;
}
#endif
