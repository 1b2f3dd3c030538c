/* SPDX-License-Identifier: 0BSD */
/* Reads the boards for the policy programs in C. */
#include "boards.h"

#define BLANK_LETTER (BLANK - 'a')

static const CODE unsigned char ring_cells[RING + 1] = { 1, 2, 5, 8, 7, 6, 3, 0, 4 };

IDATA board_t from;
IDATA board_t to;
DATA unsigned char backwards;
IDATA unsigned char seen_places[RING];

static IDATA unsigned char places[BLANK_LETTER + 1]; /* by letter */

/* 0 for an edge cell, 1 for a corner, 2 for the centre. */
static unsigned char depth(unsigned char index)
{
    return index == CENTRE ? 2 : IS_CORNER(index);
}

static void read_board(IDATA board_t *board, DATA char *cells)
{
    unsigned char index = RING + 1;
    unsigned char letter;

    do {
        index--;
        letter = cells[ring_cells[index]] - 'a';
        board->ring[index] = letter;
        if (letter == BLANK_LETTER)
            board->blank = index;
    } while (index);
}

unsigned char read_boards(void)
{
    unsigned char cell = CELLS;

    while (cell && start[cell - 1] == goal[cell - 1])
        cell--;
    if (!cell)
        return 1;
    read_board(&from, start);
    read_board(&to, goal);
    backwards = depth(to.blank) > depth(from.blank);
    if (backwards) {
        read_board(&from, goal);
        read_board(&to, start);
    }
    return 0;
}

void slide_in(IDATA board_t *board, unsigned char edge)
{
    board->ring[board->blank] = board->ring[edge];
    board->ring[edge] = board->ring[CENTRE];
}

void note_places(void)
{
    unsigned char index = RING;

    do {
        index--;
        places[from.ring[index]] = index;
    } while (index);
}

void see_from(unsigned char edge)
{
    static DATA unsigned char frame, index, label;

    frame = edge;
    index = edge;
    for (label = 0; label != RING; label++) {
        seen_places[label] = (places[to.ring[index]] - frame) & 7;
        index = (index + 1) & 7;
    }
}
