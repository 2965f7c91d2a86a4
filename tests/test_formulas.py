"""Every formula of the book holds, as it stands on the page; the language of the formulas is in test_formula_language.py."""

import pytest

from tools import trust
from tools.formulas import check
from tools.formulas.source import statements
from tools.mutate_formulas import count, listed

CELLS = check.load()
FOUND = check.book(statements())
PLACES = sorted({group[0].place for group, _ in FOUND})
WENT_WELL = {"evaluated", "setting", "listed"}


def results():
    return [(statement, result) for group, found in FOUND for statement, result in zip(group, found)]


@pytest.mark.parametrize("place", PLACES)
def test_every_formula_holds(place):
    wrong = [result for group, found in FOUND for result in found if group[0].place == place and result not in WENT_WELL]
    assert not wrong, "\n\n".join(wrong)


def test_every_binding_belongs_to_a_cell_with_formulas():
    assert not set(CELLS) - {group[0].cell for group, _ in FOUND}


def test_nearly_all_displayed_formulas_are_run():
    shown = {}
    for statement, result in results():
        if statement.displayed:
            shown.setdefault((statement.cell, statement.formula), set()).add(result)
    run = [key for key, found in shown.items() if "evaluated" in found and "listed" not in found]
    assert len(run) >= 0.95 * len(shown), set(shown) - set(run)


def test_nearly_all_inline_relations_that_are_no_settings_are_run():
    claims = [(statement, result) for statement, result in results() if not statement.displayed and result != "setting"]
    run = [statement for statement, result in claims if result == "evaluated"]
    assert len(run) >= 0.9 * len(claims), [statement.text for statement, result in claims if result != "evaluated"]


def test_every_reason_is_a_sentence_of_its_own():
    reasons = [reason for cell in CELLS.values() for reason in cell.listed.values()]
    assert all(len(reason.split()) >= 3 for reason in reasons), reasons


def test_what_is_counted_is_this_book():
    def counted(pages):
        return {page: [of[name] for name in ("displayed", "inline", "run", "settings", "listed")] for page, of in pages.items()}

    kept = trust.stored()["formulas"]
    assert counted(kept) == counted(count(results())), "`python -m tools.mutate_formulas` counts anew"


def test_enough_changes_were_tried_and_noticed():
    pages = trust.stored()["formulas"].values()
    changes, noticed, equivalent, survive = (sum(of[name] for of in pages) for name in trust.COLUMNS[-4:])
    assert changes >= 1500
    assert noticed + equivalent + survive == changes
    assert noticed >= 0.98 * (changes - equivalent)


def test_every_listed_change_is_of_a_cell_that_is_run():
    assert {cell for cell, _ in listed()} <= {statement.cell for statement, result in results() if result == "evaluated"}


# What the check says ------------------------------------------------------------------------------------------------


def verdicts(texts, place="05_x.ipynb", **cell):
    from tools.formulas.source import Statement

    group = [Statement(place, "05-00", False, text, text) for text in texts]
    return check.check(group, check.Cell(**cell))


def test_a_wrong_formula_is_shown_with_its_place_and_both_values():
    (said,) = verdicts(["a = 2 b"], bind=lambda rng: {"a": 3.0, "b": 1.0})
    assert "05_x.ipynb, cell 05-00: $a = 2 b$" in said
    assert "a is 3, 2 b is 2; the text says =" in said
    assert "draw 0" in said


def test_a_new_formula_must_be_bound_or_listed():
    assert "nothing is bound to a" in verdicts(["a_1 = 2"])[0]
    assert verdicts(["a_1 = 2"], listed={"a_1 = 2": "an example of these tests"}) == ["listed"]


def test_a_listed_formula_that_is_gone_fails():
    assert verdicts(["1 = 1"], listed={"a = 2": "no longer there"}) == ["evaluated", "listed, and no longer in the cell: a = 2"]
    assert verdicts(["1 = 1"], settings=("c = 3",))[1:] == ["listed, and no longer in the cell: c = 3"]


def test_a_definition_counts_only_where_its_name_is_used():
    assert "S is defined, and no other formula of the cell uses it" in verdicts(["S = 2"])[0]
    assert verdicts(["S = 2", "S + 1 = 3"]) == ["evaluated", "evaluated"]
    assert "S + 1 is 3" in verdicts(["S = 2", "S + 1 = 4"])[1]


def test_an_inequality_is_tested_where_it_is_tight():
    bound = {"bind": lambda rng: {"x": 2.0}}
    assert "needs a case in which it is tight" in verdicts([r"x \ge 1"], **bound)[0]
    assert verdicts([r"x \ge 1"], **bound, tight={r"x \ge 1": ("x = 1",)}) == ["evaluated"]
    assert "to be tight" in verdicts([r"x \ge 0"], **bound, tight={r"x \ge 0": ("x = 1",)})[0]
    assert "x is 2, 3 is 3; the text says >=" in verdicts([r"x \ge 3"], **bound, tight={r"x \ge 3": ("x = 3",)})[0]


def test_a_condition_of_the_prose_leaves_something_and_names_an_index_that_is_there():
    bound = {"bind": lambda rng: {"A": [[1, 0], [0, 1]]}}
    assert verdicts(["A_{ij} = 0"], **bound, given={"A_{ij} = 0": (r"i \ne j",)}) == ["evaluated"]
    assert "A _ { ij } is 1" in verdicts(["A_{ij} = 0"], **bound)[0].replace("i j", "ij")
    assert "nothing is left where i < 1" in verdicts(["A_{ij} = 0"], **bound, given={"A_{ij} = 0": ("i < 1",)})[0]
    assert "k" in verdicts(["A_{ij} = 0"], **bound, given={"A_{ij} = 0": ("k = 1",)})[0]


def test_a_later_side_has_no_index_of_its_own():
    (said,) = verdicts(["x_1 = x_k"], bind=lambda rng: {"x": [1.0, 1.0]})
    assert "free index k on a later side only: x _ k" in said


def test_a_first_part_of_a_chain_holds_for_wider_bindings():
    chain = {"bind": lambda rng: {"x": 0.0, "y": 0.0}}
    assert verdicts(["x y = x = 0"], **chain) == ["evaluated"]
    (said,) = verdicts(["x y = x = 0"], **chain, wider={"x y = x = 0": ((2, lambda rng: {"x": 2.0, "y": 3.0}),)})
    assert "x y is 6, x is 2" in said
