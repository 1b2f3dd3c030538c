/* SPDX-License-Identifier: 0BSD */
/* Layout of a waiting process: a page of xdata, in this order. The scheduler, which is written in
 * assembler, and process_start must agree on it.
 *
 *   SP, ACC, PSW, B, DPL, DPH, R0 to R7, frame pointer, bit registers, internal RAM from FIRST_SAVED
 */
#ifndef AKSEN_PROCESS_H
#define AKSEN_PROCESS_H

#define PROCESSES 20

/* Offsets in struct aksen_processes. */
#define TICKS_AT 20
#define LIST_AT 40
#define RUNNING_AT 60
#define PLACE_AT 61
#define COUNT_AT 62

#ifdef ROM_LIBRARY
/* With the library in ROM, stacks have a fixed start. The eight bytes of variables below are part of
 * a process too (handbook, 3.5). */
#define FIRST_STACK 0x21
#define FIRST_SAVED 0x18
#define BELOW_STACK 9
#define TOP_PAGE 0x1D
#else
#define FIRST_STACK __start__stack
#define FIRST_SAVED __start__stack
#define BELOW_STACK 0
#define TOP_PAGE (XDATA_BYTES / 256 - 1)

/* A process has 223 bytes of stack, two of them for the tick's return address (handbook, 3.7.1).
 * The byte behind them is set at the start of a slice; a process that changes it has overflown. */
#define STACK_BYTES 223
#define UNTOUCHED 0xA5
#endif

void aksen_change_process(void);

#endif
