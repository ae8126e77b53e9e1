#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public headers: each compiles alone in every language mode, each macro works, includes stay.

test_headers.py SOURCE_ROOT
"""
import pathlib
import re
import shutil
import sys
import tempfile

import tap

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = pathlib.Path(sys.argv[1]) / "include"
HEADERS = sorted(INCLUDE.glob("*.h"))
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
ALLOW = "-DDOCA_ALLOW_EXPERIMENTAL_API"


def modes():
    """Command lines: every language with every compiler that is here."""
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for std in ("c99", "c11"):
            yield [compiler, "-x", "c", f"-std={std}", *STRICT]
    for compiler in filter(shutil.which, ("g++", "clang++")):
        yield [compiler, "-x", "c++", "-std=c++17", *STRICT]


def compile_text(mode, text, *flags):
    return tap.attempt([*mode, f"-I{INCLUDE}", *flags, "-"], input=text)


def check_text(text, *flags):
    for mode in modes():
        done = compile_text(mode, text, *flags)
        assert done.returncode == 0, f"{' '.join(mode)} {' '.join(flags)}\n{done.stdout}"


def compiles_alone(header):
    text = f"#include <{header.name}>\n#include <{header.name}>\nextern int not_empty;\n"
    for flags in ([ALLOW], [], [ALLOW, "-DDOCA_ARCH_DPU"]):
        check_text(text, *flags)


def each_macro_compiles_in_use():
    text = (HERE / "macros.c").read_text(encoding="utf-8")
    check_text(text, ALLOW)
    check_text(text, ALLOW, "-DDOCA_LOGGING_ALLOW_TRACE", "-DDOCA_ALLOW_DEPRECATED_API")


def macros_of(text):
    """What a program sees after the header: not its guard, not what it undefines again."""
    text = tap.without_comments(text)
    defined = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.M))
    gone = set(re.findall(r"^#[ \t]*undef[ \t]+(\w+)", text, flags=re.M))
    return {name for name in defined - gone if not name.endswith("_H_")}


def each_macro_is_used_in_macros_c():
    used = tap.without_comments((HERE / "macros.c").read_text(encoding="utf-8"))
    for header in HEADERS:
        for name in macros_of(header.read_text(encoding="utf-8")):
            assert re.search(rf"\b{name}\b", used), f"{name} of {header.name} is not in macros.c"


def reachable(header):
    """What the header brings along, as paths."""
    command = ["gcc", "-M", ALLOW, f"-I{INCLUDE}", "-x", "c", header]
    return tap.succeeds(command).replace("\\\n", " ").split()


def includes_that_programs_lean_on_stay():
    for name, *wanted in tap.table(HERE / "includes.txt"):
        paths = reachable(INCLUDE / name)
        for include in wanted:
            found = any(path.endswith("/" + include) for path in paths)
            assert found, f"{name} no longer brings {include}"


def every_header_is_installed():
    listed = re.findall(r"'(\w+\.h)'", (INCLUDE / "meson.build").read_text(encoding="utf-8"))
    tap.same(listed, [header.name for header in HEADERS], "include/meson.build")


def a_call_of_an_experimental_function_warns_without_leave():
    text = "#include <doca_version.h>\nconst char *v(void);\n"
    text += "const char *v(void)\n{\n\treturn doca_version_runtime();\n}\n"
    mode = ["gcc", "-x", "c", "-std=c11", *STRICT]
    assert compile_text(mode, text, ALLOW).returncode == 0
    assert "deprecated" in compile_text(mode, text).stdout


def a_header_that_needs_another_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "bad.h"
        header.write_text("size_t bad(void);\n", encoding="utf-8")
        for mode in modes():
            done = compile_text(mode, "#include <bad.h>\n", f"-I{folder}")
            assert done.returncode != 0, " ".join(mode)


tap.run(
    [(f"{header.name}_compiles_alone", lambda h=header: compiles_alone(h)) for header in HEADERS]
    + [
        each_macro_compiles_in_use,
        each_macro_is_used_in_macros_c,
        includes_that_programs_lean_on_stay,
        every_header_is_installed,
        a_call_of_an_experimental_function_warns_without_leave,
        a_header_that_needs_another_is_refused,
    ]
)
