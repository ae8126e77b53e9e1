#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softdoca pair, with shell scripts as halves.

test_pair.py SOFTDOCA SOFTDOCA_WHOSE_CALLS_FAIL
"""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed

SOFTDOCA, FAILING = (str(pathlib.Path(name).resolve()) for name in sys.argv[1:])
# Whoever runs the tests may ignore some (nohup), which a pair would rightly inherit.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)

DEADLINE = 60  # seconds until what never comes is a failure
FOR_EVER = "exec sleep 1000"

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name)
CLEAN = dict(os.environ, TERM="xterm")
for name in ("NO_COLOR", "SOFTDOCA_ROLE"):
    CLEAN.pop(name, None)


class Pair:
    """A running pair. All that it starts holds the write end of a pipe, so that its end is seen."""

    def __init__(self, host, dpu, options=(), tool=SOFTDOCA, **popen):
        self.alive, held = os.pipe()
        command = [tool, "pair", *options, "--", *host_command(host), "--", *host_command(dpu)]
        popen.setdefault("env", CLEAN)
        popen.setdefault("stdout", subprocess.PIPE)
        popen.setdefault("stderr", subprocess.PIPE)
        self.process = subprocess.Popen(
            command, bufsize=0, pass_fds=[held], cwd=TOP, stdin=subprocess.DEVNULL, **popen
        )
        os.close(held)

    def line(self):
        """The next line of its stdout."""
        assert select.select([self.process.stdout], [], [], DEADLINE)[0], "no line came"
        return self.process.stdout.readline().decode()

    def finish(self):
        """Its exit code and outputs. With it all that it started has ended."""
        out, err = self.process.communicate(timeout=DEADLINE)
        self.code = self.process.returncode
        self.out, self.err = ((text or b"").decode(errors="replace") for text in (out, err))
        assert self.has_ended(0), f"something lives on: {self.out}{self.err}"
        os.close(self.alive)
        return self

    def has_ended(self, seconds):
        return bool(select.select([self.alive], [], [], seconds)[0])

    def says(self, code, out=None, err=None):
        assert self.code == code, f"exit code {self.code}, not {code}: {self.out}{self.err}"
        for wanted, got in ((out, self.out), (err, self.err)):
            assert wanted is None or wanted == got, f"{got!r}, not {wanted!r}"


def host_command(script):
    return [script] if script.startswith(("./", "no-")) else ["sh", "-c", script]


def pair(host, dpu, *options, **popen):
    return Pair(host, dpu, options, **popen).finish()


def fresh(*names):
    paths = [TOP / name for name in names]
    for path in paths:
        path.unlink(missing_ok=True)
    return paths


def fifo(name):
    """Where a half waits until the test lets it go on: open(...) of the test and of the half meet."""
    (path,) = fresh(name)
    os.mkfifo(path)
    return path


def sorted_lines(text):
    return sorted(text.splitlines())


# --- two halves ---------------------------------------------------------------------------------


def each_half_has_its_role_and_its_label():
    done = pair("echo I am $SOFTDOCA_ROLE", "echo I am $SOFTDOCA_ROLE")
    done.says(0, err="")
    assert sorted_lines(done.out) == ["dpu  | I am dpu", "host | I am host"], done.out


def stdout_goes_to_stdout_and_stderr_to_stderr():
    done = pair("echo out; echo err >&2", "echo err >&2; echo out")
    done.says(0)
    assert sorted_lines(done.out) == ["dpu  | out", "host | out"]
    assert sorted_lines(done.err) == ["dpu  | err", "host | err"]


def each_half_is_its_own_process_group():
    done = pair(*["set -- $(cat /proc/$$/stat); echo $(($1 == $5))"] * 2)
    done.says(0)
    assert sorted_lines(done.out) == ["dpu  | 1", "host | 1"], done.out


def a_half_inherits_nothing_of_the_pair():
    script = "ls /proc/self/fd | wc -l; grep -E 'Sig(Blk|Ign)' /proc/self/status"
    # Three streams, the directory that ls lists, and of a half the test's pipe.
    alone = tap.succeeds(["sh", "-c", script]).splitlines()
    assert alone[0] == "4", alone
    done = pair(script, script)
    done.says(0)
    for half in ("host | ", "dpu  | "):
        got = [line.removeprefix(half) for line in done.out.splitlines() if line.startswith(half)]
        assert got == ["5", *alone[1:]], done.out


def the_halves_start_together_without_wait():
    fifo("meet")
    done = pair("echo one >meet", "cat meet")
    done.says(0, out="dpu  | one\n")


# --- lines --------------------------------------------------------------------------------------


def a_last_line_without_its_end_is_shown():
    done = pair("printf 'a\\nb'", "printf c >&2")
    done.says(0, out="host | a\nhost | b\n", err="dpu  | c\n")


def lines_come_when_they_are_written():
    path = fifo("go")
    program = 'import sys; print("press Enter"); sys.stdin.read(1)'
    running = Pair(f"exec {sys.executable} -c '{program}'", "cat go")
    assert running.line() == "host | press Enter\n"
    path.write_text("gone\n")
    running.finish().says(0, out="dpu  | gone\n", err="")


def lines_of_two_halves_never_mix():
    script = "i=0; while [ $i -lt 2000 ]; do printf abc; printf 'def%s\\n' $i; i=$((i + 1)); done"
    done = pair(script, script)
    done.says(0, err="")
    for half in ("host | ", "dpu  | "):
        got = [line for line in done.out.splitlines() if line.startswith(half)]
        assert got == [f"{half}abcdef{i}" for i in range(2000)], half
    assert len(done.out.splitlines()) == 4000


def all_bytes_pass_unchanged():
    done = pair("printf 'a\\000b\\tc\\033d \\304\\200\\n\\n'", "true")
    done.says(0, out="host | a\0b\tc\033d \u0100\nhost | \n")


def a_line_that_returns_to_its_beginning_shows_its_last_state():
    done = pair("printf ' 10%%\\r 90%%\\r100%%\\r\\ndos\\r\\n'", "true")
    done.says(0, out="host | 100%\nhost | dos\n")


def a_long_line_is_broken():
    done = pair("head -c 200000 /dev/zero | tr '\\0' x", "true")
    done.says(0)
    assert [len(line) for line in done.out.splitlines()] == [65543] * 3 + [3399]


def much_output_at_the_end_is_whole():
    done = pair("seq 100000", "seq 100000 >&2")
    done.says(0)
    assert done.out == "".join(f"host | {i}\n" for i in range(1, 100001))
    assert done.err == "".join(f"dpu  | {i}\n" for i in range(1, 100001))


def on_terminal(**environment):
    """What a pair shows on a terminal."""
    ours, theirs = pty.openpty()
    running = Pair("echo text", "true", stdout=theirs, env=dict(CLEAN, **environment))
    os.close(theirs)
    running.finish().says(0)
    text = os.read(ours, 10000).decode()
    os.close(ours)
    return text


def labels_are_coloured_on_a_terminal_alone():
    assert on_terminal() == "\033[36mhost | \033[0mtext\r\n"
    assert on_terminal(NO_COLOR="1") == "host | text\r\n"
    assert on_terminal(TERM="dumb") == "host | text\r\n"
    pair("echo text", "true").says(0, out="host | text\n")


def a_half_sees_a_dumb_terminal_as_stdout():
    done = pair("[ -t 1 ] && ! [ -t 2 ] && echo $TERM", "true")
    done.says(0, out="host | dumb\n")


# --- files --------------------------------------------------------------------------------------


def the_dpu_half_starts_when_the_file_is_written():
    fresh("desc")
    path = fifo("go")
    running = Pair("cat go; echo writing; echo text >desc; exec sleep 0", "echo started; cat desc", ["--wait", "desc"])
    path.write_text("went\n")
    assert running.line() == "host | went\n"
    done = running.finish()
    done.says(0, err="")
    assert sorted_lines(done.out) == ["dpu  | started", "dpu  | text", "host | writing"], done.out


def a_file_of_an_earlier_run_does_not_count():
    (path,) = fresh("desc")
    path.write_text("old\n")
    done = pair("cat desc; echo new >desc", "cat desc", "--wait", "desc")
    done.says(0, out="host | old\ndpu  | new\n")
    done = pair("cat desc", "cat desc", "--wait", "desc")
    done.says(1, out="host | new\n", err="softdoca pair: the host half ended and has not written desc\n")


def a_file_that_is_moved_into_place_counts():
    fresh("desc", "desc.new")
    pair("echo text >desc.new; mv desc.new desc", "cat desc", "--wait", TOP / "desc").says(0, out="dpu  | text\n")


def all_files_are_waited_for_wherever_they_are():
    (TOP / "other").mkdir()
    options = ["--wait", "desc", "--wait=other/desc", "--wait", "./second"]
    fresh("desc", "second")
    done = pair("echo 1 >other/desc; echo 2 >desc; echo 3 >second", "cat desc other/desc second", *options)
    done.says(0, out="dpu  | 2\ndpu  | 1\ndpu  | 3\n")
    done = pair("echo 1 >other/desc; echo 3 >second", "true", *options)
    done.says(1, err="softdoca pair: the host half ended and has not written desc\n")


def a_file_is_there_when_it_is_whole():
    (path,) = fresh("desc")
    gate = fifo("go")
    running = Pair("exec 3>desc; echo begun; cat go >&3; exec 3>&-; read enter", "cat desc", ["--wait", "desc"])
    assert running.line() == "host | begun\n"
    assert path.read_text() == ""
    gate.write_text("whole\n")
    running.finish().says(0, out="dpu  | whole\n")


def other_files_beside_it_do_not_count():
    fresh("desc")
    done = pair("echo a >desc2; echo b >des; mkdir -p sub; echo c >sub/desc", "true", "--wait", "desc")
    done.says(1, out="")


def a_host_half_that_fails_before_the_file_is_the_failure():
    fresh("desc")
    done = pair("exit 9", "echo never", "--wait", "desc")
    done.says(9, out="", err="softdoca pair: the host half failed with exit code 9\n")


def a_directory_that_is_not_there_is_told():
    done = pair("echo never", "echo never", "--wait", "nowhere/desc")
    done.says(1, out="", err="softdoca pair: cannot watch the directory of nowhere/desc: No such file or directory\n")


# --- Enter --------------------------------------------------------------------------------------


def enter_is_pressed_when_the_dpu_half_is_done():
    done = pair("read line; echo \"got [$line]\"; read line || echo end", "echo first")
    done.says(0, out="dpu  | first\nhost | got []\nhost | end\n", err="")


def enter_is_not_pressed_before():
    path = fifo("go")
    running = Pair("echo waiting; read line; echo read", "cat go", [])
    assert running.line() == "host | waiting\n"
    path.write_text("going\n")
    running.finish().says(0, out="dpu  | going\nhost | read\n")


def a_host_half_that_wants_no_enter_is_left_alone():
    pair("exec <&-; echo meet >meet; exec sleep 0", "cat meet").says(0, out="dpu  | meet\n", err="")


def the_dpu_half_has_no_input():
    pair("true", "read line || echo end").says(0, out="dpu  | end\n")


# --- failures -----------------------------------------------------------------------------------


def a_dpu_half_that_fails_ends_the_host_half():
    pair(FOR_EVER, "exit 3").says(
        3, err="softdoca pair: the dpu half failed with exit code 3; ending the other half\n"
    )


def a_host_half_that_fails_ends_the_dpu_half():
    pair("exit 4", FOR_EVER).says(
        4, err="softdoca pair: the host half failed with exit code 4; ending the other half\n"
    )


def a_half_that_dies_of_a_signal_is_128_and_its_number():
    done = pair(FOR_EVER, "kill -SEGV $$")
    done.says(139, err="softdoca pair: the dpu half was ended by signal 11 (Segmentation fault); ending the other half\n")
    pair("kill -KILL $$", FOR_EVER).says(137)


def a_failure_at_the_very_end_counts():
    pair("read line; exit 5", "true").says(5, err="softdoca pair: the host half failed with exit code 5\n")


def the_first_failure_is_the_exit_code():
    pair("trap 'exit 77' TERM; echo up >meet; while :; do sleep 1000 & wait; done", "cat meet; exit 6").says(6)


def the_other_half_is_told_by_sigterm_and_may_tidy_up():
    done = pair("trap 'echo tidy; exit 0' TERM; echo up >meet; while :; do sleep 1000 & wait; done", "cat meet; exit 6")
    done.says(6, out="dpu  | up\nhost | tidy\n")


def a_half_that_does_not_hear_sigterm_is_killed_after_5_seconds():
    start = time.monotonic()
    done = pair("trap '' TERM; echo up >meet; sleep 1000; sleep 1000", "cat meet; exit 6")
    done.says(6)
    assert 4.9 <= time.monotonic() - start < 30


def the_whole_group_is_ended():
    pair("sleep 1000 & sh -c 'sleep 1000; true' & echo up >meet; wait", "cat meet; exit 6").says(6)


def a_stopped_half_is_ended_too():
    pair("(echo up >meet) & kill -STOP $$", "cat meet; exit 6").says(6)


def what_a_half_leaves_running_ends_with_the_pair():
    pair("sleep 1000 & true", "trap '' HUP; sleep 1000 & true").says(0)


def a_half_may_close_its_stdout_and_go_on():
    pair("exec >&- 2>&-; read line; echo text >desc", "exec >log 2>&1; echo x").says(0, out="", err="")
    assert (TOP / "desc").read_text() == "text\n"


def what_cannot_be_run_is_told():
    words = "softdoca pair: cannot run ./nothing: No such file or directory\n"
    done = pair(FOR_EVER, "./nothing")
    done.says(127)
    assert done.err.startswith("dpu  | " + words), done.err
    done = pair("no-such-program", FOR_EVER)
    done.says(127)
    assert done.err.startswith("host | softdoca pair: cannot run no-such-program: No such"), done.err
    (TOP / "text").write_text("text")
    pair(FOR_EVER, "./text").says(126)


def a_timeout_ends_both():
    done = pair(FOR_EVER, FOR_EVER, "--timeout", "0.2")
    done.says(124, err="softdoca pair: timeout; ending both halves\n")
    pair("true", "true", "--timeout", "1000").says(0)
    fresh("desc")
    pair(FOR_EVER, "true", "--timeout=0.2", "--wait", "desc").says(124)


# --- the pair itself ----------------------------------------------------------------------------


def running_pair(host="", dpu="", **popen):
    """Both halves are up."""
    fifo("meet")
    running = Pair(f"{host} echo up >meet; {FOR_EVER}", f"{dpu} cat meet; {FOR_EVER}", **popen)
    assert running.line() == "dpu  | up\n"
    return running


def a_signal_at_the_pair_ends_both_halves():
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        running = running_pair()
        running.process.send_signal(number)
        running.finish().says(code, err="")


def a_second_signal_kills():
    running = running_pair("trap '' TERM;", "trap 'echo heard' TERM; sleep 1000 &", start_new_session=True)
    start = time.monotonic()
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGTERM)
    running.finish()
    assert running.code in (130, 143) and time.monotonic() - start < 4.5, running.code


def ctrl_c_on_a_terminal_ends_both_halves():
    ours, theirs = pty.openpty()
    fifo("meet")
    running = subprocess.Popen(
        ["setsid", "-c", "sh", "-c", f"exec {SOFTDOCA} pair -- sh -c 'echo up >meet; {FOR_EVER}' -- sh -c 'cat meet; {FOR_EVER}'"],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=TOP, env=CLEAN, 
    )
    os.close(theirs)
    assert b"up" in os.read(ours, 1000)
    os.write(ours, b"\x03")
    assert running.wait(DEADLINE) == 130
    os.close(ours)


def a_signal_that_the_caller_ignores_is_ignored():
    running = running_pair(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    running.process.send_signal(signal.SIGHUP)
    running.process.send_signal(signal.SIGTERM)
    running.finish().says(143)


def nothing_outlives_a_pair_that_is_killed():
    for action in (signal.SIG_DFL, signal.SIG_IGN):
        running = running_pair(
            "sleep 1000 &",
            "trap '' TERM; (sleep 1000; true) &",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, action),
        )
        running.process.kill()
        running.process.wait(DEADLINE)
        assert running.has_ended(DEADLINE)
        running.process.communicate()
        os.close(running.alive)


def a_reader_that_goes_away_ends_both_halves():
    running = Pair("while echo text; do :; done", FOR_EVER)
    assert running.line() == "host | text\n"
    running.process.stdout.close()
    assert running.process.wait(DEADLINE) == 141
    assert running.has_ended(0)
    running.process.stderr.close()
    os.close(running.alive)


def output_that_cannot_be_written_is_a_failure():
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = pair("echo text; " + FOR_EVER, FOR_EVER, stdout=full)
    done.says(1, err="softdoca pair: cannot write: No space left on device\n")


def closed_standard_streams_do_no_harm():
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        tap.succeeds(["sh", "-c", f'"$0" pair -- echo a -- sh -c "echo b >&2" {closed}', SOFTDOCA])


def each_system_call_that_fails_is_told_and_leaves_nothing():
    tool = installed.tree(TOP.resolve() / "failing")
    shutil.copy(FAILING, tool)
    outcomes = []
    while "none failed" not in outcomes:
        fresh("desc")
        environment = dict(CLEAN, FAIL_CALL=str(len(outcomes) + 1))
        done = pair("echo text >desc", "true", "--wait", "desc", tool=tool, env=environment)
        lines = done.err.splitlines()
        failed = [line.removeprefix("failed: ") for line in lines if line.startswith("failed: ")]
        said = [line for line in lines if re.match("softdoca pair: (cannot |.* could not be tried: )", line)]
        outcomes.append(failed[0] if failed else "none failed")
        # A pipe does where there is no terminal.
        well = not failed or failed == ["openpty"]
        assert (done.code, len(said)) == ((0, 0) if well else (1, 1)), f"{failed}: {done.code} {done.err}"
    for name in ("fork", "inotify_add_watch", "inotify_init1", "open", "openpty", "pipe2", "prctl", "signalfd"):
        assert name in outcomes, f"{name} never failed: {outcomes}"


def a_wrong_setting_is_refused_before_a_half_starts():
    done = pair("echo 1", "echo 2", env=dict(CLEAN, SOFTDOCA_DEVICE="bluefield4"))
    assert done.code == 2 and done.out == "" and "bluefield4" in done.err, (done.code, done.out, done.err)


def wrong_use_is_one_line_and_exit_code_2():
    for words, *arguments in (
        ("no host command",),
        ("no host command", "--"),
        ("no -- and DPU command", "--", "true"),
        ("the host command is empty", "--", "--", "true"),
        ("the host command is empty", "--", "", "--", "true"),
        ("the DPU command is empty", "--", "true", "--"),
        ("the DPU command is empty", "--", "true", "--", ""),
        ("'true' stands before the --", "true", "--", "true"),
        ("unknown option --nothing", "--nothing", "--", "true", "--", "true"),
        ("option --wait wants a value", "--wait"),
        ("--wait '' names no file", "--wait", "", "--", "true", "--", "true"),
        ("--wait 'dir/' names no file", "--wait", "dir/", "--", "true", "--", "true"),
        ("more than 16 times --wait", *["--wait", "x"] * 17, "--", "true", "--", "true"),
        *((f"--timeout is '{text}'; allowed", "--timeout", text) for text in ("0", "-1", "x", "1s", "", "nan", "inf", "1e99")),
    ):
        done = subprocess.run([SOFTDOCA, "pair", *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and words in done.stderr and not done.stdout, done
        assert done.stderr.count("\n") == 1 and "; see softdoca help pair" in done.stderr, done


with folder:
    CASES = [value for name, value in list(globals().items()) if getattr(value, "__module__", "") == "__main__"]
    HELPERS = (Pair, host_command, pair, fresh, fifo, sorted_lines, on_terminal, running_pair)
    tap.run([case for case in CASES if case not in HELPERS])
