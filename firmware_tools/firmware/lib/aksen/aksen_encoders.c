/* SPDX-License-Identifier: 0BSD */
/* Encoders: an interrupt counts the falling edges of each one's pin. */
#include <regc515c.h>
#include <stub.h>
#include "aksen_hal.h"

#ifdef PART_0
static volatile unsigned int edges_0;

void aksen_encoder0(void) __interrupt(0)
{
    edges_0++;
}

void aksen_encoder0_start(void)
{
    aksen_hal_encoder0();
}

unsigned int encoder0(void) __critical
{
    unsigned int counted = edges_0;

    edges_0 = 0;
    return counted;
}
#endif

#ifdef PART_1
static volatile unsigned int edges_1;

void aksen_encoder1(void) __interrupt(2)
{
    edges_1++;
}

void aksen_encoder1_start(void)
{
    aksen_hal_encoder1();
}

unsigned int encoder1(void) __critical
{
    unsigned int counted = edges_1;

    edges_1 = 0;
    return counted;
}
#endif

#ifdef PART_2
static volatile unsigned int edges_2;

void aksen_encoder2(void) __interrupt(9)
{
    edges_2++;
}

void aksen_encoder2_start(void)
{
    aksen_hal_encoder2();
}

unsigned int encoder2(void) __critical
{
    unsigned int counted = edges_2;

    edges_2 = 0;
    return counted;
}
#endif
