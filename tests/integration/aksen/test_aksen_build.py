"""`aksen build` and `aksen size` with the real compiler."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from intelhex import IntelHex

from firmware_tools.building.build import BuildResult
from hardware_sims.aksen_board.board import Board
from tests.integration.aksen.processes import run_aksen

pytestmark = pytest.mark.needs_sdcc

SOURCES = [
    ("line_follower",),
    ("tasks",),
    ("beacon",),
    ("menu",),
    ("slider",),
    ("sailboat", "sailboat_serial"),
]
EMPTY = "#include <stub.h>\nvoid AksenMain(void) { for (;;); }\n"


def source(folder: Path, text: str, name: str = "program.c") -> Path:
    path = folder / name
    path.write_text(text, encoding="latin-1")
    return path


@pytest.mark.parametrize("names", SOURCES, ids=lambda names: names[0])
def test_programs_of_the_published_kind_compile_unchanged(
    built: Callable[..., BuildResult], names: tuple[str, ...]
) -> None:
    result = built(*names)
    assert result.image is not None
    assert result.image.stat().st_size > 0
    assert not result.report.over_budget


def test_a_small_program_takes_about_a_kilobyte(tmp_path: Path) -> None:
    done = run_aksen("build", "hello", "-o", tmp_path, "--json", folder=tmp_path)
    sizes = json.loads(done.stdout)["memory"]
    assert sizes["code"]["used"] < 1400
    assert sizes["stack, worst case"]["used"] < 60


def test_only_the_named_folder_is_written(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    program = source(work, EMPTY)
    done = run_aksen("build", program, "-o", tmp_path / "out", folder=work)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in work.iterdir()] == ["program.c"]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"program.ihx", "program.map", "program.mem", "program.size.json"}


def test_without_a_folder_nothing_is_written_where_one_stands(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    done = run_aksen("build", "program.c", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["program.c"]
    image = Path(json.loads(done.stdout)["image"])
    assert image.is_file()
    shutil.rmtree(image.parent)


def test_a_folder_that_cannot_be_is_refused_before_the_work(tmp_path: Path) -> None:
    program = source(tmp_path, EMPTY)
    done = run_aksen("build", program, "-o", program, folder=tmp_path)
    assert (done.returncode, "is no folder" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("#include <stub.h>\nchar big[9000];\nvoid AksenMain(void) { big[1] = 1; }\n", "xdata"),
        (
            "#include <stub.h>\nconst char big[33000] = {1};\n"
            "void AksenMain(void) { lcd_puts(big); }\n",
            "code",
        ),
        (
            "#include <stub.h>\nchar f(char *p) { char b[240]; b[*p] = 1; return b[3]; }\n"
            "void AksenMain(void) { char c; lcd_putchar(f(&c)); }\n",
            "stack, worst case",
        ),
    ],
    ids=["xdata", "code", "stack"],
)
def test_over_budget_exits_with_1_and_leaves_no_image(text: str, row: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    source(tmp_path, EMPTY)
    assert run_aksen("build", "program.c", "-o", out, folder=tmp_path).returncode == 0
    source(tmp_path, text)
    done = run_aksen("build", "program.c", "-o", out, folder=tmp_path)
    assert done.returncode == 1
    assert "OVER BUDGET" in done.stdout
    assert f"{row} needs" in " ".join(done.stderr.split())
    assert not (out / "program.ihx").exists()


@pytest.mark.parametrize("sizes", [(120, 200), (20, 250), (110, 10)])
def test_variables_that_find_no_place_in_internal_ram(
    sizes: tuple[int, int], tmp_path: Path
) -> None:
    text = (
        "#include <stub.h>\n__data char a[{}]; __idata char b[{}];\n"
        "void AksenMain(void) {{ a[dip_pin(0)] = 1; b[a[3]] = 2; lcd_ubyte(b[1]); }}\n"
    )
    source(tmp_path, text.format(*sizes))
    done = run_aksen("build", "program.c", "-o", "out", folder=tmp_path)
    assert done.returncode == 1
    assert "internal ram" in " ".join(done.stderr.split()).lower()
    assert not (tmp_path / "out" / "program.ihx").exists()


def test_over_budget_as_json(tmp_path: Path) -> None:
    source(tmp_path, "#include <stub.h>\nchar b[9000];\nvoid AksenMain(void) { b[1] = 1; }\n")
    done = run_aksen("build", "program.c", "--json", folder=tmp_path)
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["kind"] == "OverBudgetError"


def test_recursion_and_unknown_pointers_are_named(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stub.h>\nint down(int n) { return n ? down(n - 1) + 1 : 0; }\n"
        "void AksenMain(void) { void (*f)(void) = (void (*)(void))0x1234;"
        " lcd_int(down(3)); f(); }\n",
    )
    done = run_aksen("build", "program.c", "--json", folder=tmp_path)
    stack = json.loads(done.stdout)["stack"]
    assert stack["recursion"] == ["down -> down"]
    assert stack["unknown"] or stack["bounded"] is False


def test_chars_are_signed_and_dangerous_comparisons_stand_out(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stub.h>\nvoid AksenMain(void) { char c = -1; unsigned char u = dip_pin(0);"
        " if (c == -1) led(0, 1); if (u >= 0) led(1, 1); if (u == 300) led(2, 1); }\n",
    )
    done = run_aksen("build", "program.c", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARNING program.c:2" in done.stderr
    kinds = [warning["kind"] for warning in json.loads(done.stdout)["warnings"]]
    assert 94 in kinds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int x;\n", "no AksenMain"),
        ("#include <stub.h>\nvoid AksenMain(void) { syntax }\n", "does not compile"),
        (
            "void missing(void);\nvoid AksenMain(void) { missing(); }\n",
            "defines missing (used in program)",
        ),
    ],
)
def test_programs_that_cannot_be_built(text: str, message: str, tmp_path: Path) -> None:
    source(tmp_path, text)
    done = run_aksen("build", "program.c", folder=tmp_path)
    assert done.returncode == 1
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("line", ['#include "missing.h"', "#error no such board"])
def test_a_refusal_of_the_preprocessor_comes_without_its_output(line: str, tmp_path: Path) -> None:
    source(tmp_path, f"{EMPTY}{line}\n")
    done = run_aksen("build", "program.c", folder=tmp_path)
    assert done.returncode == 1
    assert "program.c:3" in done.stderr
    assert line.split(maxsplit=1)[1].strip('"') in " ".join(done.stderr.split())
    assert "AksenMain" not in done.stderr  # what the preprocessor had written by then


def test_a_programs_own_functions_win_over_the_librarys(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stdio.h>\n#include <stub.h>\n"
        "unsigned int sleep(unsigned int a, char b) { return a + b; }\n"
        "void led(int a) { lcd_int(a); }\nint putchar(int c) { lcd_putchar(c); return c; }\n"
        'void AksenMain(void) { led(sleep(1, 2)); printf("%d", 3); }\n',
    )
    done = run_aksen("build", "program.c", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_an_encoder_of_the_programs_own_needs_no_interrupt_of_the_librarys(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stub.h>\nint encoder0(int n);\nvoid version(int n) { lcd_int(n); }\n"
        "void AksenMain(void) { version(encoder0(20)); for (;;); }\n",
    )
    source(tmp_path, "int encoder0(int n) { return n + 3; }\n", "wheel.c")
    done = run_aksen("build", "program.c", "wheel.c", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "aksen_encoder0" not in (tmp_path / "out" / "program.map").read_text()
    board = Board(tmp_path / "out" / "program.ihx")
    board.run_us(50_000)
    assert board.lcd.lines[0].rstrip() == "23"


def test_functions_that_the_preprocessor_leaves_out_are_not_the_programs(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stub.h>\n#ifdef PC\nvoid sleep(int a, int b) { }\nvoid lcd_puts() { }\n#endif\n"
        'void AksenMain(void) { sleep(100); lcd_puts("PC"); for (;;); }\n',
    )
    done = run_aksen("build", "program.c", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_c_of_before_1989_is_compiled_and_reported(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <stub.h>\nvoid show();\nextern weigh();\n"
        "void AksenMain(void)\n{\n    show(weigh(30, 4));\n    for (;;);\n}\n",
    )
    source(
        tmp_path,
        '#include <stub.h>\nvoid show(int n) { lcd_puts("\xc4"); lcd_int(n); }\n'
        "weigh(a, b)\n    char b;\n{\n    return a + b;\n}\n",
        "scale.c",
    )
    done = run_aksen("build", "program.c", "scale.c", "-o", "out", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rewritten"] == [
        {"file": "scale.c", "line": 3, "now": "int weigh(int a, char b)"},
        {"file": "program.c", "line": 2, "now": "void show(int n)"},
        {"file": "program.c", "line": 3, "now": "int weigh(int a, char b)"},
    ]
    assert "program.c:2: old style, compiled as `void show(int n)`" in done.stderr
    board = Board(tmp_path / "out" / "program.ihx")
    board.run_us(100_000)
    assert board.lcd.lines[0][1:].rstrip() == "34"


def test_what_cannot_be_rewritten_is_reported_all_at_once(tmp_path: Path) -> None:
    source(tmp_path, "#include <stub.h>\nvoid AksenMain(void)\n{\n    f(1);\n    led(1);\n}\n")
    source(tmp_path, "static counter;\nvoid f(int a)\n{\n    counter = a;\n}\n", "other.c")
    done = run_aksen("build", "program.c", "other.c", folder=tmp_path)
    assert done.returncode == 1
    message = " ".join(done.stderr.split())
    assert "program.c:4: declare the function with its parameters, above the call" in message
    assert "program.c:5: give the call all arguments" in message
    assert "other.c:1: write the result's type in front of the name" in message


def test_a_missing_compiler_is_one_sentence(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    done = run_aksen("build", "program.c", folder=tmp_path, PATH=str(tmp_path))
    assert done.returncode == 1
    assert "sdcc is not installed" in " ".join(done.stderr.split())


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    done = run_aksen("build", "program.c", "-o", "program.c/out", folder=tmp_path)
    assert done.returncode == 2
    assert "cannot be written" in " ".join(done.stderr.split())


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    done = run_aksen("build", "program.c", folder=tmp_path, XDG_CACHE_HOME="/dev/null")
    assert done.returncode == 1
    assert "library cannot be stored" in " ".join(done.stderr.split())


def test_size_of_an_image_a_folder_and_a_foreign_image(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    run_aksen("build", "program.c", "-o", "out", folder=tmp_path)
    for path in ("out", "out/program.ihx"):
        done = run_aksen("size", path, "--json", folder=tmp_path)
        programs = json.loads(done.stdout)["programs"]
        assert programs[0]["program"] == "program"
        assert "xdata" in programs[0]["memory"]
    (tmp_path / "out" / "program.size.json").unlink()
    done = run_aksen("size", "out/program.ihx", "--json", folder=tmp_path)
    assert list(json.loads(done.stdout)["programs"][0]["memory"]) == ["code"]
    assert run_aksen("size", "out", folder=tmp_path).returncode == 2


def test_assembler_sources_are_assembled(tmp_path: Path) -> None:
    source(
        tmp_path,
        "\t.module six\n\t.globl _six\n\t.area CSEG (CODE)\n_six:\n\tmov dptr,#6\n\tret\n",
        "six.asm",
    )
    source(
        tmp_path, "#include <stub.h>\nint six(void);\nvoid AksenMain(void) { lcd_int(six()); }\n"
    )
    done = run_aksen("build", "program.c", "six.asm", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_programs_own_interrupt_function_gets_its_vector(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <regc515c.h>\n#include <stub.h>\nvolatile unsigned int overflows;\n"
        "void timer_0(void) interrupt 1 { overflows++; }\n"
        "void AksenMain(void) { TMOD = 1; TR0 = 1; ET0 = 1; while (overflows < 3); lcd_puts("
        '"done"); for (;;); }\n',
    )
    done = run_aksen("build", "program.c", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    image = IntelHex(str(tmp_path / "out" / "program.ihx"))
    assert image[0x0B] == 0x02  # LJMP at the vector of timer 0
    assert image[0x2B] == 0x02  # and at the library's


def test_keywords_of_old_compilers(tmp_path: Path) -> None:
    source(
        tmp_path,
        "#include <regc515c.h>\n#include <stub.h>\nbit flag;\nsbit at 0x90 pin;\n"
        'xdata at 0x1000 unsigned char port;\nchar code text[] = "at 5";\n'
        "void f(void) critical { flag = 1; }\n"
        "void AksenMain(void)\n{\n    f();\n    _asm\n    nop\n    _endasm;\n"
        "    port = 3; pin = 1; if (flag) lcd_puts(text);\n}\n",
    )
    done = run_aksen("build", "program.c", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_an_image_is_replaced_and_never_written_into(tmp_path: Path) -> None:
    source(tmp_path, EMPTY)
    image = tmp_path / "out" / "program.ihx"
    assert run_aksen("build", "program.c", "-o", "out", folder=tmp_path).returncode == 0
    old = image.read_text(encoding="ascii")
    with image.open(encoding="ascii") as reader:
        source(tmp_path, '#include <stub.h>\nvoid AksenMain(void) { lcd_puts("new"); }\n')
        assert run_aksen("build", "program.c", "-o", "out", folder=tmp_path).returncode == 0
        assert reader.read() == old
    assert image.read_text(encoding="ascii") != old
