#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softdoca itself and softdoca run, as they are typed.

test_run.py SOFTDOCA FAKE_VENDOR FAILING_SOFTDOCA
"""
import hashlib
import os
import pathlib
import random
import select
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed

SOFTDOCA, FAKE_VENDOR, FAILING = map(os.path.abspath, sys.argv[1:])
LIBRARIES = installed.LIBRARIES
HEAP = str(pathlib.Path(SOFTDOCA).resolve().parent / "libsoftdoca_heap.so")
CLEAN = installed.CLEAN

COMMANDS = ("doctor", "env", "pair", "run")

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
        for command in COMMANDS:
            assert f"\n  {command} " in done.stdout, command


def help_of_a_command_is_the_same_both_ways():
    for command in COMMANDS:
        done = softdoca("help", command)
        says(done, 0, out=f"softdoca {command}")
        assert done.stdout == softdoca(command, "--help").stdout == softdoca(command, "-h").stdout
        assert max(map(len, done.stdout.splitlines())) <= 95


def help_of_run_says_the_limits_of_the_heap():
    words = " ".join(softdoca("help", "run").stdout.split())
    for limit in ("setuid", "statically", "one file descriptor", "children after fork", "MADV_DONTNEED"):
        assert limit in words, limit


def version_is_that_of_the_headers():
    for option in ("--version", "-v", "-V"):
        says(softdoca(option), 0, out="softdoca 3.3.0\n")
    for command in ("run", "env", "pair", "doctor"):
        assert max(map(len, softdoca("help", command).stdout.splitlines())) <= 80, command


def output_that_cannot_be_written_is_a_failure():
    for arguments in (["--help"], ["--version"], ["help", "run"], ["env"], ["doctor"]):
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


def each_option_sets_its_variable():
    files = {"device": "cards/one.json", "config": "my config"}
    for option, variable, value in installed.SETTINGS:
        done = softdoca("run", f"--{option}", value, "printenv", variable)
        says(done, 0, out=value + "\n")
        assert softdoca("run", f"--{option}={value}", "printenv", variable).stdout == value + "\n"
    words = " ".join(softdoca("help", "run").stdout.split())
    for option, variable, _ in installed.SETTINGS:
        assert f"--{option} " in words and f": {variable} " in words, option
    for option, path in files.items():  # they are not there, and the library says where it looked
        done = softdoca("run", f"--{option}", path, "true", cwd=TOP)
        says(done, 2, err=f"{TOP.resolve()}/{path}")


def a_wrong_setting_is_refused_in_the_words_of_the_library_before_the_program_starts():
    for option, variable, _ in installed.SETTINGS:
        if option == "config":
            continue
        is_refused(variable, "run", f"--{option}", "no good", "touch", TOP / "started")
    is_refused("variable SOFTDOCA_ROLE has value 'card', which is wrong; allowed: both", "run", "--role=card", "true")
    is_refused("variable SOFTDOCA_ROLE has value ''", "run", "--role=", "true")
    is_refused('"loud" is no level; allowed are disable', "run", "--log-level", "loud", "true")
    for name, words in (("SOFTDOCA_DEVCE", "the nearest is SOFTDOCA_DEVICE"), ("SOFTDOCA_ROLE", "value 'x'")):
        done = softdoca("run", "touch", TOP / "started", env=dict(CLEAN, **{name: "x"}))
        says(done, 2, err=words)
    # The library warns of what the user's own environment says of the log, and goes on.
    says(softdoca("run", "true", env=dict(CLEAN, DOCA_LOG_LEVEL="loud")), 0)
    says(softdoca("run", "--log-level", "trace", "true"), 0)
    assert not (TOP / "started").exists()


def the_libraries_are_first_for_the_program_once():
    def path_of(old):
        environment = CLEAN if old is None else dict(CLEAN, LD_LIBRARY_PATH=old)
        return softdoca("run", SOFTDOCA, "run", "printenv", "LD_LIBRARY_PATH", env=environment).stdout

    for old, new in (
        (None, LIBRARIES),
        ("", LIBRARIES),
        (LIBRARIES, LIBRARIES),
        (f"{LIBRARIES}:/a", f"{LIBRARIES}:/a"),
        ("/a:/b", f"{LIBRARIES}:/a:/b"),
        (f"/a:{LIBRARIES}:/b", f"{LIBRARIES}:/a:/b"),
        (f"/a:{LIBRARIES}", f"{LIBRARIES}:/a"),
        (f"{LIBRARIES}x:/a", f"{LIBRARIES}:{LIBRARIES}x:/a"),
    ):
        assert path_of(old) == new + "\n", f"{old}: {path_of(old)}"


def vendor(name="vendor"):
    place = TOP / name
    if not place.exists():
        place.mkdir()
        shutil.copy(FAKE_VENDOR, place / "libdoca_common.so.2")
    return str(place.resolve())


def auto(does, *arguments, paths=None, **more):
    environment = dict(CLEAN, FAKE_VENDOR=does, LD_LIBRARY_PATH=paths or vendor(), **more)
    return softdoca("run", "--auto", *arguments, "printenv", "LD_LIBRARY_PATH", env=environment)


def a_card_that_nvidias_library_sees_leaves_it_in_place():
    says(auto("see"), 0, out=vendor() + "\n")
    done = auto("see", "--verbose", "--role", "dpu", "--shared-heap")
    says(done, 0, out=vendor() + "\n", err="sees 2 devices")
    # Also behind softdoca's own, as in a program that softdoca run has started.
    for paths, wanted in (("{0}:{1}", "{1}"), ("/a:{0}:{1}", "{1}:/a"), ("{1}:{0}", "{1}")):
        got = auto("see", paths=paths.format(LIBRARIES, vendor())).stdout
        assert got == wanted.format(LIBRARIES, vendor()) + "\n", got


def a_shell_gets_the_card_that_softdoca_stood_before():
    environment = dict(CLEAN, FAKE_VENDOR="see", LD_LIBRARY_PATH=f"{LIBRARIES}:{vendor()}")
    done = softdoca("env", "--auto", env=environment)
    assert f"export LD_LIBRARY_PATH='{vendor()}'\n" in done.stdout, done
    environment["LD_LIBRARY_PATH"] = vendor()
    assert "LD_LIBRARY_PATH" not in softdoca("env", "--auto", env=environment).stdout


def without_a_card_auto_is_softdoca():
    both = f"{LIBRARIES}:{vendor()}\n"
    says(auto("nothing"), 0, out=both)
    says(auto("nothing", "--verbose"), 0, out=both, err="sees 0 devices: softdoca instead")
    done = softdoca("run", "--auto", "--verbose", "printenv", "LD_LIBRARY_PATH")
    says(done, 0, out=LIBRARIES + "\n", err="no DOCA of NVIDIA's")
    says(softdoca("run", "--auto", "true"), 0)


def a_vendors_library_that_fails_is_told_and_takes_nobody_along():
    both = f"{LIBRARIES}:{vendor()}\n"
    for does, words in (
        ("fail", "gives 21"),
        ("crash", "was ended by signal 11"),
        ("exit", "ended the process"),
        ("exit early", "ended the process"),
        ("close", "closed what it did not open"),
        ("hang", "gave no answer in time"),
    ):
        done = auto(does)
        says(done, 0, out=both, err=words)
        assert done.stderr.count("\n") == 1 and done.stderr.endswith(": softdoca instead\n"), done.stderr
    broken = TOP / "broken"
    broken.mkdir()
    (broken / "libdoca_common.so.2").write_text("no library")
    done = auto("see", paths=str(broken))
    says(done, 0, out=f"{LIBRARIES}:{broken}\n", err="cannot be opened")


def what_a_vendors_library_starts_ends_with_the_look_at_it():
    ours, theirs = os.pipe()
    environment = dict(CLEAN, FAKE_VENDOR="leave", LD_LIBRARY_PATH=vendor())
    subprocess.run([SOFTDOCA, "run", "--auto", "true"], check=True, timeout=60, env=environment, pass_fds=[theirs])
    os.close(theirs)
    assert select.select([ours], [], [], 60)[0] and os.read(ours, 1) == b""
    os.close(ours)


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


def tools_find_their_parts_where_both_are_installed():
    tool = installed.tree(TOP / "prefix")
    (TOP / "link").symlink_to(tool)
    for name in (tool, TOP / "link"):
        for variable, part in (("LD_PRELOAD", "/libsoftdoca_heap.so"), ("LD_LIBRARY_PATH", "")):
            got = tap.succeeds([name, "run", "--shared-heap", "printenv", variable], env=CLEAN)
            assert got == f"{TOP.resolve()}/prefix/lib/softdoca{part}\n", got


def parts_that_are_missing_or_cannot_be_named_are_told():
    tool = installed.tree(TOP / "heapless")
    (TOP / "heapless/lib/softdoca/libsoftdoca_heap.so").unlink()
    assert "is neither in" in tap.fails([tool, "run", "--shared-heap", "true"], env=CLEAN)
    tap.succeeds([tool, "run", "true"], env=CLEAN)
    shutil.rmtree(TOP / "heapless/lib")
    assert "reinstall softdoca" in tap.fails([tool, "run", "true"], env=CLEAN)
    tool = installed.tree(TOP / "with space")
    assert "no path with a space" in tap.fails([tool, "run", "--shared-heap", "true"], env=CLEAN)
    tap.succeeds([tool, "run", "true"], env=CLEAN)
    tool = installed.tree(TOP / "with:colon")
    assert "or colon" in tap.fails([tool, "run", "true"], env=CLEAN)


def a_system_call_that_fails_is_told_and_nothing_is_run():
    tool = installed.tree(TOP / "failing")
    shutil.copy(FAILING, tool)
    outcomes = []
    while "none failed" not in outcomes:
        environment = dict(CLEAN, FAIL_CALL=str(len(outcomes) + 1))
        done = subprocess.run(
            [tool, "run", "touch", TOP / "touched"], capture_output=True, text=True, check=False, env=environment
        )
        failed = [line.removeprefix("failed: ") for line in done.stderr.splitlines() if line.startswith("failed: ")]
        outcomes.append(failed[0] if failed else "none failed")
        assert done.returncode == (1 if failed else 0), done
        assert done.stderr.count("could not be tried: Too many open files") == len(failed), done
        assert (TOP / "touched").exists() == (not failed)
    assert {"fork", "pipe2", "signalfd"} < set(outcomes), outcomes


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
            each_option_sets_its_variable,
            a_wrong_setting_is_refused_in_the_words_of_the_library_before_the_program_starts,
            the_libraries_are_first_for_the_program_once,
            a_card_that_nvidias_library_sees_leaves_it_in_place,
            a_shell_gets_the_card_that_softdoca_stood_before,
            without_a_card_auto_is_softdoca,
            a_vendors_library_that_fails_is_told_and_takes_nobody_along,
            what_a_vendors_library_starts_ends_with_the_look_at_it,
            what_cannot_be_run_is_told_apart,
            the_heap_is_preloaded_before_what_the_user_preloads,
            tools_find_their_parts_where_both_are_installed,
            parts_that_are_missing_or_cannot_be_named_are_told,
            a_system_call_that_fails_is_told_and_nothing_is_run,
            ordinary_programs_run_unchanged,
            python_runs_unchanged,
            a_static_program_runs_with_ordinary_memory,
            closed_standard_streams_do_no_harm,
        ]
    )
