#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/count-tap: what no TAP line says is counted too.

test_count.py SOURCE_ROOT
"""
import json
import pathlib
import sys
import tempfile

import tap

COUNT = pathlib.Path(sys.argv[1]) / "scripts/count-tap"


def count(*programs, meson_status="0"):
    """The lines that count-tap prints, and its status."""
    with tempfile.TemporaryDirectory() as build:
        log = pathlib.Path(build) / "meson-logs/testlog.json"
        log.parent.mkdir()
        entries = [
            {"name": f"program {number}", "result": result, "stdout": stdout}
            for number, (result, stdout) in enumerate(programs)
        ]
        log.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
        done = tap.attempt([COUNT, build, meson_status])
        return done.stdout.splitlines(), done.returncode


def closes_with(programs, line, status, **options):
    lines, got = count(*programs, **options)
    assert lines[-1] == line and got == status, f"{lines} {got}, not {line} {status}"
    return lines


GOOD = ("OK", "1..2\nok 1 - a\nok 2 - b\n# ok - tests\n")


def lines_are_counted_over_all_programs():
    closes_with([GOOD, GOOD], "4 passed, 0 failed", 0)


def a_line_that_fails_is_counted_once():
    closes_with([("FAIL", "1..2\nnot ok 1 - a\nok 2 - b\n")], "1 passed, 1 failed", 1)


def what_a_failed_program_said_is_shown():
    lines, _ = count(GOOD, ("FAIL", "1..2\nnot ok 1 - a\n# 1 is not 2\nok 2 - quiet\n"))
    assert "    # 1 is not 2" in lines and "    ok 2 - quiet" not in lines, lines


def a_program_that_crashed_is_a_failure():
    closes_with([GOOD, ("ERROR", "1..2\nok 1 - a\nok 2 - b\n")], "4 passed, 1 failed", 1)
    closes_with([GOOD, ("TIMEOUT", "")], "2 passed, 1 failed", 1)


def a_short_plan_is_a_failure():
    closes_with([("OK", "1..3\nok 1 - a\nok 2 - b\n")], "2 passed, 1 failed", 1)


def a_program_that_says_nothing_is_a_failure():
    closes_with([GOOD, ("OK", "hello\n")], "2 passed, 1 failed", 1)


def a_skip_is_named_and_not_counted():
    lines = closes_with([GOOD, ("SKIP", "1..0 # SKIP no such CPU\n")], "2 passed, 0 failed", 0)
    assert "skipped: program 1: no such CPU" in lines, lines


def a_test_that_leaves_itself_out_is_named_and_not_counted():
    text = "1..2\n# skipped: a: no such CPU\nok 1 - a\nok 2 - b\n"
    lines = closes_with([("OK", text)], "1 passed, 0 failed", 0)
    assert "skipped: program 0: a: no such CPU" in lines, lines


def a_run_that_meson_calls_failed_is_a_failure():
    closes_with([GOOD], "2 passed, 1 failed", 1, meson_status="3")


def a_run_without_a_test_is_a_failure():
    closes_with([], "0 passed, 1 failed", 1)


def text_of_a_program_is_no_result():
    text = "1..1\nokay then\n  ok 7 - nested\nok 1 - a\nnot okay\n"
    closes_with([("OK", text)], "1 passed, 0 failed", 0)


tap.run(
    [
        lines_are_counted_over_all_programs,
        a_line_that_fails_is_counted_once,
        what_a_failed_program_said_is_shown,
        a_program_that_crashed_is_a_failure,
        a_short_plan_is_a_failure,
        a_program_that_says_nothing_is_a_failure,
        a_skip_is_named_and_not_counted,
        a_test_that_leaves_itself_out_is_named_and_not_counted,
        a_run_that_meson_calls_failed_is_a_failure,
        a_run_without_a_test_is_a_failure,
        text_of_a_program_is_no_result,
    ]
)
