"""The academic world of kg: who is in it, which triples its types allow, and what its look-ups give."""

import re
from collections import Counter

import nbformat
import networkx
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from conftest import ROOT
from kg import CONCEPTS, ENTITIES, RELATIONS, TRIPLES, TYPES, adjacency, index

# Which types a relation runs from, and which type it runs to.
SIGNATURES = {
    "advises": ({"Professor"}, "Student"),
    "authored": ({"Professor", "Student"}, "Paper"),
    "cites": ({"Paper"}, "Paper"),
    "affiliated": ({"Professor", "Student"}, "Institution"),
    "about": ({"Paper"}, "Topic"),
}


def test_entities_and_concepts_stand_in_alphabetical_order():
    assert list(ENTITIES) == sorted(set(ENTITIES))
    assert list(CONCEPTS) == sorted(set(CONCEPTS))


def test_thirteen_entities_have_five_types():
    assert len(ENTITIES) == 13
    assert set(TYPES) == set(ENTITIES)
    assert set(TYPES.values()) == set(CONCEPTS)
    assert Counter(TYPES.values()) == {"Professor": 2, "Student": 3, "Paper": 3, "Institution": 2, "Topic": 3}


def test_five_relations_stand_in_their_order():
    assert RELATIONS == ("advises", "authored", "cites", "affiliated", "about")


def test_the_triples_are_unique_and_about_twenty():
    assert len(set(TRIPLES)) == len(TRIPLES)
    assert 18 <= len(TRIPLES) <= 24


@pytest.mark.parametrize("triple", TRIPLES, ids=" ".join)
def test_every_triple_runs_between_the_types_its_relation_allows(triple):
    subject, relation, object_ = triple
    subjects, objects = SIGNATURES[relation]
    assert TYPES[subject] in subjects
    assert TYPES[object_] == objects


def test_nothing_is_related_to_itself():
    assert not [triple for triple in TRIPLES if triple[0] == triple[2]]


def test_every_relation_and_every_entity_is_used():
    assert {relation for _, relation, _ in TRIPLES} == set(RELATIONS)
    assert {name for subject, _, object_ in TRIPLES for name in (subject, object_)} == set(ENTITIES)


def test_every_entity_can_be_reached_from_every_other():
    reached, edge = set(), ["bob"]
    while edge:
        name = edge.pop()
        reached.add(name)
        edge += [b for a, _, c in TRIPLES for b, d in ((a, c), (c, a)) if d == name and b not in reached]
    assert reached == set(ENTITIES)


@pytest.mark.parametrize("triple", [("bob", "advises", "carol"), ("bob", "authored", "p1")], ids=" ".join)
def test_the_triples_the_chapter_tells_of_are_there(triple):
    assert triple in TRIPLES


def test_the_index_of_an_entity_is_its_row():
    assert [index(name) for name in ENTITIES] == list(range(13))


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_edges_of_a_relation_are_its_triples(relation):
    edges = adjacency(relation)
    assert edges.shape == (13, 13)
    assert edges.dtype == bool
    pairs = {(ENTITIES[i], ENTITIES[j]) for i, j in zip(*np.nonzero(edges))}
    assert pairs == {(subject, object_) for subject, name, object_ in TRIPLES if name == relation}


def test_the_edges_of_no_relation_are_those_of_any():
    edges = adjacency()
    assert edges.dtype == bool
    assert_array_equal(edges, np.any([adjacency(relation) for relation in RELATIONS], axis=0))


@pytest.mark.parametrize("relation", [None, *RELATIONS])
def test_undirected_edges_run_both_ways(relation):
    one_way, both_ways = adjacency(relation), adjacency(relation, directed=False)
    assert both_ways.dtype == bool
    assert_array_equal(both_ways, both_ways.T)
    for i, j in np.ndindex(13, 13):
        assert both_ways[i, j] == (one_way[i, j] or one_way[j, i]), (ENTITIES[i], ENTITIES[j])


def test_an_advisor_is_not_advised_by_the_student():
    assert adjacency("advises")[index("bob"), index("carol")]
    assert not adjacency("advises")[index("carol"), index("bob")]
    assert adjacency("advises", directed=False)[index("carol"), index("bob")]


def test_edges_that_a_reader_changes_are_whole_again_at_the_next_call():
    adjacency()[:] = False
    assert adjacency().sum() > 0


@pytest.mark.parametrize("name", ["zoe", "Bob", "", "bob "])
def test_an_unknown_entity_is_told_all_known_ones(name):
    with pytest.raises(ValueError) as caught:
        index(name)
    assert repr(name) in str(caught.value)
    assert str(caught.value).endswith("; the names are " + ", ".join(ENTITIES))


@pytest.mark.parametrize("name", ["likes", "Advises", "", "advised"])
def test_an_unknown_relation_is_told_all_known_ones(name):
    with pytest.raises(ValueError) as caught:
        adjacency(name)
    assert repr(name) in str(caught.value)
    assert str(caught.value).endswith("; the names are " + ", ".join(RELATIONS))


@pytest.mark.parametrize("name", [3, 1.0, b"bob", ["bob"], ("bob",)])
def test_a_name_that_is_no_string_is_a_type_error(name):
    for kind, names, call in (("entity", ENTITIES, index), ("relation", RELATIONS, adjacency)):
        with pytest.raises(TypeError) as caught:
            call(name)
        assert str(caught.value) == f"{kind} has type {type(name).__name__}; it needs one of the names {', '.join(names)}"


def test_none_is_no_entity():
    with pytest.raises(TypeError, match="entity has type NoneType"):
        index(None)


def test_the_pairs_that_notebook_08_reaches_layer_by_layer_are_those_of_a_graph_library():
    graph = networkx.Graph([(subject, object_) for subject, _, object_ in TRIPLES])
    distance = dict(networkx.all_pairs_shortest_path_length(graph))
    longest = max(max(row.values()) for row in distance.values())
    within = {layers: sum(d <= layers for row in distance.values() for d in row.values()) for layers in range(1, longest + 1)}
    assert within[longest] == len(ENTITIES) ** 2
    notebook = nbformat.read(ROOT / "notebooks" / "08_message_passing.ipynb", as_version=4)
    text = "".join(out.get("text", "") for cell in notebook.cells for out in cell.get("outputs", []))
    assert {int(a): int(b) for a, b in re.findall(r"after layer (\d+): +(\d+) of 169", text)} == within
    ends = sorted((a, b) for a, row in distance.items() for b, d in row.items() if d == longest and a < b)
    assert f"longest distance {longest}: " + ", ".join(f"{a} and {b}" for a, b in ends) in text
