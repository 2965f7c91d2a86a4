"""The teaching plans and the papers around the project: minutes that add up, questions that are asked, one version."""

import hashlib
import json
import re
import tomllib

import pytest
import yaml

from conftest import BOOKS, ROOT, SECTIONS
from tools import bench_class

PLAN = (ROOT / "teaching" / "README.md").read_text("utf-8")


def plain(text):
    return " ".join(text.replace("*", "").split())


def rows(heading):
    """The cells of the table under a heading."""
    part = PLAN[PLAN.index(f"## {heading}") :].split("\n## ")[1 if heading.startswith("#") else 0]
    lines = re.findall(r"^\|(.*)\|$", part, re.M)[2:]
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


def test_every_section_has_its_row_with_a_question_that_its_notebook_asks():
    for section, *_, question, misconception, skipped in rows("Section by section"):
        name = re.search(r"\(\.\./notebooks/(.*?)\)", section)[1]
        asked = [
            plain(text)
            for cell in BOOKS[name].cells
            for text in re.findall(r"\*\*Predict\.\*\* (.*?)(?:\n\n|$)", cell.source, re.S)
        ]
        if asked:  # a last page asks nothing
            assert any(plain(question) in text for text in asked), (
                f"{name} does not ask what teaching/README.md says: {plain(question)}"
            )
        assert misconception and skipped, f"teaching/README.md: the row of {name} has an empty cell"


def test_the_minutes_of_the_plans_add_up():
    assert sum(int(row[0]) for row in rows("Plan A: one class of 90 minutes")) == 90
    lessons = rows("Plan B: three classes of 50 minutes")
    for lesson in "123":
        assert sum(int(minutes) for number, minutes, _ in lessons if number == lesson) == 50


def test_the_headings_that_the_plans_name_exist():
    headings = {plain(h) for book in BOOKS.values() for cell in book.cells for h in re.findall(r"^#+ (.*)", cell.source, re.M)}
    named = re.findall(r"(?:up to|the derivative, and|05:) \*([A-Z][^*]+)\*", PLAN)
    assert named and set(named) <= headings


def test_every_link_of_the_plan_resolves():
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", PLAN)
    assert links and all((ROOT / "teaching" / link).exists() for link in links)


def test_the_sentence_about_a_class_is_what_the_measurement_says():
    found = json.loads((ROOT / "docs" / "class.json").read_text("utf-8"))
    assert bench_class.with_section(PLAN, "class", bench_class.section(found)) == PLAN
    assert len(found["own"]) == found["students"] == 30


@pytest.mark.parametrize("name", [path.name for path in SECTIONS])
def test_every_section_has_a_folded_note_for_the_teacher(name):
    notes = [cell for cell in BOOKS[name].cells if "speaker" in cell.metadata.get("tags", [])]
    assert [cell.cell_type for cell in notes] == ["markdown"]
    assert notes[0].source.startswith("<details><summary>For the teacher</summary>\n\n")


def test_one_version_and_one_title_stand_in_all_papers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## (\S+), (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert citation["version"] == project["version"] == newest.group(1)
    assert citation["date-released"] == newest.group(2)
    assert citation["license"] == ["MIT", "CC-BY-4.0"]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"version {project['version']}" in readme and "CITATION.cff" in readme


def test_the_licence_is_word_for_word_the_one_that_it_names():
    code, text = (" ".join(part.split()) for part in (ROOT / "LICENSE").read_text("utf-8").split("Text and figures", 1))
    holder, terms = code.split("Permission is hereby granted", 1)
    assert re.fullmatch(r'Code: MIT License Copyright \(c\) \d{4} The authors of "Attention: reasoning by relevance" ', holder)
    assert hashlib.sha256(terms.encode()).hexdigest().startswith("a587c3643daff79a"), (
        "LICENSE: a word of the MIT License is changed"
    )
    assert text == (
        "of the notebooks, of README.md and of docs/: Creative Commons Attribution 4.0 International (CC BY 4.0), "
        "https://creativecommons.org/licenses/by/4.0/"
    )
