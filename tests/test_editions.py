"""`make student` and `make teacher`: what each edition has and lacks, and that nothing of anybody's is lost for it."""

import json
import os
import re
import subprocess
import sys
from unittest.mock import MagicMock

import nbformat
import pytest

from conftest import BOOKS, PATHS, ROOT, markdown
from tools import editions

MADE = {edition: editions.files(edition) for edition in editions.EDITIONS}
STUDENT = {name: nbformat.reads(raw.decode(), as_version=4) for name, raw in MADE["student"].items() if name.endswith(".ipynb")}


def test_the_student_has_all_notebooks_under_their_names_and_in_valid_form():
    assert list(STUDENT) == [f"notebooks/{path.name}" for path in PATHS]
    for name, book in STUDENT.items():
        nbformat.validate(book)
        assert MADE["student"][name] == (nbformat.writes(book) + "\n").encode(), f"{name} changes where it is read and written"


@pytest.mark.parametrize("name", list(STUDENT))
def test_the_student_s_notebook_is_ours_without_outputs_solutions_and_notes(name):
    ours = BOOKS[name.removeprefix("notebooks/")].cells
    kept = [cell for cell in ours if not {"solution", "speaker"} & set(cell.metadata.get("tags", []))]
    assert [cell.id for cell in STUDENT[name].cells] == [cell.id for cell in kept]
    for cell, own in zip(STUDENT[name].cells, kept):
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None and cell.source == own.source
        else:
            assert cell.source == own.source or "solutions are folded" in own.source, cell.id


def test_no_solution_stands_anywhere_in_the_student_s_edition():
    text = re.sub(r"\s+", " ", "\n".join(raw.decode() for raw in MADE["student"].values()).replace('\\"', '"').replace("\\n", " "))
    for name, book in BOOKS.items():
        task = ""  # the lines of a function with a bug, most of which are right
        for cell in book.cells:
            if cell.source.startswith("### Exercise"):
                task = " ".join(cell.source.split())
            if {"solution", "speaker"} & set(cell.metadata.get("tags", [])):
                folded = re.sub(r"^def .*:$|</?(details|summary)>|```(python)?|\n", " ", cell.source, flags=re.M)
                for sentence in re.split(r"(?<=\.) |  ", folded):
                    words = " ".join(sentence.split())
                    assert len(words) < 40 or words in task or words not in text, (
                        f"{name}, cell {cell.id}: the student reads {words!r}"
                    )
    assert '"speaker"' not in text and '"solution"' not in text and "solutions are folded" not in text


def test_the_teacher_has_what_the_project_has():
    for name, raw in MADE["teacher"].items():
        if name.endswith(".ipynb"):
            assert raw == (ROOT / name).read_bytes(), name
    assert set(MADE["student"]) < set(MADE["teacher"]) and "teaching/README.md" in MADE["teacher"]


@pytest.mark.parametrize("edition", list(MADE))
def test_every_link_of_an_edition_resolves_within_it(edition):
    for name, raw in MADE[edition].items():
        if name.endswith((".md", ".ipynb")):
            text = markdown(nbformat.reads(raw.decode(), as_version=4)) if name.endswith(".ipynb") else raw.decode()
            for target in re.findall(r"\]\((?!https?:|#)([^)\s#]+)", text):
                path = os.path.normpath(os.path.join(os.path.dirname(name), target)).replace(os.sep, "/")
                assert path in MADE[edition], f"{edition}: {name} links to {path}, which is not in this edition"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("editions") / "_student"
    editions.write("student", place)
    return place


def test_what_is_taken_out_runs_nothing_so_that_the_student_s_cells_give_what_ours_give():
    out = [cell for book in BOOKS.values() for cell in book.cells if {"solution", "speaker"} & set(cell.metadata.get("tags", []))]
    assert len(out) > 50 and {cell.cell_type for cell in out} == {"markdown"}


