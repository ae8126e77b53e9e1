#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installed trees: built apart, installed to a prefix, used through pkg-config alone, taken away.

test_package.py SOURCE_ROOT
"""
import contextlib
import json
import os
import pathlib
import sys
import tempfile

import tap

ROOT = pathlib.Path(sys.argv[1])
MODULES = ["doca-common", "doca-dma", "doca-argp", "doca-comch"]
KIT = ["samples", "applications"]
PROGRAM = """
#include <stdio.h>
#include <doca_comch.h>
#include <doca_dma.h>
#include <doca_version.h>
int main(void)
{
	struct doca_dma *dma = NULL;
	return doca_dma_create(NULL, &dma) != DOCA_ERROR_INVALID_VALUE ||
	       doca_comch_client_create(NULL, "name", NULL) != DOCA_ERROR_INVALID_VALUE ||
	       puts(doca_version_runtime()) < 0;
}
"""
PROBE = """
#include <doca_build_config.h>
int main(void)
{
#ifndef DOCA_ARCH_DPU
	DOCA_ARCH_DPU;
#endif
	return 0;
}
"""

folder = tempfile.TemporaryDirectory()
PREFIX = pathlib.Path(folder.name) / "prefix"
LIB = PREFIX / "lib/softdoca"
HEADERS = {path.name for path in (ROOT / "include").glob("*.h")}
CLEAN = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", "DESTDIR", "PKG_CONFIG_PATH")}


def script(name, *arguments):
    environment = dict(CLEAN, BUILD=str(pathlib.Path(folder.name) / "build"))
    return tap.attempt([ROOT / "scripts" / name, *arguments], env=environment)


INSTALLED = script("install", PREFIX)
# The tree of a DOCA, its prefix literally below another directory.
DOCA = pathlib.Path(folder.name) / "opt/mellanox/doca"
INSTALLED_DOCA = script("install", DOCA, "", "mellanox")
DOCA_LIB = next(iter(DOCA.glob("lib*/**/libdoca_common.so")), DOCA / "nowhere").parent


def pkg_config(*arguments, flavour="."):
    path = str(LIB / flavour / "pkgconfig")
    return tap.succeeds(["pkg-config", *arguments], env=dict(CLEAN, PKG_CONFIG_PATH=path)).split()


def build(text, flags):
    program = pathlib.Path(folder.name) / "program"
    command = ["gcc", "-DDOCA_ALLOW_EXPERIMENTAL_API", "-x", "c", "-", "-o", program]
    tap.succeeds([*command, "-x", "none", *flags], input=text)
    return program


def compiles(text, flags):
    command = ["gcc", "-fsyntax-only", "-x", "c", "-", *flags]
    return tap.attempt(command, input=text).returncode == 0


@contextlib.contextmanager
def built_with_meson(source, pkgconfig, *options):
    """As DOCA's documents have it typed, in the folder of the sample."""
    with tempfile.TemporaryDirectory() as target:
        environment = dict(CLEAN, PKG_CONFIG_PATH=str(pkgconfig))
        tap.succeeds(["meson", "setup", target, *options], cwd=source, env=environment)
        tap.succeeds(["ninja", "-C", target], env=environment)
        yield pathlib.Path(target)


def install_needs_no_test_package_and_works():
    assert INSTALLED.returncode == 0, INSTALLED.stdout
    assert INSTALLED_DOCA.returncode == 0, INSTALLED_DOCA.stdout


def both_flavours_resolve_and_say_their_version():
    for flavour in (".", "dpu"):
        for module in (*MODULES, "doca"):
            assert pkg_config("--modversion", module, flavour=flavour) == ["3.3.0"]
            assert pkg_config("--cflags", "--libs", module, flavour=flavour)


