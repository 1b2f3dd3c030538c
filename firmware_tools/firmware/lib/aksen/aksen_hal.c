/* SPDX-License-Identifier: 0BSD */
/* Hardware layer: the only file of the library that knows registers of chip and board.
 *
 * board_map.h is generated from the board's TOML when the library is built. Each part between
 * #ifdef PART_... and #endif becomes an object of its own in the library's archive, so that a
 * program is linked with the parts it uses and no others.
 */
#include <regc515c.h>
#include "aksen_hal.h"
#include "board_map.h"

/* __critical functions run with interrupts off, because two processes may call them at once. */
#define REGISTER(address) (*(volatile __xdata unsigned char *)(address))

#ifdef PART_start
/* HD44780 data sheet, figure 23: 8-bit interface, two lines, display on, cleared, cursor moves on. */
static const __code unsigned char lcd_setup[] = { 0x38, 0x38, 0x38, 0x0C, 0x01, 0x06 };

void aksen_hal_start(void)
{
    unsigned char i;

    CRCL = TIMER_RELOAD & 0xFF;
    CRCH = TIMER_RELOAD >> 8;
    TL2 = TIMER_RELOAD & 0xFF;
    TH2 = TIMER_RELOAD >> 8;
    T2CON = 0x11; /* T2R1: reload from CRC at overflow; T2I0: count machine cycles */
    aksen_hal_serial_start();
    for (i = 0; i < sizeof lcd_setup; i++)
        aksen_hal_lcd_command(lcd_setup[i]);
    ET2 = 1;
    EA = 1;
}
#endif

#ifdef PART_lcd
#define LCD_BUSY 0x80
/* A display answers within 2 ms. Without one the window may read FFh: give up after 10 ms. */
#define LCD_POLLS 1000

/* The last look and the write are one critical section: if another process wrote between them, the
 * display would be busy again and ignore this byte. Polling itself keeps interrupts on. */
static void write_when_idle(unsigned int address, unsigned char byte)
{
    unsigned int polls = LCD_POLLS;
    unsigned char is_written = 0;

    do {
        while ((REGISTER(LCD_COMMAND_ADDRESS) & LCD_BUSY) && --polls)
            ;
        __critical
        {
            if (!(REGISTER(LCD_COMMAND_ADDRESS) & LCD_BUSY)) {
                REGISTER(address) = byte;
                is_written = 1;
            }
        }
    } while (!is_written && polls);
}

void aksen_hal_lcd_command(unsigned char command)
{
    write_when_idle(LCD_COMMAND_ADDRESS, command);
}

void aksen_hal_lcd_data(unsigned char character)
{
    write_when_idle(LCD_DATA_ADDRESS, character);
}
#endif

#ifdef PART_leds
void aksen_hal_leds(unsigned char bits)
{
    REGISTER(LEDS_ADDRESS) = bits;
}
#endif

#ifdef PART_motor
void aksen_hal_motor(unsigned char motor, unsigned char direction_and_power)
{
    REGISTER(MOTOR_0_ADDRESS + motor) = direction_and_power;
}
#endif

#ifdef PART_servo
void aksen_hal_servo(unsigned char number, unsigned int pulse_us) __critical
{
    unsigned int address = SERVO_0_HIGH_ADDRESS + 2 * number;

    REGISTER(address) = pulse_us >> 8;
    REGISTER(address + 1) = pulse_us; /* the low byte makes both count */
}
#endif

#ifdef PART_dip
unsigned char aksen_hal_dip(void)
{
    return REGISTER(DIP_ADDRESS);
}
#endif

#ifdef PART_digital
unsigned char aksen_hal_digital_low(void)
{
    return REGISTER(DIGITAL_IN_LOW_ADDRESS);
}

unsigned char aksen_hal_digital_high(void)
{
    return REGISTER(DIGITAL_IN_HIGH_ADDRESS);
}
#endif

#ifdef PART_digital_out
void aksen_hal_digital_out(unsigned char port, unsigned char levels)
{
    REGISTER(DIGITAL_OUT_LOW_ADDRESS + port) = levels;
}
#endif

#ifdef PART_ir_carrier
void aksen_hal_ir_carrier(unsigned char on)
{
    REGISTER(IR_OUT_ADDRESS) = on;
}
#endif

#ifdef PART_ir_step
void aksen_hal_ir_step(unsigned char on) __using(1)
{
    REGISTER(IR_OUT_ADDRESS) = on;
}
#endif

#ifdef PART_encoder0
void aksen_hal_encoder0(void)
{
    IT0 = 1;
    EX0 = 1;
}
#endif

#ifdef PART_encoder1
void aksen_hal_encoder1(void)
{
    IT1 = 1;
    EX1 = 1;
}
#endif

#ifdef PART_encoder2
void aksen_hal_encoder2(void)
{
    IEX2 = 0; /* T2CON has I2FR = 0: falling edges */
    EX2 = 1;
}
#endif

