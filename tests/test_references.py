"""References: each citation in a notebook is an entry of references.bib, and says what the entry says."""

import re

import nbformat
import pytest
from conftest import PATHS, ROOT

BIB = (ROOT / "references.bib").read_text("utf-8")
ENTRIES = {key: dict(re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", body, re.M))
           for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", BIB, re.M | re.S)}
TEXTS = {path.stem: "\n".join(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown") for path in PATHS}
KEY = re.compile(r"\[([a-z]+\d{4})\](?!\()")
ITEM = re.compile(r"^\* \[([a-z]+\d{4})\] (.*(?:\n  .*)*)", re.M)


def test_every_entry_was_read():
    assert len(ENTRIES) == len(re.findall(r"^@", BIB, re.M)) >= 11
    assert all({"author", "title", "year"} <= set(entry) and {"doi", "eprint"} & set(entry) for entry in ENTRIES.values())


@pytest.mark.parametrize("name", TEXTS)
def test_every_citation_resolves_in_the_list_of_its_notebook(name):
    listed = {key for key, _ in ITEM.findall(TEXTS[name])}
    cited = set(KEY.findall(TEXTS[name]))
    assert cited == listed <= set(ENTRIES)
    if name != "00_start_here":
        assert listed, "a list of references without keys"


def test_every_entry_is_cited_and_the_last_notebook_lists_all():
    assert {key for key, _ in ITEM.findall(TEXTS[PATHS[-1].stem])} == set(ENTRIES)


@pytest.mark.parametrize("name", list(TEXTS)[:-1])
def test_every_listed_reference_is_cited_in_the_text_of_its_notebook(name):
    text = TEXTS[name].split("## References")[0]
    assert {key for key, _ in ITEM.findall(TEXTS[name])} == set(KEY.findall(text))


@pytest.mark.parametrize("name", TEXTS)
def test_a_reference_says_what_its_entry_says(name):
    for key, item in ITEM.findall(TEXTS[name]):
        entry, words = ENTRIES[key], " ".join(item.split())
        for family in [author.split(",")[0] for author in entry["author"].split(" and ")][:1]:
            assert family in words, (key, family)
        assert f"({entry['year']})" in words and f"*{entry['title'].rstrip('?')}{'?' if entry['title'].endswith('?') else '.'}*" in words, (key, words)
        place = f"[doi:{entry['doi']}](https://doi.org/" if "doi" in entry else f"[arXiv:{entry['eprint']}](https://arxiv.org/abs/{entry['eprint']})"
        assert place in words, (key, place)


def test_no_reference_stands_without_a_key():
    for name, text in TEXTS.items():
        after = text[text.index("## References"):] if "## References" in text else ""
        assert re.findall(r"^\* (?!\[[a-z]+\d{4}\] ).*", after, re.M) == [], name
