#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual pages hold what the tools and the library take.

test_manual.py SOFTDOCA
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed

SOFTDOCA = sys.argv[1]
PAGES = installed.SOURCE / "docs/man"
NAMES = re.findall(
    r'^\s*(?:\w+\(|\{)"([A-Z_]+)",', (installed.SOURCE / "src/device/settings.c").read_text(encoding="utf-8"), re.M
)


def page(name):
    return (PAGES / name).read_text(encoding="utf-8")


def entries():
    """The settings of softdoca(7): name to the text below it."""
    part = page("softdoca.7.scd").split("\n# SETTINGS\n")[1].split("\n# ")[0]
    found = {}
    for heads, text in re.findall(r"^(\*SOFTDOCA_.*)\n((?:\t.*\n)+)", part, re.M):
        found.update({name: text for name in re.findall(r"\*SOFTDOCA_([A-Z_]+)\*", heads)})
    return found


def allowed(name):
    """The words that the library says are allowed."""
    environment = dict(installed.CLEAN, **{f"SOFTDOCA_{name}": "no good/"})
    done = subprocess.run(
        [SOFTDOCA, "run", "true"], capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    pieces = re.search(r"allowed: (.*); correct or unset", done.stderr)
    return re.findall(r"(?:^|, )([a-z][a-z0-9:]*)(?=,|$| to [a-z])", pieces.group(1)) if pieces else []


def the_page_has_the_settings_of_the_library():
    assert len(NAMES) >= 16, NAMES
    tap.same(entries(), NAMES, "softdoca(7)")


def the_page_has_the_words_of_each_setting():
    num_words = 0
    for name in NAMES:
        for word in allowed(name):
            num_words += 1
            assert f"_{word}_" in entries()[name], f"{name}: no _{word}_"
    assert num_words >= 15, num_words


def each_option_is_in_the_page_of_its_command():
    text = page("softdoca.1.scd")
    for command in ("run", "env", "pair", "doctor"):
        lines = tap.succeeds([SOFTDOCA, "help", command], env=installed.CLEAN).splitlines()
        for option in re.findall(r"--[a-z-]+", "\n".join(line for line in lines if line.startswith("  -"))):
            assert f"*{option}*" in text, f"{command}: no *{option}*"
    settings = {f"*--{name.lower().replace('_', '-')}*" for name in NAMES} - {"*--listen*", "*--advertise*"}
    assert all(option in text for option in settings), text


def each_sub_command_is_a_section():
    for command in ("run", "env", "doctor", "pair"):
        assert f"\n# {command.upper()}\n" in page("softdoca.1.scd")


def each_option_of_a_tool_is_in_its_page():
    for tool in installed.TOOLS:
        text = page(f"{tool}.1.scd")
        done = tap.succeeds([pathlib.Path(SOFTDOCA).parent / tool, "--help"], env=installed.CLEAN)
        for option in re.findall(r"-[a-zA-Z]\b|--[a-z-]+", "\n".join(re.findall(r"^ +(-.*?)(?:  |$)", done, re.M))):
            assert f"*{option}*" in text, f"{tool}: no *{option}*"
        assert "*softdoca*(7)" in text.split("\n# SEE ALSO\n")[1], tool


def examples_can_be_copied():
    for tool in installed.TOOLS:
        examples = page(f"{tool}.1.scd").partition("\n# EXAMPLES\n")[2].partition("\n# ")[0]
        assert "\n\t" not in examples, f"{tool}: an example that is filled and hyphenated"
        assert max(map(len, examples.splitlines()), default=0) <= 76, tool


tap.run(
    [
        the_page_has_the_settings_of_the_library,
        the_page_has_the_words_of_each_setting,
        each_option_is_in_the_page_of_its_command,
        each_sub_command_is_a_section,
        each_option_of_a_tool_is_in_its_page,
        examples_can_be_copied,
    ]
)
