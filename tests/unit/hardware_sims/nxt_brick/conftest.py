"""A brick on the table, and its host."""

import pytest

from tests.unit.hardware_sims.nxt_brick.host import Host


@pytest.fixture
def host() -> Host:
    return Host()
