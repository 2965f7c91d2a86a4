"""Change the code one place at a time, run the tests of that module each time, and name every change that passes them.

    make mutants                              all modules
    python tools/mutate.py kg.py attention_checks.py    some of them

mutmut says what to change: a number, an operator, an argument, a word. It is used as a library, since its own command
leaves out decorated functions and everything outside a function, and its tests keep what a module computed on import.
Here each change is a file of its own in a copy of the project, and each run of the tests imports it anew: first the tests
that reach the changed lines, the quickest before the others, then all others of the module for a change that passes those.

A change that no test can tell stands in tools/mutants.md with the reason. Exits 1 where another one survives.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from tools import trust

ROOT = Path(__file__).resolve().parent.parent
LISTED = ROOT / "tools" / "mutants.md"
QUICKLY = [
    "-x",
    "-q",
    "-n0",
    "--assert=plain",
    *(word for plugin in ("cacheprovider", "anyio", "unraisableexception") for word in ("-p", f"no:{plugin}")),
]
TIMEOUT = 90  # seconds; a change that lets the tests run on for ever is noticed too

# A module, and the tests that are to notice any change of it, as arguments of pytest: quick ones first, and the later ones
# only for what those pass.
CORE, FIGURES = "tests/test_attention_core.py", "tests/test_figures.py"
MODULES = {
    "kg.py": [["tests/test_kg.py"]],
    "attention_checks.py": [[CORE, "-k", "bad_input"], [CORE, "-m", "not hypothesis"], [CORE, "-m", "hypothesis"]],
    "attention_core.py": [[CORE, "-m", "not hypothesis"], [CORE, "-m", "hypothesis"]],
    "attention_chapter/run.py": [["tests/test_run.py"]],
    "attention_chapter/training.py": [["tests/test_training.py"]],
    "attention_chapter/questions.py": [["tests/test_questions.py"]],
    "attention_chapter/sliders.py": [["tests/test_sliders.py"]],
    "attention_chapter/lens.py": [["tests/test_lens.py"]],
    "tools/refresh.py": [["tests/test_refresh.py"]],
    **{
        f"attention_chapter/exercises/{path.name}": [["tests/test_exercises.py"]]
        for path in sorted((ROOT / "attention_chapter/exercises").glob("*.py"))
    },
    "attention_chapter/scenes.py": [[FIGURES, "-k", "written_down"], [FIGURES, "-k", "not written_down"]],
    "attention_chapter/picture.py": [[FIGURES, "-k", "written_down"], [FIGURES, "-k", "not written_down"]],
    "attention_chapter/figures.py": [[FIGURES, "-k", "written_down"], [FIGURES, "-k", "not written_down"]],
    "attention_chapter/diagrams.py": [[FIGURES, "-k", "written_down"], [FIGURES, "-k", "not written_down"]],
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

    class Inside(libcst.CSTVisitor):
        def on_visit(self, node):
            place[id(node)] = k
            return True

    whole = (ROOT / module).read_text(encoding="utf-8")
    tree = libcst.metadata.MetadataWrapper(libcst.parse_module(whole))
    visitor = Everywhere(mutation_operators, IgnoredCode(set(), set(), set()))
    tree.visit(visitor)
    # A change is made in its own part of the module, since to write the whole anew takes a hundred times as long.
    parts, place = tree.module.body, {}
    for k, part in enumerate(parts):
        part.visit(Inside())
    texts = [tree.module.code_for_node(part) for part in parts]
    ahead = whole[: whole.index(texts[0])] if texts else whole
    before = whole.splitlines()
    for change in visitor.mutations:
        k = place[id(change.original_node)]
        part = tree.module.code_for_node(deep_replace(parts[k], change.original_node, change.mutated_node))
        text = ahead + "".join([*texts[:k], part, *texts[k + 1 :]])
        after = text.splitlines()
        i = agreeing(before, after)
        j = agreeing(before[i:][::-1], after[i:][::-1])
        was, becomes = (" ".join(line.strip() for line in lines[i : len(lines) - j]) for lines in (before, after))
        yield Mutant(module, i + 1, was, becomes, text)


COPY: Path


def copy_project(folder: str) -> None:
    """Give this worker its own copy of the project, and load what every run of the tests would load."""
    global COPY
    COPY = Path(tempfile.mkdtemp(dir=folder)) / "copy"
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".hypothesis", ".pytest_cache"))
    os.environ.update(PYTHONPATH=str(COPY))
    sys.dont_write_bytecode = False  # what is the same in every run is compiled once
    sys.path[:] = [str(COPY), *(p for p in sys.path if p not in (str(ROOT), str(ROOT / "tests"), str(ROOT / "tools")))]
    for name in {path.stem for path in ROOT.glob("*.py")} | {
        name for name in sys.modules if name.split(".")[0] == "attention_chapter"
    }:
        sys.modules.pop(name, None)  # what this script itself has imported of the project, without any change
    import coverage  # noqa: F401
    import hypothesis.extra.numpy  # noqa: F401
    import ipywidgets  # noqa: F401
    import matplotlib.backends.backend_agg  # noqa: F401
    import nbval.plugin  # noqa: F401


def run(tests: list[str], *plugins: object) -> int:
    """0 if these tests pass in this worker's copy, or if none is left to run."""
    import pytest

    os.chdir(COPY)
    try:
        return int(pytest.main([*QUICKLY, *tests], list(plugins)) not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED))
    except BaseException:  # a change that breaks pytest itself
        return 1


