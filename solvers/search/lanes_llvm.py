"""Eight 64-bit words side by side: a value type for numba kernels, with & | ^ between its values.

LLVM maps it to one AVX-512 register, two AVX2 registers, or four of 128 bits, whatever the
processor has; no kernel depends on which. Indices are in words and are not checked: an array must
reach `LANES` words beyond the last index used.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

LANES = 8
WORD = ir.IntType(64)
VECTOR = ir.VectorType(WORD, LANES)
LANE_MASK = ir.VectorType(ir.IntType(1), LANES)
SHUFFLE = ir.VectorType(ir.IntType(32), LANES)
ZEROS = ir.Constant(VECTOR, [0] * LANES)
UNDEFINED = ir.Constant(VECTOR, ir.Undefined)

# Kernels call what this decorator returns without the context that is its first argument.
operation: Callable[[Callable[..., Any]], Any] = intrinsic


class Lanes(types.Type):
    """The numba type of eight words."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """Lanes live in a vector register."""

    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, VECTOR)  # type: ignore[no-untyped-call]


def _bitwise(python_operator: Callable[[Any, Any], Any], instruction: str) -> None:
    @operation
    def combine(_context: Any, _a: Any, _b: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return lanes(lanes, lanes), generate

    def implementation(a: Any, b: Any) -> Any:
        return combine(a, b)

    @overload(python_operator)
    def of_lanes(a: Any, b: Any) -> Any:
        return implementation if isinstance(a, Lanes) and isinstance(b, Lanes) else None


_bitwise(operator.and_, "and_")
_bitwise(operator.or_, "or_")
_bitwise(operator.xor, "xor")


def _spread(builder: Any, word: Any) -> Any:
    first = builder.insert_element(UNDEFINED, word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, UNDEFINED, ir.Constant(SHUFFLE, [0] * LANES))


def _address(target: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = target.make_array(array_type)(target, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())


def _llvm(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, arguments)


@operation
def splat(_context: Any, _word: Any) -> Any:
    """Return lanes that all hold the same word."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _spread(builder, arguments[0])

    return lanes(types.uint64), generate


@operation
def load(_context: Any, array: Any, _index: Any) -> Any:
    """Return the eight words of an array from `index` on."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(target, builder, signature.args[0], *arguments)
        vector = builder.load(address, typ=VECTOR)
        # Arrays are aligned to their elements only; by default LLVM would assume 64 bytes.
        vector.align = 8
        return vector

    return lanes(array, types.int64), generate


@operation
def load_first(_context: Any, array: Any, _index: Any, _number: Any) -> Any:
    """Return the first `number` words from `index` on, and zero in the other lanes.

    `number` may be anything; words beyond it are not read.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index, number = arguments
        address = _address(target, builder, signature.args[0], array_value, index)
        counting = ir.Constant(VECTOR, list(range(LANES)))
        wanted = builder.icmp_signed("<", counting, _spread(builder, number))
        alignment = ir.Constant(ir.IntType(32), 8)
        operands = [address, alignment, wanted, ZEROS]
        return _llvm(builder, "llvm.masked.load.v8i64.p0", VECTOR, operands)

    return lanes(array, types.int64, types.int64), generate


@operation
def store(_context: Any, array: Any, _index: Any, _value: Any) -> Any:
    """Write eight words into an array from `index` on."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index, value = arguments
        address = _address(target, builder, signature.args[0], array_value, index)
        builder.store(value, address).align = 8
        return target.get_dummy_value()

    return types.void(array, types.int64, lanes), generate


def _comparison(against_zero: bool) -> Any:
    @operation
    def compare(_context: Any, _a: Any, _b: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            pair = (builder.and_(*arguments), ZEROS) if against_zero else arguments
            mask = builder.icmp_unsigned("==", *pair)
            return builder.zext(builder.bitcast(mask, ir.IntType(LANES)), WORD)

        return types.uint64(lanes, lanes), generate

    return compare


# Each returns a word whose bit k is the result for lane k of its two arguments.
disjoint = _comparison(against_zero=True)
equal = _comparison(against_zero=False)


def _chosen(builder: Any, mask: Any) -> Any:
    return builder.bitcast(builder.trunc(mask, ir.IntType(LANES)), LANE_MASK)


@operation
def where(_context: Any, _value: Any, _mask: Any) -> Any:
    """Return the lanes whose bit of `mask` is set, and zero in the other lanes."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        value, mask = arguments
        return builder.select(_chosen(builder, mask), value, ZEROS)

    return lanes(lanes, types.uint64), generate


