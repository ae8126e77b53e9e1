#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/manifest: what an installation writes down, refuses and takes away again.

test_manifest.py SOURCE_ROOT
"""
import contextlib
import os
import pathlib
import sys
import tempfile

import tap

ROOT = pathlib.Path(sys.argv[1])
PREFIX = "/opt/mellanox/doca"
FILES = {
    "include/doca_dma.h": "header\n",
    "lib/any/libdoca_dma.so.3.3.0": "library\n",
    "tools/doca_bench": "program\n",
    "samples/common/file.c": "sample\n",
}
CUT = """    global SHOWN
    SHOWN += 1
    if SHOWN == 8 + {}:
        os.kill(os.getpid(), signal.SIGKILL)
"""
LINK = "lib/any/libdoca_dma.so"


def manifest(*arguments):
    return [sys.executable, ROOT / "scripts/manifest", *map(str, arguments)]


class Root:
    """A DESTDIR, and a stage that is placed there."""

    def __init__(self, folder):
        self.destdir = pathlib.Path(folder) / "a root"
        self.stage = pathlib.Path(folder) / "stage"
        self.top = pathlib.Path(f"{self.destdir}{PREFIX}")
        (self.destdir / "etc").mkdir(parents=True)
        (self.destdir / "etc/passwd").write_text("root\n", encoding="utf-8")
        (self.destdir / "opt/empty").mkdir(parents=True)
        for name, text in FILES.items():
            self.write(self.stage / PREFIX[1:] / name, text)
        (self.stage / PREFIX[1:] / LINK).symlink_to("libdoca_dma.so.3.3.0")

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, layout="mellanox"):
        return manifest("check", self.destdir, PREFIX, layout)

    def place(self, layout="mellanox"):
        return manifest("place", self.destdir, PREFIX, layout, self.stage, "3.3.0")

    def remove(self):
        return manifest("remove", self.destdir, PREFIX)

    def contents(self):
        found = {}
        for path in self.destdir.rglob("*"):
            name = str(path.relative_to(self.destdir))
            if path.is_symlink():
                found[name] = "-> " + os.readlink(path)
            else:
                found[name] = path.read_text(encoding="utf-8") if path.is_file() else "/"
        return found


@contextlib.contextmanager
def a_root():
    with tempfile.TemporaryDirectory() as folder:
        yield Root(folder)


def refused(command, *words):
    said = tap.attempt(command)
    assert said.returncode == 1, said.stdout
    for word in words:
        assert word in said.stdout, f"{word} is not in: {said.stdout}"
    assert "Traceback" not in said.stdout, said.stdout


def what_was_installed_goes_and_nothing_else():
    with a_root() as root:
        before = root.contents()
        tap.succeeds(root.place())
        for name, text in FILES.items():
            assert (root.top / name).read_text(encoding="utf-8") == text
        assert os.readlink(root.top / LINK) == "libdoca_dma.so.3.3.0"
        said = tap.succeeds(root.remove())
        assert "5 files" in said and "Left" not in said, said
        assert root.contents() == before
        refused(root.remove(), "nothing of softdoca is installed")


def a_root_that_is_not_there_goes_again():
    with a_root() as root:
        command = manifest("place", f"{root.destdir}/new", PREFIX, "softdoca", root.stage, "3.3.0")
        tap.succeeds(command)
        tap.succeeds(manifest("remove", f"{root.destdir}/new", PREFIX))
        assert not (root.destdir / "new").exists()


def a_doca_that_is_there_is_left_alone():
    with a_root() as root:
        root.write(root.top / "lib/any/libdoca_flow.so.2", "theirs\n")
        before = root.contents()
        refused(root.check(), "libdoca_flow.so.2", "did not install", "Choose another PREFIX")
        refused(root.place(), "libdoca_flow.so.2")
        assert root.contents() == before
        tap.succeeds(root.check("softdoca"))


def a_doca_that_came_later_is_left_alone():
    for name in ("lib/any/libdoca_flow.so.2", "include/doca_flow.h", "tools/doca_caps"):
        with a_root() as root:
            tap.succeeds(root.place())
            root.write(root.top / name, "theirs\n")
            refused(root.place(), name, "did not install")
            tap.succeeds(root.remove())
            assert (root.top / name).is_file()


def a_file_of_others_in_our_place_is_left_alone():
    with a_root() as root:
        root.write(root.top / "tools/doca_bench", "theirs\n")
        before = root.contents()
        refused(root.place("softdoca"), "tools/doca_bench", "not softdoca's")
        assert root.contents() == before


def a_second_installation_takes_the_place_of_the_first():
    with a_root() as root:
        before = root.contents()
        tap.succeeds(root.place())
        (root.stage / PREFIX[1:] / "samples/common/file.c").unlink()
        (root.stage / PREFIX[1:] / "samples/common").rmdir()
        root.write(root.stage / PREFIX[1:] / "include/doca_dma.h", "newer\n")
        tap.succeeds(root.place())
        assert not (root.top / "samples").exists()
        assert (root.top / "include/doca_dma.h").read_text(encoding="utf-8") == "newer\n"
        tap.succeeds(root.remove())
        assert root.contents() == before


def what_the_user_changed_or_added_stays_and_is_named():
    with a_root() as root:
        tap.succeeds(root.place())
        root.write(root.top / "samples/common/file.c", "changed\n")
        root.write(root.top / "samples/mine/mine.c", "mine\n")
        refused(root.place(), "samples/common/file.c", "Move away")
        said = tap.succeeds(root.remove())
        assert f"were changed: {PREFIX}/samples/common/file.c\n" in said, said
        assert f"did not install them: {PREFIX}/samples/mine\n" in said, said
        left = {path.name for path in root.top.rglob("*") if path.is_file()}
        tap.same(left, {"file.c", "mine.c"}, "left")


def an_installation_cut_off_anywhere_can_be_removed():
    program = (ROOT / "scripts/manifest").read_text(encoding="utf-8")
    line = "    new.replace(target)\n"
    assert line in program
    for number in range(1, len(FILES) + 2):
        with a_root() as root:
            before = root.contents()
            killed = root.stage.parent / "manifest"
            root.write(killed, program.replace(line, CUT.format(number) + line))
            tap.fails([sys.executable, killed, *root.place()[2:]])
            assert root.contents() != before
            tap.succeeds(root.remove())
            assert root.contents() == before


def a_place_that_cannot_be_is_refused():
    with a_root() as root:
        root.write(root.destdir / "opt/mellanox", "a file\n")
        refused(root.check(), "opt/mellanox is no directory")
    with a_root() as root:
        if os.getuid() != 0:  # root may write everywhere
            (root.destdir / "opt").chmod(0o500)
            refused(root.check(), "opt cannot be written", "be root")
            (root.destdir / "opt").chmod(0o700)


def a_damaged_manifest_removes_nothing():
    for line in ("f 0 /etc/passwd", "f 0 " + PREFIX + "/../../../etc/passwd", "what is this"):
        with a_root() as root:
            tap.succeeds(root.place())
            path = root.top / "share/softdoca/manifest"
            root.write(path, path.read_text(encoding="utf-8") + line + "\n")
            before = root.contents()
            refused(root.remove(), "damaged")
            assert root.contents() == before


tap.run(
    [
        what_was_installed_goes_and_nothing_else,
        a_root_that_is_not_there_goes_again,
        a_doca_that_is_there_is_left_alone,
        a_doca_that_came_later_is_left_alone,
        a_file_of_others_in_our_place_is_left_alone,
        a_second_installation_takes_the_place_of_the_first,
        what_the_user_changed_or_added_stays_and_is_named,
        an_installation_cut_off_anywhere_can_be_removed,
        a_place_that_cannot_be_is_refused,
        a_damaged_manifest_removes_nothing,
    ]
)
