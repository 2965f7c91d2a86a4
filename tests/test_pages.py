"""The pages for people: what the README shows is what comes out, and no dependency lacks its reason."""

import contextlib
import io
import json
import re
import runpy
import tomllib

import nbformat
import numpy as np
from packaging.requirements import Requirement
from PIL import Image

import bootstrap
from attention_chapter import run
from attention_chapter.scenes import frames, retrieval
from conftest import PATHS, ROOT
from tools import cover

unlike_the_lock = runpy.run_path(str(ROOT / "conftest.py"))["unlike_the_lock"]
README = (ROOT / "README.md").read_text("utf-8")
DESIGN = (ROOT / "docs" / "DESIGN.md").read_text("utf-8")


# What the README shows -----------------------------------------------------------------------------------------------


def test_the_code_of_the_readme_prints_what_stands_below_it():
    source, shown = re.search(r"^```python\n(.*?)^```\n\n```\n(.*?)^```$", README, re.M | re.S).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "README.md", "exec"), {})
    assert printed.getvalue() == shown


def test_the_code_of_the_readme_needs_numpy_alone():
    source = re.search(r"^```python\n(.*?)^```$", README, re.M | re.S).group(1)
    assert re.findall(r"^(?:import|from) (\w+)", source, re.M) == ["numpy", "attention_core"]


def test_the_readme_names_the_pythons_that_the_suite_runs_under():
    ends = tuple("%d.%d" % version for version in (bootstrap.VERSIONS[0], bootstrap.VERSIONS[-1]))
    assert set(re.findall(r"Python (3\.\d+) to (3\.\d+)", README)) == {ends}


# Its picture ---------------------------------------------------------------------------------------------------------


def test_the_picture_goes_through_the_steps_of_the_slider_of_notebook_06():
    (path,) = (path for path in PATHS if path.stem.startswith("06_"))
    texts = [
        out.data["text/plain"]
        for cell in nbformat.read(path, as_version=4).cells
        for out in cell.get("outputs", [])
        if out.get("data", {}).get("text/plain", "").startswith("Slider: sharpness c")
    ]
    steps = cover.SHARPNESS
    assert [text[: text.index(", ", len("Slider: sharpness c, "))] for text in texts] == [
        f"Slider: sharpness c, {len(steps)} steps from {steps[0]} to {steps[-1]}"
    ]


def test_the_picture_shows_the_slider_s_own_frames_and_plays_once_within_five_seconds():
    fresh = frames(retrieval(run.draw().values), cover.SHARPNESS)
    with Image.open(cover.COVER) as stored:
        assert stored.n_frames == len(cover.SHARPNESS) and "loop" not in stored.info  # no loop: it stops at the end
        assert stored.n_frames * cover.SHOWN <= 5000 and stored.info["duration"] == cover.SHOWN
        for k, frame in enumerate(fresh):
            stored.seek(k)
            ours, theirs = (np.asarray(image.convert("L"), float) for image in (Image.open(io.BytesIO(frame.png)), stored))
            assert ours.shape == theirs.shape
            # Of 255: another release draws text a little differently, and the ends differ by 12.
            assert abs(ours - theirs).mean() < 2, cover.SHARPNESS[k]
    assert cover.COVER.stat().st_size < 400_000
    if not unlike_the_lock():
        assert cover.COVER.read_bytes() == cover.moving(), (
            "docs/c-slider.gif is not what the scene draws: `make refresh` draws it anew"
        )


def test_the_words_for_the_picture_are_those_of_its_frames():
    told = [frame.caption for frame in frames(retrieval(run.draw().values), [cover.SHARPNESS[0], 3.0, cover.SHARPNESS[-1]])]
    weights, leaks = zip(*(re.search(r"slot 2 gets (\S+), (\S+) leaks", text).groups() for text in told))
    assert re.findall(r"0\.\d{4}", cover.alt()) == [*weights, leaks[0], leaks[-1]]
    assert f"<!-- cover -->{cover.line()}<!-- /cover -->" in README


# Reasons ---------------------------------------------------------------------------------------------------


def test_every_dependency_has_its_reason_and_every_reason_a_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = [
        *project["project"]["dependencies"],
        *project["build-system"]["requires"],
        *(line for group in project["dependency-groups"].values() for line in group),
        *(line for extra in project["project"]["optional-dependencies"].values() for line in extra),
    ]
    declared = {Requirement(line).name for line in lines} | set(json.loads((ROOT / "website/npm.json").read_text("utf-8")))
    table = re.search(r"^\| package \| why it is here \|\n.*?\n\n", DESIGN, re.M | re.S).group()
    told = {
        name.removesuffix(" (npm)") for row in re.findall(r"^\| ([a-z][^|]*?) \| \S", table, re.M)[1:] for name in row.split(", ")
    }
    assert declared - told == set(), "docs/DESIGN.md, 'Dependencies, and why', needs a row for each of these"
    assert told - declared == set(), (
        "docs/DESIGN.md, 'Dependencies, and why', gives reasons for what pyproject.toml does not declare"
    )


def plates():
    """The names at the left of the layouts in the README and in docs/DESIGN.md."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README + "\n" + DESIGN, re.M | re.S)
    return {
        line.split()[0]
        for language, block in blocks
        if not language
        for line in block.splitlines()
        if re.match(r"[\w/]+(\.\w+|/)? {2,}\S", line)
    }


def test_every_name_in_the_layout_is_there():
    gone = sorted(name for name in plates() if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists())
    assert gone == [], "the layout of the README or of docs/DESIGN.md names what is not there"


def test_every_module_of_the_chapter_and_every_tool_stands_in_the_layout():
    modules = {
        f"{room}/{path.stem}"
        for room in ("attention_chapter", "tools")
        for path in (ROOT / room).iterdir()
        if path.name[0] not in "_." and (path.suffix == ".py" or (path / "__init__.py").exists())
    }
    assert modules - {name.removesuffix(".py") for name in plates()} == set(), (
        "docs/DESIGN.md, 'Rooms', needs a line for each of these"
    )
