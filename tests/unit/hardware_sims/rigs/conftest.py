"""A rig in virtual time, and somebody who drives its motors by hand."""

import pytest

from tests.unit.hardware_sims.rigs.cradle.hand import Operator


@pytest.fixture
def operator() -> Operator:
    return Operator()
