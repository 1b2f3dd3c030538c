"""Finding a program's sources, and what old sources need to compile unchanged."""

from pathlib import Path

import pytest

from firmware_tools.errors import InvalidProgramError
from firmware_tools.program import (
    application_names,
    defined_functions,
    find_program,
    interrupt_prototypes,
    pointed_at_functions,
    retired_keywords,
    without_declarations,
)


def test_files_folders_and_applications(tmp_path: Path) -> None:
    (tmp_path / "robot").mkdir()
    for name in ("main.c", "motor.c", "fast.asm", "notes.txt"):
        (tmp_path / "robot" / name).touch()
    folder = find_program([str(tmp_path / "robot")])
    assert folder.name == "robot"
    assert [path.name for path in folder.sources] == ["fast.asm", "main.c", "motor.c"]
    files = find_program([str(tmp_path / "robot/motor.c"), str(tmp_path / "robot/main.c")])
    assert files.name == "motor"
    assert "hello" in application_names()
    assert find_program(["hello"]).sources[0].name == "hello.c"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "Name the C files"),
        (["nothing.c"], "no file nothing.c"),
        (["nothing"], "neither a source|neither a C file"),
        (["a.c", "b.pas"], "no file a.c"),
        (["."], "no source file"),
    ],
)
def test_what_is_no_program(
    names: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidProgramError, match=message):
        find_program(names)


def test_two_sources_of_one_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.c").touch()
    with pytest.raises(InvalidProgramError, match="same name"):
        find_program([str(tmp_path / "a/x.c"), str(tmp_path / "b/x.c")])


def test_definitions_are_found_and_calls_and_declarations_are_not() -> None:
    text = """
    void declared(void);
    unsigned char *defined(int a,
                           char *b)
    {
        if (a) { called(b); }
        while (a) { }
        return b;
    }
    static int two() { return 2; }
    """
    assert defined_functions([text]) == {"defined", "two"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("xdata unsigned char a[10];", ["xdata"]),
        ("unsigned char xdata a[10];", ["xdata"]),
        ("char code text[] = x;", ["code"]),
        ("struct node xdata *list;", ["xdata"]),
        ("void isr(void) interrupt 1 { }", ["interrupt"]),
        ("int code; char data[3]; int f(int xdata) { return data[code]; }", []),
        ("unsigned char code = 3, bit;", []),
    ],
)
def test_old_storage_classes(text: str, words: list[str]) -> None:
    assert retired_keywords([text]) == words


def test_own_functions_lose_their_declaration_in_the_header() -> None:
    header = "void led(unsigned char n);\nvoid leds(int n);\nextern int led_state;\n"
    assert without_declarations(header, ["led"]) == "void leds(int n);\nextern int led_state;\n"
    assert without_declarations(header, []) == header


def test_interrupt_functions() -> None:
    text = "void a(void) interrupt 1 {}\nvoid b() __interrupt(TF1) __using(2)\n{ }\nvoid c(void) {}"
    assert interrupt_prototypes([text]) == [
        "void a(void) __interrupt(1);",
        "void b(void) __interrupt(TF1);",
    ]


def test_functions_whose_address_is_used() -> None:
    assembler = """
;	 function task
_task:
\tret
;	 function helper
_helper:
\tlcall\t_task
\tmov\tdptr,#_helper
\tmov\ta,#(_table >> 8)
___str_0:
\t.db\t0x00
\t.globl _task
"""
    assert pointed_at_functions(assembler) == {"helper"}
