/* SPDX-License-Identifier: 0BSD */
/* The version of the original library whose calls and messages this one has. */
#include <stub.h>
#include "aksen_version.h"

static const __code char number[] = AKSEN_VERSION;

void version(char *text)
{
    unsigned char i;

    for (i = 0; i < sizeof number; i++)
        text[i] = number[i];
}
