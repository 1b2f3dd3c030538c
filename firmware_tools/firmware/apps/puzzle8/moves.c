/* The task and the answer, shared by input, output and solver. */
#include "solver.h"

DATA char start[CELLS];
DATA char goal[CELLS];
IDATA char moves[LONGEST + 2];
IDATA char *DATA first_move;