def the_tree_is_the_documented_one():
    libraries = ["libdoca_common", "libdoca_dma", "libdoca_argp", "libdoca_comch"]
    if tap.attempt(["pkg-config", "--exists", "libnbd"]).returncode == 0:
        libraries.append("libsoftdoca_net")
    for library in libraries:
        real = LIB / f"{library}.so.3.3.0"
        assert real.is_file() and not real.is_symlink(), real
        assert (LIB / f"{library}.so.2").resolve() == real.resolve()
        assert (LIB / f"{library}.so").resolve() == real.resolve()
    tap.same({path.name for path in (PREFIX / "include/softdoca").iterdir()}, HEADERS, "headers")
    kit = PREFIX / "share/softdoca"
    installed = {path for part in KIT for path in (kit / part).rglob("*") if path.is_file()}
    tracked = set(tap.succeeds(["git", "-C", ROOT, "ls-files", *KIT]).split())
    tap.same({str(path.relative_to(kit)) for path in installed} - {"applications/VERSION"}, tracked, "samples")


def the_tree_of_a_doca_is_the_documented_one():
    tap.same({path.name for path in (DOCA / "include").iterdir()}, HEADERS, "headers")
    wanted = {"VERSION", "applications", "include", "lib", "samples", "share", "tools"}
    tap.same({path.name for path in DOCA.iterdir()}, wanted, "folders")
    for version in (DOCA / "VERSION", DOCA / "applications/VERSION"):
        assert version.read_text(encoding="utf-8") == "3.3.0"
    assert (DOCA_LIB / "libdoca_dma.so").resolve() == DOCA_LIB / "libdoca_dma.so.3.3.0"
    tools = {path.name for path in (DOCA / "tools").iterdir()}
    tap.same(tools, {path.name for path in (PREFIX / "bin").iterdir()}, "tools")
    tap.succeeds([DOCA / "tools/doca_bench", "--help"], env=CLEAN)
    for module in MODULES:
        for name in (module, module + "-lib"):
            for flavour in (".", "dpu"):
                path = dict(CLEAN, PKG_CONFIG_PATH=str(DOCA_LIB / flavour / "pkgconfig"))
                flags = tap.succeeds(["pkg-config", "--cflags", "--libs", name], env=path).split()
                assert f"-I{DOCA}/include" in flags and f"-L{DOCA_LIB}" in flags, flags
                assert ("-DDOCA_ARCH_DPU" in flags) == (flavour == "dpu"), flags


def an_installation_tells_of_itself():
    """Each tool as DOCA's documents type it: by its path, with nothing set."""
    for tools, libraries, kit in ((PREFIX / "bin", LIB, PREFIX / "share/softdoca"), (DOCA / "tools", DOCA_LIB, DOCA)):
        for options in ([], ["--list-devs"], ["--list-rep-devs"]):
            assert tap.succeeds([tools / "doca_caps", *options], env=CLEAN).count("PCI: 0000:03:00.0\n") == 1
        assert "dma " in tap.succeeds([tools / "doca_caps", "--list-libs"], env=CLEAN)
        env = json.loads(tap.succeeds([tools / "doca-env", "--json"], env=CLEAN))
        told = {"pkg_config": "3.3.0", "applications_version": "3.3.0", "doca_caps": "3.3.0", "bfb": None}
        assert env["version"] == {**told, "consistent": True}, env["version"]
        assert [pathlib.Path(module["pc_path"]).parent for module in env["libraries"]] == [libraries / "pkgconfig"] * 4
        assert env["sample_paths"] == [{"library": "doca-dma", "path": str(kit / "samples/doca_dma")}]
        snapshot = json.loads(tap.succeeds([tools / "doca-capability-snapshot", "--json"], env=CLEAN))
        assert len(snapshot["devices"]) == 2
    matrix = (PREFIX / "share/softdoca/version-matrix.json").read_bytes()
    assert (DOCA / "share/version-matrix.json").read_bytes() == matrix, "where a DOCA's is looked for"


def a_sample_builds_in_its_folder_and_runs():
    kits = ((PREFIX / "share/softdoca", LIB), (DOCA, DOCA_LIB))
    for kit, libraries in kits:
        sample = kit / "samples/doca_dma/dma_local_copy"
        with built_with_meson(sample, libraries / "pkgconfig") as target:
            said = tap.succeeds([target / "doca_dma_local_copy"], env=CLEAN)
            assert "sha256" in said and "0000:03:00.0" in said, said


def each_half_builds_for_its_side():
    for name, flavour in (("dma_copy_host", "."), ("dma_copy_dpu", "dpu")):
        pkgconfig = DOCA_LIB / flavour / "pkgconfig"
        with built_with_meson(DOCA / "samples/doca_dma" / name, pkgconfig) as target:
            tap.succeeds([target / f"doca_{name}", "--help"], env=CLEAN)


