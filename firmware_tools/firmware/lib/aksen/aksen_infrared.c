/* SPDX-License-Identifier: 0BSD */
/* Receivers of modulated infrared light. */
#include <stub.h>
#include "board_map.h"
#include "aksen_tick.h"

unsigned char aksen_hal_infrared(void) __using(1);
void aksen_ir_takt(unsigned char receiver, unsigned char half_period_ms);

/* While the sender flashes, the tick calls it, and it the sampler. */
extern unsigned int aksen_behind_sender;
extern unsigned char aksen_sender_is_on;

#ifdef PART_status
volatile unsigned char aksen_ir_status[IR_RECEIVERS];
#endif

extern unsigned char aksen_ir_max_errors[IR_RECEIVERS];
#ifdef PART_max_errors
unsigned char aksen_ir_max_errors[IR_RECEIVERS];
#endif

#ifdef PART_sampler
#define WAITS_FOR_EDGE 255

static unsigned char half[IR_RECEIVERS];  /* ms; 0: receiver not in use */
static unsigned char state[IR_RECEIVERS]; /* ms since the period started, or WAITS_FOR_EDGE */
static unsigned char wrong[IR_RECEIVERS]; /* samples of this period that differ */
static unsigned char levels = 0xFF;

static void end_period(unsigned char i) __using(1)
{
    state[i] = 0;
    if (wrong[i] > aksen_ir_max_errors[i]) {
        aksen_ir_status[i] = 0;
        state[i] = WAITS_FOR_EDGE;
    } else if (aksen_ir_status[i] != 255)
        aksen_ir_status[i]++;
    wrong[i] = 0;
}

/* Runs in the tick interrupt, in register bank 1. The first period starts with a falling edge, each
 * further one when the one before ends, "nach einer Anfangssynchronisierung" (handbook, 3.2.5): light
 * in the first half, none in the second. Later edges do not start a period: a receiver that follows
 * each edge cannot see the difference in length and takes 100 Hz for 125 Hz. */
void aksen_ir_sample(void) __using(1)
{
    unsigned char now = aksen_hal_infrared();
    unsigned char falling = levels & ~now;
    unsigned char i;

    levels = now;
    for (i = 0; i < IR_RECEIVERS; i++, falling >>= 1, now >>= 1) {
        if (!half[i])
            continue;
        if (state[i] == WAITS_FOR_EDGE) {
            if (!(falling & 1))
                continue;
            state[i] = 0;
        }
        if ((now & 1) == (state[i] < half[i]))
            wrong[i]++;
        if (++state[i] == 2 * half[i])
            end_period(i);
    }
}

void aksen_ir_takt(unsigned char receiver, unsigned char half_period_ms)
{
    /* Addresses are integers here: sdcc's pointers know no banks. The tick must not see half of one,
     * nor a new period with the old one's state. The same period once more changes nothing, so that a
     * program may set it in each round (handbook, listing 3.17). */
    __critical
    {
        if (half[receiver] != half_period_ms) {
            half[receiver] = half_period_ms;
            state[receiver] = WAITS_FOR_EDGE;
            wrong[receiver] = 0;
            if (half_period_ms)
                aksen_ir_status[receiver] = 0;
        }
        if (aksen_sender_is_on)
            aksen_behind_sender = (unsigned int)aksen_ir_sample;
        else
            aksen_sampler = (unsigned int)aksen_ir_sample;
        aksen_keep_busy(SAMPLES);
    }
}
#endif

#ifdef PART_takt0
void mod_ir0_takt(unsigned char half_period_ms)
{
    aksen_ir_takt(0, half_period_ms);
}
#endif

#ifdef PART_takt1
void mod_ir1_takt(unsigned char half_period_ms)
{
    aksen_ir_takt(1, half_period_ms);
}
#endif

#ifdef PART_takt2
void mod_ir2_takt(unsigned char half_period_ms)
{
    aksen_ir_takt(2, half_period_ms);
}
#endif

#ifdef PART_takt3
void mod_ir3_takt(unsigned char half_period_ms)
{
    aksen_ir_takt(3, half_period_ms);
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

#ifdef PART_maxfehler3
void mod_ir3_maxfehler(unsigned char errors)
{
    aksen_ir_max_errors[3] = errors;
}
#endif
