#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doca_caps as it is typed: its layout, held by golden outputs, its options, its document.

test_doca_caps.py DOCA_CAPS FAILING_MALLOC [--update]: writes the golden outputs anew
"""
import difflib
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap
from caps_documents import SHARE, capability_functions, capability_of, check_unwritable_output, check_wrong_use
from caps_documents import check_help_and_version, check_refusals_are_told, document, run, told

CAPS, FAILING_MALLOC = sys.argv[1:3]
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
WHOSE = "doca_caps: softdoca's devices, in software; see softdoca(7)\n"
DPU, HOST = "0000:03:00.0", "0000:b1:00.0"


def golden_cases():
    """The default card, and each example topology in each role: a file's name, the settings."""
    cases = {"bluefield3": {}}
    for path in sorted((SHARE / "topologies").glob("*.json")):
        for role in ("both", "host", "dpu"):
            cases[f"{path.stem}-{role}"] = {"SOFTDOCA_DEVICE": str(path), "SOFTDOCA_ROLE": role}
    return cases


def golden_text(settings):
    text = ""
    for option in ("--list-devs", "--list-rep-devs", "", "--json"):
        if option == "--json" and settings.get("SOFTDOCA_ROLE") in ("host", "dpu"):
            continue  # says what both says
        text += f"$ doca_caps {option}".rstrip() + "\n" + told(CAPS, *option.split(), **settings)
    return text


def golden_case(name, settings):
    def check():
        path = GOLDEN / (name + ".txt")
        wanted = path.read_text(encoding="utf-8") if path.exists() else ""
        difference = difflib.unified_diff(
            wanted.splitlines(), golden_text(settings).splitlines(), str(path), "doca_caps", lineterm=""
        )
        shown = "\n".join(difference)
        assert not shown, shown + "\nif that is right: tests/tools/test_doca_caps.py DOCA_CAPS FAILING_MALLOC --update"

    return f"{name.replace('-', '_')}_is_printed_as_it_was", check


def update():
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.txt"):
        path.unlink()
    for name, settings in golden_cases().items():
        (GOLDEN / (name + ".txt")).write_text(golden_text(settings), encoding="utf-8")


def no_golden_output_is_of_nothing():
    tap.same({path.stem for path in GOLDEN.glob("*.txt")}, golden_cases(), "golden outputs")


def every_capability_function_has_its_row():
    devices = document(CAPS)["devices"]
    rows = {
        (library, name)
        for device in devices
        for library, capabilities in device["capabilities"].items()
        for name in capabilities
    }
    tap.same(rows, map(capability_of, capability_functions()), "rows of doca_caps")


def the_layout_is_that_of_doca():
    """As public readers of it take it: four columns a level, a key, and a value in column 46 behind it."""
    rows = {"--list-devs": (8, 54), "--list-rep-devs": (12, 58), "": (8, 54)}
    for option, (key, value) in rows.items():
        for line in told(CAPS, *option.split()).splitlines():
            if not re.match(r"PCI: |        representor-PCI: |    \w", line):
                assert re.fullmatch(f" {{{key}}}[a-z]\\S* +\\S.*", line), line
                assert line[value - 1] == " " and line[value] != " ", line


def whose_devices_they_are_stands_on_standard_error_alone():
    for option in ("", "--list-devs", "--list-rep-devs"):
        done = run(CAPS, *option.split())
        assert done.stderr == WHOSE and "software" not in done.stdout, done.stderr
    assert run(CAPS, "--json").stderr == ""


def an_address_chooses_the_device():
    for address in (HOST, "b1:00.0", "B1:00.0"):
        for flag in ("-p", "--pci-addr"):
            assert re.findall("^PCI: (.*)", told(CAPS, flag, address), re.M) == [HOST]
    assert "representor-PCI" not in told(CAPS, "--list-rep-devs", "-p", HOST)
    assert f"representor-PCI: {HOST}" in told(CAPS, "--list-rep-devs", "-p", DPU)
    assert [device["pci_addr"] for device in document(CAPS, "-p", DPU)["devices"]] == [DPU]


def a_library_is_chosen_by_each_of_its_names():
    for name in ("dma", "doca_dma", "doca-dma"):
        text = told(CAPS, "--lib", name, "-p", DPU)
        assert re.findall(r"^    (\w+)$", text, re.M) == ["dma"], text
        assert "task_memcpy_max_buf_size                      2097152\n" in text
    assert told(CAPS, "--lib", "argp") == f"PCI: {DPU}\nPCI: {HOST}\n"
    assert list(document(CAPS, "--lib", "comch")["devices"][0]["capabilities"]) == ["doca-comch"]


def libraries_and_loggers_are_listed_without_a_device():
    rows = [line.split() for line in told(CAPS, "--list-libs", SOFTDOCA_DEVICE="wrong").splitlines()]
    assert rows == [[name, "installed"] for name in ("common", "argp", "comch", "dma")]
    assert told(CAPS, "--list-libs", "--lib", "dma").split() == ["dma", "installed"]
    assert told(CAPS, "--list-loggers") == "DOCA\n"


def several_lists_stand_one_behind_the_other():
    lists = ["--list-devs", "--list-rep-devs", "--list-libs", "--list-loggers"]
    assert told(CAPS, *reversed(lists)) == "".join(told(CAPS, option) for option in lists)


def help_and_version_are_told():
    check_help_and_version(CAPS)
    assert all(f"--{name}" in told(CAPS, "-h") for name in ("list-devs", "list-rep-devs", "list-libs", "list-loggers"))


