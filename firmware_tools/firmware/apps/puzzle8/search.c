/* SPDX-License-Identifier: 0BSD */
/* What the search algorithms of the paper and the network share. */
#include "search.h"

const CODE char actions[ACTIONS] = { 'r', 'l', 'd', 'u' };

static unsigned char inversions(const DATA char *board)
{
    unsigned char count = 0;
    unsigned char early, late;

    for (late = 1; late < CELLS; late++)
        for (early = 0; early < late; early++)
            if (board[early] != BLANK && board[late] != BLANK && board[early] > board[late])
                count++;
    return count;
}

unsigned char is_solvable(void)
{
    return !((inversions(start) ^ inversions(goal)) & 1);
}

unsigned char find_blank(const XDATA char *board)
{
    unsigned char cell = 0;

    while (board[cell] != BLANK)
        cell++;
    return cell;
}

unsigned char target_of(unsigned char blank, char action, char last)
{
    unsigned char column = blank % (unsigned char)3;

    switch (action) {
    case 'r':
        return column == 2 || last == 'l' ? NO_CELL : blank + 1;
    case 'l':
        return column == 0 || last == 'r' ? NO_CELL : blank - 1;
    case 'd':
        return blank > 5 || last == 'u' ? NO_CELL : blank + 3;
    default:
        return blank < 3 || last == 'd' ? NO_CELL : blank - 3;
    }
}

void answer(const XDATA char *path, unsigned char length)
{
    unsigned char index;

    first_move = moves + 1;
    for (index = 0; index < length; index++)
        first_move[index] = path[index];
}
