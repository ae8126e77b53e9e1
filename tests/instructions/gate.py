# SPDX-License-Identifier: Apache-2.0
"""The task path may not grow: callgrind counts its instructions, which no other load changes.

gate.py BUILD_DIRECTORY: compares them with recorded.txt, 3 percent of room either way: what shrank
is recorded, too, or it would be room to grow."""
import os
import pathlib
import re
import sys
import tempfile

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent / "abi"))
import tap  # noqa: E402

ROOM = 1.03
FEW, MANY = 1000, 3000  # tasks; what is beside them is in both
program = pathlib.Path(sys.argv[1]) / "tests" / "task_path"


def recorded():
    lines = (here / "recorded.txt").read_text().splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {what: int(count) for what, count in pairs}


def ours(what, number):
    """Instructions in libdoca_*.so of so many copies, without those of start and end."""
    with tempfile.TemporaryDirectory() as directory:
        profile = f"{directory}/profile"
        tap.succeeds(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", program, what, str(number)],
            env={**os.environ, "SOFTDOCA_KERNEL": "portable", "SOFTDOCA_ENGINE": "inline"},
        )
        text = tap.succeeds(["callgrind_annotate", "--threshold=100", "--show-percs=no", profile])
    counts = re.findall(r"^\s*([\d,]+)\s+\S.*\[\S*/libdoca_\w+\.so\S*\]$", text, re.MULTILINE)
    assert counts, f"no object of ours in\n{text}"
    return sum(int(count.replace(",", "")) for count in counts)


def per_task(what):
    return (ours(what, MANY) - ours(what, FEW)) / (MANY - FEW)


def check(what, count, limit):
    assert limit / ROOM <= count <= limit * ROOM, (
        f"{what} anew: {count:.1f} instructions a copy, recorded are {limit}; make them fewer, or "
        "change tests/instructions/recorded.txt in the same commit and say why"
    )


def refuses_more(counts, limits):
    """A path with more in it is seen: a task made anew is no task submitted again."""
    try:
        check("nothing", counts["task"], limits["nothing"])
    except AssertionError:
        return
    raise AssertionError("what a task made anew takes went through for one submitted again")


def cases():
    limits = recorded()
    counts = {what: per_task(what) for what in limits}
    for what, limit in limits.items():
        print(f"# {what} anew: {counts[what]:.1f} instructions a copy, recorded are {limit}", flush=True)
        yield (
            f"a copy with {what} made anew takes the instructions that are recorded",
            lambda what=what, limit=limit: check(what, counts[what], limit),
        )
    yield "the gate sees a path that grew", lambda: refuses_more(counts, limits)


tap.run(list(cases()))
