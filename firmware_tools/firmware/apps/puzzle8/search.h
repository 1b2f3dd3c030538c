/* SPDX-License-Identifier: 0BSD */
/* What the search algorithms of the paper and the network share. */
#ifndef SEARCH_H
#define SEARCH_H

#include "solver.h"

#define MAX_DEPTH 30

/* 1 if start and goal are an even number of exchanges apart, the blank left out. */
unsigned char is_solvable(void);

/* Cell of the blank. */
unsigned char find_blank(const XDATA char *board);

/* Cell that the blank moves to, or NO_CELL if it cannot or would take back `last`. */
#define NO_CELL 255
unsigned char target_of(unsigned char blank, char action, char last);

/* In this order positions are put on the agenda; the last is looked at first. */
#define ACTIONS 4
extern const CODE char actions[ACTIONS];

/* Puts the path into moves[]. */
void answer(const XDATA char *path, unsigned char length);

#endif
