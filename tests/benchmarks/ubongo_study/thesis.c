/* The Ubongo thesis' search in C: the same boards in the same order as the Python beside it.

   Input: number of problems, at most how many solutions of each (-1: all); then for each problem:
   cells, width, depth, isolated (0 or 1), the board, and the number of pieces; for each piece the
   number of its variants; for each of these width, depth, number of cubes and their offsets.
   Output for each problem: times found, boards, boards up to the first. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 512, CUBES = 8, PIECES = 16, VARIANTS = 1024 };

typedef struct { int width, depth, cubes, offset[CUBES]; } Variant;

static int cells, width, depth, isolated, pieces, variants[PIECES], at_most;
static Variant variant_of[PIECES][VARIANTS];
static signed char boards_of[PIECES + 1][CELLS];
static long long found, boards, first;

static int number(int limit)
{
    int value;
    if (scanf("%d", &value) != 1 || value > limit) exit(2);
    return value;
}

static int has_isolated_cell(const signed char *board)
{
    int layer = width * depth;
    for (int cell = 0; cell < cells; cell++) {
        int x = cell % width, y = cell / width % depth;
        if (board[cell]) continue;
        if (x > 0 && !board[cell - 1]) continue;
        if (x < width - 1 && !board[cell + 1]) continue;
        if (y > 0 && !board[cell - width]) continue;
        if (y < depth - 1 && !board[cell + width]) continue;
        if (cell >= layer && !board[cell - layer]) continue;
        if (cell + layer < cells && !board[cell + layer]) continue;
        return 1;
    }
    return 0;
}

static int place(int piece)
{
    const signed char *board = boards_of[piece];
    signed char *candidate = boards_of[piece + 1];
    for (int at = 0; at < variants[piece]; at++) {
        const Variant *variant = &variant_of[piece][at];
        for (int y = 0; y <= depth - variant->depth; y++)
            for (int x = 0; x <= width - variant->width; x++) {
                int corner = x + width * y, highest = 0, lowest = 1;
                memcpy(candidate, board, cells);
                for (int cube = 0; cube < variant->cubes; cube++)
                    candidate[corner + variant->offset[cube]]++;
                boards++;
                for (int cell = 0; cell < cells; cell++) {
                    if (candidate[cell] > highest) highest = candidate[cell];
                    if (candidate[cell] < lowest) lowest = candidate[cell];
                }
                if (highest > 1) continue;
                if (lowest) {
                    found++;
                    if (!first) first = boards;
                    if (found == at_most) return 1;
                    continue;
                }
                if (isolated && has_isolated_cell(candidate)) continue;
                if (piece + 1 < pieces && place(piece + 1)) return 1;
            }
    }
    return 0;
}

int main(void)
{
    int problems = number(1 << 30);
    at_most = number(1 << 30);
    while (problems--) {
        cells = number(CELLS);
        width = number(CELLS);
        depth = number(CELLS);
        isolated = number(1);
        for (int cell = 0; cell < cells; cell++) boards_of[0][cell] = number(1);
        pieces = number(PIECES);
        for (int piece = 0; piece < pieces; piece++) {
            variants[piece] = number(VARIANTS);
            for (int at = 0; at < variants[piece]; at++) {
                Variant *variant = &variant_of[piece][at];
                variant->width = number(width);
                variant->depth = number(depth);
                variant->cubes = number(CUBES);
                for (int cube = 0; cube < variant->cubes; cube++)
                    variant->offset[cube] = number(CELLS);
            }
        }
        found = boards = first = 0;
        place(0);
        printf("%lld %lld %lld\n", found, boards, first);
    }
    return 0;
}
