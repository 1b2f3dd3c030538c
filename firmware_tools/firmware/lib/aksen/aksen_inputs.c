/* SPDX-License-Identifier: 0BSD */
/* Analogue inputs, digital inputs and DIP switches. An input that the board lacks reads 0. */
#include <stub.h>
#include "aksen_hal.h"
#include "board_map.h"

#ifdef PART_analog
unsigned char analog(unsigned char input)
{
    return input < ANALOG_INPUTS ? aksen_hal_analog(input) : 0;
}
#endif

#ifdef PART_digital
unsigned char digital_in(unsigned char input)
{
    unsigned char levels = input < 8 ? aksen_hal_digital_low() : aksen_hal_digital_high();

    return input < DIGITAL_INPUTS ? (levels >> (input & 7)) & 1 : 0;
}
#endif

#ifdef PART_dip
unsigned char dip_pin(unsigned char number)
{
    return number < DIP_SWITCHES ? (aksen_hal_dip() >> number) & 1 : 0;
}
#endif

#ifdef PART_digital_bytein
unsigned char digital_bytein(unsigned char port)
{
    if (port > PORT_2)
        return 0;
    return port ? aksen_hal_digital_high() : aksen_hal_digital_low();
}
#endif

#ifdef PART_all_dip
unsigned char dip(void)
{
    return aksen_hal_dip();
}
#endif
