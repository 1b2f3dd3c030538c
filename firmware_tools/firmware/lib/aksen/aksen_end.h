/* SPDX-License-Identifier: 0BSD */
/* How a program ends: with a message on the display. */
#ifndef AKSEN_END_H
#define AKSEN_END_H

/* Shows that AksenMain has returned; the other processes keep running. */
void aksen_say_end(void);

/* Shows which process has overflown its stack, and stops everything. */
void aksen_stop_at_overflow(unsigned char process);

#endif
