/* SPDX-License-Identifier: 0BSD */
/* CAN messages, for programs that bring no can.c of their own. All identifiers are received. */
#ifndef CAN_H
#define CAN_H

/* The answers of CanEmpfang and CanSenden; a program may have its own. */
#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

/* `ID` holds the four bytes of an extended identifier as they stand in the controller: 29 bits, the
 * lowest three bits of ID[3] unused. */
struct CAN_MSG {
    unsigned char Puffer[8];
    unsigned char DatenLaenge;
    unsigned char ID[4];
};

/* 125 kbit/s. */
void CanInit(void);

/* Both return at once: TRUE if there was a message, or if one could be handed over; otherwise FALSE.
 * DatenLaenge is 0 to 8. */
int CanEmpfang(struct CAN_MSG __xdata *message);
int CanSenden(struct CAN_MSG __xdata *message);

#endif
