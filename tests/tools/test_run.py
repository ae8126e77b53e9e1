#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softdoca itself and softdoca run, as they are typed.

test_run.py SOFTDOCA
"""
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

SOFTDOCA = sys.argv[1]
HEAP = str(pathlib.Path(SOFTDOCA).resolve().parent / "libsoftdoca_heap.so")
CLEAN = {key: value for key, value in os.environ.items() if key not in ("LD_PRELOAD", "SOFTDOCA_ROLE")}
# An instrumented softdoca wants its runtime first, also where a user preloads something else into it.
CLEAN["ASAN_OPTIONS"] = "verify_asan_link_order=0"

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name)


def softdoca(*arguments, **options):
    options.setdefault("env", CLEAN)
    return subprocess.run(
        [SOFTDOCA, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120, **options
    )


def says(done, code, out="", err=""):
    """The exit code, and words of both outputs; an empty one is empty."""
    assert done.returncode == code, f"exit code {done.returncode}, not {code}: {done.stdout}{done.stderr}"
    for wanted, got in ((out, done.stdout), (err, done.stderr)):
        assert wanted in got and bool(wanted) == bool(got), f"{got!r} has not {wanted!r}"


def is_refused(words, *arguments):
    """A wrong use is one line and exit code 2."""
    done = softdoca(*arguments)
    says(done, 2, err=words)
    assert done.stderr.count("\n") == 1 and "; see softdoca " in done.stderr, done.stderr


def help_lists_each_command():
    for arguments in (["--help"], ["-h"], ["help"]):
        done = softdoca(*arguments)
        says(done, 0, out="Usage: softdoca COMMAND")
        assert "\n  run " in done.stdout and "\n  pair " in done.stdout


def help_of_a_command_is_the_same_both_ways():
    for command in ("run", "pair"):
        done = softdoca("help", command)
        says(done, 0, out=f"Usage: softdoca {command} ")
        assert done.stdout == softdoca(command, "--help").stdout == softdoca(command, "-h").stdout
        assert max(map(len, done.stdout.splitlines())) <= 95


def help_of_run_says_the_limits_of_the_heap():
    words = " ".join(softdoca("help", "run").stdout.split())
    for limit in ("setuid", "statically", "one file descriptor", "children after fork", "MADV_DONTNEED"):
        assert limit in words, limit


def version_is_that_of_the_headers():
    for option in ("--version", "-V"):
        says(softdoca(option), 0, out="softdoca 3.3.0\n")


def output_that_cannot_be_written_is_a_failure():
    for arguments in (["--help"], ["--version"], ["help", "run"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [SOFTDOCA, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 1 and "standard output" in done.stderr, done


def an_unknown_command_suggests_the_nearest():
    is_refused("unknown command 'rum'; did you mean run?", "rum")
    is_refused("unknown command 'pairs'; did you mean pair?", "pairs")
    is_refused("unknown command 'ru'; did you mean run?", "help", "ru")
    for word in ("x", "frobnicate", "", "r" * 1000):
        is_refused(f"unknown command '{word}'; see", word)


def wrong_use_is_one_line_and_exit_code_2():
    is_refused("softdoca: no command")
    is_refused("unknown option --nothing", "--nothing")
    is_refused("explains one command", "help", "run", "pair")
    is_refused("softdoca run: no program", "run")
    is_refused("softdoca run: no program", "run", "--")
    is_refused("softdoca run: no program", "run", "")
    is_refused("unknown option --nothing", "run", "--nothing", "true")
    is_refused("unknown option -x", "run", "-x", "true")
    is_refused("unknown option -x", "run", "-xh", "true")
    is_refused("option --role wants a value", "run", "--role")
    is_refused("option --shared-heap=1 takes no value", "run", "--shared-heap=1", "true")
    is_refused("--role is 'card'; allowed: host, dpu, both", "run", "--role", "card", "true")
    is_refused("--role is ''; allowed", "run", "--role=", "true")


def run_becomes_the_program():
    done = softdoca("run", "sh", "-c", "echo $0 $1; echo $PPID; exit 7", "--role", "--")
    assert done.returncode == 7 and done.stdout == f"--role --\n{os.getpid()}\n", done
    says(softdoca("run", "--", "cat", input="text"), 0, out="text")


def run_sets_the_role():
    for role in ("host", "dpu", "both"):
        says(softdoca("run", "--role", role, "printenv", "SOFTDOCA_ROLE"), 0, out=role + "\n")
    changed = dict(CLEAN, SOFTDOCA_ROLE="dpu")
    says(softdoca("run", "--role=host", "printenv", "SOFTDOCA_ROLE", env=changed), 0, out="host\n")
    says(softdoca("run", "printenv", "SOFTDOCA_ROLE", env=changed), 0, out="dpu\n")
    says(softdoca("run", "printenv", "SOFTDOCA_ROLE"), 1)


def what_cannot_be_run_is_told_apart():
    (TOP / "text").write_text("text")
    says(softdoca("run", "./nothing"), 127, err="cannot run ./nothing: No such file")
    says(softdoca("run", "no-such-program"), 127, err="cannot run no-such-program: No such file")
    says(softdoca("run", TOP / "text"), 126, err="Permission denied")
    says(softdoca("run", TOP), 126, err="Permission denied")


def the_heap_is_preloaded_before_what_the_user_preloads():
    says(softdoca("run", "--shared-heap", "printenv", "LD_PRELOAD"), 0, out=HEAP + "\n")
    own = dict(CLEAN, LD_PRELOAD="libpthread.so.0")
    done = softdoca("run", "--shared-heap", "printenv", "LD_PRELOAD", env=own)
    says(done, 0, out=HEAP + ":libpthread.so.0\n")
    own = dict(CLEAN, LD_PRELOAD="")
    says(softdoca("run", "--shared-heap", "printenv", "LD_PRELOAD", env=own), 0, out=HEAP + "\n")
    says(softdoca("run", "printenv", "LD_PRELOAD"), 1)


def installed(root, with_heap=True):
    """The tool as it is installed."""
    for part in ("bin", "lib/softdoca"):
        (root / part).mkdir(parents=True)
    shutil.copy(SOFTDOCA, root / "bin")
    if with_heap:
        shutil.copy(HEAP, root / "lib/softdoca")
    return root / "bin/softdoca"


def the_heap_is_found_where_both_are_installed():
    tool = installed(TOP / "prefix")
    (TOP / "link").symlink_to(tool)
    for name in (tool, TOP / "link"):
        got = tap.succeeds([name, "run", "--shared-heap", "printenv", "LD_PRELOAD"], env=CLEAN)
        assert got == f"{TOP.resolve()}/prefix/lib/softdoca/libsoftdoca_heap.so\n", got


def a_heap_that_cannot_be_preloaded_is_told():
    tool = installed(TOP / "without", with_heap=False)
    assert "is neither in" in tap.fails([tool, "run", "--shared-heap", "true"], env=CLEAN)
    tool = installed(TOP / "with space")
    assert "no path with a space" in tap.fails([tool, "run", "--shared-heap", "true"], env=CLEAN)


def plain(command, **options):
    return subprocess.run(command, capture_output=True, check=False, env=CLEAN, timeout=120, **options)


def same_with_the_heap(command, **options):
    wanted = plain(command, **options)
    got = plain([SOFTDOCA, "run", "--shared-heap", *command], **options)
    assert wanted.returncode == 0, wanted
    assert (got.returncode, got.stdout, got.stderr) == (0, wanted.stdout, wanted.stderr), got
    return wanted


def ordinary_programs_run_unchanged():
    numbers = list(range(300000))
    random.Random(1).shuffle(numbers)
    (TOP / "numbers").write_text("".join(f"{number}\n" for number in numbers))
    same_with_the_heap(["sort", TOP / "numbers"])
    same_with_the_heap(["sort", "--parallel=4", "-S", "2M", "-n", TOP / "numbers"])
    same_with_the_heap(["bash", "-c", 'x=$(cat "$0"); (x=y$x$x; echo ${#x}); echo "$x" | md5sum', TOP / "numbers"])
    same_with_the_heap(["gzip", "-c", TOP / "numbers"])
    same_with_the_heap(["cc", "-O2", "-Wall", "-x", "c", "-", "-S", "-o", "-"], input=b"int f(int a) { return a * 3; }\n")


def python_runs_unchanged():
    program = """
