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

#ifdef PART_receive
int CanEmpfang(struct CAN_MSG __xdata *message)
{
    unsigned char i;
    unsigned char about;
    unsigned char data = FRAME + 5;

    if (!(aksen_hal_can_read(STATUS) & RECEIVED))
        return 0;
    about = aksen_hal_can_read(FRAME);
    if (!(about & EXTENDED))
        data = FRAME + 3; /* a standard identifier has two bytes */
    for (i = 0; i < 4; i++)
        message->ID[i] = FRAME + 1 + i < data ? aksen_hal_can_read(FRAME + 1 + i) : 0;
    message->DatenLaenge = about & LENGTH;
    for (i = 0; i < message->DatenLaenge && i < 8; i++)
        message->Puffer[i] = aksen_hal_can_read(data + i);
    aksen_hal_can_write(COMMAND, RELEASE);
    return 1;
}
#endif

#ifdef PART_send
int CanSenden(struct CAN_MSG __xdata *message)
{
    unsigned char i;

    if (message->DatenLaenge > 8 || !(aksen_hal_can_read(STATUS) & FREE))
        return 0;
    aksen_hal_can_write(FRAME, EXTENDED | message->DatenLaenge);
    for (i = 0; i < 4; i++)
        aksen_hal_can_write(FRAME + 1 + i, message->ID[i]);
    for (i = 0; i < message->DatenLaenge; i++)
        aksen_hal_can_write(FRAME + 5 + i, message->Puffer[i]);
    aksen_hal_can_write(COMMAND, SEND);
    return 1;
}
#endif
