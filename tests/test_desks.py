"""The desks the chapter is read on: its files apart from each other, a homework of the same name, a page of another tool."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy
import pytest
from nbconvert import ScriptExporter

from conftest import PATHS, ROOT
from tools import refresh


def python(source, folder, *path, **variables):
    """What Python says that reads a cell in this folder, with the project found as an installed one is."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    # "" is where a kernel looks first: beside the notebook.
    return subprocess.run([sys.executable, "-c", source], cwd=folder, env=env, capture_output=True, text=True)


# Beside the notebook -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kg", "attention_core", "attention_checks"])
def test_a_homework_of_the_same_name_is_named_with_its_cure_in_one_sentence(tmp_path, name):
    homework = tmp_path / f"{name}.py"
    homework.write_text("answer = 42\n", "utf-8")
    said = python("from attention_chapter import run\nfrom kg import ENTITIES", tmp_path, ROOT).stderr
    assert said.splitlines()[-1] == (
        f"ImportError: 'import {name}' finds {homework}, but the chapter needs its own "
        f"{ROOT / name}.py: rename the first, restart the kernel, run again."
    )


def test_a_homework_of_another_name_and_a_way_through_a_link_disturb_nothing(tmp_path):
    (tmp_path / "checks.py").write_text("answer = 42\n", "utf-8")
    try:
        (tmp_path / "link").symlink_to(ROOT, target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    assert python("from attention_chapter import run\nfrom kg import ENTITIES", tmp_path, tmp_path / "link", ROOT).stderr == ""


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_looks_at_its_desk_before_anything_else_of_the_chapter_is_imported(path):
    first = next(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    lines = [line for line in first.splitlines() if line.startswith(("#", "from ", "import "))]
    assert lines[0].startswith("# ModuleNotFoundError? "), "what the traceback of a lone notebook shows"
    assert "docs/INSTALL.md" in lines[0] and (ROOT / "docs" / "INSTALL.md").exists()
    assert lines[1].startswith("from attention_chapter import "), "a homework kg.py is found before it is taken for ours"


# Warnings that are none ----------------------------------------------------------------------------------------------

PRODUCTS = """
import warnings
import attention_chapter
import numpy as np
big, inf, zero = np.full((9, 9), 1e300), np.full((9, 9), np.inf), np.zeros((9, 9))
big @ big, inf @ zero, big[0] @ big[0], inf @ zero[0]
"""


def test_the_flags_of_a_product_are_no_warnings_and_all_others_are(tmp_path):
    assert python(PRODUCTS, tmp_path, ROOT).stderr == ""
    for real in ("big / zero", "inf - inf", "big * big"):
        assert "RuntimeWarning" in python(PRODUCTS + real, tmp_path, ROOT).stderr, real


# Stands before NumPy's own BLAS and raises every flag, as Apple's was seen to do for faultless products.
FALSE_FLAGS = r"""
#include <dlfcn.h>
#include <fenv.h>
#include <stdlib.h>
typedef long I;
#define BEFORE(name) feraiseexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID); static typeof(name) *real; if (!real) real = dlsym(dlopen(getenv("REAL_BLAS"), RTLD_NOW), #name)
#define ALL(T, gemm, gemv, syrk, dot) \
void gemm(int o, int s, int t, I m, I n, I k, T u, const T *a, I la, const T *b, I lb, T v, T *c, I lc) \
    { BEFORE(gemm); real(o, s, t, m, n, k, u, a, la, b, lb, v, c, lc); } \
void gemv(int o, int t, I m, I n, T u, const T *a, I la, const T *x, I ix, T v, T *y, I iy) \
    { BEFORE(gemv); real(o, t, m, n, u, a, la, x, ix, v, y, iy); } \
void syrk(int o, int s, int t, I n, I k, T u, const T *a, I la, T v, T *c, I lc) \
    { BEFORE(syrk); real(o, s, t, n, k, u, a, la, v, c, lc); } \
T dot(I n, const T *x, I ix, const T *y, I iy) \
    { BEFORE(dot); return real(n, x, ix, y, iy); }
ALL(double, scipy_cblas_dgemm64_, scipy_cblas_dgemv64_, scipy_cblas_dsyrk64_, scipy_cblas_ddot64_)
ALL(float, scipy_cblas_sgemm64_, scipy_cblas_sgemv64_, scipy_cblas_ssyrk64_, scipy_cblas_sdot64_)
"""
FAULTLESS = """
import numpy as np
for T in (float, np.float32):
    A = np.arange(81, dtype=T).reshape(9, 9)
    A @ A, A @ A.T, A @ A[0], A[0] @ A[0], A.dot(A)
"""


BLAS = next((Path(numpy.__file__).parent.parent / "numpy.libs").glob("libscipy_openblas64_*"), None)


@pytest.mark.skipif(
    sys.platform != "linux" or not BLAS or not shutil.which("gcc"), reason="needs a C compiler, and NumPy with its own BLAS"
)
def test_a_blas_that_leaves_false_flags_behind_disturbs_no_product(tmp_path):
    (tmp_path / "flags.c").write_text(FALSE_FLAGS, "utf-8")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "flags.so", "flags.c", "-lm", "-ldl"], cwd=tmp_path, check=True)
    flags = {"LD_PRELOAD": str(tmp_path / "flags.so"), "REAL_BLAS": str(BLAS)}
    assert "RuntimeWarning: divide by zero encountered in matmul" in python(FAULTLESS, tmp_path, **flags).stderr, (
        "the flags are seen"
    )
    assert python(f"import attention_chapter{FAULTLESS}", tmp_path, ROOT, **flags).stderr == ""


