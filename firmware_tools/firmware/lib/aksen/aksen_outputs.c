/* SPDX-License-Identifier: 0BSD */
/* LEDs, motors and servos. Calls with a number that the board lacks do nothing.
 *
 * Reading, changing and writing a register's copy must not be interrupted by another process that
 * does the same: __critical keeps interrupts off.
 */
#include <stub.h>
#include "aksen_hal.h"
#include "board_map.h"

#ifdef PART_led
static unsigned char lit;

void led(unsigned char number, unsigned char on)
{
    unsigned char bit = 1 << number;

    if (number >= LEDS)
        return;
    __critical
    {
        if (on)
            lit |= bit;
        else
            lit &= ~bit;
        aksen_hal_leds(lit);
    }
}
#endif

extern unsigned char aksen_digital_latch[2];
#ifdef PART_digital_latch
unsigned char aksen_digital_latch[2] = { 0xFF, 0xFF };
#endif

#ifdef PART_digital_out
void digital_out(unsigned char output, unsigned char level)
{
    unsigned char bit = 1 << (output & 7);
    unsigned char port = output >> 3;

    if (output >= DIGITAL_INPUTS)
        return;
    __critical
    {
        if (level)
            aksen_digital_latch[port] |= bit;
        else
            aksen_digital_latch[port] &= ~bit;
        aksen_hal_digital_out(port, aksen_digital_latch[port]);
    }
}
#endif

#ifdef PART_digital_byteout
void digital_byteout(unsigned char port, unsigned char levels)
{
    if (port > PORT_2)
        return;
    __critical
    {
        aksen_digital_latch[port] = levels;
        aksen_hal_digital_out(port, levels);
    }
}
#endif

#ifdef PART_motor
#define DIRECTION 0x80

static unsigned char motors[MOTORS]; /* direction in bit 7, power below */

void motor_richtung(unsigned char motor, unsigned char direction)
{
    if (motor >= MOTORS)
        return;
    __critical
    {
        motors[motor] = (motors[motor] & ~DIRECTION) | (direction ? DIRECTION : 0);
        aksen_hal_motor(motor, motors[motor]);
    }
}

void motor_pwm(unsigned char motor, unsigned char power)
{
    if (motor >= MOTORS)
        return;
    if (power > MOTOR_POWER_MAX)
        power = MOTOR_POWER_MAX;
    __critical
    {
        motors[motor] = (motors[motor] & DIRECTION) | power;
        aksen_hal_motor(motor, motors[motor]);
    }
}
#endif

#ifdef PART_servo
void servo(unsigned char number, unsigned int pulse_us)
{
    if (number < SERVOS)
        aksen_hal_servo(number, pulse_us);
}
#endif

#ifdef PART_servo_arc
void servo_arc(unsigned char number, unsigned char angle_deg)
{
    if (angle_deg > SERVO_DEGREES_MAX)
        angle_deg = SERVO_DEGREES_MAX;
    servo(number, SERVO_ZERO_US + (unsigned int)SERVO_US_PER_DEGREE * angle_deg);
}
#endif
