/* SPDX-License-Identifier: 0BSD */
/* The 1 ms tick and what hangs on it. */
#ifndef AKSEN_TICK_H
#define AKSEN_TICK_H

/* ms since the start. Four bytes that an interrupt changes: read them with interrupts off. */
extern volatile __data unsigned long aksen_ticks;

/* If not 0, the tick continues at the address in aksen_more. It is a pointer, so that programs without
 * processes and infrared are linked without aksen_keep_busy(), which sets it, and all that it needs. */
extern volatile __data unsigned char aksen_has_more;
extern unsigned int aksen_more;
#define SAMPLES 1
#define CHANGES_PROCESSES 2
void aksen_keep_busy(unsigned char with);

/* Rest of the running process's slice in ms; 0 while there is only the program itself. When it ends,
 * the tick continues at the address in aksen_scheduler. */
extern volatile __data unsigned char aksen_slice;
extern unsigned int aksen_scheduler;

/* Address of the function called each ms in register bank 1, while aksen_has_more has SAMPLES. */
extern unsigned int aksen_sampler;

/* ACC and PSW of the interrupted process; not on the stack, which it may have filled. B and DPTR go to
 * bank 1 if the tick continues. */
extern volatile __data unsigned char aksen_saved_acc;
extern volatile __data unsigned char aksen_saved_psw;
#define SAVED_B 0x0D
#define SAVED_DPL 0x0E
#define SAVED_DPH 0x0F

void aksen_tick(void) __interrupt(TIMER_INTERRUPT);

/* Gives the rest of the slice to the next process. */
void aksen_yield(void);

#endif