def the_applications_build_by_their_options():
    only = ["-Denable_all_applications=false", "-Denable_dma_copy=true"]
    with built_with_meson(DOCA / "applications", DOCA_LIB / "dpu/pkgconfig", *only) as target:
        said = tap.succeeds([target / "dma_copy/doca_dma_copy", "--help"], env=CLEAN)
        assert "--rep-pci" in said, said


def a_doca_is_refused_before_anything_is_built():
    theirs = pathlib.Path(folder.name) / "theirs"
    (theirs / "include").mkdir(parents=True)
    (theirs / "include/doca_flow.h").touch()
    said = script("install", theirs, "", "mellanox")
    assert said.returncode == 1 and "doca_flow.h" in said.stdout, said.stdout
    assert "ninja" not in said.stdout, said.stdout
    assert [path.name for path in theirs.rglob("*")] == ["include", "doca_flow.h"]


def a_wrong_place_is_refused_in_words():
    for arguments, words in (
        ((), "PREFIX is empty"),
        (("relative",), "PREFIX=relative is relative"),
        (("/a b",), "has ' '"),
        (("/a:b",), "has ':'"),
        (("/x", "", "nvidia"), "softdoca and mellanox are allowed"),
    ):
        for name in ("install", "uninstall"):
            said = script(name, *arguments)
            assert said.returncode == 2 and words in said.stdout, said.stdout


def a_directory_outside_of_the_prefix_is_refused():
    build_folder = pathlib.Path(folder.name) / "outside"
    said = tap.attempt(["meson", "setup", build_folder, ROOT, "-Dtests=disabled", "--bindir=/elsewhere/bin"])
    assert said.returncode != 0 and "-Dbindir=/elsewhere/bin is outside of the prefix" in said.stdout, said.stdout


def uninstall_leaves_nothing():
    for prefix, layout in ((PREFIX, "softdoca"), (DOCA, "mellanox")):
        said = script("uninstall", prefix, "", layout)
        assert said.returncode == 0 and "Removed softdoca 3.3.0" in said.stdout, said.stdout
        assert not prefix.exists(), list(prefix.rglob("*"))
    assert not (pathlib.Path(folder.name) / "opt").exists()


def a_program_runs_without_library_path():
    for flavour in (".", "dpu"):
        for modules in (MODULES, ["doca"]):
            flags = pkg_config("--cflags", "--libs", *modules, flavour=flavour)
            program = build(PROGRAM, flags)
            assert tap.succeeds([program], env=CLEAN) == "3.3.0\n"


def a_program_without_the_rpath_does_not_run():
    flags = pkg_config("--cflags", "--libs", *MODULES)
    kept = [flag for flag in flags if "rpath" not in flag]
    assert len(kept) < len(flags), flags
    kept.append(f"-Wl,-rpath-link,{LIB}")
    tap.fails([build(PROGRAM, kept)], env=CLEAN)


def the_probe_for_the_dpu_finds_it_with_that_flavour_alone():
    assert compiles(PROBE, pkg_config("--cflags", "doca-common", flavour="dpu"))
    assert not compiles(PROBE, pkg_config("--cflags", "doca-common"))


def a_static_query_resolves_too():
    assert "-ldoca_common" in pkg_config("--static", "--libs", "doca-dma")


with folder:
    tap.run(
        [
            install_needs_no_test_package_and_works,
            both_flavours_resolve_and_say_their_version,
            the_tree_is_the_documented_one,
            the_tree_of_a_doca_is_the_documented_one,
            an_installation_tells_of_itself,
            a_program_runs_without_library_path,
            a_program_without_the_rpath_does_not_run,
            the_probe_for_the_dpu_finds_it_with_that_flavour_alone,
            a_static_query_resolves_too,
            a_sample_builds_in_its_folder_and_runs,
            each_half_builds_for_its_side,
            the_applications_build_by_their_options,
            a_doca_is_refused_before_anything_is_built,
            a_wrong_place_is_refused_in_words,
            a_directory_outside_of_the_prefix_is_refused,
            uninstall_leaves_nothing,
        ]
    )
