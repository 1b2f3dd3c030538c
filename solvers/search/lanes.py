"""Eight 64-bit words side by side, with & | ^ between them, for compiled kernels.

Indices are in words and are not checked: an array must reach `LANES` words beyond the last index
used. `lanes_llvm` has what the compiler makes of them, `lanes_plain` the same in numpy, which is
taken where numba compiles nothing (NUMBA_DISABLE_JIT=1).
"""

from typing import Any, Final

from numba import config

from solvers.search import lanes_llvm, lanes_plain

_settings: Any = config
_operations: Final[Any] = lanes_plain if _settings.DISABLE_JIT else lanes_llvm

LANES: Final = lanes_plain.LANES
splat: Final = _operations.splat
load: Final = _operations.load
load_first: Final = _operations.load_first
store: Final = _operations.store
store_packed: Final = _operations.store_packed
disjoint: Final = _operations.disjoint
equal: Final = _operations.equal
where: Final = _operations.where
rotate_1: Final = _operations.rotate_1
rotate_2: Final = _operations.rotate_2
rotate_4: Final = _operations.rotate_4
first_lane: Final = _operations.first_lane
or_of_lanes: Final = _operations.or_of_lanes
count_bits: Final = _operations.count_bits
lowest_bit_number: Final = _operations.lowest_bit_number
