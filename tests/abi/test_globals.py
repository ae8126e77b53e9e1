#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Globals: every writable one of the libraries is listed in globals.txt with its reason.

test_globals.py SOURCE_ROOT INSTRUMENTED LIBRARY...   (the private static libraries)
"""
import pathlib
import re
import sys
import tempfile

import tap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(sys.argv[1])
if sys.argv[2] != "no":
    tap.skip("sanitizers and coverage add globals of their own")
LIBRARIES = sys.argv[3:]


def writable(objects):
    """The (object, name) of every object that lies in a writable section, thread-local ones too."""
    found = set()
    member = ""
    for line in tap.succeeds(["objdump", "-t", *objects]).splitlines():
        heading = re.match(r"(\S+\.o):\s+file format", line)
        if heading:
            member = heading.group(1).split("/")[-1]
        symbol = re.match(r"[0-9a-f]+ .{6}[O ] ?(\S+)\t[0-9a-f]+ (?:\.hidden )?(\S+)$", line)
        if not symbol:
            continue
        section, name = symbol.groups()
        if re.match(r"\.(data|bss|tdata|tbss|sdata|sbss)|\*COM\*", section):
            of_compiler = name == section or name.startswith("DW.ref.")
            if not section.startswith(".data.rel.ro") and not of_compiler:
                found.add((member, re.sub(r"\.\d+$", "", name)))
    return found


def listed():
    """The (object, name) of globals.txt; a line is: file name reason."""
    names = set()
    for file, name, *reason in tap.table(HERE / "globals.txt"):
        assert reason, f"{file} {name}: no reason"
        assert (ROOT / "src" / file).is_file(), f"{file}: no such file"
        names.add((file.replace("/", "_") + ".o", name))
    return names


def every_writable_global_is_listed_and_every_listed_one_exists():
    tap.same(
        {" ".join(pair) for pair in writable(LIBRARIES)},
        {" ".join(pair) for pair in listed()},
        "globals.txt",
    )


def each_kind_of_writable_global_is_seen():
    text = """
    int plain; int given = 1; static int hidden; extern const int *const fixed;
    __thread int own; const int constant = 2; const int *const fixed = &constant;
    static void *address = &address;
    int count(void); int count(void) { static int calls; return calls++ + hidden++ + !address; }
    void *where(void); void *where(void) { return &address; }
    """
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sample.c.o"
        for flag in ("-fcommon", "-fno-common"):
            command = ["gcc", "-c", "-O1", "-fPIC", flag, "-x", "c", "-o", file, "-"]
            tap.succeeds(command, input=text)
            names = {name for _, name in writable([file])}
            wanted = {"plain", "given", "hidden", "own", "address", "calls"}
            tap.same(names, wanted, flag)


tap.run(
    [
        every_writable_global_is_listed_and_every_listed_one_exists,
        each_kind_of_writable_global_is_seen,
    ]
)
