/* SPDX-License-Identifier: 0BSD */
/* Solves the 8-puzzle by walking down the policy table: optimal for every start and goal.
 *
 * The table knows the edge states of a goal whose blank is on an edge. A goal with the blank in a
 * corner is reached over one of two edges, one in the centre over one of four: each is tried as
 * the goal (a candidate), and the nearest taken. Likewise a start in a corner has two edges to
 * choose from. Neighbouring states are 0 or 2 plies apart in distance, so distances mod 3 decide.
 */
#include "boards.h"
#include "hub.h"

#define NO_MOVE 255
#define LETTER(number) letters[(number) & 3]

static const CODE char letters[4] = { 'u', 'r', 'd', 'l' }; /* out of the centre to edge 0 to 3 */

/* The candidate being tried: where its blank starts, how far mod 3, and the move that led there. */
static DATA unsigned char edge, distance, first;

/* The best candidate so far. Moves are counted from the goal's edge. */
static DATA unsigned char found;
static DATA unsigned char best_distance;
static DATA unsigned char best_edge;  /* where the blank starts */
static DATA unsigned char best_frame; /* edge (0 to 3) of `to` that is the goal */
static DATA unsigned char best_first; /* first move out of a corner, or NO_MOVE */
static DATA unsigned char best_last;  /* last move into a corner or the centre, or NO_MOVE */

static DATA char out[4]; /* out[q]: letter of the move from the centre to edge q */
static IDATA char *DATA next;
static DATA signed char stride; /* -1 where the path is written from its end */

static unsigned char seen(unsigned char edge)
{
    return (hub_mirrored() ? -edge : edge) & 3;
}

/* Of two distances mod 3 that differ by -2, 0 or 2. */
static unsigned char is_closer(unsigned char distance, unsigned char other)
{
    return distance == (unsigned char)(other + 1) || (distance == 0 && other == 2);
}

/* Goes round the corner between `edge` and the edge before it: there, or back again. */
static void turn_before(unsigned char back)
{
    if (hub_mirrored() == back)
        hub_turn(COUNTER_CLOCKWISE(seen(edge)));
    else
        hub_turn(CLOCKWISE(seen(edge)));
}

/* The blank starts in the corner before `edge`: it goes to `edge` or to the one before. */
static void choose_edge(void)
{
    static DATA unsigned char other;

    first = (edge + 1) & 3;
    turn_before(0);
    edge--;
    other = hub_edge_distance(seen(edge));
    if (is_closer(other, distance)) {
        distance = other;
        first = (edge + 3) & 3;
    } else {
        turn_before(1);
        edge++;
    }
}

/* Tries edge cell `cell` of `to` as the goal; `last` is the move that then remains.
 * Returns 0 if start and goal are not connected. */
static unsigned char try_goal(unsigned char cell, unsigned char last)
{
    static DATA unsigned char frame;

    frame = cell >> 1;
    if (!hub_locate(cell))
        return 0;
    first = NO_MOVE;
    edge = 0;
    if (from.blank == CENTRE) {
        distance = hub_distance();
    } else {
        edge = ((from.blank + 1) >> 1) - frame;
        distance = hub_edge_distance(seen(edge));
        if (IS_CORNER(from.blank))
            choose_edge();
    }
    if (found && !is_closer(distance, best_distance))
        return 1;
    hub_keep();
    found = 1;
    best_distance = distance;
    best_edge = seen(edge);
    best_frame = frame;
    best_first = first;
    best_last = last;
    return 1;
}

static unsigned char try_goals(void)
{
    static DATA unsigned char cell, blank;

    found = 0;
    blank = to.blank;
    if (blank == CENTRE) {
        for (cell = 0; cell != RING; cell += 2)
            if (!try_goal(cell, 2))
                return 0;
        return 1;
    }
    if (IS_EDGE(blank)) {
        slide_in(&to, blank);
        return try_goal(blank, NO_MOVE);
    }
    cell = (blank - 1) & 7;
    slide_in(&to, cell);
    if (!try_goal(cell, 1))
        return 0;
    to.ring[cell] = to.ring[blank]; /* back, and over the other edge */
    cell = (blank + 1) & 7;
    slide_in(&to, cell);
    return try_goal(cell, 3);
}

static void write(char letter)
{
    *next = letter;
    next += stride;
}

/* Prepares the letters and where they go. Backwards every move is the opposite one. */
static void open_path(void)
{
    static DATA unsigned char turned, swap;

    stride = backwards ? -1 : 1;
    next = backwards ? moves + LONGEST : moves + 1;
    turned = best_frame + (backwards ? 2 : 0);
    out[0] = LETTER(turned);
    out[1] = LETTER(turned + 1);
    out[2] = LETTER(turned + 2);
    out[3] = LETTER(turned + 3);
    if (best_first != NO_MOVE)
        write(out[best_first]);
    best_last = best_last == NO_MOVE ? 0 : out[best_last];
    if (hub_mirrored()) {
        swap = out[1];
        out[1] = out[3];
        out[3] = swap;
    }
    if (from.blank == CENTRE) {
        /* As if the blank came from edge 0: then the move into the centre falls into the byte to
         * spare before the path; or it is edge 0 that the blank goes to. */
        if (ACTION_TARGET(hub_action(0)))
            next -= stride;
        else
            write(out[0]);
    }
}

static void walk(void)
{
    static DATA unsigned char action, target, was_mirrored, swap;

    edge = best_edge;
    for (;;) {
        action = hub_action(edge);
        if (action & ACTION_GOAL)
            break;
        target = ACTION_TARGET(action);
        if (target != edge) {
            write(out[edge ^ 2]);
            write(out[target]);
        }
        was_mirrored = hub_mirrored();
        if (action & ACTION_COUNTER_CLOCKWISE) {
            edge = (target - 1) & 3;
            write(out[edge]);
            write(out[target ^ 2]);
            hub_turn(COUNTER_CLOCKWISE(target));
        } else {
            edge = (target + 1) & 3;
            write(out[edge]);
            write(out[target ^ 2]);
            hub_turn(CLOCKWISE(target));
        }
        if (was_mirrored != hub_mirrored()) {
            swap = out[1];
            out[1] = out[3];
            out[3] = swap;
            edge = -edge & 3;
        }
    }
    if (edge) {
        write(out[edge ^ 2]);
        write(out[0]);
    }
}

unsigned char solve(void)
{
    first_move = moves + 1;
    if (read_boards())
        return 0;
    if (IS_EDGE(from.blank))
        slide_in(&from, from.blank);
    else if (IS_CORNER(from.blank))
        slide_in(&from, (from.blank + 1) & 7);
    note_places();
    if (!try_goals())
        return UNSOLVABLE;
    hub_recall();
    open_path();
    walk();
    if (best_last)
        write(best_last);
    if (!backwards)
        return next - (moves + 1);
    first_move = next + 1;
    return (moves + LONGEST) - next;
}
