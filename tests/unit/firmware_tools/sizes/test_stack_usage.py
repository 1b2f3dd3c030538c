"""Stack analysis of small programs assembled by hand."""

import pytest

from firmware_tools.boards.facts import LibraryFacts
from firmware_tools.sizes import (
    LENGTHS,
    Call,
    Function,
    FunctionWalker,
    SymbolTable,
    analyse_stack,
    jump_target,
)
from hardware_sims.mcs51.instructions import INSTRUCTIONS

BP = 0x18
LIBRARY = LibraryFacts(name="test", header="test.h", entry="start", tick_calls=())


def walk(
    code: str, start: int = 0, call_through_pointer: int | None = None
) -> tuple[int, set[Call], set[str]]:
    walker = FunctionWalker(bytes.fromhex(code), BP, call_through_pointer)
    found = walker.walk(start)
    return found.depth, found.calls, found.unknown


def test_lengths_agree_with_the_simulated_processor() -> None:
    assert [entry.size for entry in INSTRUCTIONS] == list(LENGTHS)


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("02 12 34", 0x1234),  # ljmp
        ("12 12 34", 0x1234),  # lcall
        ("E1 23", 0x0723),  # ajmp
        ("F1 23", 0x0723),  # acall
        ("80 FE", 0x0000),  # sjmp to itself
        ("B4 05 10", 0x0013),  # cjne
        ("73", None),  # jmp @a+dptr
        ("22", None),
    ],
)
def test_jump_targets(code: str, target: int | None) -> None:
    assert jump_target(bytes.fromhex(code), 0) == target


def test_push_and_pop() -> None:
    assert walk("C0E0 C0F0 D0F0 D0E0 22") == (2, set(), set())


def test_the_deeper_branch_counts() -> None:
    # jz +6; push push pop pop sjmp; push pop ret
    assert walk("60 0A C0E0 C0E0 D0E0 D0E0 80 04 C0E0 D0E0 22")[0] == 2


def test_a_call_knows_how_deep_it_is() -> None:
    assert walk("C0E0 12 1234 D0E0 22") == (1, {Call(1, 0x1234)}, set())


def test_room_for_local_variables() -> None:
    # push _bp; mov a,sp; mov _bp,a; add a,#5; mov sp,a; lcall; mov sp,_bp; pop _bp; ret
    code = "C018 E581 F518 2405 F581 12 1234 85 18 81 D018 22"
    assert walk(code) == (6, {Call(6, 0x1234)}, set())


def test_room_for_a_big_local_array() -> None:
    # push _bp; mov a,sp; mov _bp,a; add a,#240; mov sp,a; mov sp,_bp; pop _bp; ret
    assert walk("C018 E581 F518 24F0 F581 85 18 81 D018 22")[0] == 241


def test_arguments_given_back_by_arithmetic() -> None:
    # push push push; lcall; mov a,sp; add a,#-3; mov sp,a; push; lcall; dec sp; ret
    code = "C0E0 C0E0 C0E0 12 1234 E581 24FD F581 C0E0 12 1235 1581 22"
    assert walk(code) == (3, {Call(3, 0x1234), Call(1, 0x1235)}, set())


def test_a_computed_stack_pointer_is_named() -> None:
    assert walk("E530 F581 22")[2] == {"a change of the stack pointer"}
    assert walk("8F81 22")[2] == {"a change of the stack pointer"}


def test_a_loop_that_pushes_is_named() -> None:
    assert walk("C0E0 80FC")[2] == {"a loop that pushes"}


def test_jump_through_a_table_of_short_jumps() -> None:
    # mov dptr,#4; jmp @a+dptr; table: sjmp to 8, sjmp to 9; 8: ret; 9: push pop ret
    assert walk("90 0004 73 8002 8001 22 C0E0 D0E0 22") == (1, set(), set())


def test_jump_through_tables_of_bytes() -> None:
    # mov a,r7; add a,#10; movc a,@a+pc; mov dpl,a; and with #6 for dph; clr a; jmp @a+dptr
    code = "EF 240A 83 F582 EF 2406 83 F583 E4 73 1213 0000 22 C0E0 D0E0 22"
    assert walk(code) == (1, set(), set())


def test_a_jump_to_the_unknown_is_a_call_through_a_pointer() -> None:
    assert walk("E0 F583 73")[1] == {Call(0, None)}
    assert walk("12 0006 22 00 00 73", call_through_pointer=6)[1] == {Call(0, None)}


def symbols(**addresses: int) -> SymbolTable:
    functions = [Function(address, name, "test") for name, address in addresses.items()]
    return SymbolTable(tuple(sorted(functions, key=lambda f: f.address)), {})


# 0000: ljmp main; 0003: ljmp handler; 000B: reti; 0010: main
VECTORS = "02 0010 02 0020 00 00 00 00 00 32 00 00 00 00"


def test_the_deepest_chain_and_the_interrupt_add_up() -> None:
    main = "12 0030 22" + "00" * 12
    handler = "C0E0 D0E0 32" + "00" * 11
    callee = "C0E0 C0E0 D0E0 D0E0 22"
    image = bytes.fromhex(VECTORS + main + handler + callee)
    usage = analyse_stack(image, symbols(main=0x10, handler=0x20, callee=0x30), [], LIBRARY)
    assert usage.program_bytes == 2 + 2 + 2  # main's return address, callee's, two pushes
    assert usage.interrupt_bytes == 2 + 1
    assert usage.total_bytes == 9
    assert usage.chain == ("main", "callee")
    assert usage.bounded


def test_interrupts_may_interrupt_each_other() -> None:
    # ljmp main; ljmp one; at 000Bh ljmp other; reti: each takes its return address and its pushes
    vectors = "02 0010 02 0020 00 00 00 00 00 02 0030 00 00"
    main = "22" + "00" * 15
    one = "C0E0 C0F0 D0F0 D0E0 32" + "00" * 7
    other = "C0E0 C0F0 C0D0 D0D0 D0F0 D0E0 32"
    image = bytes.fromhex(vectors + main + one + other)
    usage = analyse_stack(image, symbols(main=0x10, one=0x20, other=0x30), [], LIBRARY)
    assert usage.interrupt_bytes == (2 + 2) + (2 + 3)
    assert usage.total_bytes == 2 + usage.interrupt_bytes


def test_recursion_is_named() -> None:
    image = bytes.fromhex(VECTORS + "12 0010 22" + "00" * 12 + "32")
    usage = analyse_stack(image, symbols(main=0x10, handler=0x20), [], LIBRARY)
    assert usage.recursion == ("main -> main",)
    assert not usage.bounded


def test_calls_through_pointers_reach_what_the_program_points_at() -> None:
    image = bytes.fromhex(VECTORS + "73" + "00" * 15 + "32" + "00" * 15 + "C0E0 D0E0 22")
    table = symbols(main=0x10, handler=0x20, chosen=0x30)
    unknown = analyse_stack(image, table, [], LIBRARY).unknown
    assert unknown == ("a call through a pointer in main",)
    usage = analyse_stack(image, table, ["chosen"], LIBRARY)
    assert usage.chain == ("main", "chosen")
    assert usage.bounded