@operation
def store_packed(_context: Any, array: Any, _index: Any, _value: Any, _mask: Any) -> Any:
    """Write the lanes whose bit of `mask` is set, packed, into an array from `index` on.

    Up to eight words are written; those after the selected ones are undefined.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_value, index, value, mask = arguments
        address = _address(target, builder, signature.args[0], array_value, index)
        if _has(target, "avx2") and not _has(target, "avx512f"):
            _store_packed_by_halves(builder, address, value, mask)
        else:
            # One instruction with AVX-512; without AVX2 LLVM expands it.
            name = "llvm.experimental.vector.compress.v8i64"
            packed = _llvm(builder, name, VECTOR, [value, _chosen(builder, mask), ZEROS])
            builder.store(packed, address).align = 8
        return target.get_dummy_value()

    return types.void(array, types.int64, lanes, types.uint64), generate


def _has(target: Any, feature: str) -> bool:
    """Return whether the target processor has this one of LLVM's x86 features."""
    _triple, _processor, features = target.codegen().magic_tuple()
    return f"+{feature}" in features.split(",")


def _store_packed_by_halves(builder: Any, address: Any, value: Any, mask: Any) -> None:
    """Pack four lanes at a time by a table of permutations; AVX2 has no compress instruction."""
    halves = ir.VectorType(ir.IntType(32), LANES)
    first_address = builder.bitcast(address, WORD.as_pointer())
    position = ir.Constant(WORD, 0)
    for lane in (0, LANES // 2):
        order = ir.Constant(ir.VectorType(ir.IntType(32), 4), list(range(lane, lane + 4)))
        four = builder.bitcast(builder.shuffle_vector(value, UNDEFINED, order), halves)
        bits = builder.and_(builder.lshr(mask, ir.Constant(WORD, lane)), ir.Constant(WORD, 15))
        orders = _packing_orders(halves)
        table = cgutils.global_constant(builder, "packing_orders", orders)  # type: ignore[no-untyped-call]
        entry = builder.gep(table, [ir.Constant(WORD, 0), bits])
        permutation = builder.load(entry, typ=halves)
        packed = _llvm(builder, "llvm.x86.avx2.permd", halves, [four, permutation])
        place = builder.bitcast(builder.gep(first_address, [position]), halves.as_pointer())
        builder.store(packed, place).align = 8
        position = builder.add(position, builder.ctpop(bits))


def _packing_orders(halves: Any) -> Any:
    """Return for every set of four words the order of their halves that moves them together."""
    rows = []
    for chosen in range(16):
        words = [word for word in range(4) if chosen >> word & 1]
        words += [word for word in range(4) if word not in words]
        rows.append(ir.Constant(halves, [2 * word + half for word in words for half in (0, 1)]))
    return ir.Constant(ir.ArrayType(halves, 16), rows)


def _rotation(distance: int) -> Any:
    order = [(lane + distance) % LANES for lane in range(LANES)]

    @operation
    def rotate(_context: Any, _value: Any) -> Any:
        def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.shuffle_vector(arguments[0], UNDEFINED, ir.Constant(SHUFFLE, order))

        return lanes(lanes), generate

    return rotate


rotate_1, rotate_2, rotate_4 = _rotation(1), _rotation(2), _rotation(4)


@operation
def first_lane(_context: Any, _value: Any) -> Any:
    """Return the word of lane 0."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), 0))

    return types.uint64(lanes), generate


@operation
def or_of_lanes(_context: Any, _value: Any) -> Any:
    """Return the bits set in any lane."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _llvm(builder, "llvm.vector.reduce.or.v8i64", WORD, list(arguments))

    return types.uint64(lanes), generate


@operation
def count_bits(_context: Any, _word: Any) -> Any:
    """Return the number of bits set in a word."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@operation
def lowest_bit_number(_context: Any, _word: Any) -> Any:
    """Return the number of the lowest bit set, 64 for none."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate
