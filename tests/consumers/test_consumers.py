#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of users, each built in its own way against an installed tree, and run.

test_consumers.py SOURCE_ROOT
"""
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

ROOT = pathlib.Path(sys.argv[1])
HERE = ROOT / "tests/consumers"
PROGRAM = HERE / "consumer.c"
WANTED = "3.3.0 copied 1: same\n"
MODULES = ["doca-common", "doca-dma", "doca-argp", "doca-comch"]

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name)
PREFIX = TOP / "prefix"
LIB = PREFIX / "lib/softdoca"
CLEAN = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", "DESTDIR")}
ENVIRONMENT = dict(CLEAN, PKG_CONFIG_PATH=str(LIB / "pkgconfig"))

tap.succeeds([ROOT / "scripts/install", PREFIX], env=dict(CLEAN, BUILD=str(TOP / "build")))


def project(name, build_file, text, program):
    """A project of a user's: its build file beside the program."""
    top = TOP / name
    top.mkdir()
    (top / build_file).write_text(text)
    shutil.copy(program, top)
    return top


def runs(program):
    assert tap.succeeds([program], env=CLEAN) == WANTED


def flags():
    return tap.succeeds(["pkg-config", "--cflags", "--libs", *MODULES], env=ENVIRONMENT).split()


def meson_finds_the_dependencies():
    text = (
        "project('consumer', 'c')\n"
        "add_project_arguments('-DDOCA_ALLOW_EXPERIMENTAL_API', language: 'c')\n"
        "needed = []\n"
        f"foreach name : {MODULES}\n"
        "  needed += dependency(name, version: '>=3.3.0')\n"
        "endforeach\n"
        "executable('consumer', 'consumer.c', dependencies: needed)\n"
    )
    top = project("meson", "meson.build", text, PROGRAM)
    tap.succeeds(["meson", "setup", top / "build", top], env=ENVIRONMENT)
    tap.succeeds(["ninja", "-C", top / "build"], env=ENVIRONMENT)
    runs(top / "build/consumer")


def cmake_finds_the_modules():
    text = (
        "cmake_minimum_required(VERSION 3.16)\n"
        "project(consumer C)\n"
        "find_package(PkgConfig REQUIRED)\n"
        f"pkg_check_modules(DOCA REQUIRED IMPORTED_TARGET {' '.join(MODULES)})\n"
        "add_executable(consumer consumer.c)\n"
        "target_compile_definitions(consumer PRIVATE DOCA_ALLOW_EXPERIMENTAL_API)\n"
        "target_link_libraries(consumer PkgConfig::DOCA)\n"
    )
    top = project("cmake", "CMakeLists.txt", text, PROGRAM)
    tap.succeeds(["cmake", "-S", top, "-B", top / "build"], env=ENVIRONMENT)
    tap.succeeds(["cmake", "--build", top / "build"], env=ENVIRONMENT)
    runs(top / "build/consumer")


def gcc_takes_the_flags_of_pkg_config():
    program = TOP / "plain"
    tap.succeeds(["gcc", "-DDOCA_ALLOW_EXPERIMENTAL_API", PROGRAM, "-o", program, *flags()])
    runs(program)


def a_program_may_be_cxx17():
    program = TOP / "cxx"
    command = ["g++", "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command += ["-DDOCA_ALLOW_EXPERIMENTAL_API", PROGRAM, "-x", "none", "-o", program]
    tap.succeeds([*command, *flags()])
    runs(program)


def bindgen_reads_every_header():
    headers = sorted(path.name for path in (PREFIX / "include/softdoca").glob("*.h"))
    all_of_them = TOP / "all.h"
    all_of_them.write_text("".join(f"#include <{name}>\n" for name in headers))
    command = ["bindgen", "--allowlist-function", "(soft)?doca_.*", all_of_them, "--"]
    command += ["-DDOCA_ALLOW_EXPERIMENTAL_API", f"-I{PREFIX}/include/softdoca"]
    rust = tap.succeeds(command)
    public = [line.split() for line in (ROOT / "tests/abi/public_functions.txt").read_text().splitlines()]
    names = [words[0] for words in public if words[0] != "#" and words[1] != "inline"]
    assert names
    for name in names:
        assert f"pub fn {name}(" in rust, f"{name}: not in the bindings"


def python_copies_through_ctypes():
    command = [sys.executable, HERE / "consumer.py", LIB]
    assert tap.succeeds(command, env=CLEAN) == "copied 1: same\n"


tap.run(
    [
        meson_finds_the_dependencies,
        cmake_finds_the_modules,
        gcc_takes_the_flags_of_pkg_config,
        a_program_may_be_cxx17,
        bindgen_reads_every_header,
        python_copies_through_ctypes,
    ]
)
