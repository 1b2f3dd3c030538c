"""Eight 64-bit words side by side, with & | ^ between them, for compiled kernels.

Indices are in words and are not checked: an array must reach `LANES` words beyond the last index
used. `lanes_llvm` has what the compiler makes of them, `lanes_plain` the same in numpy, which is
taken where numba compiles nothing (NUMBA_DISABLE_JIT=1).
"""

from typing import Any, Final

from solvers.foundation.compiled import IS_PLAIN, late
from solvers.search import lanes_plain


def _operation(name: str) -> Any:
    return getattr(lanes_plain, name) if IS_PLAIN else late("solvers.search.lanes_llvm", name)


LANES: Final = lanes_plain.LANES
splat: Final = _operation("splat")
load: Final = _operation("load")
load_first: Final = _operation("load_first")
store: Final = _operation("store")
store_packed: Final = _operation("store_packed")
disjoint: Final = _operation("disjoint")
equal: Final = _operation("equal")
where: Final = _operation("where")
rotate_1: Final = _operation("rotate_1")
rotate_2: Final = _operation("rotate_2")
rotate_4: Final = _operation("rotate_4")
first_lane: Final = _operation("first_lane")
or_of_lanes: Final = _operation("or_of_lanes")
count_bits: Final = _operation("count_bits")
lowest_bit_number: Final = _operation("lowest_bit_number")
