"""Numbers of the program format and of the firmware's virtual machine.

Source: LEGO's executable file specification and the published firmware 1.29 (c_cmd.iom, c_cmd.h).
"""

from typing import Final

# Types of variables.
VOID: Final = 0
U8: Final = 1
S8: Final = 2
U16: Final = 3
S16: Final = 4
U32: Final = 5
S32: Final = 6
ARRAY: Final = 7
CLUSTER: Final = 8
MUTEX: Final = 9
FLOAT: Final = 10
LAST_INTEGER: Final = S32  # integer types are 1 to 6; odd ones have no sign
SIZES: Final = (0, 1, 1, 2, 2, 4, 4, 2, 0, 4, 4)

# "Nothing": no variable, no offset, no dope vector (16 bits); no clump (8 bits).
NOTHING: Final = 0xFFFF
NO_CLUMP: Final = 0xFF

# Opcodes of the long form.
ADD: Final = 0x00
SUB: Final = 0x01
NEG: Final = 0x02
MUL: Final = 0x03
DIV: Final = 0x04
MOD: Final = 0x05
AND: Final = 0x06
OR: Final = 0x07
XOR: Final = 0x08
NOT: Final = 0x09
CMP: Final = 0x11
TST: Final = 0x12
INDEX: Final = 0x15
REPLACE: Final = 0x16
ARRSIZE: Final = 0x17
ARRBUILD: Final = 0x18
ARRSUBSET: Final = 0x19
ARRINIT: Final = 0x1A
MOV: Final = 0x1B
SET: Final = 0x1C
FLATTEN: Final = 0x1D
UNFLATTEN: Final = 0x1E
NUMTOSTRING: Final = 0x1F
STRINGTONUM: Final = 0x20
STRCAT: Final = 0x21
STRSUBSET: Final = 0x22
STRTOBYTEARR: Final = 0x23
BYTEARRTOSTR: Final = 0x24
JMP: Final = 0x25
BRCMP: Final = 0x26
BRTST: Final = 0x27
SYSCALL: Final = 0x28
STOP: Final = 0x29
FINCLUMP: Final = 0x2A
FINCLUMPIMMED: Final = 0x2B
ACQUIRE: Final = 0x2C
RELEASE: Final = 0x2D
SUBCALL: Final = 0x2E
SUBRET: Final = 0x2F
SETIN: Final = 0x30
SETOUT: Final = 0x31
GETIN: Final = 0x32
GETOUT: Final = 0x33
WAIT: Final = 0x34
GETTICK: Final = 0x35
SQRT: Final = 0x36
ABS: Final = 0x37

# Opcodes of the short form (bit 11 of the first word is set).
SHORT_FORM: Final = 0x0800
SHORT_MOV: Final = 0
SHORT_ACQUIRE: Final = 1
SHORT_RELEASE: Final = 2
SHORT_SUBCALL: Final = 3

# Comparison codes.
LESS: Final = 0
GREATER: Final = 1
LESS_EQUAL: Final = 2
GREATER_EQUAL: Final = 3
EQUAL: Final = 4
NOT_EQUAL: Final = 5

# What an instruction returns. Negative numbers end the program.
DONE: Final = 0
CLUMP_DONE: Final = 1
CLUMP_SUSPENDED: Final = 2
STOP_REQUEST: Final = 4
ROTATE: Final = 5
TIME_IS_UP: Final = 6
NEEDS_SERVICE: Final = 7  # ours: code outside the compiled interpreter has to do this one
ERR_ARG: Final = -1
ERR_INSTR: Final = -2
ERR_FILE: Final = -3
ERR_VER: Final = -4
ERR_MEM: Final = -5
ERR_BAD_PTR: Final = -6
ERR_BEYOND: Final = -7  # ours: more than the memory can hold, where a brick hangs or crashes

# Statuses that programs and telegrams get; they end nothing (but see ColorSensorRead).
ERR_INVALID_PORT: Final = -16
ERR_INVALID_QUEUE: Final = -18
ERR_INVALID_SIZE: Final = -19
ERR_NO_PROGRAM: Final = -20
ERR_CHANNEL_NOT_READY: Final = -32
ERR_CHANNEL_INVALID: Final = -33
ERR_BUS: Final = -35
ERR_ILLEGAL_VALUE: Final = -64
STAT_BUFFER_WRAP: Final = 0x10
STAT_COMM_PENDING: Final = 0x20
STAT_MAILBOX_EMPTY: Final = 0x40

# Program status in the command module's I/O map.
PROGRAM_IDLE: Final = 0
PROGRAM_OK: Final = 1
PROGRAM_RUNNING: Final = 2
PROGRAM_ERROR: Final = 3
PROGRAM_ABORTED: Final = 4
PROGRAM_RESET: Final = 5

# System calls that the compiled interpreter does itself, because programs poll with them.
PLAY_TONE: Final = 10
GET_SOUND_STATE: Final = 11
READ_BUTTON: Final = 20
GET_START_TICK: Final = 25
MESSAGE_WRITE: Final = 26
MESSAGE_READ: Final = 27
SYSCALL_COUNT: Final = 48
LONGEST_SYSCALL: Final = 16  # members of the cluster

INSTRUCTIONS_PER_TURN: Final = 20
QUEUES: Final = 20
MESSAGES_PER_QUEUE: Final = 5
LONGEST_MESSAGE: Final = 59
DATALOG_MESSAGES: Final = 30
LONGEST_DATALOG: Final = 60
POOL_BYTES: Final = 32768
CLUMP_RECORD_BYTES: Final = 28  # what a clump takes in the pool of the ARM
