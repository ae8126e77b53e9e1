#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The goals of speed: that each is measured, not how it comes out.

test_goals.py GOALS GOALS_WITH_A_WRONG_MEMCPY SOURCE_ROOT
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

GOALS, WRONG, ROOT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("SOFTDOCA_", "DOCA_"))}

# A row of the table, and whether it has a firm figure; "?" stands for what depends on the machine.
ROWS = [
    ("64 B, depth 32, resubmitted", True),
    ("64 B, depth 32, the calls alone", False),
    ("64 B, depth 32, task and buffers renewed", True),
    ("4 KiB, depth 32", True),
    ("64 KiB, depth 32", True),
    ("64 B, one task, submit to callback, p50", True),
    *((f"{size} KiB, worst offsets, {who}", who == "tasks") for size in (4, 16, 64, 256) for who in ("tasks", "the loop alone", "memcpy")),
    *((f"{size} MiB, one pair, to {what}", what != "memcpy") for size in (1, 2) for what in ("the best way", "memcpy")),
    *((f"{size} MiB, cycling over 4 MiB", True) for size in (1, 2)),
    *(
        (f"{size} KiB, {lists}", True)
        for size in (64, 256, 1024, 2048)
        for lists in ("64 pieces to 1", "1 piece to 64", "64 pieces to 64")
    ),
    *((f"mapped, {size}, to local", True) for size in ("4 KiB x 32", "64 KiB x 32", "1024 KiB x 1", "2048 KiB x 1", "4096 KiB x 1")),
]
OTHERS = r"cma, 64 pieces of 4 KiB, to (64 calls|64 tasks|1 call)|. MiB, (inline|workers:1), to memcpy|.*DPDK's dma skeleton.*"

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name)


def goals(*arguments, program=GOALS, **settings):
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=150, env={**CLEAN, **settings}
    )


def a_quick_run_measures_every_row():
    done = goals("--quick", "--csv", TOP / "goals.csv", "--markdown", TOP / "goals.md")
    assert done.returncode == 0, f"{done.returncode}: {done.stdout}{done.stderr}"
    with open(TOP / "goals.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [row["metric"] for row in rows if not re.fullmatch(OTHERS, row["metric"])]
    assert names == [name for name, _ in ROWS], names
    assert any(row["metric"].startswith("cma") for row in rows) and "DPDK" in rows[-1]["metric"], rows
    for row in rows:
        assert row["metric"] in done.stdout, row
        assert float(row["low"]) <= float(row["value"]) <= float(row["high"]), row
    for row, (name, firm) in zip((row for row in rows if row["metric"] in dict(ROWS)), ROWS):
        assert float(row["value"]) > 0 and (float(row["firm"]) > 0) == firm, row
    text = (TOP / "goals.md").read_text(encoding="utf-8")
    assert text.startswith("- CPU: ") and text.count("\n| ") == len(rows) + 1, text


def a_quick_run_says_what_it_ran_on_and_gives_no_verdict():
    done = goals("--quick", "--group", "tasks")
    for words in ("CPU: ", "caches as reported: ", "kernel: ", "load ", "two busy CPUs do "):
        assert words in done.stdout, done.stdout
    assert not re.search(r"MISSED| goal  | firm  \S", done.stdout.split("rounds", 1)[1]), done.stdout


def is_found(**settings):
    done = goals("--quick", "--group", "tasks", program=WRONG, **settings)
    assert done.returncode == 2, done.stdout
    assert "a byte of copy " in done.stderr and "no figure" in done.stderr, done.stderr
    assert "could not be measured" in done.stderr and "metric" not in done.stdout, done.stdout


def a_wrong_byte_gives_no_figure():
    is_found()


def a_copy_that_moves_nothing_gives_no_figure_though_later_ones_do():
    is_found(FAULT="skip")


def a_sweep_has_a_line_for_each_size():
    done = goals("--quick", "--sweep", TOP / "sweep.csv")
    assert done.returncode == 0, done.stderr
    with open(TOP / "sweep.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["bytes"]) for row in rows] == [64 * 4**i for i in range(9)], rows
    for row in rows:
        assert all(float(value) > 0 for name, value in row.items() if value or "pair" in name), row
    assert all(rows[-1].values()), rows[-1]


def wrong_options_are_refused_with_2():
    for arguments, words in (
        (["--rounds", "0"], "--rounds takes 1 to 31, not 0"),
        (["--rounds", "32"], "--rounds takes 1 to 31, not 32"),
        (["--rounds", "5x"], "--rounds takes 1 to 31, not 5x"),
        (["--group", "all"], "there is no group all"),
        (["--fast"], "--fast"),
        (["more"], "no argument is taken: more"),
        (["--quick", "--group", "tasks", "--csv", "/dev/null/x"], "cannot write /dev/null/x"),
    ):
        done = goals(*arguments)
        assert done.returncode == 2 and words in done.stderr, f"{arguments}: {done.stderr}"


def help_lists_every_option():
    done = goals("--help")
    assert done.returncode == 0
    for option in ("--group", "--rounds", "--quick", "--csv", "--markdown", "--sweep"):
        assert option in done.stdout, option


def the_document_has_the_marks_that_figures_go_between():
    text = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    assert text.count("<!-- figures begin -->") == text.count("<!-- figures end -->") == 1
    assert text.index("<!-- figures begin -->") < text.index("<!-- figures end -->")


tap.run(
    [
        a_quick_run_measures_every_row,
        a_quick_run_says_what_it_ran_on_and_gives_no_verdict,
        a_wrong_byte_gives_no_figure,
        a_copy_that_moves_nothing_gives_no_figure_though_later_ones_do,
        a_sweep_has_a_line_for_each_size,
        wrong_options_are_refused_with_2,
        help_lists_every_option,
        the_document_has_the_marks_that_figures_go_between,
    ]
)
