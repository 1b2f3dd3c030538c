/* Start of every program. sdcc writes the interrupt vectors into the module of main(), for the
 * interrupt functions that it sees declared here. */
#include <stub.h>
#include <program.h>
#include "board_map.h"
#include "aksen_end.h"
#include "aksen_hal.h"
#include "aksen_tick.h"

void main(void)
{
    aksen_hal_start();
#ifdef PROGRAM_INTERRUPTS
    PROGRAM_INTERRUPTS
#endif
    AksenMain();
#ifdef PROGRAM_RETURNS
    aksen_say_end();
#endif
    for (;;)
        ; /* the program's processes go on */
}
