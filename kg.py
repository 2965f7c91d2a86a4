"""The academic world: thirteen entities of five types, and who advises, wrote, cites, belongs to and is about what.

`ENTITIES` is the row order of every matrix in the chapter. A triple (subject, relation, object) reads as a sentence:
("bob", "advises", "carol").
"""

from __future__ import annotations

import numpy as np

ENTITIES = ("alice", "bob", "carol", "cmu", "dave", "erin", "logic", "mit", "ml", "nesy", "p1", "p2", "p3")

TYPES = {
    "alice": "Professor",
    "bob": "Professor",
    "carol": "Student",
    "dave": "Student",
    "erin": "Student",
    "p1": "Paper",
    "p2": "Paper",
    "p3": "Paper",
    "cmu": "Institution",
    "mit": "Institution",
    "logic": "Topic",
    "ml": "Topic",
    "nesy": "Topic",
}
CONCEPTS = ("Institution", "Paper", "Professor", "Student", "Topic")

RELATIONS = ("advises", "authored", "cites", "affiliated", "about")

TRIPLES = (
    ("alice", "advises", "dave"),
    ("alice", "advises", "erin"),
    ("bob", "advises", "carol"),
    ("alice", "authored", "p2"),
    ("alice", "authored", "p3"),
    ("bob", "authored", "p1"),
    ("carol", "authored", "p1"),
    ("dave", "authored", "p2"),
    ("erin", "authored", "p3"),
    ("p2", "cites", "p1"),
    ("p3", "cites", "p1"),
    ("p3", "cites", "p2"),
    ("alice", "affiliated", "mit"),
    ("bob", "affiliated", "cmu"),
    ("carol", "affiliated", "cmu"),
    ("dave", "affiliated", "mit"),
    ("erin", "affiliated", "mit"),
    ("p1", "about", "logic"),
    ("p2", "about", "ml"),
    ("p3", "about", "logic"),
    ("p3", "about", "nesy"),
)

# How wide a column of names is in a table that is printed.
WIDEST = max(map(len, (*ENTITIES, *CONCEPTS, *RELATIONS)))


def _known(kind: str, name: str, names: tuple[str, ...]) -> str:
    """Let a known name through."""
    if not isinstance(name, str):
        raise TypeError(f"{kind} has type {type(name).__name__}; it needs one of the names {', '.join(names)}")
    if name not in names:
        raise ValueError(f"{kind} {name!r} is not known; the names are {', '.join(names)}")
    return name


def index(name: str) -> int:
    """Give the row of an entity in every matrix of the chapter.

    Parameters
    ----------
    name : str
        One of `ENTITIES`.

    Returns
    -------
    int
        From 0 to 12.

    Raises
    ------
    TypeError
        For a name that is no string.
    ValueError
        For an unknown one; the message lists the known ones.

    Examples
    --------
    >>> index("bob")
    1
    """
    return ENTITIES.index(_known("entity", name, ENTITIES))


def adjacency(relation: str | None = None, directed: bool = True) -> np.ndarray:
    """Write the world's edges as a matrix.

    Parameters
    ----------
    relation : str, optional
        One of `RELATIONS`; None means any.
    directed : bool
        False adds each edge the other way round.

    Returns
    -------
    ndarray of bool, shape (13, 13)
        True at [i, j] where a triple runs from entity i to entity j.

    Raises
    ------
    TypeError
        For a relation that is no string.
    ValueError
        For an unknown one; the message lists the known ones.

    Examples
    --------
    >>> [ENTITIES[j] for j in adjacency("advises")[index("alice")].nonzero()[0]]
    ['dave', 'erin']
    """
    if relation is not None:
        _known("relation", relation, RELATIONS)
    edges = np.zeros((len(ENTITIES), len(ENTITIES)), dtype=bool)
    for subject, name, object_ in TRIPLES:
        if relation in (None, name):
            edges[index(subject), index(object_)] = True
    return edges if directed else edges | edges.T
