"""Surroundings that are not a developer's: odd paths, no home, another folder, no space left, a kill. Either the outputs
are the same, or no harm is done.

What bootstrap.py does in such surroundings is tested in test_bootstrap.py.
"""

import os
import shutil
import signal
import subprocess
import sys
import time

import matplotlib
import nbformat
import pytest

from conftest import ROOT
from tools import refresh

PROJECT = (
    "attention_core.py",
    "attention_checks.py",
    "kg.py",
    "pyproject.toml",
    "requirements.lock",
    "conftest.py",
    "attention_chapter",
    "notebooks",
    "tests/nbval_sanitize.cfg",
)
# Python reads this in every process that finds it, kernels too, and writes down what reaches beyond the process.
WATCH = """
import os, sys
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        with open(os.environ["WATCHED"], "a") as log:
            log.write(f"{os.path.basename(sys.argv[0])} {event} {args[1:] if event == 'socket.connect' else args}\\n")
sys.addaudithook(watch)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The project in a folder whose name has spaces and letters of several scripts."""
    folder = tmp_path_factory.mktemp("hostile") / "dritte Übung, λ 第三 ж"
    for name in PROJECT:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def compare(folder, name, cwd, *path, **variables):
    """nbval's word on one notebook of a copy: the exit status, and what it said."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [folder, *path])), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-c",
        str(folder / "pyproject.toml"),
        str(folder / "notebooks" / name),
    ]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def watched(copy, tmp_path_factory):
    """One run in that folder, called from another one, without a home directory, with every process of it watched."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "file").touch()
    nowhere = {"HOME": str(elsewhere / "file" / "home"), "MPLCONFIGDIR": matplotlib.get_cachedir()}
    (elsewhere / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    code, said = compare(copy, "01_soft_dictionary.ipynb", elsewhere, elsewhere, WATCHED=str(elsewhere / "log"), **nowhere)
    after = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file() and ".hypothesis" not in path.parts}
    return code, said, (elsewhere / "log").read_text(encoding="utf-8").splitlines(), before == after


def test_an_odd_path_another_working_folder_and_no_home_change_no_output(watched):
    assert watched[0] == 0, watched[1]


def test_a_run_of_the_notebooks_writes_nothing_so_that_they_may_be_read_only(watched):
    assert watched[3]


def test_a_kernel_starts_no_process_and_reaches_no_network(watched):
    log = watched[2]
    kernels = [line for line in log if line.startswith("ipykernel_launcher.py")]
    assert len(log) > len(kernels), "the start of the kernel itself is seen"
    # Python's own module `platform`, which ipykernel asks for the machine, asks the system.
    assert [line for line in kernels if "('uname', ['uname', '-p']" not in line] == []


@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
def test_make_names_a_folder_for_fonts_that_is_there_without_a_home():
    show = ["make", "--no-print-directory", "--eval=show: ; @printenv MPLCONFIGDIR", "show"]
    assert subprocess.run(show, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip() == str(
        ROOT / ".venv/matplotlib"
    )


def notebook(folder, *sources):
    path = folder / "small.ipynb"
    cells = [nbformat.v4.new_code_cell(source, id=f"c{k}") for k, source in enumerate(sources)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_a_notebook_may_be_executed_from_any_folder(tmp_path):
    path = notebook(tmp_path, "from attention_core import softmax\nprint(softmax([0.0, 0.0]))")
    assert refresh.execute(path).cells[0].outputs[0].text == "[0.5 0.5]\n"


def test_a_refresh_that_is_killed_leaves_the_notebook_whole_and_the_next_one_works(tmp_path):
    path = notebook(tmp_path, "import time, pathlib\npathlib.Path('begun').touch()\ntime.sleep(60)")
    before = path.read_bytes()
    with subprocess.Popen([sys.executable, "-m", "tools.refresh", str(path)], cwd=ROOT, start_new_session=True) as process:
        while not (tmp_path / "begun").exists():
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    assert path.read_bytes() == before
    notebook(tmp_path, "print(1)")
    (tmp_path / "small.ipynb.new").write_text("{")  # as if the kill had come while the new text was written
    refresh.refresh(path, check=False)
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "1\n"
    assert not (tmp_path / "small.ipynb.new").exists()


LIMITED = """
import pathlib, resource, sys
from tools import refresh
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # no file may grow beyond this, as if the disk were full
refresh.replace(pathlib.Path(sys.argv[1]), b"x" * 100_000)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows limits no file's size")
def test_no_space_for_the_new_notebook_leaves_the_old_one_whole(tmp_path):
    path = notebook(tmp_path, "print(1)")
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_rename_that_fails_leaves_the_old_notebook_whole(tmp_path, monkeypatch):
    path = notebook(tmp_path, "print(1)")
    before = path.read_bytes()

    def refuse(source, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(refresh.os, "replace", refuse)
    with pytest.raises(PermissionError):
        refresh.replace(path, b"new")
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
