/* SPDX-License-Identifier: 0BSD */
/* The servo bank: eight more servos on digital pins 8 to 15; aksen_hal.c makes their pulses. */
#include <stub.h>
#include "board_map.h"
#include "aksen_hal.h"

#define NO_SUCH_SERVO 11
#define TOO_LONG 12
#define LONGEST_US 2100
#define SHORTEST_US 200 /* what the interrupt at its start needs before the one at its end */

extern unsigned char aksen_digital_latch[2];

void servobank_start(void) __critical
{
    aksen_hal_servobank(1);
}

/* The pins get back the levels that digital_out has set, in one piece: a level that another process
 * sets between reading the latch and writing the port would be lost. */
void servobank_stop(void) __critical
{
    aksen_hal_servobank(0);
    aksen_hal_digital_out(PORT_2, aksen_digital_latch[PORT_2]);
}

unsigned char servobank(unsigned char servo, unsigned int pulse_us)
{
    if (servo >= SERVOS_OF_BANK)
        return NO_SUCH_SERVO;
    if (pulse_us > LONGEST_US)
        return TOO_LONG;
    if (pulse_us && pulse_us < SHORTEST_US)
        pulse_us = SHORTEST_US;
    __critical
    {
        aksen_bank_cycles[servo] = (unsigned long)pulse_us * CYCLES_PER_MS / 1000;
    }
    return servo;
}
