#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/manifest: what an installation writes down, refuses and takes away again.

test_manifest.py SOURCE_ROOT
"""
import contextlib
import hashlib
import os
import pathlib
import shutil
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
MANIFEST = "share/softdoca/manifest"


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
    return said.stdout


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


def a_doca_of_linked_directories_is_left_alone():
    with a_root() as root:
        root.write(root.destdir / "opt/theirs/doca_flow.h", "theirs\n")
        root.top.mkdir(parents=True)
        (root.top / "include").symlink_to("../../theirs")
        refused(root.check(), "include", "did not install")
        refused(root.place(), "include")


def a_name_that_cannot_be_written_down_is_refused():
    with a_root() as root:
        root.write(root.stage / PREFIX[1:] / "samples/my file", "x\n")
        before = root.contents()
        refused(root.place(), "my file", "cannot be written down")
        assert root.contents() == before


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


def what_stands_where_a_directory_was_stays():
    for make in (pathlib.Path.touch, lambda path: path.symlink_to("/nowhere")):
        with a_root() as root:
            tap.succeeds(root.place())
            shutil.rmtree(root.top / "samples")
            make(root.top / "samples")
            if (root.top / "samples").is_symlink():
                refused(root.remove(), "leads to /nowhere")
                (root.top / "samples").unlink()
                (root.top / "samples").symlink_to("include")
            said = tap.succeeds(root.remove())
            assert f"did not install them: {PREFIX}/samples\n" in said, said
            tap.same(os.listdir(root.top), {"samples"}, "left")


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


def a_damaged_manifest_changes_nothing():
    with a_root() as root:
        tap.succeeds(root.place())
        path = root.top / MANIFEST
        whole = path.read_bytes()
        above, last = whole.rsplit(b"end\n", 1)
        lines = (b"f 0 /etc/passwd", b"what is this", b"", b"f", b"d", b"\xff", b"\0", b"l  " + PREFIX.encode())
        damaged = [above + line + b"\nend\n" + last for line in lines]
        damaged += [whole[:length] for length in range(0, len(whole), 200)] + [whole[:-1], b"\0" * 500]
        for text in damaged:
            path.write_bytes(text)
            before = {path: path.read_bytes() for path in root.top.rglob("*") if path.is_file()}
            for command in (root.place(), root.remove()):
                said = refused(command, "manifest is damaged: ")
                assert said.count("\n") == 1, said
            assert before == {path: path.read_bytes() for path in root.top.rglob("*") if path.is_file()}
        for make in (path.mkdir, lambda: path.symlink_to("/etc/passwd"), lambda: os.mkfifo(path)):
            path.unlink()
            make()
            for command in (root.check(), root.remove()):
                refused(command, "manifest is damaged: it is no file")
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
                path.touch()


def a_manifest_that_names_what_is_outside_removes_nothing():
    passwd = hashlib.sha256(b"root\n").hexdigest()
    for line in (
        f"f {passwd} /etc/passwd",
        f"f {passwd} {PREFIX}/../../../etc/passwd",
        f"f {passwd} {PREFIX}/out/passwd",
        f"l passwd {PREFIX}/out/link",
        f"d {PREFIX}/out/empty",
        "d /opt/empty",
        "d /etc/empty",
    ):
        with a_root() as root:
            (root.destdir / "etc/link").symlink_to("passwd")
            (root.destdir / "etc/empty").mkdir()
            tap.succeeds(root.place())
            (root.top / "out").symlink_to("../../../etc")
            path = root.top / MANIFEST
            text = path.read_text(encoding="utf-8")
            root.write(path, text.replace("\nend\n", f"\n{line}\nend\n"))
            before = root.contents()
            refused(root.remove(), "/out leads to " if "/out/" in line else f"is {line!r}")
            assert root.contents() == before


def a_link_that_leads_out_is_refused_before_anything_is_done():
    for name, target in (
        ("lib", "/nowhere"),
        ("lib", "lib64"),  # is not there
        ("lib", "lib"),
        ("lib/any", "../../../../../opt/empty"),
        ("tools", "../../empty"),
        ("share", "../../empty"),
        ("share/softdoca", "../../../empty"),
    ):
        with a_root() as root:
            (root.top / name).parent.mkdir(parents=True)
            (root.top / name).symlink_to(target)
            before = root.contents()
            refused(root.place("softdoca"), name, "remove" if "/" in target else "Remove")
            assert root.contents() == before
    for name in ("lib", "share", "samples/common"):
        with a_root() as root:
            tap.succeeds(root.place())
            shutil.move(root.top / name, root.destdir / "opt/empty/moved")
            (root.top / name).symlink_to(root.destdir / "opt/empty/moved")
            before = root.contents()
            refused(root.place(), name, "leads to")
            refused(root.remove(), name, "leads to")
            assert root.contents() == before


def a_link_on_the_way_to_the_prefix_does_not_lead_out_of_the_root():
    with a_root() as root:
        elsewhere = root.stage.parent / "elsewhere"
        elsewhere.mkdir()
        (root.destdir / "opt/mellanox").symlink_to(elsewhere)
        for command in (root.check(), root.place(), root.remove()):
            refused(command, "opt/mellanox", "leads to", str(elsewhere))
        assert not list(elsewhere.iterdir())
        (root.destdir / "opt/mellanox").unlink()
        (root.destdir / "opt/mellanox").symlink_to("empty")  # stays in it
        before = root.contents()
        tap.succeeds(root.place())
        tap.succeeds(root.remove())
        assert root.contents() == before


def links_that_stay_in_the_prefix_are_followed():
    with a_root() as root:
        (root.top / "lib64/any").mkdir(parents=True)
        (root.top / "lib").symlink_to("lib64")
        before = root.contents()
        tap.succeeds(root.place("softdoca"))
        assert (root.top / "lib64/any/libdoca_dma.so").is_file()
        tap.succeeds(root.place("softdoca"))
        tap.succeeds(root.remove())
        assert root.contents() == before
    with a_root() as root:
        tap.succeeds(root.place())
        (root.top / "lib").rename(root.top / "lib64")
        (root.top / "lib").symlink_to("lib64")
        tap.succeeds(root.place())
        said = tap.succeeds(root.remove())
        assert f"did not install them: {PREFIX}/lib, {PREFIX}/lib64\n" in said, said
        assert not list((root.top / "lib64").iterdir())


def a_planted_link_is_not_written_through():
    with a_root() as root:
        victim = root.stage.parent / "victim"
        victim.write_text("theirs\n", encoding="utf-8")
        names = [*FILES, LINK, MANIFEST]
        for name in names:
            path = root.top / (name + ".softdoca-new")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(victim)
        tap.succeeds(root.place("softdoca"))
        assert victim.read_text(encoding="utf-8") == "theirs\n"
        assert not [name for name in FILES if (root.top / name).is_symlink()]
        for name in names:
            (root.top / (name + ".softdoca-new")).symlink_to(victim)
        tap.succeeds(root.remove())
        assert victim.read_text(encoding="utf-8") == "theirs\n"


def an_installation_that_failed_says_how_it_is_removed():
    with a_root() as root:
        (root.top / "tools/doca_bench.softdoca-new").mkdir(parents=True)
        before = root.contents()
        refused(root.place("softdoca"), f"make uninstall PREFIX={PREFIX} 'DESTDIR={root.destdir}'")
        tap.succeeds(root.remove())
        assert root.contents() == before


def an_installation_that_cannot_be_written_down_leaves_nothing():
    with a_root() as root:
        (root.top / "share/softdoca/manifest.softdoca-new").mkdir(parents=True)
        before = root.contents()
        refused(root.place("softdoca"), "manifest.softdoca-new")
        assert root.contents() == before
    with a_root() as root:
        before = root.contents()
        limit = "trap '' XFSZ; ulimit -f 0; exec \"$@\""
        said = refused(["sh", "-c", limit, "sh", *root.place("softdoca")], "File too large")
        assert "uninstall" not in said, said
        assert root.contents() == before


def make_passes_any_directory_on():
    with a_root() as root:
        destdir = f"{root.destdir} 'of' \"$me`"
        make = ["make", "-s", "-C", ROOT, "uninstall", "PREFIX=/opt/x", "DESTDIR=" + destdir.replace("$", "$$")]
        assert f"installed below {destdir}/opt/x:" in tap.fails(make)


tap.run(
    [
        what_was_installed_goes_and_nothing_else,
        a_root_that_is_not_there_goes_again,
        a_doca_that_is_there_is_left_alone,
        a_doca_of_linked_directories_is_left_alone,
        a_name_that_cannot_be_written_down_is_refused,
        a_doca_that_came_later_is_left_alone,
        a_file_of_others_in_our_place_is_left_alone,
        a_second_installation_takes_the_place_of_the_first,
        what_the_user_changed_or_added_stays_and_is_named,
        what_stands_where_a_directory_was_stays,
        an_installation_cut_off_anywhere_can_be_removed,
        a_place_that_cannot_be_is_refused,
        a_damaged_manifest_changes_nothing,
        a_manifest_that_names_what_is_outside_removes_nothing,
        a_link_that_leads_out_is_refused_before_anything_is_done,
        a_link_on_the_way_to_the_prefix_does_not_lead_out_of_the_root,
        links_that_stay_in_the_prefix_are_followed,
        a_planted_link_is_not_written_through,
        an_installation_that_failed_says_how_it_is_removed,
        an_installation_that_cannot_be_written_down_leaves_nothing,
        make_passes_any_directory_on,
    ]
)