# Folders that cannot be written to -----------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="a file as a home directory is tried where HOME names it")
def test_a_figure_is_drawn_without_a_word_where_no_folder_for_fonts_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    source = (
        "from attention_chapter import figures, run\nfrom kg import ENTITIES\nimport matplotlib\nprint(matplotlib.get_configdir())"
    )
    done = python(source, tmp_path, ROOT, HOME=str(tmp_path / "file"), MPLCONFIGDIR=str(tmp_path / "file" / "fonts"))
    assert done.returncode == 0 and done.stderr == ""
    assert not done.stdout.startswith(str(tmp_path)), "the folder that could not be written was tried"


# Other tools ---------------------------------------------------------------------------------------------------------


def test_a_notebook_becomes_a_script_of_python():
    notebook = nbformat.reads(refresh.normalise(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])), as_version=4)
    text, resources = ScriptExporter().from_notebook_node(notebook)
    assert resources["output_extension"] == ".py" and "1 + 1" in text
    assert notebook.metadata.language_info.file_extension == ".py", "other tools ask for this alone"


# Locks ---------------------------------------------------------------------------------------------------------------


def make_lock(folder, *arguments):
    """What `make lock` says and asks uv for, where uv is a file that writes down its words."""
    uv = folder / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> "{folder / "asked"}"\n', "utf-8")
    uv.chmod(0o755)
    ran = subprocess.run(
        ["make", "--no-print-directory", "lock", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
    )
    asked = (folder / "asked").read_text("utf-8").splitlines() if (folder / "asked").exists() else []
    return ran.stdout, asked


@pytest.mark.skipif(os.name == "nt" or not shutil.which("make"), reason="no make here")
@pytest.mark.parametrize("arguments, asked", [(["ONE=numpy"], "--upgrade-package numpy "), ([], "--upgrade ")])
def test_one_dependency_can_be_moved_alone_in_every_lock(tmp_path, arguments, asked):
    calls = make_lock(tmp_path, *arguments)[1]
    assert len(calls) == len(list(ROOT.glob("requirements*.lock"))) and all(asked in call for call in calls)
    assert all("--constraint requirements.lock " in call for call in calls[1:]), "one version of each package in all locks"


@pytest.mark.skipif(os.name == "nt" or not shutil.which("make"), reason="no make here")
def test_a_dependency_that_no_lock_has_is_not_passed_over_in_silence(tmp_path):
    said, calls = make_lock(tmp_path, "ONE=nunpy")
    assert said.startswith("ONE=nunpy: neither a lock nor pyproject.toml has a package of that name") and calls == []
