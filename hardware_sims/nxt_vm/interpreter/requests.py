"""What the host has a machine do: activate a loaded program, append a message to a queue.

`run_slice` carries a request out in place of a millisecond. As kernels of their own, both would be
compiled a second time, with all the handling of dope vectors that the instructions need, too: a
tenth of what the first start of a simulated brick takes.
"""

from hardware_sims.nxt_vm import codes, dataspace
from hardware_sims.nxt_vm.arrays import compact, grow_vectors, rebuild_back_links
from hardware_sims.nxt_vm.interpreter.instructions import queue_to_run
from hardware_sims.nxt_vm.interpreter.polled_calls import write_message
from solvers.foundation.compiled import kernel

NO_REQUEST = 0
ACTIVATE = 1
WRITE_MESSAGE = 2

BROKEN_CHAIN = -1
_MOST_SPARE_VECTORS = 200


@kernel
def carry_out_request(machine: dataspace.MachineRecord) -> int:
    """Do what the host wants; return `DONE`, an error of `codes`, or `BROKEN_CHAIN`."""
    request = dataspace.number(machine.request)
    machine.request = NO_REQUEST
    if request == ACTIVATE:
        return _activate(machine)
    queue = dataspace.number(machine.request_queue)
    length = dataspace.number(machine.request_length)
    status = write_message(machine, queue, dataspace.SCRATCH_AT, length)
    if status == codes.ERR_MEM:
        compact(machine)
        status = write_message(machine, queue, dataspace.SCRATCH_AT, length)
    return status


@kernel
def _activate(machine: dataspace.MachineRecord) -> int:
    """Queue the clumps that wait for no other, and add spare dope vectors.

    Old compilers left the vectors' back links unset, so they are rebuilt first.
    """
    for clump in range(dataspace.number(machine.clump_count)):
        if dataspace.number(machine.fire_count[clump]) == 0:
            queue_to_run(machine, clump)
    if rebuild_back_links(machine) != dataspace.number(machine.chain_tail):
        return BROKEN_CHAIN
    return grow_vectors(machine, min(_MOST_SPARE_VECTORS, dataspace.vector_count(machine, 0) // 2))
