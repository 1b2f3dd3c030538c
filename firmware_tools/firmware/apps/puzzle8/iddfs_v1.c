/* SPDX-License-Identifier: 0BSD */
/* Iterative deepening, first version of the paper: the agenda holds lists of actions, and every
 * position is computed again from the start.
 */
#include "search.h"

#define AGENDA_LENGTH 33

const CODE char solver_name[] = "iddfs_v1";
const CODE char solver_tables[] = "none";
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 1;

static XDATA char agenda[AGENDA_LENGTH][MAX_DEPTH]; /* 0 after the last action */
static XDATA char path[MAX_DEPTH + 1];
static XDATA char board[CELLS];
static unsigned char path_length;
static unsigned char blank;

/* Plays the path from the start, finding the blank before every action as the paper does. */
static void play(void)
{
    unsigned char index, target;

    for (index = 0; index < CELLS; index++)
        board[index] = start[index];
    blank = find_blank(board);
    for (path_length = 0; path[path_length]; path_length++) {
        target = target_of(blank, path[path_length], 0);
        board[blank] = board[target];
        board[target] = BLANK;
        blank = find_blank(board);
    }
}

static unsigned char is_goal(void)
{
    unsigned char cell;

    for (cell = 0; cell < CELLS; cell++)
        if (board[cell] != goal[cell])
            return 0;
    return 1;
}

static void take(unsigned char entry)
{
    unsigned char index;

    for (index = 0; index < MAX_DEPTH; index++)
        path[index] = agenda[entry][index];
    path[MAX_DEPTH] = 0;
}

static void put(unsigned char entry, char action)
{
    unsigned char index;

    for (index = 0; index < MAX_DEPTH; index++)
        agenda[entry][index] = path[index];
    agenda[entry][path_length] = action;
}

/* Returns the length of the path found, or GAVE_UP. */
static unsigned char search_to(unsigned char depth)
{
    unsigned char entries = 1;
    unsigned char i;

    for (i = 0; i < MAX_DEPTH; i++)
        agenda[0][i] = 0;
    while (entries) {
        take(--entries);
        play();
        if (is_goal())
            return path_length;
        if (path_length == depth)
            continue;
        for (i = 0; i < ACTIONS; i++) {
            if (target_of(blank, actions[i], path_length ? path[path_length - 1] : 0) == NO_CELL)
                continue;
            if (entries == AGENDA_LENGTH)
                return GAVE_UP;
            put(entries++, actions[i]);
        }
    }
    return GAVE_UP;
}

unsigned char solve(void)
{
    unsigned char depth = 0;
    unsigned char found = GAVE_UP;

    if (!is_solvable())
        return UNSOLVABLE;
    while (found == GAVE_UP && depth < MAX_DEPTH) {
        depth = depth + step_width > MAX_DEPTH ? MAX_DEPTH : depth + step_width;
        found = search_to(depth);
    }
    if (found != GAVE_UP)
        answer(path, found);
    return found;
}
