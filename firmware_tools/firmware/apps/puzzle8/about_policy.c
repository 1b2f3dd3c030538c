/* SPDX-License-Identifier: 0BSD */
/* The solver is policy_asm.asm. */
#include "puzzle8_tables.h"

const CODE char solver_name[] = "policy";
const CODE char solver_tables[] = TABLES_CHECKSUM;
const CODE unsigned char solver_is_short = 1;
const CODE unsigned char solver_step_width = 1;
