/* The 1 ms tick and what hangs on it. */
#ifndef AKSEN_TICK_H
#define AKSEN_TICK_H

/* ms since the start. Four bytes that an interrupt changes: read them with interrupts off. */
extern volatile __data unsigned long aksen_ticks;

/* Other than 0: the tick goes on at the address in aksen_more. So programs without processes and
 * infrared are linked without aksen_keep_busy(), which starts that, and all that it needs. */
extern volatile __data unsigned char aksen_has_more;
extern unsigned int aksen_more;
#define SAMPLES 1
#define CHANGES_PROCESSES 2
void aksen_keep_busy(unsigned char with);

/* ms that the running process may go on; 0 while there is only the program itself. At their end
 * goes on what aksen_scheduler has the address of. */
extern volatile __data unsigned char aksen_slice;
extern unsigned int aksen_scheduler;

/* What is called each ms in register bank 1, while there is SAMPLES in aksen_has_more. */
extern unsigned int aksen_sampler;

/* ACC and PSW of what a tick has interrupted. They lie here and not on the stack, which is the
 * process's own. B and DPTR follow into bank 1 if the tick goes on. */
extern volatile __data unsigned char aksen_kept_acc;
extern volatile __data unsigned char aksen_kept_psw;
#define KEPT_B 0x0D
#define KEPT_DPL 0x0E
#define KEPT_DPH 0x0F

void aksen_tick(void) __interrupt(TIMER_INTERRUPT);

/* Gives the rest of the slice to the next process. */
void aksen_yield(void);

#endif
