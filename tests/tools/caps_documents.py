# SPDX-License-Identifier: Apache-2.0
"""What the tests of doca_caps and its neighbours share: a clean environment, schemas, names of capabilities."""
import json
import os
import pathlib
import re
import subprocess
import sys

import tap

try:
    import jsonschema
except ImportError:
    sys.exit(f"{sys.executable} has no jsonschema: install python3-jsonschema")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARE = ROOT / "share"
CLEAN = {
    key: value
    for key, value in os.environ.items()
    if not key.startswith(("SOFTDOCA_", "DOCA_", "LD_PRELOAD", "PKG_CONFIG"))
}


def run(tool, *arguments, **settings):
    return subprocess.run(
        [tool, *arguments], capture_output=True, text=True, check=False, timeout=60, env={**CLEAN, **settings}
    )


def told(tool, *arguments, **settings):
    """Standard output of what succeeds."""
    done = run(tool, *arguments, **settings)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr}"
    return done.stdout


def document(tool, *arguments, code=0, **settings):
    """The JSON of a tool, which fits its schema."""
    done = run(tool, "--json", *arguments, **settings)
    assert done.returncode == code, f"exit code {done.returncode}: {done.stderr}"
    return validated(json.loads(done.stdout), pathlib.Path(tool).name.replace("_", "-"))


def validated(value, name):
    schema = json.loads((SHARE / f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(value)
    return value


def capability_functions():
    """Those of the public API."""
    lines = (ROOT / "tests/abi/public_functions.txt").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if "_cap_" in line]


def capability_of(function):
    """The library that a capability function asks of, and the row's name: what no other has in its name."""
    thing, what = re.fullmatch(r"doca_(\w+?)_cap_(\w+)", function).groups()
    library = re.match(r"(?:comch|dma)?", thing).group()
    what = re.sub(r"(?<![^_])(?:is_supported$|supported$|is_|get_(?=max_|num_))", "", what).rstrip("_")
    thing = thing.removeprefix(library).removeprefix("devinfo").strip("_")
    return "doca-" + (library or "common"), "_".join(word for word in (thing, what) if word)


def check_wrong_use(tool, cases):
    """Each: its arguments, the exit code, words of the one line that is said."""
    for arguments, code, words in cases:
        done = run(tool, *arguments)
        assert (done.returncode, done.stdout) == (code, ""), f"{arguments}: {done}"
        assert words in done.stderr and done.stderr.count("\n") == 1, done.stderr


def check_help_and_version(tool):
    """Within 80 columns, by the short options of all tools of softdoca."""
    text = told(tool, "--help")
    assert text == told(tool, "-h") and text.startswith(f"Usage: {pathlib.Path(tool).name} "), text
    assert all(line in text for line in ("\n  -h, --help ", "\n  -V, --version ")), text
    assert max(map(len, text.splitlines())) <= 80, text
    for flag in ("--version", "-V", "-v"):
        assert told(tool, flag) == f"{pathlib.Path(tool).name} 3.3.0 of softdoca\n"


def check_refusals_are_told(tool, *arguments):
    """Whatever DOCA_LOG_LEVEL is, once: why the library refuses is in its line alone."""
    for level in (None, "", "loud", "disable", "10", "critical", "CRIT", "20", "error", "30", "WARN", "info", "trace"):
        done = run(tool, *arguments, SOFTDOCA_DEVICE="./lost.json", **({} if level is None else {"DOCA_LOG_LEVEL": level}))
        assert done.returncode == 1 and done.stderr.count("./lost.json") == 1, f"{level}: {done}"


def check_unwritable_output(tool, uses):
    """A reader that has gone, a full disk: no success."""
    for use in uses:
        for redirection in (">/dev/full", ">&-"):
            shell = ["bash", "-c", f'"$0" "$@" {redirection}', tool, *use]
            done = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60, env=CLEAN)
            assert done.returncode == 1 and "standard output" in done.stderr, f"{use} {redirection}: {done}"
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([tool, *use], stdout=write, stderr=subprocess.PIPE, check=False, timeout=60, env=CLEAN)
        os.close(write)
        assert done.returncode != 0, f"{use}: success into a closed pipe"
