# SPDX-License-Identifier: Apache-2.0
"""What the tests of the tools share: a clean environment, the settings, and a tree as it is installed.

argv[1] of the test is the tool softdoca, in its build directory.
"""
import os
import pathlib
import shutil
import sys

BUILD = pathlib.Path(sys.argv[1]).resolve().parent.parent
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARIES = str(BUILD / "src")
TOOLS = ("doca_bench", "doca_caps", "doca-env", "doca-capability-snapshot")
DROPPED = ("LD_PRELOAD", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "MANPATH", "DOCA_LOG_LEVEL", "TMPDIR", "CC")
CLEAN = {
    key: value for key, value in os.environ.items() if key not in DROPPED and not key.startswith("SOFTDOCA_")
}
# An instrumented softdoca wants its runtime first, also where a user preloads something else into it.
CLEAN["ASAN_OPTIONS"] = "verify_asan_link_order=0"

# Option, variable, a right value.
SETTINGS = (
    ("role", "SOFTDOCA_ROLE", "dpu"),
    ("device", "SOFTDOCA_DEVICE", "bluefield2"),
    ("errors", "SOFTDOCA_ERRORS", "hardware"),
    ("engine", "SOFTDOCA_ENGINE", "workers:2"),
    ("kernel", "SOFTDOCA_KERNEL", "portable"),
    ("reach", "SOFTDOCA_REACH", "cma"),
    ("max-buf-size", "SOFTDOCA_MAX_BUF_SIZE", "64K"),
    ("max-buf-list-len", "SOFTDOCA_MAX_BUF_LIST_LEN", "8"),
    ("queue-depth", "SOFTDOCA_QUEUE_DEPTH", "4"),
    ("connect-timeout", "SOFTDOCA_CONNECT_TIMEOUT", "0.5"),
    ("deadline", "SOFTDOCA_DEADLINE", "2"),
    ("runtime-dir", "SOFTDOCA_RUNTIME_DIR", "/run"),
    ("allow-uids", "SOFTDOCA_ALLOW_UIDS", "1,2"),
    ("config", "SOFTDOCA_CONFIG", ""),
    ("log-level", "DOCA_LOG_LEVEL", "debug"),
)


def copy_libraries(target):
    for library in (BUILD / "src").glob("lib*.so*"):
        if library.is_symlink():
            (target / library.name).symlink_to(os.readlink(library))
        elif library.is_file():
            shutil.copy(library, target)
    shutil.copy(BUILD / "tools/libsoftdoca_heap.so", target)


def tree(root):
    """The tool, in a tree as it is installed."""
    lib = root / "lib/softdoca"
    for folder in (root / "bin", lib / "pkgconfig", lib / "dpu/pkgconfig", root / "share/man/man1"):
        folder.mkdir(parents=True)
    copy_libraries(lib)
    (root / "src").symlink_to("lib/softdoca")  # where a tool that is not installed looks
    for tool in ("softdoca", *TOOLS):
        shutil.copy(BUILD / "tools" / tool, root / "bin")
    shutil.copytree(SOURCE / "include", root / "include/softdoca")
    for module in (BUILD / "pkgconfig").glob("*.pc"):
        name, flavour, _ = module.name.split(".")
        folder = lib / "pkgconfig" if flavour == "host" else lib / "dpu/pkgconfig"
        lines = module.read_text(encoding="utf-8").splitlines(keepends=True)
        lines[0] = f"prefix={str(root).replace(' ', chr(92) + ' ')}\n"
        (folder / f"{name}.pc").write_text("".join(lines), encoding="utf-8")
    return root / "bin/softdoca"