def apart(work: Callable[[], int], seconds: int = TIMEOUT) -> bool:
    """Whether work returns 0 in a process that has imported nothing of the project, and within the time."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.alarm(seconds)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silent, stream)
        os._exit(work())
    status = os.waitpid(child, 0)[1]
    try:
        os.killpg(child, signal.SIGKILL)  # kernels that its tests left
    except ProcessLookupError:
        pass
    return status == 0


def reached(module: str) -> dict[int, list[str]]:
    """For each line of a module the tests that run it, in the order of MODULES and the quickest first; none on import alone."""
    found = COPY.parent / "reached.json"

    def watched() -> int:
        import coverage

        watch = coverage.Coverage(data_file=None, config_file=False, include=[str(COPY / module)])
        code, costs = 0, {}

        def forget(item) -> None:  # what a test before this one has kept, so that this one is seen to run it too
            for kept in vars(item.module).values():
                getattr(kept, "cache_clear", int)()

        notes = SimpleNamespace(
            pytest_runtest_setup=forget,
            pytest_runtest_logstart=lambda nodeid, location: watch.switch_context(nodeid),
            pytest_runtest_logreport=lambda report: costs.update(
                {report.nodeid: (stage, costs.get(report.nodeid, (stage, 0))[1] + report.duration)}
            ),
        )
        watch.start()
        for stage, tests in enumerate(MODULES[module]):
            code += run(tests, notes)
        watch.stop()
        lines = watch.get_data().contexts_by_lineno(str(COPY / module))
        near = {k: sorted(filter(None, tests), key=costs.__getitem__) for k, tests in lines.items()}
        found.write_text(json.dumps(near), encoding="utf-8")
        return code

    if not apart(watched, 10 * TIMEOUT):
        raise SystemExit(f"{module}: its tests fail before any change")
    return {int(k): tests for k, tests in json.loads(found.read_text(encoding="utf-8")).items()}


def statements(module: str) -> list[range]:
    """The lines of each statement of a module, a function's being its head and its body; the inner ones first."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    spans = [range(node.lineno, node.end_lineno + 1) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return sorted(spans, key=len)


def nearest(line: int, spans: list[range], lines: dict[int, list[str]]) -> list[str]:
    """The tests that run the statement at a line, each once and in their order."""
    span = next((span for span in spans if line in span), range(line, line + 1))
    return list(dict.fromkeys(test for k in span for test in lines.get(k, [])))


def survives(mutant: Mutant, module: str, near: list[str] = (), enough: bool = False) -> bool:
    """Whether all tests of a module pass with a change of it: those near it first, or (enough) those alone."""
    path = COPY / module
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()  # Python takes it for the same file where size and second are the same
    path.write_text(mutant.text, encoding="utf-8")
    try:
        done = [f"--deselect={test}" for test in near]
        others = [] if near and enough else [tests + done for tests in MODULES[module]]
        return all(apart(lambda: run(tests)) for tests in ([near] if near else []) + others)
    finally:
        path.write_text((ROOT / module).read_text(encoding="utf-8"), encoding="utf-8")


def listed() -> set[tuple[str, str, str]]:
    """The changes of tools/mutants.md: the rows of its tables, each under the heading of its module."""
    found, module = set(), ""
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            module = line[3:].strip("`")
        elif line.startswith("| `"):
            was, becomes = line.split(" | ")[:2]
            found.add((module, was[2:].strip("`"), becomes.strip("`")))
    return found


def row(mutant: Mutant) -> tuple[str, str, str]:
    """A change as tools/mutants.md writes it."""
    return mutant.module, *(text.replace("|", "¦").replace("`", "'") for text in (mutant.was, mutant.becomes))


def main() -> int:
    chosen = sys.argv[1:] or list(MODULES)
    equivalent, failed = listed(), False
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2, get_context("fork"), copy_project, (folder,)) as pool:
        for module in chosen:
            lines, spans = pool.submit(reached, module).result(), statements(module)
            if pool.submit(survives, Mutant(module, 1, "", "", "raise ImportError\n"), module).result():
                print(f"{module}: its tests pass without it, so that they run something else")
                return 1
            changes, began = list(mutants(module)), time.monotonic()
            alive, near = [], [nearest(change.line, spans, lines) for change in changes]
            known = [row(change) in equivalent for change in changes]
            found = pool.map(survives, changes, [module] * len(changes), near, known)
            for k, (change, lives) in enumerate(zip(changes, found), 1):
                if lives:
                    alive.append(change)
                    print(
                        f"\r{'equivalent' if known[k - 1] else 'SURVIVES'}  {module}:{change.line}\n"
                        f"  - {change.was}\n  + {change.becomes}"
                    )
                print(
                    f"\r{module}: {k} of {len(changes)}, {len(alive)} alive, {time.monotonic() - began:.0f} s", end="", flush=True
                )
            rows = {row(change) for change in alive}
            gone = {r for r in equivalent if r[0] == module} - rows
            for _, was, becomes in gone:
                print(f"\nlisted, and yet noticed or no longer there: {was}  ->  {becomes}")
            left = [change for change in alive if row(change) not in equivalent]
            print(
                f"\r{module}: {len(changes) - len(alive)} of {len(changes)} noticed, {len(alive) - len(left)} equivalent, "
                f"{len(left)} survive{' ' * 20}"
            )
            failed |= bool(left or gone)
            trust.store(
                "mutants",
                {
                    module: {
                        "all": len(changes),
                        "noticed": len(changes) - len(alive),
                        "equivalent": len(alive) - len(left),
                        "survive": len(left),
                    }
                },
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
