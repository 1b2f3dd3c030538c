/* SPDX-License-Identifier: 0BSD */
/* Hub states as eight labels, ranked again after every turn: the small form, 10.7 KB of tables.
 *
 * A coset is stored as itself or as its mirror image; in the latter case the policy byte is read
 * with edges 1 and 3, and both ways round a corner, exchanged.
 */
#include "boards.h"
#include "hub.h"
#include "puzzle8_small_tables.h"

#define MIRRORED 0x80 /* in a coset */
#define THREE ((unsigned char)3) /* an int would make sdcc divide 16 bits */
#define HUB_UNIT ((unsigned char)81)

static IDATA unsigned char labels[RING]; /* clockwise from the goal's edge */
static IDATA unsigned char saved[RING];
static DATA unsigned char place[RING]; /* ring index of each label */
static DATA unsigned char value;       /* policy byte */
static DATA unsigned char mirrored;

static const CODE unsigned char powers[4] = { 1, 3, 9, 27 };

/* Factorial number of the places of labels 2 to 5, each counted among those of the later ones. */
static unsigned char five_order(void)
{
    static DATA unsigned char order, a, b, c;

    a = place[2];
    b = place[3];
    c = place[4];
    order = 0;
    if (b < a)
        order += 24;
    if (c < a)
        order += 24;
    if (c < b)
        order += 6;
    c = place[5];
    if (c < a)
        order += 24;
    if (c < b)
        order += 6;
    if (c < place[4])
        order += 2;
    c = place[6];
    if (c < a)
        order += 24;
    if (c < b)
        order += 6;
    if (c < place[4])
        order += 2;
    if (c < place[5])
        order++;
    return order;
}

static void look_up(void)
{
    static DATA unsigned char coset, element, pair;

    element = five_order();
    pair = pair_numbers[(unsigned char)(place[1] << 3) | place[7]];
    coset = shape_cosets[(unsigned char)(pair << 3) | place[0]];
    mirrored = coset & MIRRORED;
    if (mirrored) {
        coset &= ~MIRRORED;
        /* Mirroring keeps ring index 0 in front; a label of the five that is there comes last. */
        if (place[0] && place[1] && place[7])
            element = mirror_from_0[element];
        else
            element = mirror[element];
    }
    value = policy_rows[(unsigned int)(coset * (unsigned char)ELEMENTS) + element];
}

/* 0 through the centre, 1 clockwise, 2 counter-clockwise. */
static unsigned char trit(unsigned char edge)
{
    unsigned char digit;

    if (mirrored)
        edge = -edge & 3;
    digit = value / powers[edge];
    digit %= THREE;
    return digit && mirrored ? digit ^ 3 : digit;
}

static unsigned char is_even(void)
{
    static DATA unsigned char odd, early, late, label;

    odd = 0;
    for (late = 1; late != RING; late++) {
        label = place[late];
        for (early = 0; early != late; early++)
            if (place[early] > label)
                odd ^= 1;
    }
    return !odd;
}

static void put(unsigned char index, unsigned char label)
{
    labels[index] = label;
    place[label] = index;
}

unsigned char hub_locate(unsigned char edge)
{
    unsigned char label;

    see_from(edge);
    for (label = 0; label != RING; label++) {
        put(seen_places[label], label);
    }
    if (!is_even())
        return 0;
    look_up();
    return 1;
}

void hub_turn(unsigned char turn)
{
    static DATA unsigned char first, last, one, two, three;

    first = turn & 6;
    last = (first + 2) & 7;
    one = labels[first];
    two = labels[first + 1];
    three = labels[last];
    if (turn & 1) {
        put(first, three);
        put(first + 1, one);
        put(last, two);
    } else {
        put(first, two);
        put(first + 1, three);
        put(last, one);
    }
    look_up();
}

unsigned char hub_action(unsigned char edge)
{
    unsigned char target = edge;

    if (value == GOAL_BYTE)
        return ACTION_GOAL;
    if (!trit(edge)) {
        target = 0;
        while (!trit(target))
            target++;
    }
    return (unsigned char)(target << 4) | (trit(target) == 2 ? ACTION_COUNTER_CLOCKWISE : 0);
}

unsigned char hub_distance(void)
{
    return value == GOAL_BYTE ? 1 : value / HUB_UNIT;
}

unsigned char hub_edge_distance(unsigned char edge)
{
    if (value == GOAL_BYTE)
        return edge ? 2 : 0;
    return (unsigned char)(hub_distance() + (trit(edge) ? 2 : 1)) % THREE;
}

unsigned char hub_mirrored(void)
{
    return 0;
}

void hub_keep(void)
{
    unsigned char index;

    for (index = 0; index != RING; index++)
        saved[index] = labels[index];
}

void hub_recall(void)
{
    unsigned char index;

    for (index = 0; index != RING; index++)
        put(index, saved[index]);
    look_up();
}
