# SPDX-License-Identifier: Apache-2.0
"""What the checks share: cases printed as TAP, commands that must work, text without comments."""
import re
import subprocess
import sys
import traceback


def run(cases):
    """Run functions; the name of each, or of each (name, function), is its sentence."""
    failed = 0
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        name, check = case if isinstance(case, tuple) else (case.__name__, case)
        try:
            check()
            print(f"ok {number} - {name}", flush=True)
        except Exception as error:  # whatever it is, it is this case that failed
            failed += 1
            why = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            print(f"not ok {number} - {name}")
            print("".join(f"# {line}\n" for line in why.splitlines()), end="", flush=True)
    sys.exit(1 if failed else 0)


def skip(why):
    """The whole program cannot run here."""
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def succeeds(command, **options):
    """What the command prints; it must exit 0."""
    done = attempt(command, **options)
    assert done.returncode == 0, f"{shown(command)}\n{done.stdout}"
    return done.stdout


def fails(command, **options):
    """What the command prints; it must not exit 0."""
    done = attempt(command, **options)
    assert done.returncode != 0, f"{shown(command)}\nworked, and should not"
    return done.stdout


def shown(command):
    text = " ".join(map(str, command))
    return text if len(text) < 500 else text[:500] + " …"


def attempt(command, **options):
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )


def same(got, wanted, what):
    """Two sets of names are the same."""
    more = "".join(f"\n  {name}: not expected" for name in sorted(set(got) - set(wanted)))
    less = "".join(f"\n  {name}: missing" for name in sorted(set(wanted) - set(got)))
    assert not more and not less, what + more + less


def table(path):
    """The lines of a list file as fields; comments and empty lines left out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def without_comments(text):
    """C text without comments; lines keep their numbers."""

    def blank(match):
        return match.group(0) if match.group(0)[0] in "\"'" else "\n" * match.group(0).count("\n")

    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'"
    return re.sub(pattern, blank, text, flags=re.S)


def declared(text):
    """The functions that a header declares with a stability mark: name to mark."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", without_comments(text), flags=re.M)
    found = re.findall(
        r"\b(DOCA_STABLE|DOCA_EXPERIMENTAL|DOCA_DEPRECATED)\s+[^;{}()]*?\b((?:soft)?doca_\w+)\s*\(", text
    )
    return {name: mark for mark, name in found}


def unmarked(text):
    """The functions that a header declares without a stability mark and does not define."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", without_comments(text), flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    found = []
    for statement in re.split(r"[;{}]", text):
        match = re.match(r"\s*(?!typedef\b)\w[\w\s*]*?[\s*]((?:soft)?doca_\w+)\s*\(", statement)
        if match and not re.search(r"\bDOCA_[A-Z_]*\b|\binline\b|\breturn\b|=", statement):
            found.append(match.group(1))
    return found
