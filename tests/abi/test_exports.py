#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shared libraries: they export what include/ declares and the listed doca__ names, nothing else.

test_exports.py SOURCE_ROOT SANITIZE COMMON DMA ARGP COMCH [NET]: the libraries
"""
import pathlib
import re
import sys
import tempfile

import tap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(sys.argv[1])
if sys.argv[2] != "none":
    tap.skip("sanitizers export symbols of their own")
COMMON, DMA, ARGP, COMCH, *NET = map(pathlib.Path, sys.argv[3:])
MARK = {"stable": "DOCA_STABLE", "experimental": "DOCA_EXPERIMENTAL"}


def read(path):
    return path.read_text(encoding="utf-8")


def headers_of(library):
    own = {DMA: "doca_dma*.h", ARGP: "doca_argp*.h", COMCH: "doca_comch*.h"}
    if library in own:
        return list(ROOT.glob(f"include/{own[library]}"))
    others = [header for pattern in own.values() for header in ROOT.glob(f"include/{pattern}")]
    return [h for h in ROOT.glob("include/*.h") if h not in others]


def exported(library):
    lines = tap.succeeds(["nm", "-D", "--defined-only", library]).splitlines()
    return {line.split()[-1] for line in lines}


def expected(library):
    names = set()
    for header in headers_of(library):
        names |= set(tap.declared(read(header)))
    private = tap.table(HERE / "private_exports.txt")
    return names | {name for file, name in private if file == library.name.split(".")[0]}


def common_exports_what_is_declared():
    tap.same(exported(COMMON), expected(COMMON), COMMON.name)


def common_asks_for_the_c_library_alone():
    dynamic = tap.succeeds(["readelf", "-dW", COMMON])
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    assert needed <= {"libc.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}, dynamic


def dma_exports_what_is_declared():
    tap.same(exported(DMA), expected(DMA), DMA.name)


def argp_exports_what_is_declared_and_no_json():
    tap.same(exported(ARGP), expected(ARGP), ARGP.name)


def argp_asks_for_common_by_its_soname_and_for_no_json():
    dynamic = tap.succeeds(["readelf", "-dW", ARGP])
    assert "[libdoca_common.so.2]" in dynamic, dynamic
    assert "json" not in dynamic, dynamic


def net_exports_one_symbol_and_asks_for_none_of_ours():
    for library in NET:
        tap.same(exported(library), {"softdoca_net_way"}, library.name)
        dynamic = tap.succeeds(["readelf", "-dW", library])
        assert "Library soname: [libsoftdoca_net.so.2]" in dynamic, dynamic
        assert "NODELETE" in dynamic, dynamic
        assert "doca_" not in dynamic.replace("libsoftdoca_net", ""), dynamic


def each_private_export_is_declared_once_in_src():
    marked = [name for h in ROOT.glob("src/**/*.h") for name in tap.declared(read(h))]
    listed = [name for _, name in tap.table(HERE / "private_exports.txt")]
    tap.same(marked, listed, "private_exports.txt")
    assert len(set(marked)) == len(marked), "declared twice"
    assert all(name.startswith("doca__") for name in marked), marked


def each_public_function_is_declared_with_its_stability():
    text = "".join(read(header) for header in sorted(ROOT.glob("include/*.h")))
    marks = tap.declared(text)
    listed = dict(tap.table(HERE / "public_functions.txt"))
    for name, stability in listed.items():
        if stability == "inline":
            assert re.search(rf"(?:\binline|_INLINE)\b[^;{{}}]*\b{name}\s*\(", text), f"{name} is not inline"
        else:
            got = marks.get(name, "no mark")
            assert got == MARK[stability], f"{name}: {got}, not {MARK[stability]}"
    tap.same(marks, [name for name in listed if listed[name] != "inline"], "public_functions.txt")


def no_declaration_lacks_a_mark():
    for header in ROOT.glob("include/*.h"):
        assert not tap.unmarked(read(header)), f"{header.name}: {tap.unmarked(read(header))}"


def each_library_has_its_soname_and_no_versions():
    for library, part in ((COMMON, "common"), (DMA, "dma"), (ARGP, "argp"), (COMCH, "comch")):
        name = f"libdoca_{part}.so.2"
        dynamic = tap.succeeds(["readelf", "-dW", library])
        assert f"Library soname: [{name}]" in dynamic, dynamic
        assert "(VERDEF)" not in dynamic, f"{name} defines symbol versions"
        assert "(TEXTREL)" not in dynamic, f"{name} has text relocations"


def dma_asks_for_common_by_its_soname():
    assert "[libdoca_common.so.2]" in tap.succeeds(["readelf", "-dW", DMA])


def a_library_that_exports_more_is_seen():
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / COMMON.name
        command = ["gcc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"]
        tap.succeeds(command, input="int doca_error_get_name, doca_stray;\n")
        more = exported(library) - expected(COMMON)
        assert more == {"doca_stray"}, more


def a_declaration_without_a_mark_is_seen():
    text = "#define DOCA_X(a) doca_macro(a);\nDOCA_STABLE\nint doca_right(struct doca_buf *b);\n"
    text += "doca_error_t doca_wrong(int (*cb)(void), size_t n);\n"
    assert tap.unmarked(text) == ["doca_wrong"], tap.unmarked(text)
    assert tap.declared(text) == {"doca_right": "DOCA_STABLE"}, tap.declared(text)


tap.run(
    [
        common_exports_what_is_declared,
        dma_exports_what_is_declared,
        common_asks_for_the_c_library_alone,
        argp_exports_what_is_declared_and_no_json,
        argp_asks_for_common_by_its_soname_and_for_no_json,
        net_exports_one_symbol_and_asks_for_none_of_ours,
        each_private_export_is_declared_once_in_src,
        each_public_function_is_declared_with_its_stability,
        no_declaration_lacks_a_mark,
        each_library_has_its_soname_and_no_versions,
        dma_asks_for_common_by_its_soname,
        a_library_that_exports_more_is_seen,
        a_declaration_without_a_mark_is_seen,
    ]
)
