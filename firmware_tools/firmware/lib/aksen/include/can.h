/* CAN messages, for programs that bring no can.c of their own. All identifiers are received. */
#ifndef CAN_H
#define CAN_H

/* `ID` holds the four bytes of an extended identifier as they stand in the controller: 29 bits, the
 * lowest three bits of ID[3] unused. */
struct CAN_MSG {
    unsigned char Puffer[8];
    unsigned char DatenLaenge;
    unsigned char ID[4];
};

/* 125 kbit/s. */
void CanInit(void);

/* Both return at once: 1 if there was a message, or if one could be handed over; otherwise 0. */
int CanEmpfang(struct CAN_MSG __xdata *message);
int CanSenden(struct CAN_MSG __xdata *message);

#endif
