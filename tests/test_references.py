"""References: each citation in a notebook is an entry of references.bib, and says what the entry says."""

import re

import nbformat
import pytest

from conftest import CLOSING, PATHS, ROOT

BIB = (ROOT / "references.bib").read_text("utf-8")
ENTRIES = {
    key: dict(re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", body, re.M))
    for key, body in re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", BIB, re.M | re.S)
}
TEXTS = {
    path.stem: "\n".join(c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown") for path in PATHS
}
KEY = re.compile(r"\[([a-z]+\d{4})\](?!\()")
ITEM = re.compile(r"^\* \[([a-z]+\d{4})\] (.*(?:\n  .*)*)", re.M)


def test_every_entry_was_read():
    assert len(ENTRIES) == len(re.findall(r"^@", BIB, re.M)) >= 11
    assert all({"author", "title", "year"} <= set(entry) and {"doi", "eprint"} & set(entry) for entry in ENTRIES.values())


@pytest.mark.parametrize("name", TEXTS)
def test_every_citation_resolves_in_the_list_of_its_notebook(name):
    listed = {key for key, _ in ITEM.findall(TEXTS[name])}
    cited = set(KEY.findall(TEXTS[name]))
    assert listed <= set(ENTRIES), f"{name}: references.bib has no entry for {sorted(listed - set(ENTRIES))}"
    assert cited == listed, f"{name}: cited and not listed, or the other way round: {sorted(cited ^ listed)}"
    assert listed or "## References" not in TEXTS[name], f"{name}: a list of references without keys"


def test_every_entry_is_cited_and_the_last_notebook_lists_all():
    assert {key for key, _ in ITEM.findall(TEXTS[CLOSING.stem])} == set(ENTRIES)


# How a list of references calls what an entry spells out.
VENUES = {
    "International Conference on Learning Representations": "ICLR",
    "International Conference on Machine Learning": "ICML",
    "Advances in Neural Information Processing Systems": "NeurIPS",
    "The Semantic Web: European Semantic Web Conference": "ESWC",
    "Annual Meeting of the Association for Computational Linguistics": "ACL",
}


def reference(entry):
    """An entry as a list of references gives it, in three parts: who, when and what; the venue, if any; the place."""
    names = [
        (family, " ".join(f"{given[0]}." for given in rest.split()))
        for family, _, rest in (author.partition(", ") for author in entry["author"].split(" and "))
    ]
    first = [f"{initials} {family}" for family, initials in names]
    who = ", ".join(first) if len(first) <= 3 else f"{first[0]} et al."
    venue = (
        VENUES[entry["booktitle"]]
        if "booktitle" in entry
        else " ".join(entry[part] for part in ("journal", "volume") if part in entry)
        if "journal" in entry
        else ""
    )
    place = (
        f"[doi:{entry['doi']}](https://doi.org/{entry['doi'].replace('(', '%28').replace(')', '%29')})"
        if "doi" in entry
        else f"[arXiv:{entry['eprint']}](https://arxiv.org/abs/{entry['eprint']})"
    )
    title = entry["title"] + "." * (not entry["title"].endswith("?"))
    return f"{who} ({entry['year']}). *{title}* ", venue and f"{venue}. ", place


@pytest.mark.parametrize("name", list(TEXTS)[:-1])
def test_every_listed_reference_is_cited_in_the_text_of_its_notebook(name):
    text = TEXTS[name].split("## References")[0]
    assert {key for key, _ in ITEM.findall(TEXTS[name])} == set(KEY.findall(text))


@pytest.mark.parametrize("name", TEXTS)
def test_a_reference_says_what_its_entry_says(name):
    for key, item in ITEM.findall(TEXTS[name]):
        what, venue, place = reference(ENTRIES[key])
        words = " ".join(item.split())
        # A list may leave the venue out, as the long one at the end does.
        assert words.startswith((what + venue + place, what + place)), (
            f"{name}: [{key}] says\n{words}\nwhere references.bib gives\n{what}{venue}{place}"
        )


def test_no_reference_stands_without_a_key():
    for name, text in TEXTS.items():
        after = text[text.index("## References") :] if "## References" in text else ""
        assert re.findall(r"^\* (?!\[[a-z]+\d{4}\] ).*", after, re.M) == [], name
