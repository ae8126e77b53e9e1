#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doca-env, doca-capability-snapshot and version-matrix.json: right, and as their schemas say.

test_doca_env.py DOCA_ENV SNAPSHOT DOCA_CAPS FAKE_MACHINE
"""
import datetime
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
import tap
from caps_documents import CLEAN, SHARE, capability_functions, capability_of, check_unwritable_output, check_wrong_use
from caps_documents import check_help_and_version, check_refusals_are_told, document, run, told, validated

ENV, SNAPSHOT, CAPS, FAKE_MACHINE = sys.argv[1:5]
DPU, HOST = "0000:03:00.0", "0000:b1:00.0"
MODULES = ["doca-common", "doca-argp", "doca-comch", "doca-dma"]
folder = tempfile.TemporaryDirectory()
TOP = pathlib.Path(folder.name).resolve()


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def installed(name):
    """A prefix with the two tools alone; what the tools are linked with is found where it was built."""
    prefix = TOP / name
    (prefix / "bin").mkdir(parents=True)
    for tool in (ENV, CAPS):
        shutil.copy(tool, prefix / "bin")
    libraries = pathlib.Path(ENV).resolve().parent.parent / "src"
    return prefix, prefix / "bin/doca-env", {"LD_LIBRARY_PATH": str(libraries)}


def functions_and_representors_are_told():
    entry = {"kind": "PF", "state": "active", "mtu": 1500}
    assert document(ENV)["devices"] == [
        {"pcie_address": DPU, "name": "p0", "representor_of": None, **entry},
        {"pcie_address": DPU, "name": "pf0hpf", "representor_of": HOST, **entry},
        {"pcie_address": HOST, "name": "ens1f0np0", "representor_of": None, **entry},
    ]
    assert [device["name"] for device in document(ENV, SOFTDOCA_ROLE="host")["devices"]] == ["ens1f0np0"]


def the_kind_of_machine_is_that_of_the_functions():
    kinds = {
        ("bluefield3", "both"): ("host", None),
        ("bluefield3", "host"): ("host", None),
        ("bluefield3", "dpu"): ("bluefield", "dpu"),
        ("connectx7", "dpu"): ("host", None),
        ("none", "dpu"): ("unknown", None),
    }
    for (device, role), (kind, mode) in kinds.items():
        settings = {"SOFTDOCA_DEVICE": device, "SOFTDOCA_ROLE": role}
        env = document(ENV, **settings)
        assert (env["host_kind"], env["bf_mode"]) == (kind, mode), (device, role)
        assert document(SNAPSHOT, **settings)["host_kind"] == kind


def the_machine_is_told_as_it_is():
    def number(size):
        path = pathlib.Path(f"/sys/kernel/mm/hugepages/hugepages-{size}kB/free_hugepages")
        return int(path.read_text(encoding="utf-8")) if path.exists() else 0

    modules = pathlib.Path("/proc/modules")
    loaded = {line.split()[0] for line in modules.read_text(encoding="utf-8").splitlines()} if modules.exists() else set()
    env = document(ENV)
    assert env["drivers"] == {
        "mlx5_core_loaded": "mlx5_core" in loaded,
        "mlx5_ib_loaded": "mlx5_ib" in loaded,
        "kernel_version": platform.release(),
    }
    assert env["hugepages"]["available_2m"] == number(2048)
    assert env["hugepages"]["available_1g"] == number(1048576)


def another_machine_is_told_as_it_is():
    machine = TOP / "machine"
    write(machine / "proc/modules", "mlx5_core 1 0 - Live 0x0\nmlx5_ib_not 1 0 - Live 0x0\n")
    write(machine / "proc/mounts", "none /a tmpfs rw 0 0\nnone /huge\\040pages hugetlbfs rw 0 0\nnone /b hugetlbfs rw 0 0\n")
    for size, free in ((2048, 7), (1048576, 3)):
        write(machine / f"sys/kernel/mm/hugepages/hugepages-{size}kB/free_hugepages", f"{free}\n")
    settings = {"LD_PRELOAD": FAKE_MACHINE, "FAKE_MACHINE": str(machine), "ASAN_OPTIONS": "verify_asan_link_order=0"}
    env = document(ENV, **settings)
    assert env["drivers"]["mlx5_core_loaded"] and not env["drivers"]["mlx5_ib_loaded"], env["drivers"]
    assert env["hugepages"] == {"available_2m": 7, "available_1g": 3, "mount_point": "/huge pages"}
    settings["FAKE_MACHINE"] = str(TOP / "nothing")
    env = document(ENV, **settings)
    assert env["hugepages"] == {"available_2m": 0, "available_1g": 0, "mount_point": None}
    assert not env["drivers"]["mlx5_core_loaded"]


def nothing_installed_is_null():
    _, env, settings = installed("empty prefix $HOME")
    found = document(env, **settings)
    assert found["version"] == {
        "pkg_config": None,
        "applications_version": None,
        "doca_caps": "3.3.0",
        "bfb": None,
        "consistent": None,
    }
    assert found["libraries"] == [
        {"pkg_config_name": name, "installed": False, "pc_path": None} for name in MODULES
    ]
    assert found["sample_paths"] == []


def an_installation_is_found_from_where_the_tool_lies():
    prefix, env, settings = installed("prefix")
    for name in MODULES:
        write(prefix / f"lib/softdoca/pkgconfig/{name}.pc", f"prefix=/usr\n\nName: {name}\nVersion: 3.3.0\n")
    write(prefix / "share/softdoca/applications/VERSION", "3.3.0")
    (prefix / "share/softdoca/samples/doca_dma").mkdir(parents=True)
    (prefix / "samples/doca_comch").mkdir(parents=True)
    found = document(env, **settings)
    assert found["version"]["pkg_config"] == found["version"]["applications_version"] == "3.3.0"
    assert found["version"]["consistent"]
    assert found["libraries"] == [
        {"pkg_config_name": name, "installed": True, "pc_path": f"{prefix}/lib/softdoca/pkgconfig/{name}.pc"}
        for name in MODULES
    ]
    assert found["sample_paths"] == [
        {"library": "doca-comch", "path": f"{prefix}/samples/doca_comch"},
        {"library": "doca-dma", "path": f"{prefix}/share/softdoca/samples/doca_dma"},
    ]
    write(prefix / "applications/VERSION", "3.2.1\n")
    version = document(env, **settings)["version"]
    assert version["applications_version"] == "3.2.1" and not version["consistent"], version
    (prefix / "bin/doca_caps").unlink()
    assert document(env, **settings)["version"]["doca_caps"] is None


def what_cannot_be_looked_at_is_a_failure():
    def asked(tool, **more):
        done = subprocess.run([tool, "--json"], capture_output=True, text=True, check=False, timeout=60, **more)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done
        version = validated(json.loads(done.stdout), "doca-env")["version"]
        assert version["doca_caps"] is None and version["consistent"] is None, version
        return done.stderr

    prefix, env, settings = installed("short")
    # Enough to read a file, not for a pipe.
    few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    got = asked(env, env={**CLEAN, **settings}, preexec_fn=few)
    assert "doca_caps could not be looked at: no process, descriptor" in got, got
    (prefix / "bin/doca_caps").write_text("#!/bin/false\n")
    assert "doca_caps could not be looked at: it cannot be run" in asked(env, env={**CLEAN, **settings})
    (prefix / "bin/doca_caps").unlink()
    write(prefix / "lib/softdoca/pkgconfig/doca-common.pc", "Version: 3.3.0\n")
    full = {"LD_PRELOAD": FAKE_MACHINE, "FAKE_MACHINE": "full", "ASAN_OPTIONS": "verify_asan_link_order=0"}
    assert "Too many open files" in asked(env, env={**CLEAN, **settings, **full})


def pkg_config_path_stands_before_the_installation():
    write(TOP / "b/doca-common.pc", "Version: 2.10.0087\n")
    write(TOP / "c/doca-common.pc", "Version: 9\n")
    write(TOP / "a/doca-dma.pc", "Name: doca-dma\n")
    (TOP / "d").mkdir()
    os.mkfifo(TOP / "d/doca-common.pc")
    (TOP / "e").mkdir()
    (TOP / "e/doca-common.pc").symlink_to("/dev/zero")
    (TOP / "f").mkdir()
    (TOP / "f/doca-common.pc").write_bytes(b"Version: 3\xff\xfe\n")
    found = document(ENV, PKG_CONFIG_PATH=f"{TOP}/d:{TOP}/e:{TOP}/f:{'x' * 5000}::{TOP}/a:{TOP}/b:{TOP}/c")
    assert found["version"]["pkg_config"] == "2.10.0087" and not found["version"]["consistent"]
    paths = {module["pkg_config_name"]: module["pc_path"] for module in found["libraries"]}
    assert paths["doca-common"] == f"{TOP}/b/doca-common.pc"
    assert paths["doca-dma"] is None, "a file without a version is no module"


def a_wrong_setting_leaves_what_can_be_told():
    for tool in (ENV, SNAPSHOT):
        assert document(tool, code=1, SOFTDOCA_DEVICE="bluefield4")["devices"] == []
        assert "SOFTDOCA_DEVICE has value 'bluefield4'" in run(tool, "--json", SOFTDOCA_DEVICE="bluefield4").stderr
        assert document(tool, SOFTDOCA_DEVICE="none")["devices"] == []
        check_refusals_are_told(tool)


def the_snapshot_names_what_each_device_has():
    snapshot = document(SNAPSHOT)
    when = datetime.datetime.strptime(snapshot["snapshot_at"], "%Y-%m-%dT%H:%M:%SZ")
    assert abs(datetime.datetime.utcnow() - when) < datetime.timedelta(minutes=5)
    assert snapshot["doca_version"] == "3.3.0"
    for device, full in zip(snapshot["devices"], document(CAPS)["devices"]):
        assert device["pcie_address"] == full["pci_addr"]
        assert device["library_capabilities"] == {
            library: [name for name, value in capabilities.items() if value is True]
            for library, capabilities in full["capabilities"].items()
        }
    assert snapshot["devices"][0]["library_capabilities"]["doca-dma"] == ["task_memcpy"]
    assert document(SNAPSHOT, SOFTDOCA_DEVICE="connectx7")["devices"][0]["library_capabilities"]["doca-dma"] == []


def without_json_people_are_told_whose_the_devices_are():
    assert told(ENV) == told(ENV, "--json")
    for tool in (ENV, SNAPSHOT):
        validated(json.loads(told(tool)), pathlib.Path(tool).name)
        whose = run(tool).stderr
        assert whose.endswith(": softdoca's devices, in software; see softdoca(7)\n") and len(whose) <= 81, whose
        assert run(tool, "--json").stderr == ""


def wrong_use_is_one_line():
    for tool in (ENV, SNAPSHOT):
        allowed = "allowed: --json, --help, --version; see --help"
        check_wrong_use(
            tool,
            [
                (["--xml"], 2, f"unknown option --xml; {allowed}"),
                (["-j"], 2, f"unknown option -j; {allowed}"),
                (["--json=yes"], 2, "option --json=yes takes no value"),
                (["json"], 2, "'json' is no option"),
            ],
        )


def help_and_version_are_told():
    for tool in (ENV, SNAPSHOT):
        check_help_and_version(tool)


def output_that_cannot_be_written_is_no_success():
    for tool in (ENV, SNAPSHOT):
        check_unwritable_output(tool, [[], ["--json"], ["--help"], ["--version"]])


def the_matrix_has_each_capability_function_once():
    matrix = validated(json.loads((SHARE / "version-matrix.json").read_text(encoding="utf-8")), "version-matrix")
    entries = matrix["entries"]
    quotes = [entry["source_quote"] for entry in entries]
    assert len(quotes) == len(set(quotes))
    tap.same(quotes, capability_functions(), "functions of version-matrix.json")
    keys = [(entry["library"], entry["capability"]) for entry in entries]
    assert keys == sorted(keys), "not sorted"
    assert keys == [capability_of(quote) for quote in quotes]
    for entry in entries:
        version = tuple(map(int, entry["min_doca_version"].split(".")))
        assert (2, 6, 0) <= version <= (3, 3, 0), entry


tap.run(
    [
        functions_and_representors_are_told,
        the_kind_of_machine_is_that_of_the_functions,
        the_machine_is_told_as_it_is,
        another_machine_is_told_as_it_is,
        nothing_installed_is_null,
        an_installation_is_found_from_where_the_tool_lies,
        what_cannot_be_looked_at_is_a_failure,
        pkg_config_path_stands_before_the_installation,
        a_wrong_setting_leaves_what_can_be_told,
        the_snapshot_names_what_each_device_has,
        without_json_people_are_told_whose_the_devices_are,
        wrong_use_is_one_line,
        help_and_version_are_told,
        output_that_cannot_be_written_is_no_success,
        the_matrix_has_each_capability_function_once,
    ]
)
