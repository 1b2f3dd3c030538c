/* SPDX-License-Identifier: 0BSD */
/* Hub states as (coset, element): the fast form, 25 KB of tables. */
#include "boards.h"
#include "hub.h"
#include "puzzle8_tables.h"

#ifdef __SDCC
#define TABLE(page, index) \
    (*(const __code unsigned char *)(((unsigned int)(unsigned char)(page) << 8) | (unsigned char)(index)))
#else
#define TABLE(page, index) puzzle8_tables[((unsigned char)(page)-FIRST_PAGE) * 256 + (unsigned char)(index)]
#endif

#define HALF 0x80 /* in a coset: its policy bytes are in the upper half of their page */
#define FLIP 0x80 /* in a row: it mirrors */
#define ORDERED 0x80

/* Variables of their own: sdcc copies a struct through a library call, ten times as slowly. */
static DATA unsigned char coset;
static DATA unsigned char element;
static DATA unsigned char value; /* policy byte */
static DATA unsigned char mirrored;
static DATA unsigned char saved_coset;
static DATA unsigned char saved_element;
static DATA unsigned char saved_value;
static DATA unsigned char saved_mirrored;

static void look_up(void)
{
    value = TABLE(coset & ~HALF, element | (coset & HALF));
}

#define ONE_HOT_PLACE(label) TABLE(ROWS_PAGE, ONE_HOT + seen_places[label])
#define COUNT(bits) TABLE(COUNT_PAGE, bits)

/* Factorial number of the places of labels 2 to 5, each counted among those of the later ones. */
static unsigned char five_order(void)
{
    static DATA unsigned char later, one;
    unsigned char order;

    later = ONE_HOT_PLACE(6);
    order = COUNT((ONE_HOT_PLACE(5) - 1) & later);
    later |= ONE_HOT_PLACE(5);
    one = ONE_HOT_PLACE(4);
    order += COUNT((one - 1) & later) << 1;
    later |= one;
    one = ONE_HOT_PLACE(3);
    order += COUNT((one - 1) & later) * 6;
    later |= one;
    return order + COUNT((ONE_HOT_PLACE(2) - 1) & later) * 24;
}

unsigned char hub_locate(unsigned char edge)
{
    static DATA unsigned char shape, ordered, upright;

    see_from(edge);
    element = five_order();
    ordered = TABLE(PAIR_PAGE, (unsigned char)(seen_places[1] << 4) | seen_places[7]);
    shape = (ordered & ~1) | seen_places[0];
    upright = TABLE(UPRIGHT_PAGE, shape);
    if (((upright & ORDERED) != 0) ^ (ordered & 1) ^ TABLE(PAIR_PAGE, ODD_ELEMENT + element))
        return 0;
    upright &= ~ORDERED;
    mirrored = upright != 0;
    if (upright)
        element = TABLE(upright, element);
    coset = TABLE(SHAPE_PAGE, shape);
    look_up();
    return 1;
}

void hub_turn(unsigned char turn)
{
    unsigned char page = TURN_PAGE + 2 * turn;
    unsigned char row = TABLE(page + 1, coset);

    if (row & FLIP) {
        mirrored ^= 1;
        row &= ~FLIP;
    }
    element = TABLE(row, element);
    coset = TABLE(page, coset);
    look_up();
}

unsigned char hub_action(unsigned char edge)
{
    return TABLE(ACTION_PAGE + edge, value);
}

unsigned char hub_distance(void)
{
    return TABLE(HUB_DISTANCE_PAGE, value);
}

unsigned char hub_edge_distance(unsigned char edge)
{
    return TABLE(DISTANCE_PAGE + edge, value);
}

unsigned char hub_mirrored(void)
{
    return mirrored;
}

void hub_keep(void)
{
    saved_coset = coset;
    saved_element = element;
    saved_value = value;
    saved_mirrored = mirrored;
}

void hub_recall(void)
{
    coset = saved_coset;
    element = saved_element;
    value = saved_value;
    mirrored = saved_mirrored;
}
