"""bootstrap.py makes .venv whole or not at all. Here it works in a small tree of its own; nothing is fetched."""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent
really_call = subprocess.call


class Steps(list):
    """Stands for subprocess.call: keeps each step that makes something, and does it without the network.

    venv makes a real environment, only without pip; the editable install becomes the one line that it comes to.
    """

    def __init__(self, tree):
        self.tree = tree
        self.failing = None  # the word that a step must contain to fail

    def __call__(self, step, **options):
        if "-c" in step:
            return really_call(step, **options)
        self.append(list(step))
        if self.failing in step:
            return 1
        if "venv" in step:
            return really_call([*step, "--without-pip"], **options)
        if "--editable" in step:
            home = next(self.tree.glob(".venv/[Ll]ib/**/site-packages"))
            (home / "_attention_chapter.pth").write_text(f"{step[-1]}\n", "utf-8")
            for folder, name in (("chapter.dist-info", "RECORD"), ("__pycache__", "module.pyc")):
                (home / folder).mkdir()
                (home / folder / name).write_text("", "utf-8")
        return 0

    @property
    def names(self):
        return [next(word for word in WHOLE if word in step) for step in self]


WHOLE = ["venv", "uninstall", "--require-hashes", "--editable"]


@pytest.fixture
def tree(tmp_path):
    """The least that bootstrap.py needs, in a folder whose name is not easy."""
    tree = tmp_path / "dritte Übung"
    tree.mkdir()
    shutil.copy(ROOT / "bootstrap.py", tree)
    (tree / "requirements.lock").write_text("nothing==1.0 --hash=sha256:0\n", "utf-8")
    (tree / "pyproject.toml").write_text("[project]\n", "utf-8")
    (tree / "attention_core.py").write_text("", "utf-8")
    return tree


@pytest.fixture
def bootstrap(tree):
    spec = importlib.util.spec_from_file_location("bootstrap_in_a_tree", tree / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def steps(tree, bootstrap, monkeypatch):
    steps = Steps(tree)
    monkeypatch.setattr(bootstrap.subprocess, "call", steps)
    return steps


def be(bootstrap, monkeypatch, version, executable=sys.executable):
    """Let bootstrap.py take itself to run on another Python; the real sys stays as it is."""
    monkeypatch.setattr(bootstrap, "sys", SimpleNamespace(version_info=version, executable=executable, exit=sys.exit))


# Which Python --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (3, 15, 0)])
def test_a_python_that_does_not_fit_is_told_which_do_and_how_to_get_one(bootstrap, steps, monkeypatch, version):
    be(bootstrap, monkeypatch, version, "old-python")
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit) as stop:
        bootstrap.main()
    message = str(stop.value)
    assert "needs Python 3.11 to 3.14; old-python is %d.%d." % version[:2] in message
    assert "apt install python3" in message and "make PYTHON=" in message
    assert not steps and not os.path.exists(bootstrap.VENV)


def test_a_python_that_does_not_fit_looks_for_the_newest_one_that_does_and_starts(bootstrap, monkeypatch):
    be(bootstrap, monkeypatch, (3, 10, 13))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None if name == "python3.14" else f"path/{name}")
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda step, **options: int("python3.13" in step[0]))
    assert bootstrap.fitting_python() == "path/python3.12"


def test_an_old_python_can_read_the_file_and_so_give_its_message():
    ast.parse((ROOT / "bootstrap.py").read_text("utf-8"), feature_version=(3, 6))


@pytest.mark.parametrize("lacking", [["venv"], ["ensurepip"], ["venv", "ensurepip"]])
def test_a_python_without_venv_or_ensurepip_is_told_what_to_install(bootstrap, monkeypatch, lacking):
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda step, **options: int(step[-1].split()[-1] in lacking))
    with pytest.raises(SystemExit) as stop:
        bootstrap.main()
    assert f"lacks {' and '.join(lacking)}" in str(stop.value)
    assert "apt install python3-venv" in str(stop.value)
    assert not os.path.exists(bootstrap.VENV)


