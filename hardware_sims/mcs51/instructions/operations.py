"""Numbers of the core's operations: opcodes that differ only in a register number share one.

The decoder writes these numbers into the decoded program and the execution kernel switches on
them. They are plain consecutive integers, below 128, so that the compiler makes one jump table.
"""

# fmt: off
(
    NOP, AJMP, LJMP, SJMP, JMP_A_DPTR, ACALL, LCALL, RET, RETI, RESERVED,
    JC, JNC, JZ, JNZ, JB, JNB, JBC,
    CJNE_A_IMM, CJNE_A_DIR, CJNE_RI_IMM, CJNE_RN_IMM, DJNZ_DIR, DJNZ_RN,
    INC_A, INC_DIR, INC_RI, INC_RN, INC_DPTR, DEC_A, DEC_DIR, DEC_RI, DEC_RN,
    ADD_IMM, ADD_DIR, ADD_RI, ADD_RN,
    ADDC_IMM, ADDC_DIR, ADDC_RI, ADDC_RN,
    SUBB_IMM, SUBB_DIR, SUBB_RI, SUBB_RN,
    ORL_IMM, ORL_DIR, ORL_RI, ORL_RN, ORL_DIR_A, ORL_DIR_IMM,
    ANL_IMM, ANL_DIR, ANL_RI, ANL_RN, ANL_DIR_A, ANL_DIR_IMM,
    XRL_IMM, XRL_DIR, XRL_RI, XRL_RN, XRL_DIR_A, XRL_DIR_IMM,
    MUL, DIV, DA, RR, RRC, RL, RLC, SWAP, CLR_A, CPL_A,
    ORL_C_BIT, ORL_C_NBIT, ANL_C_BIT, ANL_C_NBIT, MOV_C_BIT, MOV_BIT_C,
    CLR_BIT, SETB_BIT, CPL_BIT, CLR_C, SETB_C, CPL_C,
    MOV_A_IMM, MOV_A_DIR, MOV_A_RI, MOV_A_RN,
    MOV_DIR_A, MOV_DIR_IMM, MOV_DIR_DIR, MOV_DIR_RI, MOV_DIR_RN,
    MOV_RI_A, MOV_RI_IMM, MOV_RI_DIR, MOV_RN_A, MOV_RN_IMM, MOV_RN_DIR, MOV_DPTR,
    MOVC_PC, MOVC_DPTR, MOVX_A_DPTR, MOVX_A_RI, MOVX_DPTR_A, MOVX_RI_A,
    PUSH, POP, XCH_DIR, XCH_RI, XCH_RN, XCHD,
) = range(112)
# fmt: on

# How an operation uses the special-function registers that its operands may name.
READS_FIRST, WRITES_FIRST, READS_SECOND = 1, 2, 4