def test_all_that_a_notebook_imports_is_in_the_folder_and_a_check_waits_for_its_answer(folder):
    """In a process of its own, from that folder alone: what each notebook imports, and one notebook without its drawings."""
    code = {name: [cell.source for cell in book.cells if cell.cell_type == "code"] for name, book in STUDENT.items()}
    imports = [line for cells in code.values() for cell in cells for line in cell.splitlines() if re.match("(from|import) ", line)]
    chosen = next(cells for cells in code.values() if any('check("' in cell for cell in cells))
    run = (
        "import json, sys\nfrom unittest.mock import MagicMock\nimport attention_chapter\n"
        "imports, cells = json.load(sys.stdin)\nexec('\\n'.join(imports), {})\n"
        "for name in ('figures', 'scenes', 'sliders'):\n"
        "    setattr(attention_chapter, name, MagicMock())\n"
        "space = {}\nfor source in cells:\n    exec(source, space)\n"
        "assert attention_chapter.__file__.startswith(sys.argv[1]), attention_chapter.__file__\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", run, str(folder)], input=json.dumps([imports, chosen]), capture_output=True, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    asked = re.findall(r'^check\("([^"]+)"', "\n".join(chosen), re.M)
    assert asked and all(f"{name}: not written yet" in done.stdout.splitlines() for name in asked)


def tree(place):
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def test_a_second_run_writes_the_same_bytes_in_place_of_the_first(tmp_path):
    place = tmp_path / "_student"
    editions.write("student", place)
    first = tree(place)
    assert set(first) == {*MADE["student"], editions.MARK}
    (place / "left over").touch()
    editions.write("student", place)
    assert tree(place) == first and [path.name for path in tmp_path.iterdir()] == ["_student"]


def test_a_folder_that_is_not_ours_or_was_worked_in_is_left_alone(tmp_path):
    place = tmp_path / "_teacher"
    place.mkdir()
    (place / "mine.txt").write_text("mine")
    with pytest.raises(SystemExit, match="_teacher was not made by this command"):
        editions.write("teacher", place)
    assert list(tree(place)) == ["mine.txt"]
    (place / "mine.txt").unlink(), place.rmdir()
    editions.write("teacher", place)
    (place / "kg.py").write_text("# an answer")
    with pytest.raises(SystemExit, match="_teacher/kg.py was changed"):
        editions.write("teacher", place)
    assert (place / "kg.py").read_text() == "# an answer"


@pytest.mark.parametrize("call", ["write_bytes", "rename"])
def test_a_full_disk_leaves_the_earlier_folder_whole(tmp_path, monkeypatch, call):
    place = tmp_path / "_student"
    editions.write("student", place)
    before, count, own = tree(place), iter(range(100)), getattr(editions.Path, call)

    def full(path, *args):
        if next(count) == 1:
            raise OSError(28, "No space left on device")
        return own(path, *args)

    monkeypatch.setattr(editions.Path, call, full)
    with pytest.raises(OSError, match="No space"):
        editions.write("student", place)
    assert tree(place) == before and [path.name for path in tmp_path.iterdir()] == ["_student"]


def test_the_makefile_of_an_edition_opens_the_chapter_and_has_no_other_target():
    text = MADE["student"]["Makefile"].decode()
    assert re.findall(r"^([\w-]+):", text, re.M) == ["lab", "env"] and "make test" not in text
    whole = (ROOT / "Makefile").read_text("utf-8")
    assert set(text.splitlines()) - set(whole.splitlines()) == {".PHONY: lab env", editions.MAKEFILE}
    for line in ("PYTHON ?= python3", "BIN := .venv/bin", "export JUPYTER_PREFER_ENV_PATH := 1", "unexport MPLBACKEND PYTHONPATH"):
        assert line in text


def test_the_command_says_what_it_wrote(monkeypatch, capsys):
    wrote = MagicMock()
    monkeypatch.setattr(editions, "write", wrote)
    monkeypatch.setattr(sys, "argv", ["editions", "teacher"])
    assert editions.main() == 0
    wrote.assert_called_once_with("teacher", ROOT / "_teacher")
    assert capsys.readouterr().out == f"_teacher: {len(MADE['teacher'])} files; `make lab` in there opens it\n"
    monkeypatch.setattr(sys, "argv", ["editions", "pupil"])
    with pytest.raises(SystemExit, match="2"):
        editions.main()
