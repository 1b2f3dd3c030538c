/* SPDX-License-Identifier: 0BSD */
/* What the library needs of the hardware; aksen_hal.c is the one file that knows the board.
 *
 * Every global name starts with aksen_, so that it meets no name of a program.
 */
#ifndef AKSEN_HAL_H
#define AKSEN_HAL_H

/* Starts the 1 ms tick, the serial line and the LCD. Interrupts are on when it returns. */
void aksen_hal_start(void);

/* Waits until the LCD is idle, then writes an instruction or a character. */
void aksen_hal_lcd_command(unsigned char command);
void aksen_hal_lcd_data(unsigned char character);

void aksen_hal_leds(unsigned char bits);
void aksen_hal_motor(unsigned char motor, unsigned char direction_and_power);
void aksen_hal_servo(unsigned char number, unsigned int pulse_us) __critical;
unsigned char aksen_hal_dip(void);
unsigned char aksen_hal_digital_low(void);
unsigned char aksen_hal_digital_high(void);
void aksen_hal_digital_out(unsigned char port, unsigned char levels);
void aksen_hal_ir_carrier(unsigned char on);

/* Interrupts at falling edges of an encoder's pin. */
void aksen_hal_encoder0(void);
void aksen_hal_encoder1(void);
void aksen_hal_encoder2(void);

/* Lengths of the pulses on digital pins 8 to 15 in machine cycles; 0 for no pulse. Uses timer 1. */
#define SERVOS_OF_BANK 8
extern volatile unsigned int aksen_bank_cycles[SERVOS_OF_BANK];
void aksen_hal_servobank(unsigned char on);

/* A register of the CAN controller. */
unsigned char aksen_hal_can_read(unsigned char number);
void aksen_hal_can_write(unsigned char number, unsigned char value);
void aksen_hal_can_read_all(unsigned char first, __xdata unsigned char *to, unsigned char count);
void aksen_hal_can_write_all(unsigned char first, __xdata unsigned char *from, unsigned char count);

/* While the tick is off, no other process runs; other interrupts do. One tick waits meanwhile, a
 * second one would be lost: stay below 1 ms. */
void aksen_hal_tick(unsigned char on);

/* One conversion, upper 8 bits. */
unsigned char aksen_hal_analog(unsigned char input) __critical;

/* One byte over the serial line; both wait. */
void aksen_hal_serial_start(void);
void aksen_hal_serial_write(unsigned char byte);
unsigned char aksen_hal_serial_read(void);

#endif
