"""What `?` shows a reader: sections that numpydoc can read, examples that run, types that a checker believes."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from functools import cache

import numpydoc.docscrape
import numpydoc.validate
import pytest

import attention_core
import kg
from attention_chapter import diagrams, exercises, figures, lens, picture, questions, run, scenes, sliders, training
from attention_chapter.exercises import machinery
from conftest import ROOT

MODULES = (attention_core, kg, run, training, questions, picture, figures, diagrams, scenes, sliders, lens, exercises, machinery)


def public(module):
    """The functions and classes that a module defines for others."""
    return {
        f"{module.__name__}.{name}": thing
        for name, thing in vars(module).items()
        if getattr(thing, "__module__", "") == module.__name__ and callable(thing) and not name.startswith("_")
    }


PUBLIC = {name: thing for module in MODULES for name, thing in public(module).items()}
RESULTS = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing) and not issubclass(thing, Exception)}
DRAWN = [name for module in MODULES[3:] for name, thing in public(module).items() if ">>>" not in (inspect.getdoc(thing) or "")]
FORMULAS = {name: thing for name, thing in public(attention_core).items() if name not in RESULTS}

# numpydoc's checks that are off, everywhere or for what is named, and why.
OFF = {
    "ES01": ("", "the Notes extend the summary, beside their formula"),
    "SA01": ("", "what is like a function stands next to it, in a file that is read from top to bottom"),
    "PR01": (RESULTS, "nobody makes a result by hand: its fields are Attributes, which are counted below"),
    "EX01": (
        [*RESULTS, "attention_chapter.run.main", *DRAWN],
        "a result is shown by the function that gives it, the trace by the README, a picture or a hint by a notebook",
    ),
}


@cache
def amiss(name):
    """The codes of numpydoc's findings, and what each says."""
    return dict(numpydoc.validate.validate(name)["errors"])


@pytest.mark.parametrize("name", PUBLIC)
def test_numpydoc_finds_nothing_amiss_in_a_docstring(name):
    off = {code for code, (names, _) in OFF.items() if not names or name in names}
    assert {code: says for code, says in amiss(name).items() if code not in off} == {}


def test_every_check_that_is_off_would_find_something():
    assert [
        (code, name) for code, (names, _) in OFF.items() for name in names or ["attention_core.softmax"] if code not in amiss(name)
    ] == []


@pytest.mark.parametrize("name", RESULTS)
def test_the_attributes_of_a_result_are_its_fields_each_with_a_type_and_a_sentence(name):
    thing = RESULTS[name]
    fields = inspect.get_annotations(thing)
    told = numpydoc.docscrape.NumpyDocString(inspect.getdoc(thing))["Attributes"]
    assert [one for row in told for one in row.name.split(", ")] == list(fields)
    assert [row.name for row in told if not row.type or not " ".join(row.desc).endswith(".")] == []


@pytest.mark.parametrize("name", FORMULAS)
def test_every_function_of_the_mathematics_states_its_formula(name):
    notes = " ".join(numpydoc.docscrape.NumpyDocString(inspect.getdoc(FORMULAS[name]))["Notes"])
    assert re.search(r"\.\. math:: \S", notes)


@pytest.mark.parametrize("name", FORMULAS)
def test_what_is_told_to_be_array_like_is_typed_so_and_nothing_else(name):
    told = numpydoc.docscrape.NumpyDocString(inspect.getdoc(FORMULAS[name]))["Parameters"]
    arrays = {one for row in told for one in row.name.split(", ") if row.type.startswith("array_like")}
    typed = {one: parameter.annotation for one, parameter in inspect.signature(FORMULAS[name]).parameters.items()}
    assert {one for one, kind in typed.items() if kind.startswith("ArrayLike")} == arrays


def test_the_papers_that_docstrings_name_stand_among_the_references():
    named = {
        f"{author.lower()}{year}"
        for thing in PUBLIC.values()
        for author, year in re.findall(r"(\w+)(?: et al\.| and \w+) \((\d{4})\)", inspect.getdoc(thing) or "")
    }
    assert named >= {"vaswani2017", "milakov2018", "dao2022"}
    assert [key for key in named if f"{{{key}," not in (ROOT / "references.bib").read_text("utf-8")] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_in_a_docstring_hold(name):
    thing = PUBLIC[name]  # one at a time: testmod would pass over what a decorator wraps
    for example in doctest.DocTestFinder(recurse=False).find(thing, name, False, vars(sys.modules[thing.__module__]) | {}):
        said = []
        result = doctest.DocTestRunner().run(example, out=said.append)
        assert (result.failed, bool(result.attempted)) == (0, name not in OFF["EX01"][0]), "".join(said)


USERS_FILE = """
import numpy as np

from attention_chapter.run import vector_text
from attention_core import (attention, attention_gradients, blocked_attention, central_difference_jacobian, closed_form_weight, cosine,
                            multi_head_attention, retrieve, scaled_dot_product_attention, softmax, softmax_jacobian)
from kg import adjacency

X, W, mask = [[1, 2], [3, 4]], [[1.0, 0.0], [0.0, 1.0]], [[True, False], [True, True]]
p: np.ndarray = softmax([1, 2, 3], axis=0)
J: np.ndarray = softmax_jacobian([0.5, 0.5]) - central_difference_jacobian(softmax, [0.0, 0.0])
O: np.ndarray = scaled_dot_product_attention(X, X, X, mask=mask, scale=1).output
O = blocked_attention(X, X, X, mask=mask, block=(1, 1)) - O
A: np.ndarray = attention(X, W, W, W, mask=adjacency()[:2, :2]).weights
dX: np.ndarray = attention_gradients(X, W, W, W, dO=X, dA=A, mask=mask).dX
both: np.ndarray = multi_head_attention(X, [(W, W, W), [W, W, W]], [[1], [2], [3], [4]], mask=mask).output
told: str = vector_text([0.5, 1]) + vector_text(retrieve(W, X, 0, 2).output)
weights = np.asarray(closed_form_weight([1, 2.5], 4)) + cosine([1, 2], [2, 1])
"""


def test_a_users_file_that_passes_lists_runs(capsys):
    exec(compile(USERS_FILE, "a user's file", "exec"), {})
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.environ.get("TYPES") != "required", reason="`make check` asks pyright, which may have to be downloaded")
def test_pyright_finds_nothing_in_what_computes_nor_in_a_users_file_that_passes_lists(tmp_path):
    (tmp_path / "user.py").write_text(USERS_FILE, "utf-8")
    files = [
        tmp_path / "user.py",
        *(ROOT / name for name in ("attention_core.py", "attention_checks.py", "kg.py")),
        *(ROOT / "attention_chapter" / name for name in ("run.py", "training.py", "questions.py")),
    ]
    (tmp_path / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT.as_posix()}"], "typeCheckingMode": "basic"}}', "utf-8")
    asked = subprocess.run(
        [sys.executable, "-m", "pyright", "--project", tmp_path, "--pythonpath", sys.executable, *files],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert asked.returncode == 0, asked.stdout + asked.stderr
