"""The instruction behind `prefetching`."""

# numba's own functions carry no types.
# mypy: allow-untyped-calls

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

# Kernels call what this decorator returns without the context that is its first argument.
operation: Callable[[Callable[..., Any]], Any] = intrinsic

_WORD = ir.IntType(32)
_TO_READ, _TO_KEEP, _DATA = (ir.Constant(_WORD, number) for number in (0, 3, 1))


@operation
def prefetch(_context: Any, array: Any, index: Any) -> Any:
    """Bring an entry into the caches."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
        address = builder.gep(data, [arguments[1]])
        byte = builder.bitcast(address, ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [byte.type, _WORD, _WORD, _WORD])
        name = "llvm.prefetch.p0i8"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [byte, _TO_READ, _TO_KEEP, _DATA])
        return target.get_dummy_value()

    return types.void(array, index), generate
