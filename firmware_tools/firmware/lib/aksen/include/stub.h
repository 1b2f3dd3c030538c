/* SPDX-License-Identifier: 0BSD */
/* The calls of AKSEN programs. Entry of a program is `void AksenMain(void)`.
 *
 * Names and meanings are those of published programs; the AKSEN project's own header and library
 * are not public. A program may define one of these functions itself: the build then leaves its
 * declaration out.
 */
#ifndef STUB_H
#define STUB_H

/* The program: called once, interrupts on. When it returns, the LCD says so and other processes
 * keep running. */
void AksenMain(void);

/* LCD, 2 rows of 16 characters. Numbers are written in decimal without padding. */
void lcd_cls(void);
void lcd_setxy(unsigned char row, unsigned char column);
void lcd_putchar(char character);
void lcd_puts(const char *text);
void lcd_ubyte(unsigned char number);
void lcd_uint(unsigned int number);
void lcd_int(int number);
void lcd_ulong(unsigned long number);
void lcd_byte(char number);
void lcd_long(long number);

/* In hexadecimal, with 2, 4 and 8 digits. */
void lcd_hbyte(unsigned char number);
void lcd_hint(unsigned int number);
void lcd_hlong(unsigned long number);

/* Cursor to the top left; display and cursor on or off. */
#define DISPLAY_OFF 0
#define DISPLAY_ON 1
#define CURSOR_OFF 0
#define CURSOR_ON 1
#define CURSOR_NOBLINK 0
#define CURSOR_BLINK 1
void lcd_home(void);
void lcd_setup(unsigned char display, unsigned char cursor, unsigned char blink);

/* The library's version as text, up to 8 bytes with the end. */
void version(char *text);

/* Time in ms since the start or the last clear_time(); wraps after 49 days. sleep lets other
 * processes run. */
unsigned long akt_time(void);
void clear_time(void);
void sleep(unsigned long duration_ms);

/* Outputs. A motor's power is 0 to 10 and starts as 0; its direction is 0 or 1. */
void led(unsigned char number, unsigned char on);
void motor_richtung(unsigned char motor, unsigned char direction);
void motor_pwm(unsigned char motor, unsigned char power);

/* Digital outputs: pins 0 to 15, or all of pins 0 to 7 (PORT_1) or 8 to 15 (PORT_2). A pin with
 * level 1 can be an input too. */
#define PORT_1 0
#define PORT_2 1
void digital_out(unsigned char output, unsigned char level);
void digital_byteout(unsigned char port, unsigned char levels);

/* Servos: pulse width in us (0 switches the pulses off), or angle 0 to 180 degrees. */
void servo(unsigned char number, unsigned int pulse_us);
void servo_arc(unsigned char number, unsigned char angle_deg);

/* Servo bank: eight more on digital pins 8 to 15, from servobank_start to servobank_stop. Pulses in us
 * from 200 to 2100, 0 for none. Returns the servo, or 11 if there is none of that number, or 12 if the pulse
 * is too long. */
void servobank_start(void);
void servobank_stop(void);
unsigned char servobank(unsigned char servo, unsigned int pulse_us);

/* Falling edges on an encoder's pin since the last call; wraps after 65535. */
unsigned int encoder0(void);
unsigned int encoder1(void);
unsigned int encoder2(void);

/* Inputs. analog: input 0 to 14, 51 per volt. digital_in: input 0 to 15. dip_pin: switch 0 to 3. */
unsigned char analog(unsigned char input);
unsigned char digital_in(unsigned char input);
unsigned char dip_pin(unsigned char number);
unsigned char digital_bytein(unsigned char port);
unsigned char dip(void);

/* Processes: a function runs for `ticks` ms at a time, in turn with the others (the program itself
 * is process 0 with 5 ms); sleep and process_defer end the slice early. process_start returns
 * the new process's number, or PROCESS_ERROR when all 20 are taken or xdata has no 256 bytes left
 * for its stack. A process ends when its function returns. process_hog keeps the processor for
 * 255 ms more. process_kill ends any process, the program itself too; PROCESS_ERROR if there is none
 * of that number. A stack that overflows stops everything, with a message on the LCD. */
#define PROCESS_ERROR 255
unsigned char process_start(void (*function)(void), unsigned char ticks);
void process_hog(void);
void process_defer(void);
unsigned char process_kill(unsigned char process);

/* The processes, to be read: by number whether there is one and its ticks, then the numbers of
 * those that run, in their order; the running one's number and place in that list; how many there
 * are; the ms that the running one has left; whether processes are changed. */
struct aksen_processes {
    unsigned char proz_status[20];
    unsigned char proz_ticks[20];
    unsigned char proz_liste[20];
    unsigned char akt_proz;
    unsigned char akt_proz_index;
    unsigned char anz_proz;
    unsigned char ticks_aktuell;
    unsigned char schedule_erlaubt;
};
extern volatile struct aksen_processes aksen_processes;
volatile struct aksen_processes *aksen_proz_tab(void);
#define proz_tab (*aksen_proz_tab())
#define process_get_pid() (proz_tab.akt_proz)
void process_set_ticks(unsigned char process, unsigned char ticks);

/* Infrared sender: carrier of 40 kHz on and off; or flashing in the background, half a period in ms
 * (4 is 125 Hz); 0 stops it. */
void mod_ir_an(void);
void mod_ir_aus(void);
void setze_ir_senden(unsigned char half_period_ms);

/* Receivers 0 to 3 of modulated infrared light, on digital inputs 4 to 7. takt: half the period of
 * the light's flashing in ms (4 is 125 Hz); 0 switches the receiver off. status: good periods in a
 * row (up to 255; above 30 the light is steady). A receiver synchronises with a falling edge and then
 * compares each ms. A period with more than maxfehler (0 at the start) wrong ms sets the status to 0,
 * and the receiver waits for the next edge; a new takt does the same. A program may set it to 0 as well:
 * mod_ir0_status() = 0; A change of processes may lose a ms: process_hog keeps it away (handbook,
 * 3.5.1). */
void mod_ir0_takt(unsigned char half_period_ms);
void mod_ir1_takt(unsigned char half_period_ms);
void mod_ir2_takt(unsigned char half_period_ms);
void mod_ir3_takt(unsigned char half_period_ms);
void mod_ir0_maxfehler(unsigned char errors);
void mod_ir1_maxfehler(unsigned char errors);
void mod_ir2_maxfehler(unsigned char errors);
void mod_ir3_maxfehler(unsigned char errors);
extern volatile unsigned char aksen_ir_status[4];
#define mod_ir_empf0_gutzaehler (aksen_ir_status[0])
#define mod_ir_empf1_gutzaehler (aksen_ir_status[1])
#define mod_ir_empf2_gutzaehler (aksen_ir_status[2])
#define mod_ir_empf3_gutzaehler (aksen_ir_status[3])
#define mod_ir0_status() (mod_ir_empf0_gutzaehler)
#define mod_ir1_status() (mod_ir_empf1_gutzaehler)
#define mod_ir2_status() (mod_ir_empf2_gutzaehler)
#define mod_ir3_status() (mod_ir_empf3_gutzaehler)

/* Serial line, 9600 baud, 8N1. putchar of <stdio.h>, and so printf, writes there too.
 * serielle_gets reads up to CR, LF or 0, which it drops; `text` must hold the longest line. */
void serielle_init(void);
void serielle_putchar(char character);
void serielle_puts(const char *text);
char serielle_getchar(void);
void serielle_gets(char *text);

#endif
