/* SPDX-License-Identifier: 0BSD */
/* Repeated A*: the paper's sketch. Where the memory is full, the search starts again from the best
 * position it has seen, and the moves to there are kept.
 *
 * Best is the lowest of the heuristic, plus half the depth, plus four for each time that a search
 * has started there. The depth keeps the whole path short; the last term ends circles, in which the
 * search would otherwise return to the same positions for ever. A path that becomes too long all the
 * same is looked for from the goal, then with the depth left out of account.
 */
#include "search.h"

#define NODES 430
#define NO_NODE 0xFFFF
#define VALUES 36 /* the estimate is admissible and consistent: none is above 31 + 2 */
#define MOST_SEARCHES 30
#define LONGEST_WALK 128

const CODE char solver_name[] = "astar-repeated";
const CODE char solver_tables[] = "none";
const CODE unsigned char solver_is_short = 0;
const CODE unsigned char solver_step_width = 1;

/* Tiles are named by their cells in the goal. A node is open while it is in the list of its value. */
typedef struct {
    unsigned char tiles[CELLS];
    unsigned char depth;
    unsigned char estimate; /* Manhattan distances without the blank's */
    unsigned int parent;
    unsigned int next; /* of the same value, or NO_NODE */
} node_t;

static XDATA node_t nodes[NODES];
static XDATA unsigned int open[VALUES]; /* the newest open node of each value */
static XDATA unsigned char roots[MOST_SEARCHES][CELLS];
static XDATA unsigned char label[BLANK - 'a' + 1];
static XDATA unsigned char walked[LONGEST_WALK]; /* actions by number, from the start */
static XDATA unsigned char way[VALUES];
static DATA unsigned char length, searches, blank_label;
static DATA unsigned char prefers_near; /* 1 while the depth counts where a search starts again */
static DATA unsigned int count;

static const CODE unsigned char rows[CELLS] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
static const CODE unsigned char columns[CELLS] = { 0, 1, 2, 0, 1, 2, 0, 1, 2 };

static unsigned char apart(unsigned char one, unsigned char other)
{
    return one > other ? one - other : other - one;
}

static unsigned char cells_apart(unsigned char one, unsigned char other)
{
    return apart(rows[one], rows[other]) + apart(columns[one], columns[other]);
}

static unsigned char is_same(XDATA unsigned char *one, XDATA unsigned char *other)
{
    static DATA unsigned char left;

    for (left = CELLS; left; left--)
        if (*one++ != *other++)
            return 0;
    return 1;
}

static unsigned char blank_of(XDATA node_t *node)
{
    static DATA unsigned char cell;

    cell = 0;
    while (node->tiles[cell] != blank_label)
        cell++;
    return cell;
}

static void push(unsigned int number)
{
    XDATA node_t *node = &nodes[number];
    unsigned char value = node->depth + node->estimate;

    node->next = open[value];
    open[value] = number;
}

/* Takes the newest node of the lowest value out of its list. */
static unsigned int pop(void)
{
    unsigned char value = 0;
    unsigned int number;

    while (open[value] == NO_NODE)
        value++;
    number = open[value];
    open[value] = nodes[number].next;
    return number;
}

/* Adds a node unless the position is there. Returns 1 if it is the goal. */
static unsigned char add_child(unsigned int parent, unsigned char blank, unsigned char target)
{
    static XDATA node_t *DATA node;
    static XDATA node_t *DATA other;
    static DATA unsigned char cell, tile;
    static DATA unsigned int left;

    node = &nodes[count];
    other = &nodes[parent];
    for (cell = 0; cell != CELLS; cell++)
        node->tiles[cell] = other->tiles[cell];
    tile = node->tiles[target];
    node->tiles[target] = blank_label;
    node->tiles[blank] = tile;
    node->depth = other->depth + 1;
    node->estimate = other->estimate - cells_apart(target, tile) + cells_apart(blank, tile);
    node->parent = parent;
    other = nodes;
    for (left = count; left; left--) {
        if (other->tiles[blank] == tile && other->tiles[target] == blank_label
            && is_same(other->tiles, node->tiles))
            return 0;
        other++;
    }
    push(count);
    count++;
    return !node->estimate;
}

