"""C of before 1989 becomes C that sdcc takes."""

import pytest

from firmware_tools.building.old_style import Rewritten, modernised


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
    texts, changes = modernised([old])
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
    assert modernised([text]) == ([text], [])


def test_empty_declarations_get_the_parameters_of_the_definition() -> None:
    caller = '# 1 "a.c"\nvoid f();\nextern g();\nvoid main(void) { f(1); g(2); }\n'
    callee = '# 1 "b.c"\nvoid f(int a) { }\ng(a) char a; { }\n'
    texts, changes = modernised([caller, callee])
    assert texts[0].splitlines()[1:3] == ["void f(int a);", "int g(char a);"]
    assert changes == [
        Rewritten("b.c", 2, "int g(char a)"),
        Rewritten("a.c", 1, "void f(int a)"),
        Rewritten("a.c", 2, "int g(char a)"),
    ]


def test_a_static_function_is_nobody_elses() -> None:
    texts, _ = modernised(["void f();", "static void f(int a) { }"])
    assert texts[0] == "void f();"
