/* Receivers of modulated infrared light. */
#include <stub.h>
#include "board_map.h"
#include "aksen_tick.h"

unsigned char aksen_hal_infrared(void) __using(1);
void aksen_ir_takt(unsigned char receiver, unsigned char period_ms);

#ifdef PART_status
volatile unsigned char aksen_ir_status[IR_RECEIVERS];
#endif

extern unsigned char aksen_ir_max_errors[IR_RECEIVERS];
#ifdef PART_max_errors
unsigned char aksen_ir_max_errors[IR_RECEIVERS];
#endif

#ifdef PART_sampler
#define TOLERANCE_MS 1 /* sampling once a ms moves each edge by up to 1 ms */

static unsigned char period[IR_RECEIVERS]; /* 0: receiver not in use */
static unsigned char age[IR_RECEIVERS];    /* ms since the last rising edge */
static unsigned char errors[IR_RECEIVERS];
static unsigned char levels;

/* Runs in the tick interrupt, in register bank 1. */
void aksen_ir_sample(void) __using(1)
{
    unsigned char now = aksen_hal_infrared();
    unsigned char rising = now & ~levels;
    unsigned char i;

    levels = now;
    for (i = 0; i < IR_RECEIVERS; i++, rising >>= 1) {
        if (!period[i])
            continue;
        age[i]++;
        if ((rising & 1) && age[i] + TOLERANCE_MS >= period[i] && age[i] <= period[i] + TOLERANCE_MS) {
            errors[i] = 0;
            if (aksen_ir_status[i] != 255)
                aksen_ir_status[i]++;
        } else if ((rising & 1) || age[i] > period[i] + TOLERANCE_MS) {
            if (++errors[i] > aksen_ir_max_errors[i]) {
                aksen_ir_status[i] = 0;
                errors[i] = 0;
            }
        } else {
            continue;
        }
        age[i] = 0;
    }
}

void aksen_ir_takt(unsigned char receiver, unsigned char period_ms)
{
    period[receiver] = period_ms;
    aksen_sampler = (unsigned int)aksen_ir_sample; /* an integer: sdcc's pointers know no banks */
    aksen_sampling = 1;
}
#endif

#ifdef PART_takt0
void mod_ir0_takt(unsigned char period_ms)
{
    aksen_ir_takt(0, period_ms);
}
#endif

#ifdef PART_takt1
void mod_ir1_takt(unsigned char period_ms)
{
    aksen_ir_takt(1, period_ms);
}
#endif

#ifdef PART_takt2
void mod_ir2_takt(unsigned char period_ms)
{
    aksen_ir_takt(2, period_ms);
}
#endif

#ifdef PART_maxfehler0
void mod_ir0_maxfehler(unsigned char errors)
{
    aksen_ir_max_errors[0] = errors;
}
#endif

#ifdef PART_maxfehler1
void mod_ir1_maxfehler(unsigned char errors)
{
    aksen_ir_max_errors[1] = errors;
}
#endif

#ifdef PART_maxfehler2
void mod_ir2_maxfehler(unsigned char errors)
{
    aksen_ir_max_errors[2] = errors;
}
#endif
