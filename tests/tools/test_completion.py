#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bash completion of the tools: what is offered for a line that is typed.

test_completion.py SOFTDOCA
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed

SCRIPT = installed.SOURCE / "share/bash-completion/softdoca"
folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name).resolve()
TOOL = installed.tree(TOP / "prefix")
BIN = TOOL.parent
ASK = """
compopt() { :; }
. "$1"
words=($(complete -p "$2")) || exit
COMP_LINE=$3 COMP_POINT=${#3}
"${words[2]}" "$2" "" ""
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(line, path=installed.CLEAN["PATH"]):
    environment = dict(installed.CLEAN, PATH=f"{BIN}:{path}")
    command = [shutil.which("bash"), "-c", ASK, "bash", SCRIPT, line.split()[0], line]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=TOP, env=environment, timeout=60)
    assert done.stderr == "", done.stderr
    return {word for word in done.stdout.split("\n") if word}


def options_of(*command):
    done = subprocess.run([BIN / command[0], *command[1:]], capture_output=True, text=True, check=True, env=installed.CLEAN)
    return set(re.findall(r"--[a-z][a-z-]*", "\n".join(re.findall(r"^ +-.*", done.stdout, re.M))))


def sub_commands_are_offered():
    assert offered("softdoca ") == {"doctor", "env", "help", "pair", "run", "--help", "--version"}
    assert offered("softdoca r") == {"run"}
    assert offered("softdoca help ") == {"doctor", "env", "help", "pair", "run"}
    assert offered("softdoca --v") == {"--version"}


def the_options_are_those_of_each_help():
    for command in ("run", "env", "pair", "doctor"):
        options = options_of("softdoca", "help", command)
        assert "--help" in options and offered(f"softdoca {command} -") == options, command
    assert {f"--{option}" for option, _, _ in installed.SETTINGS} < options_of("softdoca", "help", "run")
    for tool in installed.TOOLS:
        assert offered(f"{tool} -") == options_of(tool, "--help") and "--help" in options_of(tool, "--help"), tool
    assert offered("softdoca env --ro") == {"--role"}
    assert offered("softdoca run --role dpu --er") == {"--errors"}


def values_are_offered():
    for line, values in {
        "run --role ": {"host", "dpu", "both"},
        "run --role=": {"host", "dpu", "both"},
        "env --role d": {"dpu"},
        "run --errors=h": {"hardware"},
        "run --engine ": {"inline", "workers:"},
        "run --reach ": {"auto", "mapped", "cma", "nbd"},
        "env --kernel ": {"auto", "portable", "avx2", "avx512", "neon"},
        "run --log-level ": {"disable", "critical", "error", "warning", "info", "debug", "trace"},
        "run --queue-depth ": set(),
        "run --auto --role ": {"host", "dpu", "both"},
    }.items():
        assert offered(f"softdoca {line}") == values, line
    assert offered("doca_bench --wait ") == {"poll", "event"}
    assert offered("doca_bench --mode b") == {"bulk-latency"}
    assert offered("doca_caps --lib ") == {"common", "argp", "comch", "dma"}
    both = {"0000:03:00.0", "0000:b1:00.0"}
    assert offered("doca_caps --pci-addr ") == offered("doca_bench --device ") == both
    assert offered("doca_caps --pci-addr 0000:b") == {"b1:00.0"}, "what is behind the last colon"


def devices_are_models_installed_topologies_and_files():
    topologies = TOP / "prefix/share/softdoca/topologies"
    topologies.mkdir(parents=True)
    (topologies / "two-cards.json").touch()
    (TOP / "mine.json").touch()
    got = offered("softdoca run --device ")
    assert {"bluefield3", "bluefield2", "connectx7", "unlimited", "none", "mine.json"} < got
    assert any(path.endswith("topologies/two-cards.json") for path in got), got
    assert offered("softdoca run --device=blue") == {"bluefield2", "bluefield3"}
    assert offered("softdoca run --config mi") == {"mine.json"}


def nothing_that_is_typed_or_a_files_name_is_run():
    topologies = TOP / "prefix/share/softdoca/topologies"
    topologies.mkdir(parents=True, exist_ok=True)
    (topologies / "$(touch ran).json").touch()
    assert any("$(touch ran).json" in path for path in offered("softdoca run --device "))
    for word in ("|.*/id>ran/e;#", "$(touch>ran)", "`touch>ran`", "(", "[", "/", "\\", "*", "."):
        for line in (f"doca_caps '{word}' ", f"doca_caps {word} ", f"softdoca run --role={word}", f"softdoca {word} "):
            offered(line)
    assert not (TOP / "ran").exists()


def a_program_is_offered_where_one_begins():
    (TOP / "mine.json").touch()
    for line in ("run tru", "run -- tru", "run --role dpu tru", "run --role=dpu --auto -- tru", "pair -- tru",
                 "pair --wait f --timeout 3 -- a b -- tru"):
        assert "true" in offered(f"softdoca {line}"), line
    for line in ("run true mi", "run -- true mi", "run true --role mi", "pair -- true mi", "pair -- a -- b mi"):
        assert offered(f"softdoca {line}") == {"mine.json"}, line
    assert "mine.json" in offered("softdoca run true ")


def every_tool_has_a_completion():
    script = '. "$0"; complete -p softdoca doca_bench doca_caps doca-env doca-capability-snapshot'
    tap.succeeds(["bash", "-c", script, SCRIPT])


def a_tool_that_is_not_there_offers_nothing():
    shutil.rmtree(BIN)
    BIN.mkdir()
    few = TOP / "few"  # the machine may have softdoca
    few.mkdir()
    for name in ("dirname", "grep", "sed"):
        (few / name).symlink_to(shutil.which(name))
    for line in ("softdoca ", "softdoca run --role ", "doca_caps --", "softdoca run --device="):
        assert "host" not in offered(line, path=few)


with folder:
    tap.run(
        [
            sub_commands_are_offered,
            the_options_are_those_of_each_help,
            values_are_offered,
            devices_are_models_installed_topologies_and_files,
            nothing_that_is_typed_or_a_files_name_is_run,
            a_program_is_offered_where_one_begins,
            every_tool_has_a_completion,
            a_tool_that_is_not_there_offers_nothing,
        ]
    )
