/* SPDX-License-Identifier: 0BSD */
/* Start of every program. sdcc writes the interrupt vectors into the module of main(), for the
 * interrupt functions that it sees declared here. */
#include <stub.h>
#include <program.h>
#include "board_map.h"
#include "aksen_end.h"
#include "aksen_hal.h"
#ifdef ROM_LIBRARY
#include "aksen_version.h"

void aksen_rom_init(void);
void aksen_rom_check(const char *wanted);
#else
#include "aksen_tick.h"
#endif

void main(void)
{
#ifdef ROM_LIBRARY
    aksen_rom_init();
    aksen_rom_check(AKSEN_VERSION);
#else
    aksen_hal_start();
#endif
#ifdef PROGRAM_INTERRUPTS
    PROGRAM_INTERRUPTS
#endif
    AksenMain();
#ifdef PROGRAM_RETURNS
    aksen_say_end();
#endif
    for (;;)
        ; /* the other processes keep running */
}
