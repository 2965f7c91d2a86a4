"""Change the code one place at a time, run the tests of that module each time, and name every change that passes them.

    make mutants                              all modules
    python tests/mutate.py kg.py checks.py    some of them

mutmut says what to change: a number, an operator, an argument, a word. It is used as a library, since its own command
leaves out decorated functions and everything outside a function, and its tests keep what a module computed on import.
Here each change is a file of its own in a copy of the project, and each run of the tests imports it anew.

A change that no test can tell stands in tests/mutants.md with the reason. Exits 1 where another one survives.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import trust

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tests" / "mutants.md"
QUICKLY = ["-x", "-q", "-n0", "-W", "ignore::pytest.PytestAssertRewriteWarning",  # since this process has imported plugins already
           *(word for plugin in ("cacheprovider", "anyio", "unraisableexception") for word in ("-p", f"no:{plugin}"))]
TIMEOUT = 240  # seconds; a change that lets the tests run on for ever is noticed too

# A module, and the tests that are to notice any change of it, as arguments of pytest: quick ones first, and the later ones
# only for what those pass.
CORE = "tests/test_attention_core.py"
MODULES = {
    "kg.py": [["tests/test_kg.py"]],
    "checks.py": [[CORE, "-k", "bad_input"], [CORE, "-m", "not hypothesis"], [CORE, "-m", "hypothesis"]],
    "attention_core.py": [[CORE, "-m", "not hypothesis"], [CORE, "-m", "hypothesis"]],
    "chapter/run.py": [["tests/test_run.py"]],
    "chapter/sliders.py": [["tests/test_sliders.py"]],
    "chapter/refresh.py": [["tests/test_refresh.py"]],
    "chapter/exercises.py": [["tests/test_exercises.py"]],
    "chapter/scenes.py": [["tests/test_figures.py"], ["notebooks"]],
    "chapter/figures.py": [["tests/test_figures.py"], ["notebooks"]],
}


class Mutant(NamedTuple):
    """One change of a module: its place, the lines before and after, and the whole text with it."""

    module: str
    line: int
    was: str
    becomes: str
    text: str


def agreeing(one: list[str], other: list[str]) -> int:
    """How many lines two texts have in common from the first on."""
    return next(k for k, (a, b) in enumerate(zip_longest(one, other)) if a != b)


def mutants(module: str) -> Iterator[Mutant]:
    """Every change of a module that mutmut knows of, in the order of the file."""
    import libcst
    from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
    from mutmut.mutation.mutators import mutation_operators
    from mutmut.mutation.pragma_handling import IgnoredCode

    class Everywhere(MutationVisitor):
        def _skip_node_and_children(self, node):  # decorated functions too
            return not (isinstance(node, libcst.FunctionDef) and node.decorators) and super()._skip_node_and_children(node)

    whole = (ROOT / module).read_text(encoding="utf-8")
    tree = libcst.metadata.MetadataWrapper(libcst.parse_module(whole))
    visitor = Everywhere(mutation_operators, IgnoredCode(set(), set(), set()))
    tree.visit(visitor)
    before = whole.splitlines()
    for change in visitor.mutations:
        text = deep_replace(tree.module, change.original_node, change.mutated_node).code
        after = text.splitlines()
        i = agreeing(before, after)
        j = agreeing(before[i:][::-1], after[i:][::-1])
        was, becomes = (" ".join(line.strip() for line in lines[i:len(lines) - j]) for lines in (before, after))
        yield Mutant(module, i + 1, was, becomes, text)


COPY: Path


def copy_project(folder: str) -> None:
    """Give this worker its own copy of the project, and load what every run of the tests would load."""
    global COPY
    COPY = Path(tempfile.mkdtemp(dir=folder)) / "copy"
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".hypothesis", ".pytest_cache"))
    os.environ.update(PYTHONPATH=str(COPY))
    sys.path[:] = [str(COPY), *(p for p in sys.path if p not in (str(ROOT), str(ROOT / "tests")))]
    for name in {path.stem for path in ROOT.glob("*.py")} | {name for name in sys.modules if name.split(".")[0] == "chapter"}:
        sys.modules.pop(name, None)  # what this script itself has imported of the project, without any change
    import hypothesis.extra.numpy  # noqa: F401
    import ipywidgets  # noqa: F401
    import matplotlib.backends.backend_agg  # noqa: F401
    import nbval.plugin  # noqa: F401


def passes(tests: list[str]) -> bool:
    """Whether these tests pass in this worker's copy, run by a process that has imported nothing of it."""
    import pytest
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.alarm(TIMEOUT)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        os.chdir(COPY)
        try:
            code = int(pytest.main([*QUICKLY, *tests]))
        except BaseException:
            code = 1
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    try:
        os.killpg(child, signal.SIGKILL)  # kernels that its tests left
    except ProcessLookupError:
        pass
    return status == 0


