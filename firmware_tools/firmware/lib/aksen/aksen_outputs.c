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
