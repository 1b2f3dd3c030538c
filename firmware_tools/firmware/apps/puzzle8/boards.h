/* SPDX-License-Identifier: 0BSD */
/* The two boards of a task in the form the policy programs work with.
 *
 * Ring indices 0 to 7 run clockwise round the board from the top edge cell, so edge cells are even
 * and corners odd; 8 is the centre. The search runs from one board to the other: from start to
 * goal, or backwards where the goal's blank is nearer to the centre than the start's.
 */
#ifndef BOARDS_H
#define BOARDS_H

#include "solver.h"

#define RING 8
#define CENTRE 8
#define IS_EDGE(index) (!((index) & 9))
#define IS_CORNER(index) ((index) & 1)

typedef struct {
    unsigned char ring[RING + 1]; /* letters counted from 0; the centre last */
    unsigned char blank;          /* ring index of the blank, or CENTRE */
} board_t;

extern IDATA board_t from;
extern IDATA board_t to;
extern DATA unsigned char backwards; /* 1 if `from` is the goal */

/* Reads start and goal. Returns 1 if they are the same. */
unsigned char read_boards(void);

/* Slides the blank from a corner or an edge into the centre, over the edge cell `edge`. */
void slide_in(IDATA board_t *board, unsigned char edge);

/* Notes where the letters of `from` are. */
void note_places(void);

/* Where the letters of `to`, clockwise from its edge cell `edge`, are in `from`: ring indices from
 * the same edge. Both blanks are in the centre. */
extern IDATA unsigned char seen_places[RING];
void see_from(unsigned char edge);

#endif
