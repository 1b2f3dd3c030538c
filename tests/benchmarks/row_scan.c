/* A plain search for squares with matching edges: row by row, the way one would write it at once.

   Input: cells, columns, kinds, labels, then per kind how many there are, then the number of choices
   and for each: cell, kind, what it shows on the left and at the top, and what it asks of the cells
   to its right and below. Label 0 is no label: there is no cell on that side. Choices for a cell are
   kept by what they show on the left and at the top. Output: solutions and nodes. */

#include <stdio.h>
#include <stdlib.h>

typedef struct { int key, kind, right, below; } Choice;

static int cells, columns, kinds, labels, *left, *right_of, *below_of, *first;
static Choice *choices;
static long long found, nodes;

static int number(void)
{
    int value;
    if (scanf("%d", &value) != 1) exit(2);
    return value;
}

static int by_key(const void *one, const void *other)
{
    return ((const Choice *)one)->key - ((const Choice *)other)->key;
}

static void lay(int cell)
{
    if (cell == cells) { found++; return; }
    int shown_left = cell % columns ? right_of[cell - 1] : 0;
    int shown_top = cell >= columns ? below_of[cell - columns] : 0;
    int key = (cell * labels + shown_left) * labels + shown_top;
    for (int at = first[key]; at < first[key + 1]; at++) {
        const Choice *choice = &choices[at];
        if (!left[choice->kind]) continue;
        nodes++;
        left[choice->kind]--;
        right_of[cell] = choice->right;
        below_of[cell] = choice->below;
        lay(cell + 1);
        left[choice->kind]++;
    }
}

int main(void)
{
    cells = number(); columns = number(); kinds = number(); labels = number();
    left = calloc(kinds, sizeof *left);
    right_of = calloc(cells, sizeof *right_of);
    below_of = calloc(cells, sizeof *below_of);
    for (int kind = 0; kind < kinds; kind++) left[kind] = number();
    int many = number(), keys = cells * labels * labels;
    choices = calloc(many, sizeof *choices);
    for (int at = 0; at < many; at++) {
        int cell = number();
        choices[at].kind = number();
        int shown_left = number(), shown_top = number();
        choices[at].key = (cell * labels + shown_left) * labels + shown_top;
        choices[at].right = number();
        choices[at].below = number();
    }
    qsort(choices, many, sizeof *choices, by_key);
    first = calloc(keys + 1, sizeof *first);
    for (int at = 0; at < many; at++) first[choices[at].key + 1]++;
    for (int key = 0; key < keys; key++) first[key + 1] += first[key];
    lay(0);
    printf("%lld %lld\n", found, nodes);
    return 0;
}
