/* SPDX-License-Identifier: 0BSD */
/* Time calls. */
#include <stub.h>
#include "board_map.h"
#include "aksen_tick.h"

unsigned long aksen_now(void);

#ifdef PART_now
unsigned long aksen_now(void) __critical
{
    return aksen_ticks;
}
#endif

#ifdef PART_akt_time
static unsigned long cleared_at; /* four bytes: reading and writing them takes several instructions */

/* One section for both readings: if the time were cleared between them, it would be negative. */
unsigned long akt_time(void) __critical
{
    return aksen_ticks - cleared_at;
}

void clear_time(void) __critical
{
    cleared_at = aksen_ticks;
}
#endif

#ifdef PART_sleep
void sleep(unsigned long duration_ms)
{
    unsigned long start = aksen_now();

    while (aksen_now() - start < duration_ms)
        aksen_yield();
}
#endif
