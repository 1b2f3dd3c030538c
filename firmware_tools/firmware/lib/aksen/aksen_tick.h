/* The 1 ms tick and what hangs on it. */
#ifndef AKSEN_TICK_H
#define AKSEN_TICK_H

/* ms since the start. Four bytes that an interrupt changes: read them with interrupts off. */
extern volatile __data unsigned long aksen_ticks;

/* ms that the running process may go on; 0 while there is only the program itself. */
extern volatile __data unsigned char aksen_slice;

/* Other than 0: call aksen_sampler each ms, in register bank 1. */
extern volatile __data unsigned char aksen_sampling;

/* Addresses of functions, so that programs without processes or infrared are linked without them. */
extern unsigned int aksen_sampler;
extern unsigned int aksen_scheduler;

void aksen_tick(void) __interrupt(TIMER_INTERRUPT);
void aksen_count_tick(void);

/* Gives the rest of the slice to the next process. */
void aksen_yield(void);

#endif
