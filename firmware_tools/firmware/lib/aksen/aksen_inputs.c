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
