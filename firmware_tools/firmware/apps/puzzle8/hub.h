/* SPDX-License-Identifier: 0BSD */
/* A hub state: the eight letters round a blank in the centre, relative to one edge of the goal.
 * solvers/sliding_tile explains it. hub_tables.c keeps it as two numbers and walks by table;
 * hub_ranked.c keeps the labels and ranks them.
 */
#ifndef HUB_H
#define HUB_H

#include "solver.h"

/* Turns round the corner clockwise of edge q and counter-clockwise of it. */
#define CLOCKWISE(edge) ((edge) << 1)
#define COUNTER_CLOCKWISE(edge) (((((edge) - 1) & 3) << 1) | 1)

/* What hub_action() says; the edge that the turn starts from is in bits 4 and 5. */
#define ACTION_TARGET(action) (((action) >> 4) & 3)
#define ACTION_COUNTER_CLOCKWISE 8
#define ACTION_GOAL 2

/* Sets the hub state of the boards as seen from the edge cell `edge` (a ring index) of `to`.
 * Returns 0 if it cannot be reached from the goal. */
unsigned char hub_locate(unsigned char edge);

/* The blank goes round a corner: turn 2 * corner, or 2 * corner + 1 for counter-clockwise. */
void hub_turn(unsigned char turn);

/* What to do with the blank at an edge. */
unsigned char hub_action(unsigned char edge);

/* Distance of the edge state in plies mod 3, and of the hub state itself. */
unsigned char hub_edge_distance(unsigned char edge);
unsigned char hub_distance(void);

/* 1 while the state is stored as its mirror image: edge q then stands for edge -q. */
unsigned char hub_mirrored(void);

/* Saves the state, or restores the saved one. */
void hub_keep(void);
void hub_recall(void);

#endif
