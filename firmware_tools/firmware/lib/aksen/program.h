/* SPDX-License-Identifier: 0BSD */
/* What the start must know of a program: prototypes of its interrupt functions, calls that start
 * those of the library as PROGRAM_INTERRUPTS, and PROGRAM_RETURNS if AksenMain may return. This one
 * is for programs with none of them; the build writes another. */
