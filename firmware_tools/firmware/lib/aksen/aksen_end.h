/* How a program ends: with a message on the display. */
#ifndef AKSEN_END_H
#define AKSEN_END_H

/* Says that AksenMain has returned; the program's processes go on. */
void aksen_say_end(void);

/* Says which process has used up its stack, and stops everything. */
void aksen_stop_at_overflow(unsigned char process);

#endif
