"""docs/TRUST.md says what the checks stored, and nothing else; what is stored is of the tests and modules that exist."""

import ast
import json
from xml.etree import ElementTree

import pytest

from conftest import ROOT
from tools import mutate, plant_faults, trust


def test_the_page_is_what_follows_from_the_stored_results():
    assert trust.PAGE.read_text(encoding="utf-8") == trust.render(trust.stored())


def test_what_is_stored_was_stored_by_a_check_and_not_by_hand():
    kept = json.loads(trust.STORED.read_text(encoding="utf-8"))["seal"]
    assert kept == trust.seal(trust.stored()), (
        "docs/trust.json was edited: `make trust`, `make faults`, `make mutants` and `make matrix` write it"
    )


def test_every_fault_that_is_planted_has_its_result():
    faults = trust.stored()["faults"]
    news = [name for name, *_ in plant_faults.FAULTS if name not in faults]
    assert not news, f"never planted: `python -m tools.plant_faults --new` plants them and stores what was caught: {news}"
    gone = set(faults) - {name for name, *_ in plant_faults.FAULTS}
    assert not gone, f"planted no more: `make faults` stores all results anew: {gone}"
    assert all(faults.values()), f"faults that the suite misses: {[name for name, caught in faults.items() if not caught]}"


def test_the_counts_of_the_mutants_add_up():
    for module, r in trust.stored()["mutants"].items():
        assert r["all"] == r["noticed"] + r["equivalent"] + r["survive"], f"{module}: {r}; `make mutants` counts anew"


def test_every_hostile_case_has_its_result_and_holds():
    tree = ast.parse((ROOT / "tests" / "test_hostile.py").read_text("utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert trust.stored()["hostile"] == {trust.sentence(name): "holds" for name in names}


def test_a_result_that_changes_is_a_page_that_changes():
    found = trust.stored()
    for check in found:
        for name in found[check]:
            other = {**found, check: {k: v for k, v in found[check].items() if k != name}}
            assert trust.render(other) != trust.render(found), (check, name)


REPORT = """<testsuites><testsuite tests="3" time="4.5"><testcase classname="notebooks.01" name="Cell 0" time="1.5"/>
<testcase classname="notebooks.02" name="Cell 0" time="0.5"/><testcase classname="notebooks.02" name="Cell 01" time="2"/>
</testsuite></testsuites>"""


def test_the_time_is_read_from_the_report():
    assert trust.seconds(ElementTree.fromstring(REPORT)) == {"tests": 3, "seconds": 4.5, "first cells": 2.0}


def test_a_page_without_results_says_so():
    assert trust.render({}).count("Not run yet.") == 6


def test_storing_keeps_what_is_there_and_leaves_no_half_file(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "STORED", tmp_path / "trust.json")
    monkeypatch.setattr(trust, "PAGE", tmp_path / "TRUST.md")
    trust.store("hostile", {"a": "holds"})
    trust.store("hostile", {"λ": "FAILS"})
    assert trust.stored() == {"hostile": {"a": "holds", "λ": "FAILS"}}
    trust.store("hostile", {"b": "holds"}, afresh=True)
    trust.store("faults", {"a typo": True, "a slip": False})
    assert trust.stored() == {"hostile": {"b": "holds"}, "faults": {"a typo": True, "a slip": False}}
    assert "| 2 | 1 |" in trust.PAGE.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["TRUST.md", "trust.json"]
    assert trust.PAGE.read_text(encoding="utf-8") == trust.render(trust.stored())


def test_every_module_is_changed_by_the_mutants():
    assert trust.modules() == sorted(mutate.MODULES)


@pytest.mark.parametrize("module", mutate.MODULES)
def test_every_change_listed_as_equivalent_is_of_a_line_that_stands_in_its_module(module):
    text = " ".join(line.strip() for line in (ROOT / module).read_text("utf-8").splitlines())
    plain = text.replace("|", "¦").replace("`", "'")
    assert not [was for name, was, _ in mutate.listed() if name == module and was not in plain]
    assert {name for name, _, _ in mutate.listed()} <= set(mutate.MODULES)
