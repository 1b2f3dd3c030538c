/* SPDX-License-Identifier: 0BSD */
/* The task and the answer, shared by input, output and solver. */
#include "solver.h"

DATA char start[CELLS];
DATA char goal[CELLS];
unsigned char step_width;
unsigned char parent_heuristic;
IDATA char moves[MOST_MOVES + 2];
IDATA char *DATA first_move;
