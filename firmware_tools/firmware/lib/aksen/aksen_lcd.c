/* SPDX-License-Identifier: 0BSD */
/* LCD calls. */
#include <stub.h>
#include "aksen_hal.h"

#define CLEAR 0x01
#define SET_ADDRESS 0x80
#define ROW_DISTANCE 0x40 /* HD44780: the second row starts at display address 40h */

#ifdef PART_cls
void lcd_cls(void)
{
    aksen_hal_lcd_command(CLEAR);
}
#endif

#ifdef PART_setxy
void lcd_setxy(unsigned char row, unsigned char column)
{
    aksen_hal_lcd_command(SET_ADDRESS | ((row ? ROW_DISTANCE : 0) + column));
}
#endif

#ifdef PART_putchar
void lcd_putchar(char character)
{
    aksen_hal_lcd_data(character);
}
#endif

#ifdef PART_puts
void lcd_puts(const char *text)
{
    while (*text)
        aksen_hal_lcd_data(*text++);
}
#endif

#ifdef PART_ubyte
void lcd_ubyte(unsigned char number)
{
    lcd_ulong(number);
}
#endif

#ifdef PART_uint
void lcd_uint(unsigned int number)
{
    lcd_ulong(number);
}
#endif

#ifdef PART_int
void lcd_int(int number)
{
    unsigned int size = number;

    if (number < 0) {
        aksen_hal_lcd_data('-');
        size = -size;
    }
    lcd_ulong(size);
}
#endif

#ifdef PART_ulong
/* Subtracting powers of ten is smaller than the compiler's long division and as fast. */
static const __code unsigned long powers[] = {
    1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1
};

void lcd_ulong(unsigned long number)
{
    unsigned char i;
    unsigned char digit;
    unsigned char started = 0;

    for (i = 0; i < 10; i++) {
        unsigned long power = powers[i];

        for (digit = '0'; number >= power; digit++)
            number -= power;
        started |= digit - '0';
        if (started || power == 1)
            aksen_hal_lcd_data(digit);
    }
}
#endif

#ifdef PART_home
#define HOME 0x02

void lcd_home(void)
{
    aksen_hal_lcd_command(HOME);
}
#endif

#ifdef PART_setup
#define DISPLAY_CONTROL 0x08

void lcd_setup(unsigned char display, unsigned char cursor, unsigned char blink)
{
    unsigned char command = DISPLAY_CONTROL;

    if (display)
        command |= 4;
    if (cursor)
        command |= 2;
    if (blink)
        command |= 1;
    aksen_hal_lcd_command(command);
}
#endif

#ifdef PART_byte
void lcd_byte(char number)
{
    lcd_int(number);
}
#endif

#ifdef PART_long
void lcd_long(long number)
{
    unsigned long size = number;

    if (number < 0) {
        aksen_hal_lcd_data('-');
        size = -size;
    }
    lcd_ulong(size);
}
#endif

#ifdef PART_hbyte
static void digit(unsigned char value)
{
    aksen_hal_lcd_data(value < 10 ? '0' + value : 'A' - 10 + value);
}

void lcd_hbyte(unsigned char number)
{
    digit(number >> 4);
    digit(number & 0x0F);
}
#endif

#ifdef PART_hint
void lcd_hint(unsigned int number)
{
    lcd_hbyte(number >> 8);
    lcd_hbyte(number);
}
#endif

#ifdef PART_hlong
void lcd_hlong(unsigned long number)
{
    lcd_hint(number >> 16);
    lcd_hint(number);
}
#endif