/* Searches from the root, nodes[0], which is not the goal. Returns the goal's node, or NO_NODE if
 * the memory is full. */
static unsigned int search(void)
{
    unsigned int number;
    unsigned char i, blank, target;

    for (i = 0; i != VALUES; i++)
        open[i] = NO_NODE;
    count = 1;
    push(0);
    for (;;) {
        number = pop();
        blank = blank_of(&nodes[number]);
        for (i = 0; i != ACTIONS; i++) {
            target = target_of(blank, actions[i], 0);
            if (target == NO_CELL)
                continue;
            if (add_child(number, blank, target))
                return count - 1;
            if (count == NODES)
                return NO_NODE;
        }
    }
}

/* The node to start again from; of equally good ones the deepest. */
static unsigned int best_node(void)
{
    unsigned int number, rating, best = NO_NODE;
    unsigned int lowest = 0xFFFF;
    unsigned char i;

    for (number = 1; number != NODES; number++) {
        rating = 2 * nodes[number].estimate;
        if (prefers_near)
            rating += nodes[number].depth;
        for (i = 0; i != searches; i++)
            if (is_same(roots[i], nodes[number].tiles))
                rating += 8;
        if (rating < lowest || (rating == lowest && nodes[number].depth > nodes[best].depth)) {
            lowest = rating;
            best = number;
        }
    }
    return best;
}

/* Adds the moves from the root to a node; one that takes the last one back removes that instead. */
static void walk_to(unsigned int number)
{
    unsigned char depth = nodes[number].depth, left, blank, before, action;

    for (left = depth; left; left--) {
        blank = blank_of(&nodes[number]);
        number = nodes[number].parent;
        before = blank_of(&nodes[number]);
        action = 0;
        while (target_of(before, actions[action], 0) != blank)
            action++;
        way[left - 1] = action;
    }
    for (left = 0; left != depth; left++) {
        if (length && walked[length - 1] == (way[left] ^ 1))
            length--;
        else
            walked[length++] = way[left];
    }
}

/* Returns the length of a path, in `walked`, or GAVE_UP. */
static unsigned char find_path(const DATA char *from, const DATA char *to)
{
    unsigned char cell;
    unsigned int found;

    for (cell = 0; cell != CELLS; cell++)
        label[to[cell] - 'a'] = cell;
    blank_label = label[BLANK - 'a'];
    nodes[0].estimate = 0;
    for (cell = 0; cell != CELLS; cell++) {
        nodes[0].tiles[cell] = label[from[cell] - 'a'];
        if (nodes[0].tiles[cell] != blank_label)
            nodes[0].estimate += cells_apart(cell, nodes[0].tiles[cell]);
    }
    length = 0;
    searches = 0;
    while (searches != MOST_SEARCHES && length < LONGEST_WALK - VALUES) {
        nodes[0].depth = 0;
        for (cell = 0; cell != CELLS; cell++)
            roots[searches][cell] = nodes[0].tiles[cell];
        searches++;
        found = search();
        if (found != NO_NODE) {
            walk_to(found);
            return length > MOST_MOVES ? GAVE_UP : length;
        }
        found = best_node();
        walk_to(found);
        nodes[0] = nodes[found];
    }
    return GAVE_UP;
}

unsigned char solve(void)
{
    unsigned char cell = 0;
    unsigned char moves_found;

    first_move = moves + 1;
    while (start[cell] == goal[cell])
        if (++cell == CELLS)
            return 0;
    if (!is_solvable())
        return UNSOLVABLE;
    for (prefers_near = 1;; prefers_near = 0) {
        moves_found = find_path(start, goal);
        if (moves_found != GAVE_UP) {
            for (cell = 0; cell != moves_found; cell++)
                first_move[cell] = actions[walked[cell]];
            return moves_found;
        }
        /* From the other end it is another search; its moves are made backwards. */
        moves_found = find_path(goal, start);
        if (moves_found != GAVE_UP) {
            for (cell = 0; cell != moves_found; cell++)
                first_move[cell] = actions[walked[moves_found - 1 - cell] ^ 1];
            return moves_found;
        }
        if (!prefers_near)
            return GAVE_UP;
    }
}
