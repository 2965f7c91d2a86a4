"""Questions of several hops: how they are read, what the facts answer, and what chained weights keep of it."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from attention_chapter import run
from attention_chapter.questions import answerable, ask, reached, read
from attention_chapter.training import even, right, train
from attention_core import softmax
from kg import ENTITIES, RELATIONS, TRIPLES, adjacency, index

FACTS = np.array([adjacency(name) for name in RELATIONS])
TRAINED = train(run.draw().X, even(FACTS), np.random.default_rng(71)).weights[-1]
ONE_TO_THREE = [question for hops in (1, 2, 3) for question in answerable(hops)]


def walked(relations, entity):
    """The answer by going through the triples, one hop after the other."""
    at = {entity}
    for name in relations:
        at = {o for s, r, o in TRIPLES if r == name and s in at}
    return at


def chain(A, question):
    """The mass on the walks that keep to the facts."""
    relations, entity = read(question)
    mass = np.eye(13)[index(entity)]
    for name in relations:
        mass = mass @ (A[RELATIONS.index(name)] * adjacency(name))
    return mass.sum()


def goes_on(question):
    """Whether every entity on the way, whichever fact is taken, has a fact for the next hop."""
    relations, entity = read(question)
    on_the_way = [(walked(relations[:hop], entity), name) for hop, name in enumerate(relations)]
    return all(walked([name], one) for at, name in on_the_way for one in at)


GOING_ON = [question for question in ONE_TO_THREE if goes_on(question)]


def test_the_relation_next_to_the_entity_is_walked_first():
    assert read("about of authored of advises of bob") == (("advises", "authored", "about"), "bob")
    assert read("  cites  of\np3 ") == (("cites",), "p3")


@pytest.mark.parametrize(
    "question, error, says",
    [
        (3, TypeError, "question has type int; it needs text such as 'about of authored of advises of bob'"),
        (None, TypeError, "question has type NoneType"),
        ("", ValueError, "question has the words ''; it needs relations and then one entity, joined by 'of'"),
        ("bob", ValueError, "question has the words 'bob'; it needs relations"),
        ("about of", ValueError, "question has the words 'about of'"),
        ("about authored bob", ValueError, "joined by 'of', such as 'about of authored of advises of bob'"),
        ("about of authored bob", ValueError, "joined by 'of'"),
        ("wrote of bob", ValueError, "relation 'wrote' is not known; the names are advises, authored"),
        ("bob of advises", ValueError, "relation 'bob' is not known"),
        ("advises of Bob", ValueError, "entity 'Bob' is not known; the names are alice, bob"),
    ],
)
def test_a_question_that_cannot_be_read_is_told_what_it_has_and_what_it_needs(question, error, says):
    for answer in (read, reached, lambda text: ask(TRAINED, text)):
        with pytest.raises(error, match=re.escape(says)):
            answer(question)


@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_all_questions_that_the_facts_answer_are_listed_and_answered(hops):
    asked = {(names, who) for names in itertools.product(RELATIONS, repeat=hops) for who in ENTITIES}
    found = answerable(hops)
    assert {read(question) for question in found} == {one for one in asked if walked(*one)}
    for question in found:
        assert {ENTITIES[j] for j in np.flatnonzero(reached(question))} == walked(*read(question))


def test_the_longest_question_has_five_hops():
    assert [len(set(answerable(hops))) for hops in range(1, 8)] == [17, 15, 9, 4, 1, 0, 0]


def test_a_question_without_an_answer_reaches_nothing():
    assert not reached("cites of cites of cites of p3").any()
    assert reached("cites of bob").dtype == bool


@pytest.mark.parametrize(
    "hops, error, says", [(0, ValueError, "hops has value 0; it needs an integer >= 1"), (1.5, TypeError, "hops has type float")]
)
def test_a_number_of_hops_is_a_whole_number_from_one_on(hops, error, says):
    with pytest.raises(error, match=says):
        answerable(hops)


def test_to_ask_is_to_take_a_row_of_the_product_of_the_weights():
    A = softmax(np.random.default_rng(1).normal(size=(5, 13, 13)))
    M = A[RELATIONS.index("advises")] @ A[RELATIONS.index("authored")] @ A[RELATIONS.index("about")]
    assert_allclose(ask(A, "about of authored of advises of bob"), M[index("bob")], rtol=0, atol=1e-15)
    assert_array_equal(ask(A.tolist(), "about of p1"), A[RELATIONS.index("about"), index("p1")])


@pytest.mark.parametrize("weights", [np.zeros((4, 13, 13)), np.zeros((13, 13)), np.zeros((5, 13, 12)), np.zeros((2, 5, 13, 13))])
def test_heads_of_another_shape_are_told_what_is_needed(weights):
    with pytest.raises(ValueError, match=r"weights has shape \(.*; it needs shape \(5, 13, 13\)"):
        ask(weights, "about of p1")


def test_exact_heads_put_all_weight_on_the_answer_unless_a_walk_ends_early():
    whole = [question for question in ONE_TO_THREE if abs(chain(even(FACTS), question) - 1) < 1e-12]
    assert whole == GOING_ON
    assert set(ONE_TO_THREE) - set(GOING_ON) == {
        "cites of cites of p3",
        "about of cites of cites of p3",
        "cites of cites of authored of alice",
        "cites of cites of authored of erin",
    }


def test_five_trained_heads_answer_all_questions_of_one_to_five_hops():
    for hops in (1, 2, 3, 4, 5):
        for question in answerable(hops):
            assert right([ask(TRAINED, question)], [reached(question)]).all(), question


@settings(derandomize=True, deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), sharpness=st.floats(0, 12))
def test_the_mass_on_the_true_chain_is_at_least_the_product_of_the_hops(seed, sharpness):
    A = softmax(sharpness * FACTS + np.random.default_rng(seed).normal(size=FACTS.shape))
    p = [min((A[k, i] @ FACTS[k, i]) for i in np.flatnonzero(FACTS[k].any(axis=1))) for k in range(5)]
    for question in GOING_ON:
        least = np.prod([p[RELATIONS.index(name)] for name in read(question).relations])
        # 1e-12: a few dozen sums of numbers up to one
        assert ask(A, question) @ reached(question) >= chain(A, question) - 1e-12 >= least - 2e-12, question


def test_the_law_needs_a_next_fact_at_every_entity_on_the_way():
    A, cites = softmax(8.0 * FACTS), RELATIONS.index("cites")
    least = min(A[cites, i] @ FACTS[cites, i] for i in (index("p2"), index("p3"))) ** 2
    assert chain(A, "cites of cites of p3") < 0.51 < 0.98 < least
