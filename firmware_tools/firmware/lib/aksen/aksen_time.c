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
static unsigned long cleared_at;

unsigned long akt_time(void)
{
    return aksen_now() - cleared_at;
}

void clear_time(void)
{
    cleared_at = aksen_now();
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
