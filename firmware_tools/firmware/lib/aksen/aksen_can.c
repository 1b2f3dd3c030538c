/* SPDX-License-Identifier: 0BSD */
/* CAN over the board's SJA1000. Source of registers and order: SJA1000 data sheet, PeliCAN mode. */
#include <can.h>
#include "aksen_hal.h"
#include "board_map.h"

#define MODE 0
#define COMMAND 1
#define STATUS 2
#define TIMING_0 6
#define TIMING_1 7
#define OUTPUT_CONTROL 8
#define FRAME 16 /* frame information; behind it four bytes of identifier and eight of data */
#define MASK 20
#define CLOCK 31

#define RESET_MODE 0x01
#define ONE_FILTER 0x08
#define SEND 0x01
#define RELEASE 0x04
#define RECEIVED 0x01
#define FREE 0x04
#define EXTENDED 0x80
#define LENGTH 0x0F
#define LONGEST 8
#define PELICAN 0x80
#define PUSH_PULL 0x1A
/* 24 MHz / 2 / 6 are 2 MHz: 16 of these for a bit, sampled after 14. */
#define PRESCALER_6 0x05
#define SEGMENTS_13_AND_2 0x1C

#ifdef PART_init
void CanInit(void)
{
    unsigned char i;

    aksen_hal_can_write(MODE, RESET_MODE | ONE_FILTER);
    aksen_hal_can_write(CLOCK, PELICAN);
    aksen_hal_can_write(TIMING_0, PRESCALER_6);
    aksen_hal_can_write(TIMING_1, SEGMENTS_13_AND_2);
    aksen_hal_can_write(OUTPUT_CONTROL, PUSH_PULL);
    for (i = 0; i < 4; i++)
        aksen_hal_can_write(MASK + i, 0xFF); /* no bit of an identifier matters */
    aksen_hal_can_write(MODE, ONE_FILTER);
}
#endif

/* A message is copied while the tick is off, so that no other process takes or sends one in between.
 * __critical would do that too, but the servo bank cannot wait for half a millisecond. */

#ifdef PART_receive
int CanEmpfang(struct CAN_MSG __xdata *message)
{
    unsigned char about;
    unsigned char length;
    unsigned char has_come;

    aksen_hal_tick(0);
    has_come = aksen_hal_can_read(STATUS) & RECEIVED;
    if (has_come) {
        about = aksen_hal_can_read(FRAME);
        length = about & LENGTH;
        if (length > LONGEST)
            length = LONGEST; /* a frame may say 9 to 15, and has eight bytes (CAN 2.0, 3.1.1) */
        message->DatenLaenge = length;
        if (about & EXTENDED) {
            aksen_hal_can_read_all(FRAME + 1, message->ID, 4);
            aksen_hal_can_read_all(FRAME + 5, message->Puffer, length);
        } else { /* a standard identifier has two bytes */
            aksen_hal_can_read_all(FRAME + 1, message->ID, 2);
            message->ID[2] = message->ID[3] = 0;
            aksen_hal_can_read_all(FRAME + 3, message->Puffer, length);
        }
        aksen_hal_can_write(COMMAND, RELEASE);
    }
    aksen_hal_tick(1);
    return has_come ? TRUE : FALSE;
}
#endif

#ifdef PART_send
int CanSenden(struct CAN_MSG __xdata *message)
{
    unsigned char is_free;

    if (message->DatenLaenge > LONGEST)
        return FALSE;
    aksen_hal_tick(0);
    is_free = aksen_hal_can_read(STATUS) & FREE;
    if (is_free) {
        aksen_hal_can_write(FRAME, EXTENDED | message->DatenLaenge);
        aksen_hal_can_write_all(FRAME + 1, message->ID, 4);
        aksen_hal_can_write_all(FRAME + 5, message->Puffer, message->DatenLaenge);
        aksen_hal_can_write(COMMAND, SEND);
    }
    aksen_hal_tick(1);
    return is_free ? TRUE : FALSE;
}
#endif
