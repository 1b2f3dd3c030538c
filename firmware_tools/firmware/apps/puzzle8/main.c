/* SPDX-License-Identifier: 0BSD */
/* Input and output of all puzzle8 programs. README.md describes the lines. */
#include "console.h"

#define PROTOCOL "1"
#define LINE_ROOM 40
#define WIDEST_STEP 30
#define DECIMALS 10

/* The example of the paper (initial and final position), for a board without a host. */
static const CODE char example[] = "gaefdboch doefgbcah";

static XDATA char line[LINE_ROOM];
static XDATA char *word;

/* Copies a board from the line. Returns 0 unless it is a to h and o, each once, then a space or
 * the end. */
static unsigned char read_board(DATA char *board)
{
    unsigned int seen = 0;
    unsigned int bit;
    unsigned char cell;

    while (*word == ' ')
        word++;
    for (cell = 0; cell != CELLS; cell++) {
        char letter = *word;

        if (letter != BLANK && (letter < 'a' || letter > 'h'))
            return 0;
        bit = letter == BLANK ? 0x100 : 1 << (letter - 'a');
        if (seen & bit)
            return 0;
        seen |= bit;
        board[cell] = letter;
        word++;
    }
    return *word == ' ' || !*word;
}

/* Reads what may follow the boards: a step width, and `parent`. Returns 0 if it is neither. */
static unsigned char read_options(void)
{
    step_width = solver_step_width;
    parent_heuristic = 0;
    while (*word == ' ')
        word++;
    if (*word >= '1' && *word <= '9') {
        step_width = *word++ - '0';
        if (*word >= '0' && *word <= '9')
            step_width = step_width * 10 + (*word++ - '0');
        while (*word == ' ')
            word++;
    }
    if (*word == 'p') {
        parent_heuristic = 1;
        word++;
    }
    return !*word && step_width <= WIDEST_STEP;
}

static const CODE unsigned long powers[DECIMALS] = {
    1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1
};

/* Writes a number; with `point`, that many decimals behind one. */
static void write_number(unsigned long number, unsigned char point)
{
    unsigned char place, digit;
    unsigned char started = 0;

    for (place = 0; place != DECIMALS; place++) {
        for (digit = '0'; number >= powers[place]; digit++)
            number -= powers[place];
        if (digit != '0' || place >= DECIMALS - 1 - point)
            started = 1;
        if (started)
            console_put(digit);
        if (point && place == DECIMALS - 1 - point)
            console_put('.');
    }
}

static void write_times(void)
{
    console_put(' ');
    write_number(console_cycles, 3); /* a cycle is 1 us: this is ms */
    console_put(' ');
    write_number(console_cycles, 0);
}

static void write_path(unsigned char count)
{
    unsigned char index;

    console_show_moves(first_move, count);
    console_write("path ");
    write_number(count, 0);
    console_put(' ');
    if (!count)
        console_put('-');
    for (index = 0; index != count; index++)
        console_put(first_move[index]);
    write_times();
}

static void solve_line(void)
{
    unsigned char count;

    word = line;
    if (!read_board(start)) {
        console_show("Start malformed");
        console_write("malformed start");
    } else if (!read_board(goal)) {
        console_show("Goal malformed");
        console_write("malformed goal");
    } else if (!read_options()) {
        console_show("Option malformed");
        console_write("malformed option");
    } else {
        count = console_solve();
        if (count == UNSOLVABLE) {
            console_show("No solution");
            console_write("unsolvable");
            write_times();
        } else if (count == GAVE_UP) {
            console_show("Too far");
            console_write("gave-up");
            write_times();
        } else {
            write_path(count);
        }
    }
    console_put('\n');
}

static void identify(void)
{
    console_write("puzzle8 ");
    console_write(solver_name);
    console_write(" " PROTOCOL " ");
    console_write(solver_tables);
    console_put('\n');
}

void AksenMain(void)
{
    unsigned char index;

    if (!console_has_input()) {
        for (index = 0; index != sizeof example; index++)
            line[index] = example[index];
        identify();
        solve_line();
    }
    for (;;) {
        console_read(line, LINE_ROOM);
        if (line[0] == '?')
            identify();
        else if (line[0])
            solve_line();
    }
}
