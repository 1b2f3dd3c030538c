"""The compiled core that is kept on disk."""

from pathlib import Path

import hardware_sims.mcs51.compiled as compiled_module
from hardware_sims.mcs51.compiled import sources_stamp
from hardware_sims.mcs51.kernel import run


def test_every_source_of_the_core_counts_for_the_age_of_what_is_kept() -> None:
    folder = Path(compiled_module.__file__).parent
    assert [name for name, _, _ in sources_stamp()] == sorted(
        path.name for path in folder.glob("*.py")
    )
    assert run._cache._cache_file._source_stamp == sources_stamp()