def survives(mutant: Mutant | None, module: str) -> bool:
    """Whether all tests of a module pass with one change of it, or (None) without any."""
    path = COPY / module
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()  # Python takes it for the same file where size and second are the same
    path.write_text(mutant.text if mutant else (ROOT / module).read_text(encoding="utf-8"), encoding="utf-8")
    try:
        return all(map(passes, MODULES[module]))
    finally:
        path.write_text((ROOT / module).read_text(encoding="utf-8"), encoding="utf-8")


def listed() -> set[tuple[str, str, str]]:
    """The changes of tests/mutants.md: the rows of its tables, each under the heading of its module."""
    found, module = set(), ""
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            module = line[3:].strip("`")
        elif line.startswith("| `"):
            was, becomes = line.split(" | ")[:2]
            found.add((module, was[2:].strip("`"), becomes.strip("`")))
    return found


def row(mutant: Mutant) -> tuple[str, str, str]:
    """A change as tests/mutants.md writes it."""
    return mutant.module, *(text.replace("|", "¦").replace("`", "'") for text in (mutant.was, mutant.becomes))


def main() -> int:
    chosen = sys.argv[1:] or list(MODULES)
    equivalent, failed = listed(), False
    with tempfile.TemporaryDirectory() as folder, \
            ProcessPoolExecutor(2, get_context("fork"), copy_project, (folder,)) as pool:
        for module in chosen:
            if not pool.submit(survives, None, module).result():
                print(f"{module}: its tests fail before any change")
                return 1
            if pool.submit(survives, Mutant(module, 1, "", "", "raise ImportError\n"), module).result():
                print(f"{module}: its tests pass without it, so that they run something else")
                return 1
            changes, began = list(mutants(module)), time.monotonic()
            alive = []
            for k, (change, lives) in enumerate(zip(changes, pool.map(survives, changes, [module] * len(changes))), 1):
                if lives:
                    alive.append(change)
                    known = row(change) in equivalent
                    print(f"\r{'equivalent' if known else 'SURVIVES'}  {module}:{change.line}\n"
                          f"  - {change.was}\n  + {change.becomes}")
                print(f"\r{module}: {k} of {len(changes)}, {len(alive)} alive, {time.monotonic() - began:.0f} s", end="",
                      flush=True)
            rows = {row(change) for change in alive}
            gone = {r for r in equivalent if r[0] == module} - rows
            for _, was, becomes in gone:
                print(f"\nlisted, and yet noticed or no longer there: {was}  ->  {becomes}")
            left = [change for change in alive if row(change) not in equivalent]
            print(f"\r{module}: {len(changes) - len(alive)} of {len(changes)} noticed, {len(alive) - len(left)} equivalent, "
                  f"{len(left)} survive{' ' * 20}")
            failed |= bool(left or gone)
            trust.store("mutants", {module: {"all": len(changes), "noticed": len(changes) - len(alive),
                                            "equivalent": len(alive) - len(left), "survive": len(left)}})
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
