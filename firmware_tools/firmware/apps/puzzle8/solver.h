/* SPDX-License-Identifier: 0BSD */
/* What every solver of this application takes and gives, and the words that keep the same C files
 * compiling with sdcc for the board and with gcc for the host.
 */
#ifndef SOLVER_H
#define SOLVER_H

#ifdef __SDCC
#define CODE __code
#define DATA __data   /* internal RAM, direct: the fastest */
#define IDATA __idata /* internal RAM through a pointer */
#define XDATA __xdata
#define AT(address) __at(address)
#else
#define CODE
#define DATA
#define IDATA
#define XDATA
#define AT(address)
#endif

#define CELLS 9
#define BLANK 'o'
#define LONGEST 31    /* no two positions are farther apart */
#define MOST_MOVES 60 /* of a path, which need not be a shortest one */
#define UNSOLVABLE 255
#define GAVE_UP 254 /* a search algorithm reached its limits */

/* The task. Both boards row by row: the letters a to h and o, each once; main.c checks that. */
extern DATA char start[CELLS];
extern DATA char goal[CELLS];
extern unsigned char step_width;       /* by how much iterative deepening deepens */
extern unsigned char parent_heuristic; /* 1: astar scores a position with its parent's heuristic */

/* The answer: letters u, d, l, r, the directions in which the blank moves. One byte is to spare at
 * either end, where a solver may write. */
extern IDATA char moves[MOST_MOVES + 2];
extern IDATA char *DATA first_move;

/* What a solver says of itself. A short one takes less than 65 536 machine cycles. */
extern const CODE char solver_name[];
extern const CODE char solver_tables[]; /* checksum of its tables, or none */
extern const CODE unsigned char solver_is_short;
extern const CODE unsigned char solver_step_width; /* unless the task names one */

/* Returns the number of moves from start to goal, UNSOLVABLE or GAVE_UP. */
unsigned char solve(void);

#endif