def wrong_use_is_one_line():
    check_wrong_use(
        CAPS,
        [
            (["--list"], 2, "unknown option --list; allowed: --list-devs"),
            (["-x"], 2, "unknown option -x; allowed: --list-devs"),
            (["--pci-addr"], 2, "option --pci-addr wants a value; see --help"),
            (["--json=1"], 2, "option --json=1 takes no value"),
            (["devs"], 2, "'devs' is no option"),
            (["--lib", "flow"], 2, "no library flow; there are common, argp, comch, dma"),
            (["--lib", "doca_"], 2, "no library doca_; there are"),
            (["--json", "--list-devs"], 2, "--json tells all of the devices"),
            (["-p", "0000:99:00.0"], 1, f"no device 0000:99:00.0; there are {DPU}, {HOST}"),
            (["-p", ""], 1, "no device ; there are"),
        ],
    )


def without_devices_nothing_is_printed():
    for option in ("", "--list-devs", "--list-rep-devs"):
        done = run(CAPS, *option.split(), SOFTDOCA_DEVICE="none")
        assert (done.returncode, done.stdout) == (0, ""), done
        assert done.stderr == "doca_caps: no devices; SOFTDOCA_DEVICE and SOFTDOCA_ROLE choose them, see softdoca(7)\n"
    assert document(CAPS, SOFTDOCA_DEVICE="none")["devices"] == []
    done = run(CAPS, "-p", DPU, SOFTDOCA_DEVICE="none")
    assert done.returncode == 1 and "there is none" in done.stderr, done


def a_connectx_can_no_dma():
    text = told(CAPS, "--lib", "dma", SOFTDOCA_DEVICE="connectx7")
    rows = [line.split() for line in text.splitlines() if line.startswith("     ")]
    assert rows == [["task_memcpy", "unsupported"]] * 2, text


def settings_change_what_is_told():
    limit = "task_memcpy_max_buf_size                      4096\n"
    assert limit in told(CAPS, SOFTDOCA_MAX_BUF_SIZE="4096")
    largest = {"SOFTDOCA_MAX_BUF_SIZE": str(2**64 - 1), "SOFTDOCA_ROLE": "dpu"}
    assert f" {2**64 - 1}\n" in told(CAPS, "--lib=dma", **largest)
    dma = document(CAPS, **largest)["devices"][0]["capabilities"]["doca-dma"]
    assert dma["task_memcpy_max_buf_size"] == 2**64 - 1
    assert re.findall("^PCI: (.*)", told(CAPS, SOFTDOCA_ROLE="dpu"), re.M) == [DPU]


def a_wrong_setting_is_the_librarys_line():
    for option in ("", "--list-devs", "--list-rep-devs", "--json"):
        done = run(CAPS, *option.split(), SOFTDOCA_DEVICE="bluefield4")
        assert (done.returncode, done.stdout) == (1, ""), done
        assert "SOFTDOCA_DEVICE has value 'bluefield4'" in done.stderr, done.stderr
    check_refusals_are_told(CAPS)


def a_wrong_topology_is_the_librarys_line():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "card.json"
        path.write_text('{"schema_version": 1,\n "cards": [{"model": "bluefield9"}]}\n', encoding="utf-8")
        for option in ("", "--list-devs", "--list-rep-devs", "--json"):
            done = run(CAPS, *option.split(), SOFTDOCA_DEVICE=str(path))
            assert (done.returncode, done.stdout) == (1, ""), done
            assert f"{path}:2" in done.stderr and "bluefield9" in done.stderr, done.stderr


def output_that_cannot_be_written_is_no_success():
    check_unwritable_output(CAPS, [[], ["--json"], ["--list-devs"], ["--list-libs"], ["--help"], ["--version"]])


def without_memory_it_fails_in_words():
    """Or succeeds, whole: where an allocation is not needed."""
    for option in ("--lib=dma", "--json"):
        whole = told(CAPS, option, SOFTDOCA_ROLE="dpu")
        numbers = range(1, 420) if option != "--json" else [*range(1, 60), *range(60, 1500, 37)]
        for number in numbers:
            done = run(CAPS, option, LD_PRELOAD=FAILING_MALLOC, FAIL_MALLOC=str(number), SOFTDOCA_ROLE="dpu")
            assert done.returncode in (0, 1), f"allocation {number}: {done}"
            assert done.returncode == 1 or done.stdout == whole, f"allocation {number}: {done}"
            assert done.returncode == 0 or done.stderr, f"allocation {number}: no word"


if "--update" in sys.argv:
    update()
    sys.exit()

CASES = [golden_case(name, settings) for name, settings in golden_cases().items()] + [
    no_golden_output_is_of_nothing,
    every_capability_function_has_its_row,
    the_layout_is_that_of_doca,
    whose_devices_they_are_stands_on_standard_error_alone,
    an_address_chooses_the_device,
    a_library_is_chosen_by_each_of_its_names,
    libraries_and_loggers_are_listed_without_a_device,
    several_lists_stand_one_behind_the_other,
    help_and_version_are_told,
    wrong_use_is_one_line,
    without_devices_nothing_is_printed,
    a_connectx_can_no_dma,
    settings_change_what_is_told,
    a_wrong_setting_is_the_librarys_line,
    a_wrong_topology_is_the_librarys_line,
    output_that_cannot_be_written_is_no_success,
]
if FAILING_MALLOC != "-":
    CASES.append(without_memory_it_fails_in_words)
tap.run(CASES)