#ifdef PART_servobank
#define SLOT_CYCLES (CYCLES_PER_MS * 5UL / 2) /* an eighth of 20 ms */
#define PRIORITY_3 0x08                       /* group 3 is timer 1's */
#define TIMER_1_MODE_1 0x10
#define STOPPED_CYCLES 28 /* from reading timer 1 to starting it again */

volatile unsigned int aksen_bank_cycles[SERVOS_OF_BANK];
static unsigned char number;   /* of the servo whose slot this is */
static unsigned char next;     /* levels from the next interrupt on */
static unsigned int pulse;     /* cycles that those last, if one is high */
static unsigned int remaining; /* cycles of the slot behind the pulse */

/* Interrupts where a level of the bank may change; it has highest priority, above the scheduler. */
void aksen_servobank(void) __interrupt(3)
{
    unsigned int cycles = pulse;

    REGISTER(DIGITAL_OUT_LOW_ADDRESS + 1) = next;
    if (next) {
        next = 0;
        remaining = SLOT_CYCLES - cycles;
    } else {
        cycles = remaining;
        number = (number + 1) & (SERVOS_OF_BANK - 1);
        pulse = aksen_bank_cycles[number];
        remaining = SLOT_CYCLES;
        if (pulse)
            next = 1 << number;
    }
    TR1 = 0;
    cycles = (TH1 << 8 | TL1) + STOPPED_CYCLES - cycles;
    TL1 = cycles;
    TH1 = cycles >> 8;
    TR1 = 1;
}

/* Called in front of every program that has the bank. */
void aksen_servobank_start(void)
{
    TMOD = (TMOD & 0x0F) | TIMER_1_MODE_1;
    IP0 |= PRIORITY_3;
    IP1 |= PRIORITY_3;
}

void aksen_hal_servobank(unsigned char on)
{
    if (on && ET1)
        return; /* it runs: a new start would cut a pulse off and make this frame longer */
    ET1 = 0;
    TR1 = 0;
    if (!on)
        return;
    next = 0;
    remaining = SLOT_CYCLES;
    REGISTER(DIGITAL_OUT_LOW_ADDRESS + 1) = 0;
    TF1 = 1; /* starts with an interrupt now */
    TR1 = 1;
    ET1 = 1;
}
#endif

#ifdef PART_can
unsigned char aksen_hal_can_read(unsigned char number)
{
    return REGISTER(CAN_ADDRESS + number);
}

void aksen_hal_can_write(unsigned char number, unsigned char value)
{
    REGISTER(CAN_ADDRESS + number) = value;
}
#endif

#ifdef PART_can_read_all
void aksen_hal_can_read_all(unsigned char first, __xdata unsigned char *to, unsigned char count)
{
    volatile __xdata unsigned char *from = &REGISTER(CAN_ADDRESS + first);

    while (count--)
        *to++ = *from++;
}
#endif

#ifdef PART_can_write_all
void aksen_hal_can_write_all(unsigned char first, __xdata unsigned char *from, unsigned char count)
{
    volatile __xdata unsigned char *to = &REGISTER(CAN_ADDRESS + first);

    while (count--)
        *to++ = *from++;
}
#endif

#ifdef PART_tick_on
void aksen_hal_tick(unsigned char on)
{
    ET2 = on;
}
#endif

#ifdef PART_analog
#define CHANNEL_BITS 0x07

unsigned char aksen_hal_analog(unsigned char input) __critical
{
    unsigned char channel = input - ANALOG_MULTIPLEXED_INPUTS + ANALOG_FIRST_DIRECT_CHANNEL;
    unsigned char loops = MULTIPLEXER_SETTLING_LOOPS;

    if (input < ANALOG_MULTIPLEXED_INPUTS) {
        REGISTER(ANALOG_SELECT_ADDRESS) = input;
        while (--loops)
            ;
        channel = ANALOG_MULTIPLEXED_CHANNEL;
    }
    ADCON0 = (ADCON0 & ~(CHANNEL_BITS | 0x08)) | channel; /* ADM = 0: a single conversion */
    ADDATL = 0;                                           /* starts it */
    while (BSY)
        ;
    return ADDATH;
}
#endif

#ifdef PART_serial_start
void aksen_hal_serial_start(void)
{
    SCON = 0x50; /* mode 1, receiver on */
    SRELH = SERIAL_SREL >> 8;
    SRELL = SERIAL_SREL & 0xFF;
    BD = 1;
    PCON |= 0x80; /* SMOD */
    TI = 1;       /* the transmitter is free */
}
#endif

#ifdef PART_serial_write
/* JBC tests and clears TI in one go, so that of two waiting processes one gets it. */
void aksen_hal_serial_write(unsigned char byte) __naked
{
    (void)byte; /* in DPL */
    __asm
    00001$:
        jbc     _TI,00002$
        sjmp    00001$
    00002$:
        mov     _SBUF,dpl
        ret
    __endasm;
}
#endif

#ifdef PART_serial_read
/* RI and SBUF are read in one critical section: two waiting processes would both take the same byte,
 * or the next byte would overwrite it between RI = 0 and the reading. */
