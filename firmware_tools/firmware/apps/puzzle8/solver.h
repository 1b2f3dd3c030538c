/* What every solver of this application takes and gives, and the words that keep the same C files
 * compiling with sdcc for the board and with gcc for the host.
 */
#ifndef SOLVER_H
#define SOLVER_H

#ifdef __SDCC
#define CODE __code
#define DATA __data   /* internal RAM, direct: the fastest */
#define IDATA __idata /* internal RAM through a pointer */
#define AT(address) __at(address)
#else
#define CODE
#define DATA
#define IDATA
#define AT(address)
#endif

#define CELLS 9
#define BLANK 'o'
#define LONGEST 31          /* no two positions are farther apart */
#define UNSOLVABLE 255
#define GAVE_UP 254         /* within the limits of a search algorithm */

/* Both boards row by row: the letters a to h and o, each once. The caller checks that. */
extern DATA char start[CELLS];
extern DATA char goal[CELLS];

/* The answer: letters u, d, l, r, the directions in which the blank moves. One byte is to spare at
 * either end, where a solver may write. */
extern IDATA char moves[LONGEST + 2];
extern IDATA char *DATA first_move;

extern const char CODE solver_name[];
extern const char CODE solver_tables[]; /* checksum of the tables, or "none" */

/* Returns the number of moves from start to goal, UNSOLVABLE or GAVE_UP. */
unsigned char solve(void);

#endif
