#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doca_bench as it is typed. No figure is judged, only that each is there, and what it goes with.

test_doca_bench.py DOCA_BENCH FAULTS: the tool, and what is preloaded into it
"""
import csv
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap

BENCH, FAULTS = sys.argv[1:3]
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("SOFTDOCA_", "DOCA_", "LD_PRELOAD"))}
# An instrumented tool wants its runtime first, also where something else is preloaded.
CLEAN["ASAN_OPTIONS"] = "verify_asan_link_order=0"
SHORT = ["--run-limit-jobs", "100", "--warm-up-jobs", "3"]
HAS_NBD = (pathlib.Path(BENCH).resolve().parent.parent / "src/libsoftdoca_net.so").exists()

folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name)


def command(*arguments):
    return [BENCH, *" ".join(map(str, arguments)).split()]


def bench(*arguments, **settings):
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=120, env={**CLEAN, **settings}
    )


def measured(*arguments, limit=SHORT, **settings):
    """The rows of the CSV file of a run that succeeds; JSON and table must agree with it."""
    for name in ("csv", "json"):
        (TOP / name).unlink(missing_ok=True)
    done = bench(*arguments, *limit, "--csv-output-file", TOP / "csv", "--json-output-file", TOP / "json", **settings)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    assert done.stderr == "", done.stderr
    with open(TOP / "csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    objects = json.loads((TOP / "json").read_text())["results"]
    assert len(rows) == len(objects) > 0, rows
    for row, written in zip(rows, objects):
        assert list(row) == list(written), row
        for name, value in written.items():
            same = row[name] == value if isinstance(value, str) else abs(float(row[name]) - value) < 0.06
            assert same, f"{name}: {row[name]} is not {value}"
        check_row(row, done.stdout)
    return rows


def check_row(row, table):
    number = {name: float(value) for name, value in row.items() if value[:1].isdigit() and ":" not in value}
    assert number["jobs_done"] > 0 and number["seconds"] > 0 and number["rounds"] > 0, row
    if "latency" in row["mode"]:
        assert abs(number["memcpy_ns_median"] / number["ns_median"] / number["ratio"] - 1) < 0.1, row
        assert "ratio_min" not in row and "ratio_max" not in row, row
    else:
        assert number["ratio_min"] <= number["ratio"] <= number["ratio_max"], row
    assert number["bytes_per_second_min"] <= number["bytes_per_second"] <= number["bytes_per_second_max"], row
    assert abs(number["jobs_per_second"] * number["job_size"] - number["bytes_per_second"]) <= number["job_size"] + 1
    for name in ("cpu", "engine", "kernel", "way", "settings"):
        assert row[name] and row[name] in table, f"{name} {row[name]} is not in {table}"
    near = number["ratio"] < 0.001 or [figure for figure in re.findall(r"\d+\.\d+|\d+", table) if abs(float(figure) / number["ratio"] - 1) < 0.1]
    assert near, f"ratio {number['ratio']} is not in {table}"
    assert max(map(len, table.splitlines()[4:])) <= 80, table


def is_refused(words, arguments, code=2):
    done = bench(arguments)
    assert done.returncode == code and done.stdout == "", done
    assert words in done.stderr and done.stderr.count("\n") == 1, f"{done.stderr!r} has not {words!r}"


def help_fits_a_terminal_and_names_the_exit_codes():
    done = bench("--help")
    assert done.returncode == 0 and "Usage: doca_bench" in done.stdout and "3 a copied byte" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80 and bench("-h").stdout == done.stdout
    for flag in ("--version", "-V", "-v"):
        assert bench(flag).stdout == "doca_bench 3.3.0 of softdoca\n"


def throughput_states_what_made_it():
    row = measured("--uniform-job-size 8K --depth 4", SOFTDOCA_ERRORS="hardware")[0]
    assert row["mode"] == "throughput" and row["direction"] == row["way"] == "local" and row["engine"] == "inline"
    assert row["settings"] == "SOFTDOCA_ERRORS=hardware" and row["job_size"] == "8192" and row["window"] == "32768"
    assert row["jobs_done"] == "100" and row["rounds"] == "7" and row["cut_short"] == "0"
    assert measured("")[0]["settings"] == "the defaults"
    row = measured("--uniform-job-size 1M --depth 3", SOFTDOCA_ENGINE="workers:2", SOFTDOCA_KERNEL="portable")[0]
    assert (row["engine"], row["kernel"]) == ("workers:2", "portable"), row


def the_kernel_is_what_moves_the_bytes():
    for arguments, kernels, head in (
        ("--sweep uniform-job-size,2047,2048,1", ["memmove", "portable"], "kernel memmove below 2 KiB, portable, way"),
        ("--pieces 3 --uniform-job-size 4K", ["memmove"], "kernel memmove, way"),
        ("--pieces 2 --uniform-job-size 4095", ["memmove below 2 KiB, portable"], "kernel memmove below 2 KiB, portable,"),
    ):
        assert [row["kernel"] for row in measured(arguments, SOFTDOCA_KERNEL="portable")] == kernels
        assert head in bench(arguments, *SHORT, SOFTDOCA_KERNEL="portable").stdout


def latency_modes_have_quantiles_in_order():
    for mode in ("precision-latency", "bulk-latency"):
        row = measured("--mode", mode, "--uniform-job-size 64")[0]
        assert row["depth"] == ("1" if mode == "precision-latency" else "32")
        for before in ("", "memcpy_"):
            names = [before + "ns_" + name for name in ("min", "median", "90", "99", "99.9", "max")]
            values = [float(row[name]) for name in names]
            assert values == sorted(values) and values[-1] > 0, values


def max_bandwidth_tries_sizes_and_says_which_is_best():
    rows = measured("--mode max-bandwidth")
    assert [int(row["job_size"]) for row in rows] == [4096 << i for i in range(10)]
    best = max(rows, key=lambda row: float(row["bytes_per_second"]))
    assert measured("--mode max-bandwidth", SOFTDOCA_MAX_BUF_SIZE="1000")[0]["job_size"] == "1000"
    table = bench("--mode max-bandwidth --sweep depth,1,2,1", *SHORT).stdout.split("\nbest:\n")[1]
    assert best and "4 KiB" in table.splitlines()[0], table


def goes_by(way, option, direction):
    row = measured(f"--use-remote-{option}-buffers --pieces 3 --threads-per-core 2", SOFTDOCA_REACH=way)[0]
    assert (row["way"], row["direction"]) == (way, direction), row
    assert row["engine"] == "reach" and row["kernel"] == ("memmove" if way == "mapped" else "none"), row


def both_directions_by_each_way():
    ways = ["mapped", "cma"] + (["nbd"] if HAS_NBD else [])
    for way in ways:
        goes_by(way, "input", "host to DPU")
        if way != "nbd":
            goes_by(way, "output", "DPU to host")
    settings = {"SOFTDOCA_ENGINE": "workers:2", "SOFTDOCA_KERNEL": "portable"}
    row = measured("--use-remote-input-buffers --uniform-job-size 2M --depth 2", **settings)[0]
    assert (row["engine"], row["kernel"]) == ("reach", "portable"), row
    assert measured("--use-remote-input-buffers")[0]["way"] == "mapped"


def the_companions_memory_is_written_by_nbd():
    why = None if HAS_NBD else "libsoftdoca_net.so is not built"
    if b"__tsan_init" in pathlib.Path(BENCH).read_bytes():
        why = "the thread sanitizer does not see what orders two threads by way of another process"
    if why is not None:
        print(f"# skipped: the_companions_memory_is_written_by_nbd: {why}", flush=True)
        return
    goes_by("nbd", "output", "DPU to host")


def by_event_a_thread_sleeps_before_it_takes_what_is_ready():
    for engine in ("inline", "workers:1"):
        for depth, least in ((1, 103), (4, 25)):
            arguments = ["--wait event --depth", depth, *SHORT]
            done = bench(*arguments, SOFTDOCA_ENGINE=engine, LD_PRELOAD=FAULTS, FAULT="polls")
            assert done.returncode == 0 and int(done.stderr.split()[0]) >= least, done
    assert bench("", *SHORT, LD_PRELOAD=FAULTS, FAULT="polls").stderr == "0 polls\n"


def what_can_be_set_is_used():
    row = measured("--uniform-job-size 1500 --pieces 7 --batch 4 --depth 8 --wait event --window 30K")[0]
    got = [row[name] for name in ("job_size", "pieces", "batch", "depth", "wait", "window", "job_count")]
    assert got == ["1500", "7", "4", "8", "event", "30720", "20"], got
    row = measured("--job-output-buffer-size 8K --data-provider-job-count 3 --threads-per-core 3 --core-count 1")[0]
    got = [row[name] for name in ("depth", "window", "job_count", "cores", "threads", "jobs_done")]
    assert got == ["3", "24576", "3", "1", "3", "100"], got
    cpu = min(os.sched_getaffinity(0))
    for cores in (f"--core-list {cpu}", f"--core-mask {1 << cpu:#x}"):
        assert measured(cores, "--device b1:00.0")[0]["device"] == "0000:b1:00.0"
    assert measured("--device mlx5_0 --pipeline-steps doca_dma --data-provider random-data")[0]["cores"] == "1"


def a_rate_is_all_bytes_by_the_time_that_all_threads_took():
    for wait in ("poll", "event"):
        row = measured(f"--threads-per-core 6 --rounds 1 --wait {wait}", limit=["--run-limit-jobs", 60000])[0]
        copied = float(row["bytes_per_second"]) * float(row["seconds"])
        assert abs(copied / (int(row["jobs_done"]) * 4096) - 1) < 0.001, row


def limits_are_kept():
    for jobs in (1, 5, 8, 1000):
        row = measured("--threads-per-core 2", limit=["--run-limit-jobs", jobs])[0]
        assert int(row["jobs_done"]) == jobs, row
    assert measured("", limit=["--run-limit-bytes 10K"])[0]["jobs_done"] == "3"
    row = measured("--rounds 3", limit=["--run-limit-seconds 0.03"])[0]
    assert row["rounds"] == "3" and 0.02 < float(row["seconds"]), row
    assert float(measured("", limit=["--run-limit-seconds 9 --run-limit-jobs 7"])[0]["seconds"]) < 9


def figures_have_three_digits_and_short_rounds_a_star():
    for mode, last in (("throughput", "]*"), ("bulk-latency", "s")):
        table = bench("--mode", mode, *SHORT).stdout
        assert "* TOO SHORT to compare: rounds of less than 1 ms" in table and "*" in table.split("job size")[1], table
        assert table.splitlines()[-3].endswith(last), table
        for figure in table.split("job size")[1].splitlines()[1].split()[7:]:
            digits = "".join(c for c in figure if c.isdigit()).lstrip("0")
            assert len(digits) <= 3, table
    table = bench("--uniform-job-size 64 --depth 2 --run-limit-seconds 0.1").stdout
    assert "TOO SHORT" not in table and "*" not in table, table


def sweeps_lead_through_every_pair():
    rows = measured("--sweep window,64K,128K,*2 --sweep uniform-job-size,4K,12K,4K")
    got = [(int(row["window"]), int(row["job_size"])) for row in rows]
    assert got[:2] == [(65536, 4096), (65536, 8192)] and got[3:5] == [(131072, 4096), (131072, 8192)], got
    assert len(got) == 6
    for name in bench("--query supported-sweep-attributes").stdout.split():
        size = "8K,8K,1" if name.endswith("size") or name == "window" else "1,1,1"
        assert len(measured(f"--sweep {name},{size}")) == 1
    assert len(measured("--sweep window,16M,16M,*1024G")) == 1
    rows = measured("--sweep window,8K,32K,*4 --sweep uniform-job-size,4K,16K,*2")
    got = [(int(row["window"]), int(row["job_size"])) for row in rows]
    assert got == [(8192, 4096), (8192, 8192), (32768, 4096), (32768, 8192), (32768, 16384)], got
    table = bench("--sweep window,8K,32K,*4 --sweep uniform-job-size,4K,16K,*2", *SHORT).stdout
    assert "left out  1 settings, whose window holds no job" in table, table


def a_sweep_of_the_depth_leaves_the_memory_as_it_is():
    rows = measured("--sweep depth,2,20,*3")
    assert [(row["depth"], row["job_count"]) for row in rows] == [("2", "18"), ("6", "18"), ("18", "18")], rows
    rows = measured("--sweep depth,1,4,3 --window 32K")
    assert [(row["depth"], row["job_count"]) for row in rows] == [("1", "8"), ("4", "8")], rows
    assert measured("--mode precision-latency")[0]["job_count"] == "32"


def csv_is_appended_to_and_cut_down():
    file = TOP / "appended"
    for _ in range(2):
        done = bench("--csv-append-mode --csv-stats job_*,ratio --csv-output-file", file, *SHORT)
        assert done.returncode == 0, done
    lines = file.read_text().splitlines()
    assert lines[0] == "job_size,job_count,ratio" and len(lines) == 3 and lines[1].startswith("4096,32,"), lines


def csv_to_a_pipe_has_its_head():
    pipe = TOP / "pipe"
    os.mkfifo(pipe)
    for mode in ("", "--csv-append-mode"):
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            done = bench(mode, "--csv-stats job_size,depth --csv-output-file", pipe, *SHORT)
            assert done.returncode == 0 and reader.communicate(timeout=60)[0] == "job_size,depth\n4096,32\n", done


def csv_of_other_columns_is_left_alone():
    file = TOP / "other"
    file.write_text("a,b\n1,2\n")
    is_refused("--csv-append-mode: ", f"--csv-append-mode --csv-output-file {file}")
    assert file.read_text() == "a,b\n1,2\n"
    done = bench("--csv-output-file", file, *SHORT)
    assert done.returncode == 0, done
    is_refused("has other columns than this run", f"--mode bulk-latency --csv-append-mode --csv-output-file {file}")
    is_refused("'latency' is no column; they are mode,direction,", f"--csv-stats ratio,latency --csv-output-file {file}")
    is_refused("'ns_*' is no column", f"--csv-stats ns_* --csv-output-file {file}")


def devices_are_listed():
    done = bench("--query device-capabilities")
    assert done.returncode == 0 and "0000:03:00.0  doca_dma: 2097152 bytes a job" in done.stdout
    assert "03:00.0  doca_dma: 2097152 bytes a job, 64 pieces a list; local and remote buffers" in done.stdout
    done = bench("--query device-capabilities --device b1:00.0")
    assert done.stdout == "0000:b1:00.0  doca_dma: 2097152 bytes a job, 64 pieces a list; local buffers\n", done
    assert bench("--query device-capabilities --device mlx5_9").stderr == "doca_bench: no device mlx5_9\n"
    assert "no doca_dma" in bench("--query device-capabilities", SOFTDOCA_DEVICE="connectx7").stdout
    assert bench("--query device-capabilities", SOFTDOCA_DEVICE="none").returncode == 1


def wrong_use_is_one_line_and_exit_code_2():
    for words, arguments in (
        ("--depth is '0'; allowed: 1 to 65536", "--depth 0"),
        ("--depth is '1x'; allowed", "--depth 1x"),
        ("--depth is '-1'; allowed", "--depth -1"),
        ("--window is '99999999999G'; allowed", "--window 99999999999G"),
        ("--mode is 'fast'; allowed: throughput,bulk-latency,", "--mode fast"),
        ("--pipeline-steps is 'doca_sha'; allowed: doca_dma", "--pipeline-steps doca_sha"),
        ("--data-provider is 'file'; allowed: random-data", "--data-provider file"),
        ("--run-limit-seconds is '0'; allowed: seconds", "--run-limit-seconds 0"),
        ("--run-limit-seconds is 'nan'; allowed: seconds", "--run-limit-seconds nan"),
        ("--run-limit-seconds is '0x10'; allowed: seconds", "--run-limit-seconds 0x10"),
        ("--rt-stats-interval is '+1'; allowed: seconds", "--rt-stats-interval +1"),
        ("--wait is 'sleep'; allowed: poll,event", "--wait sleep"),
        ("--core-mask is '0x'; allowed", "--core-mask 0x"),
        ("--core-mask is '0'; allowed", "--core-mask 0"),
        ("--core-list is '1-'; allowed", "--core-list 1-"),
        ("--core-list is '0,'; allowed", "--core-list 0,"),
        ("--core-list is '3-1'; allowed", "--core-list 3-1"),
        ("--core-list is '0-2000'; allowed", "--core-list 0-2000"),
        ("CPU 1023 is not this process's to use", "--core-list 1023"),
        ("--sweep is 'depth,1,2'; allowed: NAME,START,END,STEP;", "--sweep depth,1,2"),
        ("--sweep is 'depth,1,2,3,4'; allowed: NAME,", "--sweep depth,1,2,3,4"),
        ("--sweep is 'depth,1,2,'; allowed: NAME,", "--sweep depth,1,2,"),
        ("--sweep is 'mode,1,2,3'; allowed: a NAME that --query", "--sweep mode,1,2,3"),
        ("--sweep is 'rounds,1,2,3'; allowed: a NAME that", "--sweep rounds,1,2,3"),
        ("--sweep is 'depth,0,2,1'; allowed: START and END", "--sweep depth,0,2,1"),
        ("--sweep is 'depth,1,x,1'; allowed: START and END", "--sweep depth,1,x,1"),
        ("--sweep is 'depth,2,1,1'; allowed: START and END", "--sweep depth,2,1,1"),
        ("--sweep is 'depth,1,2,*1'; allowed: STEP N above 0, or *N above 1", "--sweep depth,1,2,*1"),
        ("--sweep is 'depth,1,2,0'; allowed: STEP ", "--sweep depth,1,2,0"),
        ("--sweep is 'depth,1,2,1'; allowed: a NAME once", "--sweep depth,1,2,1 --sweep depth,1,2,1"),
        ("--depth is given, and swept", "--sweep depth,1,2,1 --depth 1"),
        ("--sweep is 'batch,1,1,1'; allowed: two of them", "--sweep depth,1,2,1 --sweep pieces,1,2,1 --sweep batch,1,1,1"),
        ("leads to more than 1024 settings", "--sweep depth,1,2000,1"),
        ("leads to more than 1024 settings", "--sweep depth,1,40,1 --sweep batch,1,40,1"),
        ("leave one out", "--use-remote-input-buffers --use-remote-output-buffers"),
        ("leave one out", "--window 1M --data-provider-job-count 3"),
        ("leave one out", "--data-provider-job-count 3 --sweep window,1M,2M,*2"),
        ("--core-mask and --core-list say the same; leave", "--core-list 0 --core-mask 1"),
        ("precision-latency has one job in flight", "--mode precision-latency --depth 4"),
        ("precision-latency has one job in flight", "--mode precision-latency --sweep batch,1,2,1"),
        ("max-bandwidth sweeps it itself; leave it out", "--mode max-bandwidth --uniform-job-size 8K"),
        ("--query measures nothing: leave all but it and", "--query device-capabilities --depth 4"),
        ("--query measures nothing: ", "--query supported-sweep-attributes --sweep depth,1,2,1"),
        ("--window is 4095, and holds no job of 4096 bytes", "--window 4095"),
        ("--window holds no job of the sweep", "--window 4K --sweep uniform-job-size,8K,16K,*2"),
        ("--csv-append-mode and --csv-stats want --csv-output-file", "--csv-append-mode"),
        ("--csv-append-mode and --csv-stats want --csv-output-file", "--csv-stats ratio"),
        ("unknown option --nothing", "--nothing"),
        ("unknown option -x", "-x"),
        ("option --depth wants a value", "--depth"),
        ("option --csv-append-mode=1 takes no value", "--csv-append-mode=1"),
        ("--plot is ''; allowed: any but an empty one", "--plot="),
        ("'word' is no option", "word"),
        ("--uniform-job-size is 4194304; device 0000:03:00.0 copies up to 2097152", "--uniform-job-size 4M"),
        ("--job-output-buffer-size is 1024; a job of 4096 bytes wants", "--job-output-buffer-size 1K"),
        ("--pieces is 65; device 0000:03:00.0 takes up to 64", "--pieces 65"),
        ("--pieces is 5; device", "--pieces 5 --uniform-job-size 4"),
        ("--batch is 33; at most --depth, 32", "--batch 33"),
        ("--core-count is 1024; there are", "--core-count 1024"),
        ("more than 10^15 bytes together", "--data-provider-job-count 4000000000 --uniform-job-size 1M"),
    ):
        is_refused(words, arguments)


def options_of_other_libraries_are_refused_with_a_reason():
    for option in (
        "attribute a.b=c",
        "data-provider-input-file name",
        "latency-bucket-range 0,100",
        "mtu-size 1500",
        "receive-queue-size 64",
        "send-queue-size 64",
    ):
        is_refused(f"--{option.split()[0]} has no meaning here: ", f"--{option}")
    is_refused("-a has no meaning here", "-a a.b=c")


def a_guides_line_runs_and_what_it_does_not_need_is_told():
    line = (
        "--device 03:00.0 --pipeline-steps doca_dma --data-provider random-data --uniform-job-size 4096 --core-count 1 "
        "--job-output-buffer-size 4096 --data-provider-job-count 8 --use-remote-input-buffers --representor b1:00.0 "
        "--companion-connection-string proto=tcp,mode=dpu,dev=03:00.0,user=me,addr=1.2.3.4,port=1 --companion-core-list 6"
    )
    done = bench(line, *SHORT)
    assert done.returncode == 0 and "4 KiB" in done.stdout, done
    notes = done.stderr.splitlines()
    assert len(notes) == 3 and all(" is not needed here: " in note for note in notes), notes


def what_the_library_refuses_is_named():
    is_refused("no device mlx5_9; doca_bench --query", "--device mlx5_9", code=1)
    for way in ("input", "output"):
        is_refused("0000:b1:00.0 cannot import another process's", f"--device b1:00.0 --use-remote-{way}-buffers", code=1)
    assert "none of the 2 devices copies by DMA" in bench("", SOFTDOCA_DEVICE="connectx7").stderr
    assert "none of the 0 devices copies by DMA" in bench("", SOFTDOCA_DEVICE="none").stderr
    for setting in ({"SOFTDOCA_DEVICE": "bluefield4"}, {"SOFTDOCA_DEVICE": "connectx7"}, {"SOFTDOCA_ROLE": "host"}):
        done = bench("--use-remote-input-buffers", *SHORT, **setting)
        assert done.returncode == 1 and done.stdout == "" and "doca_bench: " in done.stderr, done
    assert "SOFTDOCA_DEVICE and SOFTDOCA_ROLE choose them, see softdoca(7)" in bench("", SOFTDOCA_DEVICE="none").stderr
    for level in ("", "loud", "disable", "20", "error", "INFO"):
        refused = bench("", SOFTDOCA_DEVICE="bluefield4", DOCA_LOG_LEVEL=level).stderr
        assert refused.count("SOFTDOCA_DEVICE has value 'bluefield4'") == 1, (level, refused)
    assert "SOFTDOCA_DEVICE has value 'bluefield4'" in bench("", SOFTDOCA_DEVICE="bluefield4").stderr
    done = bench("--sweep depth,4,8,*2", *SHORT, SOFTDOCA_QUEUE_DEPTH="4")
    assert done.returncode == 2 and "--depth is 8; SOFTDOCA_QUEUE_DEPTH lets 4 be in flight" in done.stderr, done
    assert bench("--depth 4", *SHORT, SOFTDOCA_QUEUE_DEPTH="4").returncode == 0
    is_refused("more than a quarter of this machine's memory", "--window 1024G", code=1)


def a_wrong_byte_is_refused_and_no_figure_told():
    for fault, arguments in (
        ("target", ""),
        ("target", "--mode precision-latency --pieces 2"),
        ("target", "--use-remote-input-buffers"),
        ("source", ""),
        ("source", "--use-remote-output-buffers"),
    ):
        file = TOP / "wrong"
        done = bench(arguments, *SHORT, "--csv-output-file", file, LD_PRELOAD=FAULTS, FAULT=fault)
        assert done.returncode == 3, done
        assert "WRONG BYTE: byte 0 of job 0 of thread 0 is 0x" in done.stderr, done.stderr
        assert done.stdout.splitlines()[-2].split()[:2] == ["job", "size"], done.stdout
        assert not file.exists()
    assert bench("", *SHORT, LD_PRELOAD=FAULTS, FAULT="nothing").returncode == 0


def a_system_call_that_fails_is_told():
    for fault, words in (
        ("fork", "cannot start the companion: Resource"),
        ("socketpair", "cannot start the companion: Too many"),
        ("memfd_create", "ended with exit code 1"),
    ):
        done = bench("--use-remote-input-buffers", *SHORT, LD_PRELOAD=FAULTS, FAULT=fault)
        assert done.returncode == 1 and words in done.stderr and done.stdout == "", done
    done = bench("", *SHORT, LD_PRELOAD=FAULTS, FAULT="pthread_create")
    assert done.returncode == 1 and "cannot start 1 threads" in done.stderr, done


def a_copy_that_moves_nothing_is_found_though_later_ones_do():
    for mode in ("throughput", "precision-latency"):
        done = bench(f"--mode {mode} --run-limit-jobs 30000", LD_PRELOAD=FAULTS, FAULT="skip", SOFTDOCA_KERNEL="portable")
        assert done.returncode == 3 and "WRONG BYTE: byte 0 of job " in done.stderr, done


def a_submit_that_fails_within_a_batch_ends_the_run():
    for wait in ("poll", "event"):
        done = bench(f"--batch 8 --wait {wait}", *SHORT, LD_PRELOAD=FAULTS, FAULT="submit")
        assert done.returncode == 1 and "a copy failed: DOCA_ERROR_AGAIN" in done.stderr, done


def closed_standard_files_are_nothing_elses():
    for option in ("", "--use-remote-output-buffers"):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" <&- >&-', "sh", *command(option, *SHORT)],
            stderr=subprocess.PIPE, text=True, check=False, timeout=60, env=CLEAN,
        )
        assert done.returncode == 1 and done.stderr == "doca_bench: standard output: Bad file descriptor\n", done


def files_that_cannot_be_written_are_told():
    for option in ("--csv-output-file", "--json-output-file", "--sweep depth,1,2,1 --plot"):
        for file in (TOP / "no/where", TOP):
            is_refused(f"cannot write {file}: ", f"{option} {file}", code=1)
        is_refused("is '-'; standard output has the table", f"{option} -")
    for option in ("--csv-output-file", "--json-output-file"):
        done = bench(option, "/dev/full", *SHORT)
        assert done.returncode == 1 and "cannot write /dev/full: " in done.stderr, done
        assert "4 KiB" in done.stdout
    one = TOP / "one"
    is_refused("--csv-output-file and --json-output-file are one file", f"--csv-output-file {one} --json-output-file {one}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            command(*SHORT), stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60, env=CLEAN
        )
    assert done.returncode == 1 and "standard output: No space" in done.stderr, done


class Running:
    """A run without an end, begun: its first row is there, and the second is on its way."""

    def __init__(self, *arguments, **settings):
        line = command("--run-limit-seconds 0.1 --sweep batch,1,32,1 --rounds 1", *arguments)
        self.process = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**CLEAN, **settings}, start_new_session=True
        )
        self.head = ""
        while "4 KiB" not in self.head:
            text = self.process.stdout.readline()
            assert text, self.process.communicate()
            self.head += text

    def end(self):
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, self.head + out, err


def ctrl_c_tells_what_is_measured_so_far():
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for option in ("", "--use-remote-output-buffers"):
            run = Running(option, "--json-output-file", TOP / "json")
            os.killpg(run.process.pid, number) if number == signal.SIGINT else run.process.send_signal(number)
            got, out, err = run.end()
            assert got == code and err == "", (got, out, err)
            assert "CUT SHORT by a signal: " in out and "of 32 settings" in out, out
            assert 1 <= len(json.loads((TOP / "json").read_text())["results"]) < 32


def sleeps(pid):
    """Whether all threads do, at many looks."""
    stats = list(pathlib.Path(f"/proc/{pid}/task").glob("*/stat"))
    return all(stat.read_text(encoding="ascii").rsplit(") ")[-1][0] == "S" for _ in range(50) for stat in stats)


def a_second_signal_ends_what_waits():
    run = Running("--use-remote-output-buffers")
    child = int(children_of(run.process.pid)[0])
    os.kill(child, signal.SIGSTOP)
    while not sleeps(run.process.pid):
        pass  # until it waits for its companion
    run.process.send_signal(signal.SIGTERM)
    status = pathlib.Path(f"/proc/{run.process.pid}/status")
    deadline = time.monotonic() + 20
    while int(re.search(r"SigCgt:\s+(\w+)", status.read_text(encoding="ascii"))[1], 16) >> signal.SIGTERM - 1 & 1:
        assert time.monotonic() < deadline, "the first signal does not come to it"
    run.process.send_signal(signal.SIGTERM)
    code, out, err = run.end()
    assert code == -signal.SIGTERM and "does not answer" not in err, (code, out, err)


def children_of(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def a_companion_that_is_killed_is_told():
    for option in ("input", "output"):
        (TOP / "json").unlink(missing_ok=True)
        run = Running(f"--use-remote-{option}-buffers", "--json-output-file", TOP / "json")
        os.kill(int(children_of(run.process.pid)[0]), signal.SIGKILL)
        code, out, err = run.end()
        assert code == 1 and "was ended by signal 9 (Killed)" in err, (code, out, err)
        assert "CUT SHORT by a failure: " in out and json.loads((TOP / "json").read_text())["results"], out


def a_companion_that_is_stopped_is_told():
    if HAS_NBD:
        run = Running("--use-remote-input-buffers", SOFTDOCA_REACH="nbd", SOFTDOCA_DEADLINE="1")
        os.kill(int(children_of(run.process.pid)[0]), signal.SIGSTOP)
        code, out, err = run.end()
        assert code == 1 and "was stopped by signal 19 (Stopped (signal))" in err, (code, out, err)


def a_companion_does_not_outlive_the_tool():
    run = Running("--use-remote-input-buffers")
    child = int(children_of(run.process.pid)[0])
    run.process.kill()
    run.end()
    deadline = time.monotonic() + 20
    while pathlib.Path(f"/proc/{child}/stat").exists():
        if pathlib.Path(f"/proc/{child}/stat").read_text(encoding="ascii").split(")")[1].split()[0] == "Z":
            break
        assert time.monotonic() < deadline, "the companion lives"


def progress_is_told_on_a_terminal_and_where_it_is_asked_for():
    assert "2 of 2: jobs of 4 KiB, round 1 of 7\n" in bench(
        "--sweep depth,1,2,1 --rt-stats-interval 0.000001", *SHORT
    ).stderr
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command(*SHORT), stdout=subprocess.DEVNULL, stderr=theirs, env=CLEAN)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 4096):
            text += part
    except OSError:  # a terminal whose other side is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0
    assert b"\r\x1b[K1 of 1: jobs of 4 KiB, round 7 of 7" in text and text.endswith(b"\r\x1b[K"), text


def a_plot_without_gnuplot_is_told_before_the_figures():
    file = TOP / "plot.svg"
    done = bench("--sweep depth,1,2,1 --plot", file, *SHORT, PATH="/nonexistent")
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr == f"doca_bench: {file} cannot be written: there is no gnuplot; Debian has it in gnuplot-nox\n"


def a_plot_has_its_curves():
    file = TOP / "it's a plot.svg"
    sweeps = "--sweep window,64K,1M,*16 --sweep uniform-job-size,1K,16K,*4"
    done = subprocess.run(
        [*command(sweeps, *SHORT), "--plot", str(file)], capture_output=True, text=True, check=False, timeout=60, env=CLEAN
    )
    assert done.returncode == 0 and done.stderr == "", done
    text = file.read_text()
    for words in (
        ("<svg", "DMA, window 64 KiB", "DMA, window 1 MiB", "memcpy, window 64 KiB", "memcpy, window 1 MiB", "GB/s")
        + (">1 KiB<", ">16 KiB<", "uniform-job-size", "million jobs a second", "engine inline", "depth 32, threads 1")
        + ("doca_bench 3.3.0 of softdoca: throughput, local, by polling; 20",)
    ):
        assert words in text, words


def a_plot_of_any_sweep_has_its_axis_and_gnuplot_nothing_to_say():
    file = TOP / "any.svg"
    for arguments, wanted in (
        ("--sweep depth,1,3,1", [">depth<", ">1<", ">3<", ">DMA<"]),
        ("--sweep threads-per-core,1,1,1", [">threads-per-core<"]),
        ("--sweep uniform-job-size,4K,4K,1 --sweep pieces,1,2,1", [">uniform-job-size<", ">DMA, pieces 2<", ">4 KiB<"]),
        ("--mode precision-latency --sweep window,4K,64K,*2", [">window<", ">median, ns<", ">99 %, ns<", ">64 KiB<"]),
        ("--mode max-bandwidth", [">uniform-job-size<", ">2 MiB<"]),
    ):
        done = bench(arguments, "--plot", file, *SHORT)
        assert done.returncode == 0 and done.stderr == "", done
        text = file.read_text()
        assert all(words in text for words in wanted), [words for words in wanted if words not in text]
    is_refused("--plot wants a --sweep", f"--plot {file}")


def a_plot_that_cannot_be_written_is_told():
    done = bench("--sweep depth,1,2,1 --plot /dev/full", *SHORT)
    assert done.returncode == 1 and done.stderr == "doca_bench: cannot write /dev/full: No space left on device\n", done


def the_name_of_a_plot_is_no_code():
    for name in ("a\n!touch never\n.svg", "b'\n!touch never\n'.svg", "c`touch never`$(touch never).svg", '"d\\".svg'):
        done = subprocess.run(
            [os.path.abspath(BENCH), *command("--sweep depth,1,2,1", *SHORT)[1:], "--plot", name],
            capture_output=True, text=True, check=False, timeout=60, env=CLEAN, cwd=TOP,
        )
        assert done.returncode == 0 and done.stderr == "", done
        assert "</svg>" in (TOP / name).read_text() and not (TOP / "never").exists(), name


plots = [a_plot_has_its_curves, a_plot_of_any_sweep_has_its_axis_and_gnuplot_nothing_to_say]
plots += [a_plot_that_cannot_be_written_is_told, the_name_of_a_plot_is_no_code]
if shutil.which("gnuplot") is None:
    plots = [(f"{plot.__name__} # SKIP gnuplot is not installed", lambda: None) for plot in plots]

tap.run(
    [
        help_fits_a_terminal_and_names_the_exit_codes,
        throughput_states_what_made_it,
        the_kernel_is_what_moves_the_bytes,
        latency_modes_have_quantiles_in_order,
        max_bandwidth_tries_sizes_and_says_which_is_best,
        both_directions_by_each_way,
        the_companions_memory_is_written_by_nbd,
        by_event_a_thread_sleeps_before_it_takes_what_is_ready,
        what_can_be_set_is_used,
        a_rate_is_all_bytes_by_the_time_that_all_threads_took,
        limits_are_kept,
        a_sweep_of_the_depth_leaves_the_memory_as_it_is,
        figures_have_three_digits_and_short_rounds_a_star,
        sweeps_lead_through_every_pair,
        csv_is_appended_to_and_cut_down,
        csv_to_a_pipe_has_its_head,
        csv_of_other_columns_is_left_alone,
        devices_are_listed,
        wrong_use_is_one_line_and_exit_code_2,
        options_of_other_libraries_are_refused_with_a_reason,
        a_guides_line_runs_and_what_it_does_not_need_is_told,
        what_the_library_refuses_is_named,
        a_wrong_byte_is_refused_and_no_figure_told,
        a_system_call_that_fails_is_told,
        a_copy_that_moves_nothing_is_found_though_later_ones_do,
        a_submit_that_fails_within_a_batch_ends_the_run,
        closed_standard_files_are_nothing_elses,
        files_that_cannot_be_written_are_told,
        ctrl_c_tells_what_is_measured_so_far,
        a_second_signal_ends_what_waits,
        a_companion_that_is_killed_is_told,
        a_companion_that_is_stopped_is_told,
        a_companion_does_not_outlive_the_tool,
        progress_is_told_on_a_terminal_and_where_it_is_asked_for,
        a_plot_without_gnuplot_is_told_before_the_figures,
        *plots,
    ]
)
