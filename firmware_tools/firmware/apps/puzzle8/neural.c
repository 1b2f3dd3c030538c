/* SPDX-License-Identifier: 0BSD */
/* Solves the 8-puzzle with a neural network that rates the moves of one position.
 *
 * The network knows one goal, with the blank in the centre. A goal with the blank elsewhere is led
 * there by one or two moves, which are taken back at the end; a corner has two ways to the centre.
 * The same is done from goal to start, so up to four walks are tried, and the shortest is the
 * answer. firmware_tools/puzzle8/network.py does the same, number for number.
 *
 * A position is eight times the same but for rotations and reflections; the network only ever sees
 * one of the eight, with the blank in cell 0, 1 or 4.
 */
#include "search.h"
#include "puzzle8_network.h"

#define HIGHEST_LETTER 'o'
#define CENTRE 4
#define NO_ACTION 255
#define OPPOSITE(action) ((action) ^ 1) /* in the order of `actions` */

const CODE char solver_name[] = "neural";
const CODE char solver_tables[] = TABLES_CHECKSUM;
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 1;

/* The position: cell of each tile, which is named by its cell in the goal; CENTRE is the blank. */
DATA unsigned char place[CELLS];

static DATA unsigned char view;            /* the symmetry that the network sees it through */
static IDATA unsigned char seen[CELLS];    /* cell of the blank, then of the tiles, as seen */
static DATA unsigned char inputs[CELLS];   /* the weights they select within a unit */
DATA unsigned int ratings[ACTIONS];        /* of the moves as seen; two's complement */

static XDATA unsigned char home[HIGHEST_LETTER - 'a' + 1]; /* goal cell by letter */
static XDATA unsigned char visited[MOST_MOVES][CELLS];
static XDATA unsigned char walked[MOST_MOVES + 1]; /* actions by number */
static DATA unsigned char length;                  /* of them */
static DATA unsigned char shortest;                /* so far, or GAVE_UP */

/* Finds the symmetry under which `seen` comes first in lexicographic order. */
static void choose_view(void)
{
    static DATA unsigned char symmetry, index, cell, is_before;
    static const CODE unsigned char *DATA labels;
    static const CODE unsigned char *DATA cells;

    labels = seen_labels;
    cells = seen_cells;
    seen[0] = CELLS;
    for (symmetry = 0; symmetry != SYMMETRIES; symmetry++) {
        is_before = 0;
        for (index = 0; index != CELLS; index++) {
            cell = cells[place[labels[index]]];
            if (!is_before) {
                if (cell > seen[index])
                    break;
                if (cell == seen[index])
                    continue;
                is_before = 1;
                view = symmetry;
            }
            seen[index] = cell;
        }
        labels += CELLS;
        cells += CELLS;
    }
}

/* Rates the four moves as seen. Weights of the first layer are signed bytes, of which nine are
 * added: a sum always fits a byte, which the training has checked for every position, so that
 * carries may be lost on the way. Weights of the second layer are stored plus 128, since a product
 * of unsigned bytes is one instruction; so 128 times the sum of all inputs is too much at the end. */
void rate_moves(void)
{
    static DATA unsigned char left, sum, index;
    static DATA unsigned int total;
    static const CODE unsigned char *DATA unit;

    choose_view();
    inputs[0] = seen[0] - (seen[0] >> 1); /* 0, 1 and 4: 0, 1 and 2 */
    sum = FIRST_TILE;
    for (index = 1; index != CELLS; index++) {
        inputs[index] = sum + seen[index];
        sum += CELLS;
    }
    for (index = 0; index != ACTIONS; index++)
        ratings[index] = 0;
    total = 0;
    unit = network;
    for (left = UNITS; left; left--) {
        sum = unit[inputs[0]];
        sum += unit[inputs[1]];
        sum += unit[inputs[2]];
        sum += unit[inputs[3]];
        sum += unit[inputs[4]];
        sum += unit[inputs[5]];
        sum += unit[inputs[6]];
        sum += unit[inputs[7]];
        sum += unit[inputs[8]];
        if (!(sum & 0x80)) { /* negative sums count as 0 */
            total += sum;
            ratings[0] += sum * unit[SECOND_LAYER];
            ratings[1] += sum * unit[SECOND_LAYER + 1];
            ratings[2] += sum * unit[SECOND_LAYER + 2];
            ratings[3] += sum * unit[SECOND_LAYER + 3];
        }
        unit += UNIT_BYTES;
    }
    total <<= 7;
    for (index = 0; index != ACTIONS; index++)
        ratings[index] -= total;
}

/* The blank moves to `target`. */
static void move_blank(unsigned char target)
{
    static DATA unsigned char label;

    label = 0;
    while (place[label] != target)
        label++;
    place[label] = place[CENTRE];
    place[CENTRE] = target;
}

