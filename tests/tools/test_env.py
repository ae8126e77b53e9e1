#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softdoca env, as a shell takes it.

test_env.py SOFTDOCA
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed
from installed import CLEAN

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name).resolve()
ROOT = TOP / "pre fix's"
TOOL = installed.tree(ROOT)
LIB = f"{ROOT}/lib/softdoca"


def env(*arguments, **more):
    environment = dict(CLEAN, **more)
    return subprocess.run(
        [TOOL, "env", *arguments], capture_output=True, text=True, check=False, timeout=60, env=environment
    )


def evaluated(arguments, times=1, shell="sh", **more):
    """The environment after eval "$(softdoca env ARGUMENTS)"."""
    script = 'for i in $(seq "$0"); do x=$("$@") || exit 9; eval "$x"; done; exec env -0'
    command = [shell, "-c", script, str(times), TOOL, "env", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, env=dict(CLEAN, **more))
    assert done.returncode == 0, done
    return dict(line.split("=", 1) for line in done.stdout.decode().split("\0") if line)


def a_shell_gets_the_settings_and_the_paths():
    got = evaluated(["--role", "host", "--errors=hardware", "--log-level", "error"])
    assert (got["SOFTDOCA_ROLE"], got["SOFTDOCA_ERRORS"], got["DOCA_LOG_LEVEL"]) == ("host", "hardware", "error")
    assert got["LD_LIBRARY_PATH"] == LIB
    assert got["PKG_CONFIG_PATH"] == f"{LIB}/pkgconfig"
    assert got["PATH"] == f"{ROOT}/bin:{CLEAN['PATH']}"
    assert got["MANPATH"] == f"{ROOT}/share/man:"
    assert "LD_PRELOAD" not in got


def each_option_is_an_export():
    for option, variable, value in installed.SETTINGS:
        assert evaluated([f"--{option}", value])[variable] == value


def the_flavour_follows_the_role():
    dpu = f"{LIB}/dpu/pkgconfig"
    assert evaluated(["--role", "dpu"])["PKG_CONFIG_PATH"] == dpu
    assert evaluated([], SOFTDOCA_ROLE="dpu")["PKG_CONFIG_PATH"] == dpu
    assert evaluated(["--role", "both"], SOFTDOCA_ROLE="dpu")["PKG_CONFIG_PATH"] == f"{LIB}/pkgconfig"
    got = evaluated(["--role", "dpu"], PKG_CONFIG_PATH=f"{LIB}/pkgconfig:{dpu}:/a")
    assert got["PKG_CONFIG_PATH"] == f"{dpu}:{LIB}/pkgconfig:/a"


def any_value_survives_any_shell():
    for value in ("/it's", "/a b\tc", '/"$HOME" `id` \\ *', "/line\nline\n", "/ends\\", "/'''", "/ü"):
        for shell in ("sh", "bash"):
            got = evaluated(["--runtime-dir", value], shell=shell, LD_LIBRARY_PATH=value, MANPATH=value)
            assert got["SOFTDOCA_RUNTIME_DIR"] == value, (got["SOFTDOCA_RUNTIME_DIR"], value)
            assert got["LD_LIBRARY_PATH"] == f"{LIB}:{value}"
            assert got["MANPATH"] == f"{ROOT}/share/man:{value}"


def a_second_time_changes_nothing():
    for old in ({}, {"LD_LIBRARY_PATH": "/a:/b", "MANPATH": "/m", "PKG_CONFIG_PATH": "/p:"}):
        once, twice = evaluated(["--role", "dpu"], **old), evaluated(["--role", "dpu"], times=3, **old)
        for name in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "PATH", "MANPATH", "SOFTDOCA_ROLE"):
            assert once[name] == twice[name], name
    assert env(**evaluated([])).stdout == ""


def where_a_directory_stands_in_path_is_left_alone():
    got = evaluated([], PATH=f"/usr/bin:/bin:{ROOT}/bin", MANPATH=f"/m:{ROOT}/share/man")
    assert got["PATH"] == f"/usr/bin:/bin:{ROOT}/bin" and got["MANPATH"] == f"/m:{ROOT}/share/man"


def a_shell_keeps_the_path_that_it_has_of_its_own():
    for shell in ("/bin/sh", "/bin/bash"):
        script = 'eval "$("$0" env)"; ls / >/dev/null && printf %s "$PATH"'
        done = subprocess.run([shell, "-c", script, TOOL], capture_output=True, text=True, check=False, env={})
        assert done.returncode == 0 and done.stdout.startswith(f"{ROOT}/bin:/"), done


def the_heap_is_exported_where_it_is_asked_for():
    tool = installed.tree(TOP / "plain")
    done = subprocess.run([tool, "env", "--shared-heap"], capture_output=True, text=True, check=True, env=CLEAN)
    assert f"export LD_PRELOAD='{TOP}/plain/lib/softdoca/libsoftdoca_heap.so'\n" in done.stdout


def wrong_use_prints_no_export():
    for words, *arguments in (
        ("unknown option --nothing", "--nothing"),
        ("variable SOFTDOCA_ROLE has value 'x'", "--role", "x"),
        ("'true' is no option; softdoca run starts programs", "true"),
        ("option --role wants a value", "--role"),
    ):
        done = env(*arguments)
        assert done.returncode == 2 and done.stdout == "" and words in done.stderr, done
        assert done.stderr.count("\n") == 1 and "; see softdoca help env" in done.stderr, done.stderr


def a_program_is_built_and_run_by_what_it_sets():
    (TOP / "p.c").write_text("#include <doca_version.h>\n#include <stdio.h>\n"
                             "int main(void) { return puts(doca_version_runtime()) < 0; }\n")
    script = (
        'set -e; eval "$(bin/softdoca env)"; cc -DDOCA_ALLOW_EXPERIMENTAL_API -o p p.c '
        '$(pkg-config --cflags --libs doca-common); exec ./p'
    )
    installed.tree(TOP / "there")
    for part in ("bin", "lib"):
        os.symlink(TOP / "there" / part, TOP / part)
    assert tap.succeeds(["sh", "-c", script], cwd=TOP, env=CLEAN).endswith("3.3.0\n")


with folder:
    tap.run(
        [
            a_shell_gets_the_settings_and_the_paths,
            each_option_is_an_export,
            the_flavour_follows_the_role,
            any_value_survives_any_shell,
            a_second_time_changes_nothing,
            where_a_directory_stands_in_path_is_left_alone,
            a_shell_keeps_the_path_that_it_has_of_its_own,
            the_heap_is_exported_where_it_is_asked_for,
            wrong_use_prints_no_export,
            a_program_is_built_and_run_by_what_it_sets,
        ]
    )