unsigned char aksen_hal_serial_read(void)
{
    unsigned char has_come = 0;
    unsigned char byte = 0;

    while (!has_come)
        __critical
        {
            if (RI) {
                RI = 0;
                byte = SBUF;
                has_come = 1;
            }
        }
    return byte;
}
#endif

#ifdef PART_tick
#include "aksen_tick.h"

volatile __data unsigned long aksen_ticks;
volatile __data unsigned char aksen_has_more;
volatile __data unsigned char aksen_saved_acc;
volatile __data unsigned char aksen_saved_psw;
unsigned int aksen_more;

/* By hand, because most ticks have nothing to do but count: 20 us of every 1000. */
void aksen_tick(void) __interrupt(TIMER_INTERRUPT) __naked
{
    __asm
        clr     _TF2
        mov     _aksen_saved_acc,a
        mov     _aksen_saved_psw,psw
        inc     _aksen_ticks
        mov     a,_aksen_ticks
        jnz     00001$
        inc     (_aksen_ticks + 1)
        mov     a,(_aksen_ticks + 1)
        jnz     00001$
        inc     (_aksen_ticks + 2)
        mov     a,(_aksen_ticks + 2)
        jnz     00001$
        inc     (_aksen_ticks + 3)
    00001$:
        mov     a,_aksen_has_more
        jnz     00002$
        mov     psw,_aksen_saved_psw
        mov     a,_aksen_saved_acc
        reti
    00002$:
        mov     SAVED_B,b
        mov     SAVED_DPL,dpl
        mov     SAVED_DPH,dph
        mov     dptr,#_aksen_more
        movx    a,@dptr                 ; jump to the address in aksen_more
        mov     b,a
        inc     dptr
        movx    a,@dptr
        mov     dph,a
        mov     dpl,b
        clr     a
        jmp     @a+dptr
    __endasm;
}
#endif

#ifdef PART_busy_tick
#include "aksen_tick.h"

unsigned int aksen_sampler;

/* No code: has the linker keep bank 1 from the program's variables. */
static void take_bank_1(void) __using(1) __naked
{
}

/* Continues aksen_tick. A process may have filled its stack to the last byte: only the sampler needs
 * some of it. */
static void busy_tick(void) __naked
{
    __asm
        mov     a,_aksen_has_more
        jnb     acc.0,00001$            ; no SAMPLES
        push    SAVED_B                  ; the sampler works in register bank 1
        push    SAVED_DPL
        push    SAVED_DPH
        mov     psw,#0x08
        mov     dptr,#_aksen_sampler
        lcall   00009$
        pop     SAVED_DPH
        pop     SAVED_DPL
        pop     SAVED_B
    00001$:
        mov     a,_aksen_slice
        jz      00002$                  ; no process was ever started
        djnz    _aksen_slice,00002$
        mov     dptr,#_aksen_scheduler
    00009$:
        movx    a,@dptr                 ; jump to where DPTR points
        mov     b,a
        inc     dptr
        movx    a,@dptr
        mov     dph,a
        mov     dpl,b
        clr     a
        jmp     @a+dptr
    00002$:
        mov     b,SAVED_B
        mov     dpl,SAVED_DPL
        mov     dph,SAVED_DPH
        mov     psw,_aksen_saved_psw
        mov     a,_aksen_saved_acc
        reti
    __endasm;
}

void aksen_keep_busy(unsigned char with) __critical
{
    aksen_more = (unsigned int)busy_tick;
    aksen_has_more |= with;
}
#endif

#ifdef PART_slice
/* At the end of bank 2, so that stacks start at 20h with processes too. aksen_tick.h declares it
 * without an address, so it must not be included here. */
volatile __data __at(0x17) unsigned char aksen_slice;
unsigned int aksen_scheduler;

#ifndef ROM_LIBRARY /* whose variables have all of it */
/* No code: has the linker keep bank 2 from the program's variables. */
static void take_bank_2(void) __using(2) __naked
{
}
#endif
#endif

#ifdef PART_yield
#include "aksen_tick.h"

/* Does what the tick does at the end of a slice; returns at once if no process was started. The
 * scheduler enables the tick again. */
void aksen_yield(void) __naked
{
    __asm
        mov     a,_aksen_slice
        jz      00001$
        clr     _ET2
        mov     _aksen_saved_psw,psw
        mov     dptr,#_aksen_scheduler
        movx    a,@dptr
        mov     b,a
        inc     dptr
        movx    a,@dptr
        mov     dph,a
        mov     dpl,b
        clr     a
        jmp     @a+dptr
    00001$:
        ret
    __endasm;
}
#endif

#ifdef PART_infrared
/* The receivers' outputs, receiver 0 in bit 0: 0 while light arrives. */
unsigned char aksen_hal_infrared(void) __using(1)
{
    return REGISTER(DIGITAL_IN_LOW_ADDRESS) >> IR_FIRST_INPUT;
}
#endif