import hashlib, json, subprocess, threading
table = {str(i): [i] * 3 for i in range(200000)}
text = json.dumps(table)
assert json.loads(text) == table
threads = [threading.Thread(target=hashlib.sha256, args=(bytearray(5000000),)) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(hashlib.sha256(text.encode()).hexdigest())
print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout)
"""
    done = same_with_the_heap([sys.executable, "-c", program])
    assert hashlib.sha256(b"").digest_size == 32 and b"child" in done.stdout


def a_static_program_runs_with_ordinary_memory():
    source = "#include <stdio.h>\nint main(void) { puts(\"static\"); return 0; }\n"
    if plain(["cc", "-static", "-x", "c", "-", "-o", TOP / "static"], input=source.encode()).returncode != 0:
        return
    says(softdoca("run", "--shared-heap", TOP / "static"), 0, out="static\n")


def closed_standard_streams_do_no_harm():
    says(softdoca("run", "--shared-heap", "true"), 0)
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        tap.succeeds(["sh", "-c", f'"$0" run --shared-heap true {closed}', SOFTDOCA], env=CLEAN)


with folder:
    tap.run(
        [
            help_lists_each_command,
            help_of_a_command_is_the_same_both_ways,
            help_of_run_says_the_limits_of_the_heap,
            version_is_that_of_the_headers,
            output_that_cannot_be_written_is_a_failure,
            an_unknown_command_suggests_the_nearest,
            wrong_use_is_one_line_and_exit_code_2,
            run_becomes_the_program,
            run_sets_the_role,
            what_cannot_be_run_is_told_apart,
            the_heap_is_preloaded_before_what_the_user_preloads,
            the_heap_is_found_where_both_are_installed,
            a_heap_that_cannot_be_preloaded_is_told,
            ordinary_programs_run_unchanged,
            python_runs_unchanged,
            a_static_program_runs_with_ordinary_memory,
            closed_standard_streams_do_no_harm,
        ]
    )
