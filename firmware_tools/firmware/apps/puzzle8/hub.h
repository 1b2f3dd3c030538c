/* The 8-puzzle as hub states and edge states (solvers/sliding_tile/hub_states.py says what they
 * are), as far as the two policy programs in C share it.
 *
 * The search runs between two boards, `from` and `to`: start and goal, or goal and start where the
 * blank of the goal is nearer to the centre than that of the start. Ring indices run clockwise
 * from the top edge cell; place 8 is the centre.
 */
#ifndef HUB_H
#define HUB_H

#include "solver.h"

#define RING 8
#define CENTRE 8

typedef struct {
    unsigned char ring[RING]; /* letters */
    unsigned char centre;     /* letter */
    unsigned char blank;      /* ring index of the blank, or CENTRE */
} board_t;

extern DATA board_t from;
extern DATA board_t to;
extern DATA unsigned char reversed; /* 1 if `from` is the goal */

/* Ring index of each label of the goal, seen from its edge: set by read_labels(). */
extern DATA unsigned char places[RING];

/* Reads start and goal. Returns 1 if they are equal. */
unsigned char read_boards(void);

/* Moves the blank of a board from the corner or edge it is on into the centre, by way of `edge`
 * (an even ring index). */
void move_in(DATA board_t *board, unsigned char edge);

/* Sets places[] for the goal edge `edge`, both blanks being in the centre. */
void read_labels(unsigned char edge);

#endif
