/* The version of the original library whose calls and messages this one has. */
#include <stub.h>

static const __code char number[] = "00.970";

void version(char *text)
{
    unsigned char i;

    for (i = 0; i < sizeof number; i++)
        text[i] = number[i];
}
