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
printf '%s\\0' "${COMPREPLY[@]}"
"""


def offered(line, here=TOP, path=installed.CLEAN["PATH"]):
    environment = dict(installed.CLEAN, PATH=f"{BIN}:{path}")
    command = [shutil.which("bash"), "-c", ASK, "bash", SCRIPT, line.split()[0], line]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=here, env=environment, timeout=60)
    assert done.stderr == "", done.stderr
    return {word for word in done.stdout.split("\0") if word}


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
    (topologies / "$(touch pwned).json").touch()
    (TOP / "mine.json").touch()
    (TOP / "mine2.txt").touch()
    (TOP / "mine3").mkdir()
    installed_one = f"{BIN}/../share/softdoca/topologies/two-cards.json"
    got = offered("softdoca run --device ")
    assert {"bluefield3", "bluefield2", "connectx7", "unlimited", "none", "mine.json", installed_one} < got, got
    assert offered("softdoca run --device=blue") == {"bluefield2", "bluefield3"}
    for line in ("run --device two-", "env --device=two"):
        assert offered(f"softdoca {line}") == {installed_one}, line
    for option in ("--device", "--config"):
        assert offered(f"softdoca run {option} mi") == {"mine.json", "mine3"}, "JSON files, and folders"
    assert offered("doca_bench --plot mi") == {"mine.json", "mine2.txt", "mine3"}


def a_short_option_has_the_value_of_its_long_one():
    assert offered("doca_caps -p ") == offered("doca_caps --pci-addr ") == {"0000:03:00.0", "0000:b1:00.0"}
    assert offered("doca_caps -h --li") == {"--lib", "--list-devs", "--list-libs", "--list-loggers", "--list-rep-devs"}


def a_tool_of_softdoca_behind_run_or_pair_is_completed():
    for line in ("softdoca run softdoca", "softdoca run --role dpu -- softdoca", "softdoca pair -- a -- softdoca"):
        assert offered(f"{line} r") == {"run"}, line
        assert offered(f"{line} run --role ") == {"host", "dpu", "both"}, line
    assert offered("softdoca run doca_caps --lib d") == {"dma"}


HOSTILE = ("a b.json", "a'b.json", 'a"b.json', "a$(touch pwned).json", "a`touch pwned`.json", "a\nb.json", "a;touch pwned.json",
           "a*.json", "a\\b.json", "a&.json", "a,b|c.json")


def names_of_files_are_offered_as_they_are():
    here = TOP / "names"
    here.mkdir()
    for name in HOSTILE:
        (here / name).touch()
    for line in ("run --config ", "run --device a", "run true a", "run --config=a"):
        got = offered(f"softdoca {line}", here) - {"bluefield2", "bluefield3", "connectx7", "none", "unlimited"}
        assert {name for name in got if "/" not in name} == set(HOSTILE), (line, got)
    for typed, name in {"a\\ ": "a b.json", '"a b': "a b.json", "'a$(": "a$(touch pwned).json", "a\\$\\(": "a$(touch pwned).json",
                        "a\\'": "a'b.json", "'a\n": "a\nb.json", "a\\*": "a*.json", '"a\\\\': "a\\b.json"}.items():
        for line in ("run --config ", "run --config=", "run true "):
            assert offered(f"softdoca {line}{typed}", here) == {name}, (line, typed)
    assert {path.name for path in here.iterdir()} == set(HOSTILE), "a name was run"


def what_is_typed_is_compared_and_never_run():
    for words in ("./b/x ", "x/y/;etouch${IFS}pwned;# ", "$(touch pwned) ", "`touch pwned` ", "--a/;etouch pwned;# ", ".* ", "[ ",
                  "--device $(touch pwned)", "--lib '$(touch pwned)", "--lib .*/e ", "-- $(touch\t", "' \"", "\\"):
        for tool in ("softdoca run", "softdoca pair", "softdoca", "softdoca help", *installed.TOOLS):
            offered(f"{tool} {words}")
    assert not list(TOP.glob("**/pwned")), "what was typed was run"


def a_program_is_offered_where_one_begins():
    (TOP / "own.json").touch()
    for line in ("run tru", "run -- tru", "run --role dpu tru", "run --role=dpu --auto -- tru", "pair -- tru",
                 "pair --wait f --timeout 3 -- a b -- tru"):
        assert "true" in offered(f"softdoca {line}"), line
    for line in ("run true ow", "run -- true ow", "run true --role ow", "pair -- true ow", "pair -- a -- b ow"):
        assert offered(f"softdoca {line}") == {"own.json"}, line
    assert "own.json" in offered("softdoca run true ")


def every_tool_has_a_completion():
    script = '. "$0"; complete -p softdoca doca_bench doca_caps doca-env doca-capability-snapshot'
    tap.succeeds(["bash", "-c", script, SCRIPT])


def a_tool_that_is_not_there_offers_nothing():
    shutil.rmtree(BIN)
    BIN.mkdir()
    few = TOP / "few"  # the machine may have softdoca
    few.mkdir()
    for name in ("grep", "sed"):
        (few / name).symlink_to(shutil.which(name))
    (TOP / "doca_caps").write_text("#!/bin/sh\ntouch pwned\n", encoding="utf-8")
    (TOP / "doca_caps").chmod(0o755)
    for line in ("softdoca ", "softdoca run --role ", "doca_caps --", "softdoca run --device=", "doca_bench --device "):
        assert "host" not in offered(line, path=few)
    assert not (TOP / "pwned").exists()


with folder:
    tap.run(
        [
            sub_commands_are_offered,
            the_options_are_those_of_each_help,
            values_are_offered,
            devices_are_models_installed_topologies_and_files,
            a_short_option_has_the_value_of_its_long_one,
            a_tool_of_softdoca_behind_run_or_pair_is_completed,
            names_of_files_are_offered_as_they_are,
            what_is_typed_is_compared_and_never_run,
            a_program_is_offered_where_one_begins,
            every_tool_has_a_completion,
            a_tool_that_is_not_there_offers_nothing,
        ]
    )
