/* SPDX-License-Identifier: 0BSD */
/* Iterative deepening, second version of the paper: the agenda holds positions. */
#include "search.h"

#define AGENDA_LENGTH 33

const CODE char solver_name[] = "iddfs_v2";
const CODE char solver_tables[] = "none";
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 1;

typedef struct {
    char board[CELLS];
    unsigned char depth;
    unsigned char blank;
    char action; /* that led here */
} entry_t;

static XDATA entry_t agenda[AGENDA_LENGTH];
static XDATA char path[MAX_DEPTH];
static XDATA entry_t here;

static unsigned char is_goal(void)
{
    unsigned char cell;

    for (cell = 0; cell < CELLS; cell++)
        if (here.board[cell] != goal[cell])
            return 0;
    return 1;
}

static void set_start(void)
{
    unsigned char cell;

    for (cell = 0; cell < CELLS; cell++)
        here.board[cell] = start[cell];
    here.depth = 0;
    here.blank = find_blank(here.board);
    here.action = 0;
    agenda[0] = here;
}

static void put(XDATA entry_t *entry, char action, unsigned char target)
{
    *entry = here;
    entry->board[here.blank] = here.board[target];
    entry->board[target] = BLANK;
    entry->depth = here.depth + 1;
    entry->blank = target;
    entry->action = action;
}

/* Returns the length of the path found, or GAVE_UP. */
static unsigned char search_to(unsigned char depth)
{
    unsigned char entries = 1;
    unsigned char i, target;

    set_start();
    while (entries) {
        here = agenda[--entries];
        if (here.depth)
            path[here.depth - 1] = here.action;
        if (is_goal())
            return here.depth;
        if (here.depth == depth)
            continue;
        for (i = 0; i < ACTIONS; i++) {
            target = target_of(here.blank, actions[i], here.action);
            if (target == NO_CELL)
                continue;
            if (entries == AGENDA_LENGTH)
                return GAVE_UP;
            put(&agenda[entries++], actions[i], target);
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
