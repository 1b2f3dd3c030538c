/* Hub states as (coset, element): the fast form, 24 KB of tables. */
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

typedef struct {
    unsigned char coset;
    unsigned char element;
    unsigned char value; /* policy byte */
    unsigned char mirrored;
} hub_t;

static DATA hub_t hub;
static IDATA hub_t kept;

static void look_up(void)
{
    hub.value = TABLE(hub.coset & ~HALF, hub.element | (hub.coset & HALF));
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
    unsigned char element;

    see_from(edge);
    element = five_order();
    ordered = TABLE(PAIR_PAGE, (unsigned char)(seen_places[1] << 4) | seen_places[7]);
    shape = (ordered & ~1) | seen_places[0];
    upright = TABLE(UPRIGHT_PAGE, shape);
    if (((upright & ORDERED) != 0) ^ (ordered & 1) ^ TABLE(PAIR_PAGE, ODD_ELEMENT + element))
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
