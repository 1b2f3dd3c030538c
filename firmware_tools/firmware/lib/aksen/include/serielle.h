/* SPDX-License-Identifier: 0BSD */
/* For programs that include this header but bring no serial code of their own. */
#include <stub.h>
