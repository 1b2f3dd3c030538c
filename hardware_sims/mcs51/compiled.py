"""How the simulator's compiled functions are compiled."""

from numba import njit

# No function here makes or keeps an array, so none needs to count references to those it is
# handed: without `_nrt=False` the counting costs five times the work of an instruction.
compiled = njit(cache=True, _nrt=False, error_model="numpy")
