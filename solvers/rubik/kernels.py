"""How the functions of the search are compiled.

Numba counts references to every array that is touched, by atomic operations that cost the search
half its time. These kernels allocate nothing and keep nothing, so they do without (`_nrt=False`,
the option numba's own tests use); their callers hold all arrays for the length of the call.

Compiled code is kept beside each source file and renewed when that file changes, not when a file
does from which it inlines: after changing one, delete `__pycache__`.
"""

from typing import Any, Final

import numba

_OPTIONS: Final[dict[str, Any]] = {"cache": True, "_nrt": False}
search_kernel: Final = numba.njit(**_OPTIONS)
inlined_kernel: Final = numba.njit(**_OPTIONS, inline="always")
