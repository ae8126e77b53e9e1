#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""softdoca doctor: what it says of a whole installation, and of each thing that is missing.

test_doctor.py SOFTDOCA FAKE_VENDOR FAILING_SOFTDOCA
"""
import os
import pathlib
import pty
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

import installed
from installed import CLEAN

FAKE_VENDOR, FAILING = sys.argv[2:]
SECTIONS = ("install", "version", "build", "link", "runtime", "device", "peer permission", "limits")

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name).resolve()
ROOT = TOP / "whole"
TOOL = installed.tree(ROOT)
LIB = ROOT / "lib/softdoca"
(TOP / "tmp").mkdir()
USER = dict(CLEAN, PKG_CONFIG_PATH=str(LIB / "pkgconfig"), TMPDIR=str(TOP / "tmp"))


def doctor(code=0, tool=TOOL, drop=(), **changed):
    """Its lines; whatever it finds, it has each section, an end, and leaves nothing behind."""
    environment = {key: value for key, value in dict(USER, **changed).items() if key not in drop}
    done = subprocess.run(
        [tool, "doctor"], capture_output=True, text=True, check=False, timeout=150, env=environment
    )
    assert done.returncode == code and done.stderr == "", f"{done.returncode} {done.stdout}{done.stderr}"
    lines = done.stdout.splitlines()
    assert "softdoca's, in software; no hardware" in lines[0]
    for section in SECTIONS:
        assert section in lines or section in ("link", "device"), f"no section {section}: {done.stdout}"
    found = {mark: sum(line.startswith(f"  [{mark}]") for line in lines) for mark in ("ok", "warn", "fail")}
    assert lines[-1] == f"{found['ok']} ok, {found['warn']} to look at, {found['fail']} failed", done.stdout
    assert bool(found["fail"]) == bool(code)
    assert not list((TOP / "tmp").iterdir())
    return done.stdout


def says(report, mark, *words):
    """A line with that mark has the words, and one that is not ok tells what to do."""
    lines = report.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(f"  [{mark}]") and words[0] in line:
            text = line + "\n" + lines[number + 1]
            assert all(word in text for word in words), f"{text!r} has not {words}"
            assert mark != "warn" or lines[number + 1].startswith("         "), f"{line}: what to do?"
            return
    raise AssertionError(f"no line [{mark}] has {words}:\n{report}")


def a_whole_installation_is_found_whole():
    report = doctor()
    for words in (
        f"libraries in {LIB}",
        f"tools in {ROOT}/bin",
        f"headers in {ROOT}/include/softdoca",
        "library 3.3.0, tools 3.3.0, headers 3.3.0, pkg-config 3.3.0",
        "no DOCA of NVIDIA's beside",
        "pkg-config finds softdoca",
        "a program compiles",
        "it links",
        f"it takes {LIB}/libdoca_common.so.2",
        "it runs and copies",
        "doca_bench copies",
        "0000:03:00.0: bluefield3 of softdoca's, side dpu",
        "0000:b1:00.0: bluefield3 of softdoca's, side host",
        "way mapped: copies",
        "open files",
    ):
        says(report, "ok", words)
    assert [line for line in report.splitlines() if line in SECTIONS] == list(SECTIONS)


def it_reports_from_where_it_is_built():
    report = doctor(tool=sys.argv[1])
    says(report, "ok", f"libraries in {installed.LIBRARIES}")
    says(report, "warn", "headers or .pc files are not there", "libsoftdoca-dev")


def the_settings_of_the_user_are_looked_at():
    says(doctor(SOFTDOCA_ROLE="dpu"), "ok", "0000:03:00.0")
    says(doctor(SOFTDOCA_DEVICE="none"), "warn", "no device", "SOFTDOCA_DEVICE")
    report = doctor(1, SOFTDOCA_DEVICE="bluefield4")
    says(report, "fail", "variable SOFTDOCA_DEVICE has value 'bluefield4', which is wrong; allowed: bluefield3")
    report = doctor(SOFTDOCA_DEVICE="connectx7")
    says(report, "warn", "0000:03:00.0: connectx7 of softdoca's, side dpu, PF p0, no DMA")
    says(report, "ok", "softdoca's default settings")
    assert "default settings" not in doctor()
    says(doctor(1, SOFTDOCA_RUNTIME_DIR="/nonexistent"), "fail", "SOFTDOCA_RUNTIME_DIR '/nonexistent': No such file")
    report = doctor(1, SOFTDOCA_DEVCE="bluefield3")
    says(report, "fail", "variable SOFTDOCA_DEVCE is no setting, the nearest is SOFTDOCA_DEVICE")
    says(report, "ok", "it runs and copies")  # the machine is well
    says(doctor(DOCA_LOG_LEVEL="loud"), "warn", '"loud" is no level', "correct or unset")


def what_is_missing_to_build_is_a_warning():
    says(doctor(PATH=""), "warn", "there is no pkg-config", "apt-get install")
    bin_only = TOP / "path"
    bin_only.mkdir()
    os.symlink(shutil.which("pkg-config"), bin_only / "pkg-config")
    says(doctor(PATH=str(bin_only)), "warn", "there is no compiler", "apt-get install gcc")
    says(doctor(drop=("PKG_CONFIG_PATH",)), "warn", "pkg-config does not find", 'eval "$(softdoca env)"')
    # TMPDIR that cannot be written: another directory does.
    says(doctor(TMPDIR="/proc"), "ok", "it runs and copies")
    says(doctor(drop=("HOME", "TMPDIR")), "ok", "it runs and copies")


def a_directory_that_runs_no_program_is_passed_over():
    noexec = TOP / "noexec"
    noexec.mkdir()
    mount = 'mount -t tmpfs -o noexec tmpfs "$0" && exec "$1" doctor'
    command = ["unshare", "--mount", "sh", "-c", mount, noexec, TOOL]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(USER, TMPDIR=str(noexec)))
    if os.getuid() == 0:  # others may not mount
        says(done.stdout, "ok", "it runs and copies")


def many_devices_are_counted():
    sub = '{"side": "dpu", "type": "sf", "pci_addr": "0000:03:00.0", "sf_index": %d}'
    functions = ['{"side": "dpu", "type": "pf", "pci_addr": "0000:03:00.0"}', *(sub % i for i in range(99))]
    card = f'{{"model": "bluefield3", "functions": [{", ".join(functions)}]}}'
    path = TOP / "many.json"
    path.write_text(f'{{"schema_version": 1, "cards": [{card}]}}')
    report = doctor(SOFTDOCA_DEVICE=str(path))
    assert report.count("side dpu, SF") == 15, report
    says(report, "ok", "and 84 more")


def a_compiler_that_fails_is_a_failure():
    says(doctor(1, CC="cc -DDOCA_COMPAT_H_='#' -nostdinc"), "fail", "does not compile")
    says(doctor(1, CC="cc -L/nowhere -nostdlib"), "fail", "does not link")


def files_below_a_destdir_are_told_apart():
    tool = installed.tree(TOP / "staged")
    for path in (TOP / "staged/lib/softdoca/pkgconfig").iterdir():
        path.write_text(path.read_text().replace(f"prefix={TOP}/staged", "prefix=/nowhere", 1))
    report = doctor(1, tool=tool)
    says(report, "fail", "the .pc files name /nowhere/include/softdoca, which is not there")
    assert "does not compile" not in report


def each_part_that_is_missing_is_told():
    root = TOP / "broken"
    tool = installed.tree(root)
    lib = root / "lib/softdoca"
    for name in installed.TOOLS[1:]:
        (root / "bin" / name).unlink()
    report = doctor(tool=tool)
    says(report, "warn", "there is no doca_caps doca-env doca-capability-snapshot", "softdoca-tools")
    for library in lib.glob("libsoftdoca_net.so*"):
        library.unlink()
    report = doctor(tool=tool)
    says(report, "warn", "libsoftdoca_net.so.2 is not there", "libsoftdoca-net")
    says(report, "warn", "way nbd: ", "another way")
    (root / "bin/doca_bench").unlink()
    says(doctor(tool=tool), "warn", "not tried: no doca_bench", "softdoca-tools")
    header = root / "include/softdoca/doca_version.h"
    header.write_text(header.read_text().replace('STRING "3.3.0"', 'STRING "3.1.0"'))
    says(doctor(1, tool=tool), "fail", "library 3.3.0, tools 3.3.0, headers 3.1.0", "one version")
    shutil.rmtree(root / "include")
    says(doctor(1, tool=tool), "warn", "headers or .pc files are not there", "libsoftdoca-dev")
    shutil.rmtree(lib / "pkgconfig")
    says(doctor(tool=tool), "warn", "no .pc files of softdoca", "libsoftdoca-dev")
    (lib / "libdoca_argp.so.2").unlink()
    says(doctor(1, tool=tool), "fail", "libdoca_argp.so.2 cannot be opened", "reinstall")
    shutil.rmtree(lib)
    says(doctor(1, tool=tool), "fail", "libdoca_common.so.2 is not in", "reinstall")


def a_system_call_that_fails_is_no_end_of_the_report():
    tool = installed.tree(TOP / "failing")
    shutil.copy(FAILING, tool)
    for number in (*range(1, 10), 20, 30, 40, 50):
        environment = dict(USER, FAIL_CALL=str(number), CC="false")
        done = subprocess.run([tool, "doctor"], capture_output=True, text=True, check=False, env=environment)
        assert done.returncode in (0, 1) and done.stdout.endswith(" failed\n"), done
        assert not list((TOP / "tmp").iterdir())


def another_doca_is_told_apart():
    place = TOP / "vendor"
    place.mkdir()
    shutil.copy(FAKE_VENDOR, place / "libdoca_common.so.2")
    report = doctor(1, LD_LIBRARY_PATH=str(place), FAKE_VENDOR="see")
    says(report, "ok", f"DOCA 3.3.0109 of NVIDIA's in {place} sees 2 devices", "softdoca run --auto")
    report = doctor(1, LD_LIBRARY_PATH=str(place), FAKE_VENDOR="crash")
    says(report, "warn", f"in {place} was ended by signal 11", "softdoca run --auto takes softdoca")


def colour_is_for_terminals():
    def marks(**changed):
        ours, theirs = pty.openpty()
        done = subprocess.Popen([TOOL, "doctor"], stdout=theirs, env=dict(USER, TERM="xterm", **changed))
        os.close(theirs)
        text = b""
        try:
            while True:
                part = os.read(ours, 65536)
                text += part
                if not part:
                    break
        except OSError:
            pass
        os.close(ours)
        assert done.wait(60) == 0
        return text

    assert b"\033[32m[ok]" in marks()
    assert b"\033[" not in marks(NO_COLOR="1")
    assert "\033" not in doctor()


def compiler(name, script):
    """One that does as the script says where it compiles, once it has told so in a pipe."""
    path, ready = TOP / name, TOP / f"{name}-ready"
    os.mkfifo(ready)
    path.write_text(f'#!/bin/sh\ncase "$*" in *-c*) echo x >{ready}; {script};; esac\nexec cc "$@"\n')
    path.chmod(0o755)
    return path, ready


# Those that end a process.
ENDING = set(signal.Signals) - {
    signal.Signals[f"SIG{name}"] for name in ("STOP", "CONT", "CHLD", "URG", "WINCH", "TSTP", "TTIN", "TTOU")
}


def ignore_nothing():
    """Whoever runs the tests in the background may ignore some, and so would what they start."""
    for number in ENDING - {signal.SIGKILL}:
        signal.signal(number, signal.SIG_DFL)


def started(path, ready, preexec_fn=ignore_nothing, **more):
    # Sanitizers take some signals for themselves.
    taken = "".join(f":handle_{name}=0" for name in ("abort", "segv", "sigbus", "sigfpe", "sigill", "sigtrap"))
    environment = dict(USER, CC=str(path))
    for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        environment[name] = USER.get(name, "") + taken
    done = subprocess.Popen(
        [TOOL, "doctor"], stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=preexec_fn, **more
    )
    with open(ready, encoding="utf-8") as fifo:
        fifo.read()
    assert len(list((TOP / "tmp").iterdir())) == 1
    return done


def what_ends_it_ends_all_that_it_started():
    slow = compiler("slow", "sleep 100 & setsid sleep 100 & exec sleep 100")
    for number in sorted(ENDING):
        ours, theirs = os.pipe()
        done = started(*slow, pass_fds=[theirs])
        os.close(theirs)
        done.send_signal(number)
        done.communicate(timeout=60)
        assert done.returncode == -number, done.returncode
        assert select.select([ours], [], [], 60)[0] and os.read(ours, 1) == b"", f"signal {number}"
        os.close(ours)
        for path in (TOP / "tmp").iterdir():
            assert number == signal.SIGKILL, f"{path} stays behind after signal {number}"
            shutil.rmtree(path)


def a_signal_that_the_caller_ignores_ends_nothing():
    go = TOP / "go"
    os.mkfifo(go)
    done = started(*compiler("waiting", f"cat {go}"), preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    done.send_signal(signal.SIGHUP)
    go.write_text("")
    out, _ = done.communicate(timeout=100)
    assert done.returncode == 0 and out.endswith(" 0 failed\n"), out


def what_cannot_be_tried_is_never_what_would_have_been_found():
    untrue = (
        "cannot be opened", "reinstall", "library ,", "install all parts", "there is no", "not there", "apt-get",
        "DOCA  of", "does not", "is refused", "memory -1", ": 0 MiB\n",
    )

    def report(tool, number, **changed):
        done = subprocess.run(
            [tool, "doctor"], capture_output=True, text=True, check=False, timeout=150, env=dict(USER, **changed),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number)),
        )
        assert done.returncode == 1 and done.stdout.endswith(" failed\n"), done
        assert not [words for words in untrue if words in done.stdout], done.stdout
        assert not list((TOP / "tmp").iterdir())
        return done.stdout

    tool = installed.tree(TOP / "short")
    for number in range(4, 9):
        report(tool, number)
    shutil.copy(FAILING, tool)
    got = report(tool, 1024, FAIL_CALL="1+")
    for words in ("libdoca_common.so.2", "DOCA of NVIDIA's", "pkg-config", "process_vm_readv", "way nbd", "doca_bench"):
        says(got, "fail", words, "could not be tried: Too many open files", "ulimit -u")


def a_reader_that_goes_leaves_nothing_behind():
    done = subprocess.Popen([TOOL, "doctor"], stdout=subprocess.PIPE, env=USER)
    done.stdout.readline()
    done.stdout.close()
    assert done.wait(60) in (1, -signal.SIGPIPE)
    assert not list((TOP / "tmp").iterdir())


def wrong_use_is_told():
    for words, argument in (("unknown option --json", "--json"), ("'x' is not expected", "x")):
        done = subprocess.run([TOOL, "doctor", argument], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and words in done.stderr and not done.stdout, done


with folder:
    tap.run(
        [
            a_whole_installation_is_found_whole,
            it_reports_from_where_it_is_built,
            the_settings_of_the_user_are_looked_at,
            what_is_missing_to_build_is_a_warning,
            a_directory_that_runs_no_program_is_passed_over,
        many_devices_are_counted,
        a_compiler_that_fails_is_a_failure,
            files_below_a_destdir_are_told_apart,
            each_part_that_is_missing_is_told,
            a_system_call_that_fails_is_no_end_of_the_report,
            another_doca_is_told_apart,
            colour_is_for_terminals,
            what_ends_it_ends_all_that_it_started,
            a_signal_that_the_caller_ignores_ends_nothing,
            what_cannot_be_tried_is_never_what_would_have_been_found,
            a_reader_that_goes_leaves_nothing_behind,
            wrong_use_is_told,
        ]
    )