static unsigned char was_visited(void)
{
    static DATA unsigned char count, label;
    static XDATA unsigned char *DATA position;

    position = visited[0];
    for (count = length + 1; count; count--) {
        label = 0;
        while (position[label] == place[label])
            if (++label == CELLS)
                return 1;
        position += CELLS;
    }
    return 0;
}

/* Makes the move with the best rating of those that are possible, do not take the last one back,
 * and lead to a position not yet visited; if all lead to visited ones, the best of them. */
void step(void)
{
    static DATA unsigned char blank, index, best, action, first, first_target;
    static IDATA unsigned char targets[ACTIONS]; /* by the move as seen */

    for (index = 0; index != CELLS; index++)
        visited[length][index] = place[index];
    rate_moves();
    blank = place[CENTRE];
    for (index = 0; index != ACTIONS; index++)
        targets[index] = target_of(blank, actions[actions_seen[(view << 2) + index]],
                                   length ? actions[walked[length - 1]] : 0);
    first = NO_ACTION;
    for (;;) {
        best = NO_ACTION;
        for (index = 0; index != ACTIONS; index++)
            if (targets[index] != NO_CELL
                && (best == NO_ACTION || (int)ratings[index] > (int)ratings[best]))
                best = index;
        if (best == NO_ACTION) {
            action = first;
            move_blank(first_target);
            break;
        }
        action = actions_seen[(view << 2) + best];
        if (first == NO_ACTION) {
            first = action;
            first_target = targets[best];
        }
        move_blank(targets[best]);
        if (!was_visited())
            break;
        move_blank(blank);
        targets[best] = NO_CELL;
    }
    walked[length++] = action;
}

static unsigned char is_home(void)
{
    static DATA unsigned char label;

    for (label = 0; label != CELLS; label++)
        if (place[label] != label)
            return 0;
    return 1;
}

/* Adds an action to the walk; one that takes the last one back removes that instead. */
static void add(unsigned char action)
{
    if (length && walked[length - 1] == OPPOSITE(action))
        length--;
    else
        walked[length++] = action;
}

/* The blank of the goal makes a move. Returns 1. */
static unsigned char slide_home(unsigned char action)
{
    static DATA unsigned char letter, blank, target;

    blank = home[BLANK - 'a'];
    target = target_of(blank, actions[action], 0);
    letter = 0;
    while (home[letter] != target)
        letter++;
    home[letter] = blank;
    home[BLANK - 'a'] = target;
    return 1;
}

/* Walks from one board to the other, whose blank goes to the centre by the actions `one` and
 * `other`. The answer is the walk if it is the shortest so far. */
static void try_way(const DATA char *from, const DATA char *to, unsigned char one,
                    unsigned char other, unsigned char backwards)
{
    static DATA unsigned char index, limit, ways;

    for (index = 0; index != sizeof home; index++)
        home[index] = NO_CELL; /* the letters between h and o */
    for (index = 0; index != CELLS; index++)
        home[to[index] - 'a'] = index;
    ways = 0;
    if (one != NO_ACTION)
        ways += slide_home(one);
    if (other != NO_ACTION)
        ways += slide_home(other);
    for (index = 0; index != CELLS; index++)
        place[home[from[index] - 'a']] = index;
    /* At best the walk's last moves are those that would have been taken back. */
    limit = MOST_MOVES - ways;
    if (shortest + ways - 1 < limit)
        limit = shortest + ways - 1;
    length = 0;
    while (!is_home()) {
        if (length == limit)
            return;
        step();
    }
    if (other != NO_ACTION)
        add(OPPOSITE(other));
    if (one != NO_ACTION)
        add(OPPOSITE(one));
    if (length >= shortest)
        return;
    shortest = length;
    for (index = 0; index != length; index++)
        first_move[index] = actions[backwards ? OPPOSITE(walked[length - 1 - index]) : walked[index]];
}

static void try_ways(const DATA char *from, const DATA char *to, unsigned char backwards)
{
    unsigned char across, along, blank;

    blank = 0;
    while (to[blank] != BLANK)
        blank++;
    along = blank % (unsigned char)3;
    along = along == 1 ? NO_ACTION : along != 0; /* right or left */
    across = NO_ACTION;
    if (blank < 3)
        across = 2; /* down */
    else if (blank > 5)
        across = 3; /* up */
    try_way(from, to, along, across, backwards);
    if (along != NO_ACTION && across != NO_ACTION)
        try_way(from, to, across, along, backwards);
}

unsigned char solve(void)
{
    unsigned char cell = 0;

    first_move = moves + 1;
    while (start[cell] == goal[cell])
        if (++cell == CELLS)
            return 0;
    if (!is_solvable())
        return UNSOLVABLE;
    shortest = GAVE_UP;
    try_ways(start, goal, 0);
    try_ways(goal, start, 1);
    return shortest;
}
