#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An installed tree: built apart, installed to a prefix, used through pkg-config alone.

test_package.py SOURCE_ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import tap

ROOT = pathlib.Path(sys.argv[1])
MODULES = ["doca-common", "doca-dma", "doca-argp", "doca-comch"]
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
CLEAN = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", "DESTDIR")}


def install():
    environment = dict(CLEAN, BUILD=str(pathlib.Path(folder.name) / "build"))
    command = [ROOT / "scripts/install", PREFIX]
    return subprocess.run(
        command,
        env=environment,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


INSTALLED = install()


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


def install_needs_no_test_package_and_works():
    assert INSTALLED.returncode == 0, INSTALLED.stdout


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
    headers = {path.name for path in (ROOT / "include").glob("*.h")}
    tap.same({path.name for path in (PREFIX / "include/softdoca").iterdir()}, headers, "headers")


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
            a_program_runs_without_library_path,
            a_program_without_the_rpath_does_not_run,
            the_probe_for_the_dpu_finds_it_with_that_flavour_alone,
            a_static_query_resolves_too,
        ]
    )
