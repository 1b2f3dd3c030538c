/* Start of every program. */
#include <stub.h>
#include "board_map.h"
#include "aksen_hal.h"
#include "aksen_tick.h"

void main(void)
{
    aksen_hal_start();
    AksenMain();
    for (;;)
        ; /* the program's processes go on */
}
