"""SETOUT, GETOUT, SETIN and GETIN: fields of the output and input modules' I/O maps.

The firmware keeps the fields of all ports in one table, 15 an output port and 6 an input port, and
checks only the table's end: a field number too high is one of the next port.
"""

from typing import Any

from hardware_sims.nxt_vm.codes import ARRAY, DONE, ERR_BEYOND, ERR_INSTR
from hardware_sims.nxt_vm.dataspace.memory import LONG, fetch, number, signed, spend
from hardware_sims.nxt_vm.dataspace.variables import (
    element_offset,
    kind_of,
    place_of,
    value_of,
    vector_count,
    vector_of,
)
from hardware_sims.nxt_vm.interpreter.array_instructions import argument
from hardware_sims.nxt_vm.machine_state import MachineRecord
from solvers.foundation.compiled import kernel

OUTPUT_PORTS = 3
OUTPUT_FIELDS = 15
INPUT_PORTS = 4
INPUT_FIELDS = 6


@kernel
def signed_byte(value: int) -> int:
    return ((value & 0xFF) ^ 0x80) - 0x80


@kernel
def write_output(out: Any, index: int, value: int) -> None:  # noqa: C901
    """Cut a value to the field `index` of all output ports' fields."""
    port = out.outputs[index // OUTPUT_FIELDS]
    field = index % OUTPUT_FIELDS
    byte = value & 0xFF
    if field == 0:
        port["flags"] = byte
    elif field == 1:
        port.mode = byte
    elif field == 2:
        port.speed = signed_byte(value)
    elif field == 3:
        port.actual_speed = signed_byte(value)
    elif field == 4:
        port.tacho_count = signed(value)
    elif field == 5:
        port.tacho_limit = value & LONG
    elif field == 6:
        port.run_state = byte
    elif field == 7:
        port.turn_parameter = signed_byte(value)
    elif field == 8:
        port.regulation_mode = byte
    elif field == 9:
        port.overloaded = byte
    elif field == 10:
        port.p_parameter = byte
    elif field == 11:
        port.i_parameter = byte
    elif field == 12:
        port.d_parameter = byte
    elif field == 13:
        port.block_tacho_count = signed(value)
    else:
        port.rotation_count = signed(value)


@kernel
def read_output(out: Any, port_number: int, field: int) -> int:  # noqa: C901
    """Return a field's 32-bit pattern; 0 for a port that is none."""
    index = port_number * OUTPUT_FIELDS + field
    if port_number >= OUTPUT_PORTS or index >= OUTPUT_PORTS * OUTPUT_FIELDS:
        return 0
    port = out.outputs[index // OUTPUT_FIELDS]
    field = index % OUTPUT_FIELDS
    value = number(port.rotation_count)
    if field == 0:
        value = number(port["flags"])
    elif field == 1:
        value = number(port.mode)
    elif field == 2:
        value = number(port.speed)
    elif field == 3:
        value = number(port.actual_speed)
    elif field == 4:
        value = number(port.tacho_count)
    elif field == 5:
        value = number(port.tacho_limit)
    elif field == 6:
        value = number(port.run_state)
    elif field == 7:
        value = number(port.turn_parameter)
    elif field == 8:
        value = number(port.regulation_mode)
    elif field == 9:
        value = number(port.overloaded)
    elif field == 10:
        value = number(port.p_parameter)
    elif field == 11:
        value = number(port.i_parameter)
    elif field == 12:
        value = number(port.d_parameter)
    elif field == 13:
        value = number(port.block_tacho_count)
    return value & LONG


@kernel
def write_input(inputs: Any, port_number: int, field: int, value: int) -> None:
    """Cut a value to a field of an input port; a port above 3 is undefined on the brick."""
    if port_number >= INPUT_PORTS or field >= INPUT_FIELDS:
        return
    port = inputs.inputs[port_number]
    if field == 0:
        port.sensor_type = value & 0xFF
    elif field == 1:
        port.sensor_mode = value & 0xFF
    elif field == 2:
        port.ad_raw = value & 0xFFFF
    elif field == 3:
        port.sensor_raw = value & 0xFFFF
    elif field == 4:
        port.sensor_value = ((value & 0xFFFF) ^ 0x8000) - 0x8000
    else:
        port.invalid_data = value & 0xFF


@kernel
def read_input(inputs: Any, port_number: int, field: int) -> int:
    """Return a field's 32-bit pattern; 0 where the brick would read anything."""
    if port_number >= INPUT_PORTS or field >= INPUT_FIELDS:
        return 0
    port = inputs.inputs[port_number]
    value = number(port.invalid_data)
    if field == 0:
        value = number(port.sensor_type)
    elif field == 1:
        value = number(port.sensor_mode)
    elif field == 2:
        value = number(port.ad_raw)
    elif field == 3:
        value = number(port.sensor_raw)
    elif field == 4:
        value = number(port.sensor_value)
    return value & LONG


@kernel
def set_port(machine: MachineRecord, out: Any, at: int, port: int) -> int:
    """Write all pairs of field and value of a SETOUT to one port; ports above 2 are skipped."""
    if port >= OUTPUT_PORTS:
        return DONE
    words = argument(machine, at, 1) // 2
    for i in range(3, words, 2):
        index = port * OUTPUT_FIELDS + argument(machine, at, i)
        if index >= OUTPUT_PORTS * OUTPUT_FIELDS:
            return ERR_INSTR
        write_output(out, index, value_of(machine, argument(machine, at, i + 1), 0))
    return DONE


@kernel
def set_outputs(machine: MachineRecord, out: Any, at: int) -> int:
    """SETOUT on one port or on an array of ports."""
    ports = argument(machine, at, 2)
    if kind_of(machine, ports) != ARRAY:
        return set_port(machine, out, at, value_of(machine, ports, 0))
    vector = vector_of(machine, ports, 0)
    for i in range(vector_count(machine, vector)):
        if not spend(machine, argument(machine, at, 1) // 2):
            return ERR_BEYOND
        place = place_of(machine, ports + 1, element_offset(machine, vector, i))
        status = set_port(machine, out, at, fetch(machine, kind_of(machine, ports + 1), place))
        if status < 0:
            return status
    return DONE
