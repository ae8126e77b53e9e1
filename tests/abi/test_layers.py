#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Includes point down only: tools, samples, applications and layers to include/; in src/ from a
higher floor to a lower one, or within a room. What is below common knows of DOCA only its errors.

test_layers.py SOURCE_ROOT
"""
import pathlib
import re
import shutil
import sys
import tempfile

import tap

ROOT = pathlib.Path(sys.argv[1])
FLOORS = [
    ("base",),
    ("wire", "copy"),
    ("peer",),
    ("engine", "device"),
    ("common",),
    ("dma", "comch", "argp"),
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
OUTSIDE = ("tools", "samples", "applications", "src/layer")  # they see include/ alone


def code_lines(path):
    return tap.without_comments(path.read_text(encoding="utf-8")).splitlines()


def includes(path):
    for number, line in enumerate(code_lines(path), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".h", ".cpp"))


def in_src(root, path, name):
    """Where in src/ an include leads, or None."""
    for base in (path.parent, root / "src"):
        target = (base / name).resolve()
        if target.is_file() and (root / "src").resolve() in target.parents:
            return target.relative_to((root / "src").resolve())
    return None


def refuse_of_src(root, path, quote, name):
    """Why a file of a room may not include that, or None."""
    room = path.relative_to(root / "src").parts[0]
    target = in_src(root, path, name)
    if target is not None:
        other = target.parts[0]
        if other not in FLOOR:
            return "leads to no room that others may enter"
        if other != room and FLOOR[other] >= FLOOR[room]:
            return f"does not lead down: {room} is on floor {FLOOR[room]}, {other} on {FLOOR[other]}"
        return None
    if quote == '"':
        return "is not found in src/"
    if name.startswith(("doca_", "softdoca")):
        allowed = () if room == "base" else ("doca_error.h",)
        if FLOOR[room] < FLOOR["common"] and name not in allowed:
            return f"is more of DOCA than {room} may know"
    return None


def refuse_of_outside(root, path, quote, name):
    if ".." in pathlib.PurePath(name).parts:
        return "leads up"
    top = next(root / folder for folder in OUTSIDE if (root / folder) in path.parents)
    shared = root / ("samples" if top.name == "applications" else top.name)
    if quote == '"' and any((base / name).is_file() for base in (path.parent, top, shared)):
        return None
    if quote == '"' or in_src(root, path, name) is not None:
        return "leads out of it"
    return None


def refusals(root):
    """Every include line that climbs, as text."""
    found = []

    def look(path, refuse):
        for number, quote, name in includes(path):
            why = refuse(root, path, quote, name)
            if why:
                found.append(f"{path.relative_to(root)}:{number}: {name} {why}")

    for folder in OUTSIDE:
        for path in sources(root / folder):
            look(path, refuse_of_outside)
    for path in sources(root / "src"):
        room = path.relative_to(root / "src").parts[0]
        if room in FLOOR:
            look(path, refuse_of_src)
        elif room != "layer":
            found.append(f"{path.relative_to(root)}: {room} is no room of the house")
    return found


def doca_objects(root):
    """Every line of the lower floors that names a DOCA object, of base that names DOCA at all."""
    found = []
    for room in ("base", "wire", "copy", "engine", "peer"):
        known = r"(?!)" if room == "base" else r"doca_(?:error\w*|likely|unlikely)\b|DOCA_"
        for path in sources(root / "src" / room):
            for number, line in enumerate(code_lines(path), 1):
                line = re.sub(r'#\s*include.*|"(?:\\.|[^"\\])*"', "", line)
                for word in re.findall(r"\b(?:doca_|DOCA_)\w+", line):
                    if not re.match(known, word):
                        found.append(f"{path.relative_to(root)}:{number}: {word}")
    return found


def no_include_climbs():
    found = refusals(ROOT)
    assert not found, "\n".join(found)


def no_lower_floor_names_an_object_of_doca():
    found = doca_objects(ROOT)
    assert not found, "\n".join(found)


def with_line(file, line, check):
    """What the check finds in a copy of the tree with one more line."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder).resolve()
        for part in ("src", "tools", "samples", "applications", "include"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, copy / part)
        target = copy / file
        target.parent.mkdir(parents=True, exist_ok=True)
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        target.write_text(f"{old}\n{line}\n", encoding="utf-8")
        return [text for text in check(copy) if text.startswith(file)]


def each_climbing_line_is_refused():
    for file, line in (
        ("src/base/fd.c", '#include "copy/piece.h"'),
        ("src/base/fd.c", "#include <doca_error.h>"),
        ("src/copy/piece.h", '#include "engine/engine.h"'),
        ("src/engine/engine.h", '#include "device/settings.h"'),
        ("src/engine/engine.c", "#include <doca_buf.h>"),
        ("src/device/card.c", '# include "common/dev.h"'),
        ("src/device/card.c", "#include <doca_dev.h>"),
        ("src/common/buf.c", '#include "../dma/dma.h"'),
        ("src/common/buf.c", "#include <dma/dma.h>"),
        ("src/comch/server.c", '#include "dma/dma.h"'),
        ("src/layer/trace/trace.c", '#include "common/buf.h"'),
        ("src/odd/odd.c", "#include <stdio.h>"),
        ("tools/doca_caps.c", '#include "common/dev.h"'),
        ("samples/some.c", '#include "../src/common/buf.h"'),
        ("samples/some.c", "#include <common/buf.h>"),
    ):
        assert with_line(file, line, refusals), f"{file} may include {line}"


def a_line_that_leads_down_is_accepted():
    for file, line in (
        ("src/dma/dma.c", '#include "common/buf.h"'),
        ("src/dma/dma.c", "#include <doca_dma.h>"),
        ("src/engine/engine.c", "#include <doca_error.h>"),
        ("src/engine/engine.c", '/* #include "common/buf.h" */'),
        ("tools/doca_caps.c", "#include <doca_dev.h>"),
    ):
        found = with_line(file, line, refusals)
        assert not found, "\n".join(found)


def each_object_of_doca_is_refused_below():
    for file, line in (
        ("src/engine/engine.h", "void look(struct doca_buf *buf);"),
        ("src/base/fd.h", "doca_error_t look(void);"),
    ):
        assert with_line(file, line, doca_objects), f"{file} may say {line}"


tap.run(
    [
        no_include_climbs,
        no_lower_floor_names_an_object_of_doca,
        each_climbing_line_is_refused,
        a_line_that_leads_down_is_accepted,
        each_object_of_doca_is_refused_below,
    ]
)
