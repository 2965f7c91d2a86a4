"""Trained heads against the chapter's own gradients, and against what their facts allow."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from attention_chapter import run
from attention_chapter.training import even, right, train
from attention_core import attention, attention_gradients
from kg import RELATIONS, adjacency

X = run.draw().X
EDGES = np.array([adjacency(name) for name in RELATIONS])


def test_even_targets_are_a_distribution_over_the_objects_of_a_row_that_has_some():
    T = even(EDGES)
    assert_array_equal(T > 0, EDGES)
    assert_allclose(T.sum(axis=-1), EDGES.any(axis=-1))
    assert T[1, 0, -1] == T[1, 0, -2] == 0.5, "alice wrote p2 and p3"


def test_a_step_goes_against_the_gradients_of_the_chapter():
    T, d_k, rate = even(EDGES[1]), 3, 0.2
    before = train(X, T, np.random.default_rng(1), steps=0, d_k=d_k)
    after = train(X, T, np.random.default_rng(1), steps=1, rate=rate, d_k=d_k)
    A = attention(X, before.Wq, before.Wk, before.Wk).weights
    g = attention_gradients(X, before.Wq, before.Wk, before.Wk, dA=-T / A)
    assert_allclose(after.Wq, before.Wq - rate * g.dWq, rtol=0, atol=1e-12)
    assert_allclose(after.Wk, before.Wk - rate * g.dWk, rtol=0, atol=1e-12)
    assert_allclose(after.weights[0], A, rtol=0, atol=1e-15)
    assert_allclose(after.weights[1], attention(X, after.Wq, after.Wk, after.Wk).weights, rtol=0, atol=1e-15)
    assert_allclose(after.losses[0], -(T[T > 0] * np.log(A[T > 0])).sum())


def test_the_projections_start_as_normal_numbers_over_the_root_of_the_width():
    start = train(X, np.zeros((2, 13, 13)), np.random.default_rng(5), steps=0)
    drawn = np.random.default_rng(5).normal(size=(2, 2, 8, 4)) / np.sqrt(8)
    assert_array_equal(start.Wq, drawn[:, 0])
    assert_array_equal(start.Wk, drawn[:, 1])


def test_heads_that_are_trained_together_end_as_each_does_alone():
    together, rng = train(X, even(EDGES), np.random.default_rng(71), steps=20), np.random.default_rng(71)
    for k, E in enumerate(EDGES):
        alone = train(X, even(E), rng, steps=20)
        assert_allclose(together.weights[:, k], alone.weights, rtol=0, atol=1e-12)
        assert_allclose(together.losses[:, k], alone.losses, rtol=0, atol=1e-12)
        assert_allclose(together.Wq[k], alone.Wq, rtol=0, atol=1e-12)


def test_rows_without_a_target_pull_at_nothing():
    found = train(X, np.zeros((13, 13)), np.random.default_rng(3), steps=4)
    assert_array_equal(found.weights[-1], found.weights[0])
    assert_array_equal(found.losses, np.zeros(5))


def test_five_heads_find_all_seventeen_rows_by_the_steps_and_the_rate_that_stand_as_defaults():
    found = train(X, even(EDGES), np.random.default_rng(71))
    assert found.weights.shape == (301, 5, 13, 13)
    assert found.losses.shape == (301, 5)
    assert [right(A, E).sum() for A, E in zip(found.weights[-1], EDGES)] == [2, 5, 2, 5, 3]
    assert f"{found.losses[-1, 0]:.4f}" == "0.7803"


def test_a_row_is_right_only_if_its_objects_and_nothing_else_lead():
    E = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    A = np.array([[0.4, 0.5, 0.1], [1, 0, 0], [0.4, 0.4, 0.2], [0.5, 0.3, 0.2]])
    assert right(A, E).tolist() == [True, False, True]
    assert right(A[1:2], E[1:2]).shape == (0,)


@pytest.mark.parametrize(
    "wrong, error, says",
    [
        ({"X": X[0]}, ValueError, "X has shape (8,); it needs shape (n, d)"),
        ({"targets": np.zeros((5, 13, 12))}, ValueError, "targets has shape (5, 13, 12); it needs shape (..., 13, 13) for X of"),
        ({"rng": 71}, TypeError, "rng has type int; it needs a numpy.random.Generator"),
        ({"steps": -1}, ValueError, "steps has value -1; it needs an integer >= 0"),
        ({"d_k": 0}, ValueError, "d_k has value 0; it needs an integer >= 1"),
        ({"rate": np.nan}, ValueError, "rate has shape () and entries that are NaN or infinite"),
    ],
)
def test_a_wrong_argument_is_named_with_what_it_has_and_what_it_needs(wrong, error, says):
    good = {"X": X, "targets": np.zeros((13, 13)), "rng": np.random.default_rng(0)}
    with pytest.raises(error, match=re.escape(says)):
        train(**good | wrong)
