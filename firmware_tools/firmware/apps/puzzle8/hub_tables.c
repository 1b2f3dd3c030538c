/* Hub states as (coset, element): the fast form, 24 KB of tables. */
#include "boards.h"
#include "hub.h"
#include "puzzle8_tables.h"

#ifdef __SDCC
#define TABLE(page, index) \
    (*(const __code unsigned char *)(((unsigned int)(unsigned char)(page) << 8) | (unsigned char)(index)))
#else
extern const unsigned char puzzle8_tables[];
#define TABLE(page, index) puzzle8_tables[((unsigned char)(page)-FIRST_PAGE) * 256 + (unsigned char)(index)]
#endif

#define HALF 0x80 /* in a coset: its policy bytes are in the upper half of their page */
#define FLIP 0x80 /* in a row: it mirrors */
#define ORDERED 0x80

typedef struct {
    unsigned char coset;
    unsigned char element;
    unsigned char value; /* policy byte */
    unsigned char mirrored;
} hub_t;

static DATA hub_t hub;
static DATA hub_t kept;

static void look_up(void)
{
    hub.value = TABLE(hub.coset & ~HALF, hub.element | (hub.coset & HALF));
}

unsigned char hub_locate(unsigned char edge)
{
    DATA static unsigned char label, left, one, shape, upright;
    unsigned char element;

    left = 0;
    for (label = 2; label != 7; label++)
        left |= TABLE(ROWS_PAGE, ONE_HOT + place_of(label, edge));
    /* Factorial number of the places of labels 2, 3, 4 and 5 among those left. */
    element = 0;
    for (label = 2; label != 6; label++) {
        one = TABLE(ROWS_PAGE, ONE_HOT + place_of(label, edge));
        element = element * (unsigned char)(7 - label) + TABLE(COUNT_PAGE, (one - 1) & left);
        left ^= one;
    }
    shape = TABLE(PAIR_PAGE, place_of(1, edge) << 4 | place_of(7, edge));
    one = shape & 1;
    shape = (shape & ~1) | place_of(0, edge);
    upright = TABLE(UPRIGHT_PAGE, shape);
    if (one ^ TABLE(PAIR_PAGE, ODD_ELEMENT + element) ^ (upright >> 7))
        return 0;
    upright &= ~ORDERED;
    hub.mirrored = upright != 0;
    hub.element = upright ? TABLE(upright, element) : element;
    hub.coset = TABLE(SHAPE_PAGE, shape);
    look_up();
    return 1;
}

void hub_turn(unsigned char turn)
{
    unsigned char page = TURN_PAGE + 2 * turn;
    unsigned char row = TABLE(page + 1, hub.coset);

    if (row & FLIP) {
        hub.mirrored ^= 1;
        row &= ~FLIP;
    }
    hub.element = TABLE(row, hub.element);
    hub.coset = TABLE(page, hub.coset);
    look_up();
}

unsigned char hub_action(unsigned char edge)
{
    return TABLE(ACTION_PAGE + edge, hub.value);
}

unsigned char hub_distance(void)
{
    return TABLE(HUB_DISTANCE_PAGE, hub.value);
}

unsigned char hub_edge_distance(unsigned char edge)
{
    return TABLE(DISTANCE_PAGE + edge, hub.value);
}

unsigned char hub_mirrored(void)
{
    return hub.mirrored;
}

void hub_keep(void)
{
    kept = hub;
}

void hub_recall(void)
{
    hub = kept;
}
