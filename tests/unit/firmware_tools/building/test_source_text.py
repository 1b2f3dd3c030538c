"""What the build reads in sources, and how it rewrites old C."""

from pathlib import Path

import pytest

from firmware_tools.building.source_text import (
    Rewrite,
    defined_functions,
    interrupt_prototypes,
    modernise,
    own_text,
    place_of,
    pointed_at_functions,
    retired_keywords,
    returns,
    without_declarations,
)


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
    int weights[] = { 1, 2 };
    char *text = "void quoted(void) {";
    void handler(void) __interrupt(3) __using(1) { }
    __asm
    void assembled(void) { no brace ends it
    __endasm;
    char last(char (*list)[3]) { return **list; }
    """
    assert defined_functions([text]) == {"defined", "two", "handler", "last"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("xdata unsigned char a[10];", ["xdata"]),
        ("unsigned char xdata a[10];", ["xdata"]),
        ("char code text[] = x;", ["code"]),
        ("struct node xdata *list;", ["xdata"]),
        ("xdata at 0x1000 unsigned char port;", ["xdata", "at"]),
        ("void isr(void) interrupt 1 { }", ["interrupt"]),
        ("void isr(void) interrupt 1 using 2 { }", ["interrupt", "using"]),
        ("bit flag;\nstatic bit other = 1;", ["bit"]),
        ("void f(void) { _asm nop _endasm; }", ["_asm", "_endasm"]),
        ("void f(void) { if (a) using = 1; }", []),
        ("/* */ look at 5;", []),
        ("int code; char data[3]; int f(int xdata) { return data[code]; }", []),
        ("unsigned char code = 3, bit;", []),
    ],
)
def test_old_storage_classes(text: str, words: list[str]) -> None:
    assert list(retired_keywords([text])) == words


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


def test_lines_are_told_apart_by_the_file_they_come_from(tmp_path: Path) -> None:
    own = tmp_path / "a.c"
    text = f'# 1 "{own}"\n# 1 "/lib/x.h" 1\nint x;\n# 5 "{own}" 2\nint y;\n\nint z;\n'
    assert own_text(text, [tmp_path]).split() == ["int", "y;", "int", "z;"]
    assert place_of(text, text.index("int x")) == ("x.h", 1)
    assert place_of(text, text.index("int z")) == ("a.c", 7)


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


@pytest.mark.parametrize(
    ("code", "it_returns"),
    [
        ("\tret", True),
        ("\tmov\ta,r1\n00101$:\n\tret", True),
        ("00101$:\n\tsjmp\t00101$\n\tC$a.c$1 ==.\n\tpop\t_bp\n\tret", False),
        ("\tjz\t00102$\n00101$:\n\tljmp\t00101$\n00102$:\n\tret", True),
        ("\tljmp\t_other", True),
    ],
)
def test_whether_a_function_returns(code: str, it_returns: bool) -> None:
    other = ";\t function b\n_b:\n\tret\n"
    assert returns("a", f";\t function a\n_a:\n{code}\n{other}") == it_returns
    assert not returns("a", other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int f(a, b) int a; char b; { return a; }", "int f(int a, char b) { return a; }"),
        ("char *f(p, n)\n  char p[4],\n  *n;\n{ }", "char *f(char p[4], char *n)\n\n\n{ }"),
        ("int f(a) struct node *a; { }", "int f(struct node *a) { }"),
        ("void f(a, b) char b; { }", "void f(int a, char b) { }"),
        ("static f(void) { }", "static int f(void) { }"),
        ("f() { g(); }", "int f() { g(); }"),
    ],
)
def test_definitions(old: str, new: str) -> None:
    texts, changes = modernise([old])
    assert texts == [new]
    assert len(changes) == 1


@pytest.mark.parametrize(
    "text",
    [
        "int f(int a, char b) { return a; }",
        "void f(void) { g(1); while (a) { b(); } }",
        "void f();\nvoid f() { }",
        "void f();\nvoid f(void) { }",
        "void elsewhere();\nvoid g(void) { elsewhere(); }",
        "int a = 3;\nint b[] = { 1 };\nvoid isr(void) __interrupt(1) { }",
    ],
)
def test_what_sdcc_takes_is_left_alone(text: str) -> None:
    assert modernise([text]) == ([text], [])


def test_empty_declarations_get_the_parameters_of_the_definition() -> None:
    caller = '# 1 "a.c"\nvoid f();\nextern g();\nvoid main(void) { f(1); g(2); }\n'
    callee = '# 1 "b.c"\nvoid f(int a) { }\ng(a) char a; { }\n'
    texts, changes = modernise([caller, callee])
    assert texts[0].splitlines()[1:3] == ["void f(int a);", "int g(char a);"]
    assert changes == [
        Rewrite("b.c", 2, "int g(char a)"),
        Rewrite("a.c", 1, "void f(int a)"),
        Rewrite("a.c", 2, "int g(char a)"),
    ]


def test_a_static_function_is_nobody_elses() -> None:
    texts, _ = modernise(["void f();", "static void f(int a) { }"])
    assert texts[0] == "void f();"
