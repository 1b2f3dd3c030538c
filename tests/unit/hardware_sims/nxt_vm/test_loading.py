"""What starting a program and its messages call is compiled before a brick answers."""

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_vm import arrays, command_module, loading
from hardware_sims.nxt_vm.interpreter import polled_calls
from solvers.foundation.compiled import IS_PLAIN
from tests.oracles.nxt_golden import DATA

KERNELS = {
    each
    for module in (arrays, command_module, loading, polled_calls)
    for each in vars(module).values()
    if hasattr(each, "py_func")
}


def known_to_python() -> set[str]:
    return {each.py_func.__name__ for each in KERNELS if "for_python" in vars(each)}


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_all_that_a_program_and_its_messages_need_is_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for each in KERNELS:
        monkeypatch.delitem(vars(each), "for_python", raising=False)
    warm_up()
    ahead = known_to_python()
    command = SimulatedBrick(VirtualClock()).machine.programs.command
    command.start(b"messages.rxe", (DATA / "programs/control.rxe").read_bytes(), 0)
    command.write_message(0, b"one\0")
    assert command.read_message(0, remove=False) == b"one\0"
    command.run(1)
    command.next_tick()
    assert known_to_python() == ahead
    assert "run_slice" in ahead
