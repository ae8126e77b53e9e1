#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The text of the tree: layout, shell, spelling, licence lines, sizes.

test_style.py SOURCE_ROOT
"""
import pathlib
import re
import shutil
import sys
import tempfile

import tap

ROOT = pathlib.Path(sys.argv[1])
PARTS = "include src tools samples applications bench tests scripts docs pkgconfig share debian .ci".split()
C_SUFFIXES = (".c", ".h", ".cpp")
MAX_LINES_OF_CODE = 600  # in one file


def files(root=ROOT):
    found = [path for path in root.iterdir() if path.is_file()]
    for part in PARTS:
        found += [path for path in (root / part).rglob("*") if path.is_file()]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def read(path):
    return path.read_text(encoding="utf-8")


def c_files(root=ROOT):
    return [path for path in files(root) if path.suffix in C_SUFFIXES]


def shell_scripts():
    folders = [ROOT / part for part in ("scripts", ".ci", "tests", "share", "debian")]
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    first = re.compile(rb"#!.*\b(ba)?sh\b|# shellcheck shell=")
    return [path for path in found if first.match(path.read_bytes()[:80])]


def every_file_is_laid_out_by_clang_format():
    tap.succeeds([ROOT / "scripts/format", "--check"])


def shellcheck_finds_nothing():
    assert shell_scripts()
    tap.succeeds(["shellcheck", "-x", "-P", ROOT, *shell_scripts()], cwd=ROOT)


def codespell_finds_nothing():
    tap.succeeds(["codespell", *(path.relative_to(ROOT) for path in files())], cwd=ROOT)


def every_source_begins_with_its_licence():
    sources = [path for path in files() if path.suffix in (*C_SUFFIXES, ".py") or path in shell_scripts()]
    for path in sources:
        lines = [line for line in read(path).splitlines()[:2] if "SPDX-License-Identifier:" in line]
        assert lines and lines[0].endswith(("Apache-2.0", "Apache-2.0 */")), f"{path}: no licence"


def lines_of_code(text):
    return sum(1 for line in tap.without_comments(text).splitlines() if line.strip())


def no_file_is_long():
    for path in c_files():
        got = lines_of_code(read(path))
        assert got <= MAX_LINES_OF_CODE, f"{path}: {got} lines of code, split it"


def left_undone(text):
    """Words that mark a thing as unfinished, and markers that silence a checker."""
    return re.findall(r"\b(?:TODO|FIXME|XXX|NOLINT\w*|no_sanitize\w*)\b", text)


def nothing_is_left_undone_or_silenced():
    for path in c_files():
        assert not left_undone(read(path)), f"{path}: {left_undone(read(path))}"


def each_checker_refuses_what_it_should():
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        shutil.copytree(ROOT / "scripts", copy / "scripts")
        shutil.copy(ROOT / ".clang-format", copy)
        (copy / "src").mkdir()
        (copy / "src/bad.c").write_text("int  bad ;\n", encoding="utf-8")
        tap.fails([copy / "scripts/format", "--check"])
        tap.succeeds([copy / "scripts/format"])
        tap.succeeds([copy / "scripts/format", "--check"])
        (copy / "bad.sh").write_text("#!/bin/sh\nrm $1\n", encoding="utf-8")
        tap.fails(["shellcheck", copy / "bad.sh"])
        (copy / "bad.txt").write_text("they reci" + "eve it\n", encoding="utf-8")
        tap.fails(["codespell", copy / "bad.txt"])
    assert left_undone("/* TO" + "DO: later */") and not left_undone("int todo;")
    assert lines_of_code("int a;\n\n/* b\n c */\nint d; // e\n") == 2


tap.run(
    [
        every_file_is_laid_out_by_clang_format,
        shellcheck_finds_nothing,
        codespell_finds_nothing,
        every_source_begins_with_its_licence,
        no_file_is_long,
        nothing_is_left_undone_or_silenced,
        each_checker_refuses_what_it_should,
    ]
)
