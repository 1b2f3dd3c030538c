/* SPDX-License-Identifier: 0BSD */
/* A* of the paper: an agenda of 255 entries as a list sorted by value, each with its own path of up
 * to 12 actions; no memory of the positions looked at before.
 *
 * The paper's program computes a position's heuristic before it makes the move, so that it scores a
 * position with its parent's. `parent_heuristic` does the same; otherwise it is the position's own.
 */
#include "search.h"

#define AGENDA_LENGTH 255
#define LONGEST_PATH 12
#define NONE 255

const CODE char solver_name[] = "astar";
const CODE char solver_tables[] = "none";
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 12;

typedef struct {
    char board[CELLS];
    unsigned char depth;
    unsigned char blank;
    unsigned char value; /* depth and heuristic */
    unsigned char next;  /* entry with the next higher value, or NONE */
    char path[LONGEST_PATH];
} entry_t;

static XDATA entry_t agenda[AGENDA_LENGTH];
static XDATA entry_t here;
static XDATA entry_t child;
static unsigned char best;           /* first of the sorted list */
static unsigned char free_entry;     /* first of the list of unused entries */

static const CODE unsigned char rows[CELLS] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
static const CODE unsigned char columns[CELLS] = { 0, 1, 2, 0, 1, 2, 0, 1, 2 };

static unsigned char apart(unsigned char one, unsigned char other)
{
    return one > other ? one - other : other - one;
}

/* Manhattan distances of all nine letters. That includes the blank, as in the paper: the estimate
 * can be too high, and the path found too long. */
static unsigned char heuristic(const XDATA char *board)
{
    unsigned char sum = 0;
    unsigned char cell, target;

    for (cell = 0; cell < CELLS; cell++) {
        target = 0;
        while (goal[target] != board[cell])
            target++;
        sum += apart(rows[cell], rows[target]) + apart(columns[cell], columns[target]);
    }
    return sum;
}

static unsigned char is_goal(void)
{
    unsigned char cell;

    for (cell = 0; cell < CELLS; cell++)
        if (here.board[cell] != goal[cell])
            return 0;
    return 1;
}

/* Puts `child` before the first entry that has its value or more. Returns 0 if there is no room. */
static unsigned char insert(void)
{
    unsigned char entry = free_entry;
    unsigned char before = NONE;
    unsigned char after = best;

    if (entry == NONE)
        return 0;
    free_entry = agenda[entry].next;
    while (after != NONE && agenda[after].value < child.value) {
        before = after;
        after = agenda[after].next;
    }
    child.next = after;
    agenda[entry] = child;
    if (before == NONE)
        best = entry;
    else
        agenda[before].next = entry;
    return 1;
}

static void clear(void)
{
    unsigned char entry = AGENDA_LENGTH;

    best = NONE;
    free_entry = NONE;
    while (entry) {
        agenda[--entry].next = free_entry;
        free_entry = entry;
    }
}

/* Takes the first entry out of the list, into `here`. */
static void take(void)
{
    unsigned char entry = best;

    here = agenda[entry];
    best = here.next;
    agenda[entry].next = free_entry;
    free_entry = entry;
}

static void make_child(char action, unsigned char target)
{
    child = here;
    child.board[here.blank] = here.board[target];
    child.board[target] = BLANK;
    child.blank = target;
    child.path[here.depth] = action;
    child.depth++;
    child.value = child.depth + heuristic(parent_heuristic ? here.board : child.board);
}

/* Returns the length of the path found, or GAVE_UP. */
static unsigned char search_to(unsigned char depth)
{
    unsigned char i, target;

    clear();
    for (i = 0; i < CELLS; i++)
        child.board[i] = start[i];
    child.depth = 0;
    child.blank = find_blank(child.board);
    child.value = heuristic(child.board);
    insert();
    while (best != NONE) {
        take();
        if (is_goal())
            return here.depth;
        if (here.depth == depth)
            continue;
        for (i = 0; i < ACTIONS; i++) {
            target = target_of(here.blank, actions[i], here.depth ? here.path[here.depth - 1] : 0);
            if (target == NO_CELL)
                continue;
            make_child(actions[i], target);
            if (!insert())
                return GAVE_UP;
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
    while (found == GAVE_UP && depth < LONGEST_PATH) {
        depth = depth + step_width > LONGEST_PATH ? LONGEST_PATH : depth + step_width;
        found = search_to(depth);
    }
    if (found != GAVE_UP)
        answer(here.path, found);
    return found;
}
