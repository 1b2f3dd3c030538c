"""The same kernels as plain Python: what is compiled is what is written.

Without the output module, whose records have a field that plain Python cannot read (`flags`).
"""

import os
import subprocess
import sys

CASES = ("arith_s32", "arr_edges", "strings", "mutex_queue", "flatten_var", "unary")
SCRIPT = """
import sys
from tests.oracles.nxt_golden import differences
for name in sys.argv[1:]:
    found = differences(name, 0)
    assert found == {}, (name, found)
"""


def test_programs_run_uncompiled() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, *CASES],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
