"""Questions of several hops, such as "about of authored of advises of bob", and two ways to answer them.

`reached` follows the facts, one relation after the other; `ask` puts weights in their place, and is otherwise the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_checks import floats, integer_between, need
from kg import ENTITIES, RELATIONS, adjacency, index

EXAMPLE = "about of authored of advises of bob"


class Question(NamedTuple):
    """A question in the order in which it is walked.

    Attributes
    ----------
    relations : tuple of str
        From the entity on: in "about of authored of bob" the first is authored.
    entity : str
        Where the walk begins.
    """

    relations: tuple[str, ...]
    entity: str


def read(question: str) -> Question:
    """Read a question.

    Parameters
    ----------
    question : str
        Relations and one entity, joined by "of", the entity last: "about of authored of advises of bob".

    Returns
    -------
    Question
        Its relations, from the entity on, and the entity.

    Raises
    ------
    TypeError, ValueError
        For what is no such text, and for a name that the world does not know.

    Examples
    --------
    >>> read("about of authored of advises of bob").relations
    ('advises', 'authored', 'about')
    """
    if not isinstance(question, str):
        raise TypeError(f"question has type {type(question).__name__}; it needs text such as {EXAMPLE!r}")
    words = question.split()
    need(
        len(words) >= 3 and len(words) % 2 == 1 and set(words[1::2]) == {"of"},
        "question",
        f"the words {question!r}",
        f"relations and then one entity, joined by 'of', such as {EXAMPLE!r}",
    )
    *relations, entity = words[::2]
    for name in relations:
        adjacency(name)  # says which relation is not known
    index(entity)
    return Question(tuple(reversed(relations)), entity)


def reached(question: str) -> np.ndarray:
    """Follow the facts.

    Parameters
    ----------
    question : str
        As `read` takes it.

    Returns
    -------
    ndarray of bool, shape (13,)
        True for the entities at the end of the walk; nowhere, where no fact answers.

    Examples
    --------
    >>> [ENTITIES[j] for j in reached("about of authored of bob").nonzero()[0]]
    ['logic']
    """
    relations, entity = read(question)
    at = np.arange(len(ENTITIES)) == index(entity)
    for name in relations:
        at = at @ adjacency(name)
    return at


def answerable(hops: int) -> list[str]:
    """List the questions of some length that the facts answer.

    Parameters
    ----------
    hops : int
        How many relations, >= 1.

    Returns
    -------
    list of str
        The questions.

    Raises
    ------
    TypeError, ValueError
        For no whole number, or one below 1.

    Examples
    --------
    >>> len(answerable(1)), answerable(5)
    (17, ['about of cites of cites of authored of advises of alice'])
    """
    hops = integer_between("hops", hops, "an integer >= 1", 1)
    questions: list[str] = list(ENTITIES)
    for _ in range(hops):  # without its last step, such a question still has an answer
        longer = [f"{name} of {question}" for question in questions for name in RELATIONS]
        questions = [question for question in longer if reached(question).any()]
    return questions


def ask(weights: ArrayLike, question: str) -> np.ndarray:
    """Answer a question with heads: the row of the product of their weights.

    Parameters
    ----------
    weights : array_like, shape (5, 13, 13)
        The weights of a head for each of `RELATIONS`.
    question : str
        As `read` takes it.

    Returns
    -------
    ndarray, shape (13,)
        The weight of every entity as an answer.

    Raises
    ------
    TypeError, ValueError
        For another shape, and for a question that `read` refuses.

    Examples
    --------
    >>> ask([adjacency(name) for name in RELATIONS], "authored of bob")  # heads that are exact
    array([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0.])
    """
    shape = (len(RELATIONS), len(ENTITIES), len(ENTITIES))
    A = floats("weights", weights, f"{shape}", 3)
    need(A.shape == shape, "weights", f"shape {A.shape}", f"shape {shape}: a head for each relation, in the order of RELATIONS")
    relations, entity = read(question)
    row = np.eye(len(ENTITIES))[index(entity)]
    for name in relations:
        row = row @ A[RELATIONS.index(name)]
    return row