@pytest.mark.skipif(not (shutil.which("make") and shutil.which("sh")), reason="no make here")
@pytest.mark.parametrize("python", ["nonexistent-python", "nonexistent folder/python"])
def test_make_without_python_prints_what_to_install(python):
    ran = subprocess.run(["make", f"PYTHON={python}", "env"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode
    assert f"{python} was not found. Install Python 3.11 to 3.14" in ran.stdout, ran.stderr
    assert "apt install python3 python3-venv" in ran.stdout


# What is made --------------------------------------------------------------------------------------------------------


def test_the_steps_are_venv_then_the_lock_by_hash_then_this_project_and_only_once(bootstrap, steps):
    bootstrap.main()
    assert steps.names == WHOLE
    assert "--no-deps" in steps[-1] and steps[-1][-1] == bootstrap.HERE
    assert bootstrap.is_made(sys.executable)
    bootstrap.main()
    assert steps.names == WHOLE


def test_the_link_to_this_folder_is_plain_ascii_and_works_in_any_encoding(bootstrap, steps, tree):
    bootstrap.main()
    link = next(tree.glob(".venv/**/_attention_chapter.pth"))
    assert link.read_bytes().isascii()
    assert (link.parent / link.read_text("ascii").strip()).samefile(tree)
    assert really_call(bootstrap.STARTS, env={**os.environ, "LC_ALL": "C"}) == 0


def test_a_half_made_venv_is_made_anew(bootstrap, steps, tree):
    bootstrap.main()
    os.remove(bootstrap.STAMP)
    (tree / ".venv" / "left-over").write_text("", "utf-8")
    assert not bootstrap.is_made(sys.executable)
    bootstrap.main()
    assert steps.names == WHOLE * 2
    assert bootstrap.is_made(sys.executable)
    assert not (tree / ".venv" / "left-over").exists()


@pytest.mark.parametrize("failing", WHOLE)
def test_a_failing_step_is_named_and_nothing_is_kept_of_it(bootstrap, steps, failing):
    steps.failing = failing
    with pytest.raises(SystemExit, match="step failed: .*" + failing + r"[^\n]*\nNothing is kept of it: the next call starts anew"):
        bootstrap.main()
    assert steps.names == WHOLE[: WHOLE.index(failing) + 1]
    assert not os.path.lexists(bootstrap.VENV)
    assert not bootstrap.is_made(sys.executable)


@pytest.mark.parametrize(
    "failure, said",
    [(OSError(28, "No space left on device"), "No space left on device"), (KeyboardInterrupt(), "KeyboardInterrupt")],
)
def test_nothing_is_kept_either_where_the_disk_is_full_at_the_last_word_or_ctrl_c_is_pressed(
    bootstrap, steps, monkeypatch, failure, said
):
    def fail():
        raise failure

    monkeypatch.setattr(bootstrap, "link", fail)
    with pytest.raises(SystemExit, match=said + r"\nNothing is kept of it"):
        bootstrap.main()
    assert not os.path.lexists(bootstrap.VENV)


def test_what_could_not_be_removed_is_named(bootstrap, steps, monkeypatch):
    steps.failing = "--editable"
    monkeypatch.setattr(bootstrap.shutil, "rmtree", lambda path, ignore_errors: None)
    with pytest.raises(SystemExit) as stop:
        bootstrap.main()
    assert stop.value.code.endswith(
        f"{bootstrap.VENV} could not be removed; nothing else is kept of it: the next call starts anew."
    )


def test_what_pip_installs_goes_into_the_venv_whatever_pip_is_told_elsewhere(bootstrap, steps):
    bootstrap.main()
    assert all("--no-user" in step for step in steps if "install" in step)


def test_after_a_failure_the_next_call_makes_all_of_it(bootstrap, steps):
    steps.failing = "--editable"
    with pytest.raises(SystemExit):
        bootstrap.main()
    steps.failing = None
    bootstrap.main()
    assert steps.names == WHOLE * 2
    assert bootstrap.is_made(sys.executable)


def test_a_project_that_cannot_be_found_from_elsewhere_is_a_failure(bootstrap, steps, tree):
    (tree / "attention_core.py").unlink()
    with pytest.raises(SystemExit, match="step failed"):
        bootstrap.main()
    assert not os.path.exists(bootstrap.STAMP)


# What is no longer made ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_or_project_file_makes_it_not_made(bootstrap, steps, tree, name):
    bootstrap.main()
    text = (tree / name).read_text("utf-8")
    (tree / name).write_text(text + "# changed\n", "utf-8")
    assert not bootstrap.is_made(sys.executable)
    (tree / name).write_text(text, "utf-8")
    assert bootstrap.is_made(sys.executable)


def test_a_venv_whose_python_is_gone_or_is_another_is_not_made(bootstrap, steps):
    bootstrap.main()
    assert not bootstrap.is_made("another-python")
    os.remove(bootstrap.PYTHON)
    assert not bootstrap.is_made(sys.executable)


@pytest.mark.skipif(os.name == "nt", reason="Windows copies its Python")
def test_a_venv_whose_python_points_nowhere_is_made_anew(bootstrap, steps):
    bootstrap.main()
    os.remove(bootstrap.PYTHON)
    os.symlink("nowhere", bootstrap.PYTHON)
    assert not bootstrap.is_made(sys.executable)
    bootstrap.main()
    assert bootstrap.is_made(sys.executable)


def test_a_venv_that_lost_a_file_is_not_made(bootstrap, steps, tree):
    bootstrap.main()
    next(tree.glob(".venv/**/chapter.dist-info/RECORD")).unlink()
    assert not bootstrap.is_made(sys.executable)


def test_compiled_files_may_go_and_further_files_may_come(bootstrap, steps, tree):
    bootstrap.main()
    next(tree.glob(".venv/**/module.pyc")).unlink()
    (tree / ".venv" / "further").write_text("", "utf-8")
    assert bootstrap.is_made(sys.executable)


def test_a_slip_in_the_mathematics_is_no_reason_to_make_it_anew(bootstrap, steps, tree):
    bootstrap.main()
    (tree / "attention_core.py").write_text("def softmax(:\n", "utf-8")
    assert bootstrap.is_made(sys.executable)


def test_two_calls_at_once_make_it_once(bootstrap, steps):
    pytest.importorskip("fcntl", reason="no such lock on this system")
    calls = [threading.Thread(target=bootstrap.main) for _ in range(2)]
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    assert steps.names == WHOLE
    assert bootstrap.is_made(sys.executable)


def test_a_step_that_outlives_its_call_still_holds_off_the_next(bootstrap, steps, monkeypatch):
    fcntl = pytest.importorskip("fcntl", reason="no such lock on this system")
    left = []

    def call(step, **options):
        if "venv" in step:  # as if the call were killed here: its step goes on, and waits for a line
            left.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, **options))
        return int("-c" not in step)

    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    with pytest.raises(SystemExit):
        bootstrap.main()
    with open(os.path.join(bootstrap.HERE, ".venv.lock"), "w") as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left[0].communicate(b"\n")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
