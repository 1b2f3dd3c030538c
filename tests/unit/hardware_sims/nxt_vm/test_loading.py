"""What loading a program calls is compiled by `hwsim prepare`, and before a brick answers."""

from collections.abc import Callable

import pytest

from hardware_sims.nxt_brick.brick import warm_up
from hardware_sims.nxt_vm import loading
from hardware_sims.nxt_vm.interpreter.slices import run_slice
from solvers.foundation.compiled import IS_PLAIN


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
@pytest.mark.parametrize("prepare", [loading.load_kernels, warm_up])
def test_all_that_loading_calls_is_compiled_ahead(
    monkeypatch: pytest.MonkeyPatch, prepare: Callable[[], None]
) -> None:
    called = [each for each in vars(loading).values() if hasattr(each, "py_func")]
    assert called
    for each in called:
        monkeypatch.delitem(vars(each), "for_python", raising=False)
    prepare()
    missing = [each.__name__ for each in called if "for_python" not in vars(each)]
    assert missing == []


@pytest.mark.skipif(IS_PLAIN, reason="nothing is compiled")
def test_a_millisecond_that_stops_for_a_service_is_compiled_before_a_brick_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(vars(run_slice), "for_python", raising=False)
    warm_up()
    assert "for_python" in vars(run_slice)
