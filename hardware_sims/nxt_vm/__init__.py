"""The virtual machine of the simulated brick: executes compiled NXT programs (.rxe).

A program written for LEGO's standard firmware (1.28 to 1.31) runs unchanged: 47 instructions, the
memory manager, tasks and mutexes with turns of 20 instructions, mailboxes, files, motors, sensors
and system calls 0 to 47. `command_module` is what the rest of the brick talks to.
"""
