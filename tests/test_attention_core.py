"""The mathematics of attention_core: properties that hold for all inputs, exact cases, and what bad input is told."""

import math
import re
import statistics
import subprocess
import sys
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from golden import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal

import attention_core
from attention_checks import finite_output, room_for_exponentials
from attention_core import (
    attention,
    attention_gradients,
    blocked_attention,
    central_difference_jacobian,
    closed_form_weight,
    cosine,
    dot_product_variance,
    multi_head_attention,
    retrieve,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
    sparsemax,
)

pytestmark = pytest.mark.filterwarnings("error")  # a warning of NumPy is a number that went wrong

EPS = np.finfo(np.float64).eps  # 2.2e-16, the spacing of float64 at 1
every_case = settings(derandomize=True, deadline=None, max_examples=60)
few_cases = settings(derandomize=True, deadline=None, max_examples=25)

LOGITS = st.floats(-30, 30)
small = st.integers(1, 5)


@st.composite
def lookups(draw, batch=()):
    """Q (..., m, d_k), K (..., n, d_k), V (..., n, d_v) with entries from -3 to 3, so that |q.k| <= 45."""
    m, n, d_k, d_v = draw(small), draw(small), draw(small), draw(small)
    entries = st.floats(-3, 3)
    return tuple(draw(arrays(np.float64, (*batch, *shape), elements=entries)) for shape in ((m, d_k), (n, d_k), (n, d_v)))


# --- the softmax -----------------------------------------------------------------------------------------------------


def test_softmax_of_log_counts_is_each_count_over_their_sum():
    # A few roundings of log, exp and the quotient.
    assert_allclose(softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625], rtol=8 * EPS)


def test_the_log_of_a_ratio_of_weights_is_the_difference_of_the_logits():
    p = softmax([0.3, -1.2, 2.0])
    # Each log rounds once, and so did each exp.
    assert_allclose(np.log(p[0] / p[1]), 1.5, rtol=8 * EPS)
    assert_allclose(np.log(p[2] / p[0]), 1.7, rtol=8 * EPS)


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_equal_logits_share_equally(n):
    assert_array_equal(softmax(np.full(n, 3.7)), np.full(n, 1 / n))


@every_case
@given(arrays(np.float64, array_shapes(max_dims=3, max_side=6), elements=LOGITS), st.floats(-1000, 1000))
def test_a_constant_added_to_every_logit_changes_no_weight(z, shift):
    # z + shift rounds by at most 1030 eps / 2 = 1.2e-13, and the weight moves by as much, relatively.
    assert_allclose(softmax(z + shift), softmax(z), rtol=1e-12)


@every_case
@given(arrays(np.float64, array_shapes(max_dims=3, max_side=6), elements=st.floats(-1e300, 1e300)))
def test_weights_are_nonnegative_and_every_row_sums_to_one(z):
    p = softmax(z)
    assert p.shape == z.shape
    assert (p >= 0).all()
    # Up to six quotients, each off by half an eps of itself, and five additions.
    assert_allclose(p.sum(axis=-1), 1, rtol=6 * EPS)


@every_case
@given(arrays(np.float64, st.integers(1, 8), elements=LOGITS))
def test_a_larger_logit_never_gets_a_smaller_weight(z):
    assert (np.diff(softmax(np.sort(z))) >= -EPS).all()  # exp of neighbouring floats may round the wrong way


@every_case
@given(st.data(), arrays(np.float64, array_shapes(max_dims=4, max_side=4), elements=LOGITS))
def test_softmax_along_any_axis_is_softmax_along_the_last_of_the_moved_array(data, z):
    axis = data.draw(st.integers(-z.ndim, z.ndim - 1))
    p = softmax(z, axis=axis)
    # NumPy adds in another order along another axis: up to four additions.
    assert_allclose(np.moveaxis(p, axis, -1), softmax(np.moveaxis(z, axis, -1)), rtol=8 * EPS)
    assert_allclose(p.sum(axis=axis), 1, rtol=8 * EPS)


def test_softmax_along_axis_0_normalises_columns():
    # The columns hold the logs of 1 and 3, and of 1 and 1.
    p = softmax(np.log([[1.0, 1.0], [3.0, 1.0]]), axis=0)
    assert_allclose(p, [[0.25, 0.5], [0.75, 0.5]], rtol=8 * EPS)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_softmax_keeps_a_floating_dtype(dtype):
    p = softmax(np.array([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0]], dtype=dtype))
    assert p.dtype == dtype
    # One rounding of each weight to the dtype, and a few of the work before it.
    assert_allclose(p.astype(np.float64).sum(axis=1), 1, rtol=4 * np.finfo(dtype).eps)
    assert_allclose(p[0], softmax([0.0, 1.0, 2.0]), rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("z", [[2, 0, 1], np.array([2, 0, 1], dtype=np.int8), np.array([2, 0, 1], dtype=np.uint64)])
def test_softmax_of_integers_is_softmax_of_the_same_floats(z):
    assert softmax(z).dtype == np.float64
    assert_array_equal(softmax(z), softmax([2.0, 0.0, 1.0]))


def test_softmax_of_booleans_reads_them_as_0_and_1():
    assert softmax([True, False]).dtype == np.float64
    assert_array_equal(softmax([True, False]), softmax([1.0, 0.0]))


def test_a_long_float16_row_is_summed_in_a_wider_type():
    # Summed in float16 the total would stop at 2048 and every weight be 5e-4.
    # A float16 near 1e-5 is a multiple of 6e-8: half of that is 0.3 %.
    assert_allclose(softmax(np.zeros(100_000, dtype=np.float16))[[0, -1]], 1e-5, rtol=0.003)


def test_a_logit_of_minus_infinity_gets_weight_zero_and_the_others_are_as_without_it():
    p = softmax([1.0, -np.inf, 2.0, -np.inf])
    assert_array_equal(p[[1, 3]], 0)
    assert_allclose(p[[0, 2]], softmax([1.0, 2.0]), rtol=4 * EPS)  # exp of a longer array may round otherwise


@pytest.mark.parametrize(
    "z, p",
    [
        ([1e308, -1e308], [1, 0]),
        ([1e308, 1e308], [0.5, 0.5]),
        ([-1e308, -1e308, -1e308, -1e308], [0.25, 0.25, 0.25, 0.25]),
        ([-1e308, 0.0], [0, 1]),
        ([1e308, -np.inf], [1, 0]),
        (np.array([3e38, -3e38], dtype=np.float32), [1, 0]),
        (np.array([65504, -65504], dtype=np.float16), [1, 0]),
        (np.array([65504, 65504], dtype=np.float16), [0.5, 0.5]),
    ],
)
def test_logits_at_the_edge_of_the_range_get_the_right_weights(z, p):
    assert_array_equal(softmax(z), p)


SHORT = arrays(np.float64, array_shapes(max_dims=3, max_side=6), elements=st.floats(-4, 4))


@every_case
@given(SHORT)
def test_sparsemax_is_the_point_of_the_simplex_nearest_to_the_logits(z):
    p = sparsemax(z)
    assert p.shape == z.shape and (p >= 0).all()
    assert_allclose(p.sum(axis=-1), 1, rtol=40 * EPS)  # logits of size 4, six of them, lose some digits
    # At the nearest point, and nowhere else, no corner lies on the side of z: (z - p).(e_j - p) <= 0 for all j.
    towards = (z - p) - ((z - p) * p).sum(axis=-1, keepdims=True)
    assert (towards <= 80 * EPS).all()


@every_case
@given(SHORT, st.floats(-1000, 1000))
def test_a_constant_added_to_every_logit_changes_no_weight_of_sparsemax(z, shift):
    assert_allclose(sparsemax(z + shift), sparsemax(z), atol=1e-12, rtol=0)  # z + shift rounds by 1.2e-13


@pytest.mark.parametrize("n", [2, 4, 13, 1000])
def test_sparsemax_is_a_lookup_from_a_lead_of_one_on_and_not_before(n):
    z = np.eye(n)[n // 2]
    assert_array_equal(sparsemax(z), z)
    assert_array_equal(sparsemax(7 * z), z)
    before = sparsemax(0.75 * z)
    assert_allclose(before[n // 2], (0.75 * (n - 1) + 1) / n, rtol=8 * EPS)  # 3/4 of the way from 1/n to 1
    assert (before > 0).all()


def test_sparsemax_of_two_is_a_straight_line_between_its_ends():
    lead = np.linspace(-2, 2, 41)
    assert_allclose(sparsemax(np.stack([lead, 0 * lead], axis=1))[:, 0], np.clip((lead + 1) / 2, 0, 1), atol=2 * EPS, rtol=0)


def test_sparsemax_of_some_logits_worked_by_hand():
    # Sorted 1, 0.5, 0.25: 1 + 3 / 4 exceeds their sum by nothing, so two stay, and the threshold is (1.5 - 1) / 2.
    assert_array_equal(sparsemax([0.5, -3.0, 1.0, 0.25]), [0.25, 0, 0.75, 0])
    # 1 + 3 * 0.375 exceeds 1.875, so three stay, and the threshold is (1.875 - 1) / 3.
    assert_allclose(sparsemax([0.5, -np.inf, 1.0, 0.375]), np.array([5, 0, 17, 2]) / 24, rtol=8 * EPS)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_sparsemax_keeps_a_floating_dtype_and_any_axis(dtype):
    z = np.array([[0.0, 0.5, 1.0], [2.0, 2.0, -2.0]], dtype=dtype)
    p = sparsemax(z)
    assert p.dtype == dtype
    assert_array_equal(p, np.array([[0, 0.25, 0.75], [0.5, 0.5, 0]], dtype=dtype))
    assert_array_equal(sparsemax(z.T, axis=0), p.T)
    assert_array_equal(sparsemax(z[:, None], axis=-1), p[:, None])
    assert sparsemax([2, 0, 1]).dtype == np.float64


@pytest.mark.parametrize(
    "z, p",
    [
        ([1e308, -1e308], [1, 0]),
        ([1e308, 1e308, -1e308], [0.5, 0.5, 0]),
        ([-1e308, 0.0], [0, 1]),
        ([1e308, -np.inf, -np.inf], [1, 0, 0]),
        (np.array([65504, -65504, -65504], dtype=np.float16), [1, 0, 0]),
    ],
)
def test_logits_at_the_edge_of_the_range_get_the_right_weights_of_sparsemax(z, p):
    assert_array_equal(sparsemax(z), p)


def test_softmax_of_no_rows_is_no_rows():
    assert softmax(np.ones((0, 3))).shape == (0, 3)


# --- one head --------------------------------------------------------------------------------------------------------


def looked_up(Q, K, V, scale):
    """Weights and output of one head as sums over single entries: no matrix product, no shift, no softmax."""
    m, n, d_k, d_v = len(Q), len(K), Q.shape[1], V.shape[1]
    A, O = np.empty((m, n)), np.empty((m, d_v))
    for i in range(m):
        e = [math.exp(scale * math.fsum(Q[i, t] * K[j, t] for t in range(d_k))) for j in range(n)]
        for j in range(n):
            A[i, j] = e[j] / math.fsum(e)
        for t in range(d_v):
            O[i, t] = math.fsum(A[i, j] * V[j, t] for j in range(n))
    return A, O


@every_case
@given(lookups(), st.sampled_from([None, 0.25, 1.0, 2.0]))
def test_one_head_is_what_a_loop_over_queries_and_keys_gives(QKV, scale):
    Q, K, V = QKV
    A, O = looked_up(Q, K, V, Q.shape[1] ** -0.5 if scale is None else scale)
    head = scaled_dot_product_attention(Q, K, V, scale=scale)
    # Scores up to 90 round by 90 eps = 2e-14, and so do the weights, relatively; values are at most 3.
    assert_allclose(head.weights, A, rtol=1e-12)
    assert_allclose(head.output, O, rtol=1e-12, atol=1e-12)


def test_cross_attention_has_a_row_for_each_query_and_a_column_for_each_key():
    rng = np.random.default_rng(0)
    m, n, d_k, d_v = 2, 5, 3, 4  # all four differ, so that no transposed matrix fits by luck
    Q, K, V = rng.normal(size=(m, d_k)), rng.normal(size=(n, d_k)), rng.normal(size=(n, d_v))
    head = scaled_dot_product_attention(Q, K, V)
    assert [stage.shape for stage in head] == [(m, n), (m, n), (m, n), (m, d_v)]
    A, O = looked_up(Q, K, V, 1 / math.sqrt(d_k))
    assert_allclose(head.weights, A, rtol=1e-13)  # scores below 10 round by 10 eps
    assert_allclose(head.output, O, rtol=1e-13, atol=1e-13)


def test_the_scores_of_a_head_worked_by_hand():
    head = scaled_dot_product_attention([[1, 2, 3, 4]], [[1, 0, 0, 0], [0, 1, 1, 0], [-1, 0, 0, 1]], np.eye(3))
    assert_array_equal(head.raw, [[1, 5, 3]])
    assert_array_equal(head.scaled, [[0.5, 2.5, 1.5]])  # d_k = 4, so each score is halved
    # The weights are as 1 : e^2 : e^1; a few roundings.
    assert_allclose(head.weights, np.array([[1, math.e**2, math.e]]) / (1 + math.e**2 + math.e), rtol=8 * EPS)
    assert_array_equal(head.output, head.weights)  # the values are the unit vectors


@pytest.mark.parametrize("d_k", [1, 2, 7, 64])
def test_the_default_scale_is_one_over_the_root_of_d_k(d_k):
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(2, d_k)), rng.normal(size=(3, d_k)), rng.normal(size=(3, 5))
    head = scaled_dot_product_attention(Q, K, V)
    assert_allclose(head.scaled * math.sqrt(d_k), head.raw, rtol=4 * EPS)  # root, quotient and product round
    for one, other in zip(head, scaled_dot_product_attention(Q, K, V, scale=1 / math.sqrt(d_k))):
        assert_array_equal(one, other)


def test_a_scale_multiplies_the_scores_and_leaves_the_raw_ones():
    rng = np.random.default_rng(2)
    Q, K, V = rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    head = scaled_dot_product_attention(Q, K, V, scale=8)  # a power of two multiplies exactly
    assert_array_equal(head.raw, scaled_dot_product_attention(Q, K, V).raw)
    assert_array_equal(head.scaled, 8 * head.raw)


@every_case
@given(lookups(), st.randoms(use_true_random=False))
def test_reordered_queries_reorder_the_rows_and_reordered_slots_change_no_output(QKV, random):
    Q, K, V = QKV
    rows, slots = random.sample(range(len(Q)), len(Q)), random.sample(range(len(K)), len(K))
    head, other = scaled_dot_product_attention(Q, K, V), scaled_dot_product_attention(Q[rows], K[slots], V[slots])
    # Sums over keys run in another order; scores up to 45 round by 45 eps = 1e-14.
    assert_allclose(other.weights, head.weights[rows][:, slots], rtol=1e-12)
    assert_allclose(other.output, head.output[rows], rtol=1e-12, atol=1e-12)


@every_case
@given(lookups(), st.sampled_from([0.01, 1.0, 100.0]))
def test_every_output_lies_between_the_smallest_and_the_largest_value(QKV, scale):
    Q, K, V = QKV
    output = scaled_dot_product_attention(Q, K, V, scale=scale).output
    slack = 30 * EPS  # weights sum to one within 5 eps, and values are at most 3
    assert (output >= V.min(axis=0) - slack).all()
    assert (output <= V.max(axis=0) + slack).all()


@every_case
@given(lookups(batch=(2, 3)))
def test_a_batch_is_a_loop_over_its_members(QKV):
    Q, K, V = QKV
    head = scaled_dot_product_attention(Q, K, V)
    for b in np.ndindex(2, 3):
        one = scaled_dot_product_attention(Q[b], K[b], V[b])
        for stage, alone in zip(head, one):
            # A batched product may add in another order; scores up to 45 round by 45 eps = 1e-14.
            assert_allclose(stage[b], alone, rtol=1e-12, atol=1e-12)


def test_batch_dimensions_of_queries_keys_and_values_broadcast():
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(6, 1, 2, 3)), rng.normal(size=(7, 4, 3)), rng.normal(size=(6, 7, 4, 5))
    head = scaled_dot_product_attention(Q, K, V)
    assert head.weights.shape == (6, 7, 2, 4)
    assert head.output.shape == (6, 7, 2, 5)
    for a, b in np.ndindex(6, 7):
        # A batched product may add in another order.
        assert_allclose(head.output[a, b], scaled_dot_product_attention(Q[a, 0], K[b], V[a, b]).output, rtol=1e-13)


def test_one_set_of_slots_serves_a_batch_of_queries():
    rng = np.random.default_rng(4)
    Q, K, V = rng.normal(size=(6, 2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    output = scaled_dot_product_attention(Q, K, V).output
    assert output.shape == (6, 2, 5)
    for b in range(6):
        assert_allclose(output[b], scaled_dot_product_attention(Q[b], K, V).output, rtol=1e-13)  # as above


def test_identical_keys_never_resolve():
    rng = np.random.default_rng(5)
    Q, V = rng.integers(-9, 9, size=(3, 2)), rng.normal(size=(4, 5))
    K = np.tile(rng.integers(-9, 9, size=2), (4, 1))  # whole numbers, so that equal scores are equal in every order
    for scale in (1, 1e6, 1e150):
        head = scaled_dot_product_attention(Q, K, V, scale=scale)
        assert_array_equal(head.weights, 0.25)
        assert_allclose(head.output, np.tile(V.mean(axis=0), (3, 1)), rtol=1e-14)  # four additions


def test_a_sharp_scale_looks_the_best_key_up_exactly():
    V = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    head = scaled_dot_product_attention(np.eye(3)[[2, 0]], np.eye(3), V, scale=1000)  # e^-1000 is 0 in float64
    assert_array_equal(head.weights, np.eye(3)[[2, 0]])
    assert_array_equal(head.output, V[[2, 0]])


def test_one_key_gets_all_the_weight():
    head = scaled_dot_product_attention([[3.0, -1.0], [0.0, 5.0]], [[2.0, 2.0]], [[7.0, 8.0, 9.0]])
    assert_array_equal(head.weights, [[1], [1]])
    assert_array_equal(head.output, [[7, 8, 9], [7, 8, 9]])


def test_no_queries_give_no_rows_and_no_value_width_gives_no_columns():
    assert scaled_dot_product_attention(np.ones((0, 3)), np.ones((4, 3)), np.ones((4, 5))).output.shape == (0, 5)
    assert scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 0))).output.shape == (2, 0)


def test_scores_near_the_end_of_the_range_are_still_a_lookup():
    head = scaled_dot_product_attention([[1e154]], [[1e154], [-1e154]], [[1.0], [2.0]])
    assert_array_equal(head.weights, [[1, 0]])
    assert_array_equal(head.output, [[1]])


def test_float16_scores_beyond_65504_do_not_overflow():
    Q = np.full((1, 4), 200, dtype=np.float16)
    K = np.array([[200] * 4, [200, 200, 200, -200]], dtype=np.float16)
    head = scaled_dot_product_attention(Q, K, np.array([[1, 2], [3, 4]], dtype=np.float16))
    assert head.raw.dtype == np.float32
    assert_array_equal(head.raw, [[160_000, 80_000]])  # whole numbers below 2^24 are exact in float32
    assert head.weights.dtype == head.output.dtype == np.float16
    assert_array_equal(head.weights, [[1, 0]])  # scores 40 000 apart
    assert_array_equal(head.output, [[1, 2]])


def test_float16_features_whose_projections_overflow_are_reported():
    X, W = np.full((3, 2), 300, dtype=np.float16), np.full((2, 2), 300, dtype=np.float16)
    with pytest.raises(ValueError, match=r"^Wq .*\(2, 2\).*overflows.*\(3, 2\)"):
        attention(X, W, W, W)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_head_keeps_the_dtype_of_its_inputs(dtype):
    rng = np.random.default_rng(6)
    Q, K, V = (rng.normal(size=shape).astype(dtype) for shape in ((2, 3), (4, 3), (4, 5)))
    head = scaled_dot_product_attention(Q, K, V)
    assert head.weights.dtype == head.output.dtype == dtype
    wide = scaled_dot_product_attention(*(a.astype(np.float64) for a in (Q, K, V)))
    # Scores below 8, each rounded a few times in the working type, then one rounding of the result.
    slack = 8 * np.finfo(dtype).eps
    assert_allclose(head.weights, wide.weights, rtol=slack)
    assert_allclose(head.output, wide.output, rtol=slack, atol=slack)


def test_integers_are_read_as_floats():
    Q, K, V = np.array([[1, 2]]), np.array([[0, 1], [1, 0]]), np.array([[5], [7]])
    for whole, real in zip(scaled_dot_product_attention(Q, K, V), scaled_dot_product_attention(Q * 1.0, K * 1.0, V * 1.0)):
        assert whole.dtype == np.float64
        assert_array_equal(whole, real)


# --- the mask --------------------------------------------------------------------------------------------------------


@every_case
@given(st.data(), lookups())
def test_a_mask_renormalises_the_dense_weights_over_the_keys_it_allows(data, QKV):
    Q, K, V = QKV
    mask = data.draw(arrays(np.bool_, (len(Q), len(K))))
    dense = scaled_dot_product_attention(Q, K, V, scale=0.25)  # scores up to 11, so no dense weight is near 0
    head = scaled_dot_product_attention(Q, K, V, scale=0.25, mask=mask)
    kept = dense.weights * mask
    total = kept.sum(axis=1, keepdims=True)
    expected = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)
    assert_array_equal(head.raw, dense.raw)
    assert_array_equal(head.scaled, dense.scaled)
    assert_array_equal(head.weights[~mask], 0)
    assert_allclose(head.weights, expected, rtol=1e-13)  # the shifts differ by up to 11: 11 eps each
    assert_allclose(head.output, expected @ V, rtol=1e-12, atol=1e-13)  # values are at most 3


def test_a_query_that_may_attend_to_nothing_gets_exactly_zero():
    rng = np.random.default_rng(7)
    Q, K, V = rng.normal(size=(3, 2)), rng.normal(size=(4, 2)), rng.normal(size=(4, 5))
    mask = np.array([[True, False, True, True], [False] * 4, [False, False, False, True]])
    head = scaled_dot_product_attention(Q, K, V, mask=mask)
    assert_array_equal(head.weights[1], 0)
    assert_array_equal(head.output[1], 0)
    assert_array_equal(head.weights[2], [0, 0, 0, 1])
    assert_array_equal(head.output[2], V[3])
    assert_allclose(head.weights[0].sum(), 1, rtol=4 * EPS)  # three additions


def test_nothing_allowed_at_all_gives_zeros_of_the_right_shape():
    head = scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)), mask=np.array(False))
    assert_array_equal(head.weights, np.zeros((2, 4)))
    assert_array_equal(head.output, np.zeros((2, 5)))


def test_a_mask_that_allows_everything_changes_nothing():
    rng = np.random.default_rng(8)
    Q, K, V = rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    for masked, dense in zip(
        scaled_dot_product_attention(Q, K, V, mask=np.ones((2, 4), dtype=bool)), scaled_dot_product_attention(Q, K, V)
    ):
        assert_array_equal(masked, dense)


@pytest.mark.parametrize(
    "mask",
    [
        [True, False, True, True],  # (n,): the same keys for every query
        np.array([[True], [False]]),  # (m, 1): a query reads all or nothing
        np.arange(24).reshape(3, 2, 4) % 5 > 0,  # (batch, m, n)
        np.arange(12).reshape(3, 1, 4) % 3 > 0,  # (batch, 1, n)
    ],
)
def test_a_mask_broadcasts_over_queries_and_batch(mask):
    rng = np.random.default_rng(9)
    Q, K, V = rng.normal(size=(3, 2, 3)), rng.normal(size=(3, 4, 3)), rng.normal(size=(3, 4, 5))
    head = scaled_dot_product_attention(Q, K, V, mask=mask)
    full = np.broadcast_to(mask, (3, 2, 4))
    assert_array_equal(head.weights > 0, full)
    for b in range(3):
        one = scaled_dot_product_attention(Q[b], K[b], V[b], mask=full[b])
        assert_allclose(head.output[b], one.output, rtol=1e-13)  # a batched product may add in another order


def test_what_stands_behind_a_mask_cannot_be_read():
    rng = np.random.default_rng(10)
    Q, K, V = rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 5))
    mask = np.array([True, True, False, True])
    other_K, other_V = K.copy(), V.copy()
    other_K[2], other_V[2] = 1e100, -1e100
    assert_array_equal(
        scaled_dot_product_attention(Q, other_K, other_V, mask=mask).output, scaled_dot_product_attention(Q, K, V, mask=mask).output
    )


def test_a_masked_float16_head_stays_float16():
    Q, K, V = (np.ones(shape, dtype=np.float16) for shape in ((2, 3), (4, 3), (4, 5)))
    head = scaled_dot_product_attention(Q, K, V, mask=np.array([[True, True, False, False], [False] * 4]))
    assert head.weights.dtype == head.output.dtype == np.float16
    assert_array_equal(head.weights, [[0.5, 0.5, 0, 0], [0, 0, 0, 0]])


# --- self-attention --------------------------------------------------------------------------------------------------


def test_self_attention_asks_with_Wq_matches_with_Wk_and_blends_with_Wv():
    rng = np.random.default_rng(11)
    n, d, d_k, d_v = 5, 4, 2, 3
    X, Wq, Wk, Wv = (rng.normal(size=shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v)))
    head = attention(X, Wq, Wk, Wv)
    A, O = looked_up(X @ Wq, X @ Wk, X @ Wv, 1 / math.sqrt(d_k))
    assert_allclose(head.raw[0, 1], sum(X[0] @ Wq[:, t] * (X[1] @ Wk[:, t]) for t in range(d_k)), rtol=1e-13)
    # Scores below 30 round by 30 eps = 7e-15.
    assert_allclose(head.weights, A, rtol=1e-13)
    assert_allclose(head.output, O, rtol=1e-13, atol=1e-13)


@every_case
@given(arrays(np.float64, st.tuples(small, st.just(3)), elements=st.floats(-2, 2)), st.randoms(use_true_random=False))
def test_reordered_rows_of_X_reorder_the_whole_head(X, random):
    rng = np.random.default_rng(12)
    W = [rng.normal(size=(3, width)) for width in (2, 2, 4)]
    order = random.sample(range(len(X)), len(X))
    head, other = attention(X, *W), attention(X[order], *W)
    # Sums over keys run in another order; scores below 100 round by 100 eps = 2e-14.
    assert_allclose(other.weights, head.weights[order][:, order], rtol=1e-12)
    assert_allclose(other.output, head.output[order], rtol=1e-12, atol=1e-12)


def test_self_attention_on_a_batch_is_a_loop_over_its_members():
    rng = np.random.default_rng(13)
    X, W = rng.normal(size=(2, 3, 5, 4)), [rng.normal(size=(4, width)) for width in (2, 2, 3)]
    head = attention(X, *W)
    assert head.weights.shape == (2, 3, 5, 5)
    for b in np.ndindex(2, 3):
        assert_allclose(head.output[b], attention(X[b], *W).output, rtol=1e-12)  # additions in another order


def test_a_causal_mask_lets_the_first_row_see_only_itself():
    rng = np.random.default_rng(14)
    X, W = rng.normal(size=(4, 3)), [rng.normal(size=(3, width)) for width in (2, 2, 3)]
    head = attention(X, *W, mask=np.tril(np.ones((4, 4), dtype=bool)))
    assert_array_equal(head.weights[0], [1, 0, 0, 0])
    assert_allclose(head.output[0], X[0] @ W[2], rtol=1e-13, atol=1e-15)  # one product, summed in another order
    assert_array_equal(np.triu(head.weights, 1), 0)


# --- the same lookup in blocks ---------------------------------------------------------------------------------------


@every_case
@given(
    st.data(),
    st.sampled_from([(), (2,), (2, 3)]).flatmap(lambda batch: lookups(batch=batch)),
    st.sampled_from([None, 0.3]),
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
)
def test_blocks_of_any_size_give_the_output_of_the_whole(data, QKV, scale, block):
    Q, K, V = QKV
    mask = data.draw(st.none() | arrays(np.bool_, (*Q.shape[:-1], K.shape[-2])))
    whole = scaled_dot_product_attention(Q, K, V, mask=mask, scale=scale).output
    # Weights sum to one and values are at most 3; a dozen roundings of either are far below 1e-12.
    assert_allclose(blocked_attention(Q, K, V, mask=mask, scale=scale, block=block), whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("m, n", [(1, 1), (1, 513), (513, 1), (600, 700), (512, 1024)])
def test_the_default_blocks_give_the_output_of_the_whole(m, n):
    rng = np.random.default_rng(m + n)
    Q, K, V = rng.normal(size=(m, 8)), rng.normal(size=(n, 8)), rng.normal(size=(n, 5))
    mask = rng.random((m, n)) < 0.5
    mask[0] = False  # a query that may attend to nothing
    for allowed in (None, mask):
        whole = scaled_dot_product_attention(Q, K, V, mask=allowed).output
        assert_allclose(blocked_attention(Q, K, V, mask=allowed), whole, rtol=0, atol=1e-12)  # as above


def test_scores_that_rise_from_block_to_block_do_not_overflow():
    # exp(1000) is beyond float64: only the running maximum keeps every exponent at or below zero.
    K, V = np.array([[-1000.0], [0.0], [1000.0], [999.0]]), np.eye(4)
    output = blocked_attention(np.ones((1, 1)), K, V, block=(1, 1))
    assert_allclose(output[0], [0, 0, 1 / (1 + math.exp(-1)), 1 / (1 + math.e)], rtol=8 * EPS)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1.0, 1e-3, 1e3])
def test_room_for_exponentials_is_all_that_the_floats_have_but_a_factor_e(kind, size):
    n, limits = 7, np.finfo(kind)
    V = np.array([[0, size]] * n, kind)
    fits = room_for_exponentials(V, 3)
    last = min(np.log(limits.max) - np.log(max(size, 1)) - np.log(n), -np.log(limits.tiny) + np.log(min(size, 1))) - 1
    assert fits(0.999 * last) and not fits(1.001 * last) and not fits(np.inf) and not fits(np.nan)
    B = kind(0.999 * last)
    assert np.isfinite(n * np.exp(B) * kind(max(size, 1))) and np.exp(-B) * kind(min(size, 1)) >= limits.tiny


def without_maximum(monkeypatch, *arguments, **options):
    """What blocks give, and whether they took no maximum."""
    taken, maximum = [], np.maximum
    with monkeypatch.context() as patch:
        patch.setattr(np, "maximum", lambda a, b: taken.append(b) or maximum(a, b))
        output = blocked_attention(*arguments, **options)
    return output, not taken


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(
    "name, change, quick",
    [
        ("ordinary", lambda Q, K, V: (Q, K, V), True),
        ("long queries", lambda Q, K, V: (400 * Q, 4 * K, V), False),
        ("long keys", lambda Q, K, V: (Q, 2000 * K, V), False),
        ("one long key", lambda Q, K, V: (Q, np.concatenate([2000 * K[:1], K[1:]]), V), False),
        ("lengths that overflow", lambda Q, K, V: (Q * (np.finfo(Q.dtype).max / 4), K / np.finfo(Q.dtype).max, V), False),
        ("no keys but 0, queries whose squares overflow", lambda Q, K, V: (Q * (np.finfo(Q.dtype).max / 4), 0 * K, V), False),
        ("keys whose squares are 0", lambda Q, K, V: (Q, K * np.finfo(K.dtype).tiny, V), True),
        ("values near the top", lambda Q, K, V: (Q, 3 * K, V * (np.finfo(V.dtype).max / 64)), False),
        ("values near 0", lambda Q, K, V: (Q, K, V * np.finfo(V.dtype).tiny), False),
        ("no values but 0", lambda Q, K, V: (Q, K, 0 * V), True),
    ],
)
def test_a_maximum_is_taken_where_the_bound_leaves_no_room_and_nowhere_else(name, change, quick, kind, monkeypatch):
    rng = np.random.default_rng(40)
    Q, K, V = change(*(rng.uniform(-1, 1, size=shape).astype(kind) for shape in ((5, 3), (7, 3), (7, 2))))
    output, without = without_maximum(monkeypatch, Q, K, V, block=(2, 3))
    assert without == quick
    whole = scaled_dot_product_attention(Q, K, V).output
    # Scores up to 1e4 here are right to their own last digits, which the exponential takes over.
    exact = 40 * np.finfo(kind).eps * max(1.0, float(abs(scaled_dot_product_attention(Q, K, V).scaled).max()))
    assert_allclose(output, whole, rtol=exact, atol=exact * float(abs(V).max()))


def test_without_a_maximum_a_row_that_may_attend_to_nothing_is_0(monkeypatch):
    Q, K, V = np.random.default_rng(41).normal(size=(3, 6, 4))
    mask = np.tri(6, k=-1, dtype=bool)
    output, without = without_maximum(monkeypatch, Q, K, V, mask=mask, block=(2, 3))
    assert without and not output[0].any()
    assert_allclose(output, scaled_dot_product_attention(Q, K, V, mask=mask).output, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_blocks_keep_the_dtype_of_the_input(dtype):
    Q, K, V = np.random.default_rng(31).normal(size=(3, 9, 4)).astype(dtype)
    output = blocked_attention(Q, K, V, block=(4, 4))
    assert output.dtype == dtype
    wide = scaled_dot_product_attention(*(a.astype(np.float64) for a in (Q, K, V))).output
    assert_allclose(output, wide, rtol=0, atol=16 * np.finfo(dtype).eps)  # values up to 3, a few roundings each


def test_blocks_need_memory_that_grows_with_n_and_not_with_its_square():
    def peak(n):
        Q, K, V = np.zeros((3, n, 4))
        tracemalloc.start()
        blocked_attention(Q, K, V, block=(64, 64))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(64)  # whatever the first call keeps
    # From 500 to 2,000 rows the weights would grow from 2 to 32 MB; the output grows by 48 kB.
    assert peak(2000) - peak(500) < 100_000


# --- the backward pass -----------------------------------------------------------------------------------------------


@few_cases
@given(st.integers(0, 1000), st.booleans(), st.sampled_from(["dO", "dA", "both"]))
def test_the_gradients_of_a_head_equal_central_differences(seed, masked, upstream):
    rng = np.random.default_rng(seed)
    n, d, d_k, d_v = 4, 3, 2, 5
    arguments = [rng.normal(size=shape) for shape in ((d, d_k), (d, d_k), (d, d_v), (n, d))]
    mask = rng.random((n, n)) < 0.6 if masked else None  # some rows may attend to nothing
    dO, dA = rng.normal(size=(n, d_v)), rng.normal(size=(n, n))

    def loss(Wq, Wk, Wv, X):
        head = attention(X, Wq, Wk, Wv, mask=mask)
        return np.array([(upstream != "dA") * (head.output * dO).sum() + (upstream != "dO") * (head.weights * dA).sum()])

    got = attention_gradients(
        arguments[3], *arguments[:3], mask=mask, **{name: a for name, a in (("dO", dO), ("dA", dA)) if upstream in (name, "both")}
    )
    for k, gradient in enumerate(got):

        def nudged(entries, k=k):
            return loss(*arguments[:k], entries.reshape(arguments[k].shape), *arguments[k + 1 :])

        numerical = central_difference_jacobian(nudged, arguments[k].ravel()).reshape(arguments[k].shape)
        # With h = 1e-5: truncation 1e-10 times third derivatives up to a few tens, rounding 1e-11 times the loss.
        assert_allclose(gradient, numerical, rtol=1e-8, atol=3e-8)


def test_a_loss_that_says_nothing_has_no_gradient():
    X, W = np.random.default_rng(32).normal(size=(4, 3)), np.eye(3)
    assert not any(g.any() for g in attention_gradients(X, W, W, W))


def test_a_sum_over_each_row_of_weights_is_always_one_and_so_has_no_gradient():
    X, W = np.random.default_rng(33).normal(size=(4, 3)), np.eye(3)
    for gradient in attention_gradients(X, W, W, W, dA=np.ones((4, 4))):
        assert_allclose(gradient, 0, atol=1e-14)  # a few eps: rows of J sum to zero


@pytest.mark.parametrize("dtype, expected", [(np.float16, np.float32), (np.float32, np.float32), (np.float64, np.float64)])
def test_gradients_have_the_shapes_of_their_arguments_and_a_dtype_that_holds_them(dtype, expected):
    X, Wq, Wk, Wv = (np.ones(shape, dtype) for shape in ((4, 3), (3, 2), (3, 2), (3, 5)))
    got = attention_gradients(X, Wq, Wk, Wv, dO=np.ones((4, 5), dtype))
    assert [g.shape for g in got] == [(3, 2), (3, 2), (3, 5), (4, 3)]
    assert {g.dtype for g in got} == {np.dtype(expected)}


# --- the softmax Jacobian --------------------------------------------------------------------------------------------


@every_case
@given(arrays(np.float64, st.integers(1, 7), elements=LOGITS))
def test_the_softmax_jacobian_is_symmetric_with_zero_row_sums_and_no_negative_eigenvalue(z):
    J = softmax_jacobian(softmax(z))
    assert_array_equal(J, J.T)
    # Entries are at most 1/4, and p sums to one within 7 eps.
    assert_allclose(J.sum(axis=1), 0, atol=16 * EPS)
    assert np.linalg.eigvalsh(J).min() >= -16 * EPS


@every_case
@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(-8, 8)))
def test_the_softmax_jacobian_equals_central_differences(z):
    # Rounding eps / 2h = 1e-11 and truncation h^2 / 6 = 2e-11; ten times their sum.
    assert_allclose(softmax_jacobian(softmax(z)), central_difference_jacobian(softmax, z), atol=3e-10, rtol=0)


def test_the_softmax_jacobian_of_a_fair_coin_is_a_quarter_up_and_down():
    assert_array_equal(softmax_jacobian([0.5, 0.5]), [[0.25, -0.25], [-0.25, 0.25]])


@pytest.mark.parametrize("p", [[1, 0, 0], [0.0, 0.0, 1.0], [1.0]])
def test_a_softmax_that_is_sure_does_not_move(p):
    assert_array_equal(softmax_jacobian(p), np.zeros((len(p), len(p))))


def test_the_jacobian_of_a_batch_of_rows_is_one_jacobian_for_each():
    rng = np.random.default_rng(15)
    p = softmax(rng.normal(size=(2, 3, 5)))
    J = softmax_jacobian(p)
    assert J.shape == (2, 3, 5, 5)
    for b in np.ndindex(2, 3):
        assert_array_equal(J[b], softmax_jacobian(p[b]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_softmax_jacobian_takes_the_rows_softmax_gives_in_every_dtype(dtype):
    J = softmax_jacobian(softmax(np.linspace(-2, 2, 200).astype(dtype)))
    assert J.dtype == dtype
    assert (np.diag(J) > 0).all()


# --- central differences ---------------------------------------------------------------------------------------------


def test_central_differences_of_a_linear_map_give_its_matrix():
    A = np.random.default_rng(16).normal(size=(2, 5))  # not square: a transposed result cannot pass
    # Values below 10 round by 10 eps, divided by 2h.
    assert_allclose(central_difference_jacobian(lambda z: A @ z, np.arange(5.0)), A, atol=1e-9, rtol=0)


def test_column_j_of_central_differences_is_the_answer_to_nudging_input_j():
    x, y, t = z = np.array([0.3, -0.7, 1.1])

    def f(z):
        return np.array([z[0] * z[1], np.sin(z[2]), z[0] ** 2 - z[2], np.exp(z[1])])

    got = central_difference_jacobian(f, z)
    expected = [[y, x, 0], [0, 0, math.cos(t)], [2 * x, 0, -1], [0, math.exp(y), 0]]
    assert got.shape == (4, 3)
    assert got.dtype == np.float64
    # Truncation h^2 / 6 = 2e-11 and rounding eps / 2h = 1e-11; ten times their sum.
    assert_allclose(got, expected, atol=3e-10, rtol=0)


def test_a_ten_times_smaller_step_makes_the_error_a_hundred_times_smaller():
    coarse, fine = (abs(central_difference_jacobian(np.exp, np.zeros(1), h=h)[0, 0] - 1) for h in (1e-1, 1e-2))
    # h^2 / 6 with a next term of relative size h^2 / 20 = 5e-4.
    assert_allclose(coarse / fine, 100, rtol=1e-3)


def test_central_differences_leave_alone_what_the_function_does_to_its_argument():
    z = np.array([1.0, 2.0])

    def spoil(a):
        a *= 3
        return a

    # Values below 6 round by 6 eps, divided by 2h.
    assert_allclose(central_difference_jacobian(spoil, z), 3 * np.eye(2), atol=1e-9)
    assert_array_equal(z, [1, 2])


def test_central_differences_are_float64_whatever_the_function_returns():
    assert central_difference_jacobian(lambda z: z.astype(np.float32), np.ones(2), h=0.5).dtype == np.float64


# --- several heads ---------------------------------------------------------------------------------------------------


def test_several_heads_are_single_heads_joined_and_mixed():
    rng = np.random.default_rng(17)
    n, d, d_out = 5, 3, 6
    X = rng.normal(size=(n, d))
    heads = [[rng.normal(size=(d, width)) for width in widths] for widths in ((2, 2, 1), (4, 4, 3))]  # d_v 1 and 3
    Wo = rng.normal(size=(1 + 3, d_out))
    both = multi_head_attention(X, heads, Wo)
    first, second = attention(X, *heads[0]), attention(X, *heads[1])
    for got, alone in zip(both.heads, (first, second)):
        for stage, other in zip(got, alone):
            assert_array_equal(stage, other)
    assert_array_equal(both.concat[:, :1], first.output)
    assert_array_equal(both.concat[:, 1:], second.output)
    assert both.output.shape == (n, d_out)
    # Each head speaks through its own rows of Wo; the sum of four products is added in another order.
    assert_allclose(both.output, first.output @ Wo[:1] + second.output @ Wo[1:], rtol=1e-12, atol=1e-13)


def test_one_head_mixed_by_a_permutation_is_that_head_with_its_columns_moved():
    rng = np.random.default_rng(18)
    X, W = rng.normal(size=(5, 3)), [rng.normal(size=(3, width)) for width in (2, 2, 4)]
    to = [1, 2, 3, 0]  # not its own inverse: a transposed Wo would move the columns the other way
    mixed = multi_head_attention(X, [W], np.eye(4)[to])
    assert_array_equal(mixed.output[:, to], attention(X, *W).output)


def test_every_head_obeys_the_mask_and_the_batch():
    rng = np.random.default_rng(19)
    X = rng.normal(size=(2, 4, 3))
    heads = [tuple(rng.normal(size=(3, 2)) for _ in range(3)) for _ in range(2)]
    mask = np.tril(np.ones((4, 4), dtype=bool))
    both = multi_head_attention(X, heads, rng.normal(size=(4, 5)), mask=mask)
    assert both.output.shape == (2, 4, 5)
    for head in both.heads:
        assert_array_equal(head.weights > 0, np.broadcast_to(mask, (2, 4, 4)))


# --- experiment: how large is a dot product? -------------------------------------------------------------------------


def test_dot_products_are_drawn_queries_first_then_keys_width_by_width():
    rng = np.random.default_rng(20)
    rows = dot_product_variance(rng, (3, 1, 8), 5)
    again = np.random.default_rng(20)
    assert [row.d_k for row in rows] == [3, 1, 8]
    for row in rows:
        q, k = again.normal(size=(5, row.d_k)), again.normal(size=(5, row.d_k))
        # Up to eight products added in another order.
        assert_allclose(row.dots, [a @ b for a, b in zip(q, k)], rtol=1e-12, atol=1e-14)
    assert rng.random() == again.random()  # nothing else was drawn


def test_the_same_generator_state_gives_the_same_dot_products():
    for one, other in zip(*(dot_product_variance(np.random.default_rng(21), [4, 16], 50) for _ in range(2))):
        assert_array_equal(one.dots, other.dots)
        assert one.var == other.var


def test_the_variance_is_that_of_the_population():
    # With two draws the sample variance is twice as large.
    for row in dot_product_variance(np.random.default_rng(22), [1, 3, 10], 2):
        assert_allclose(row.var, statistics.pvariance(row.dots.tolist()), rtol=1e-12)  # a few roundings
        assert_allclose(row.ratio * row.d_k, row.var, rtol=4 * EPS)  # one quotient, one product
        assert isinstance(row.var, float) and isinstance(row.ratio, float)


@pytest.mark.parametrize("d_k", [1, 4, 64])
def test_the_variance_of_a_dot_product_grows_as_its_width(d_k):
    (row,) = dot_product_variance(np.random.default_rng(23), [d_k], 20_000)
    # The ratio's standard deviation is sqrt((2 + 6 / d_k) / draws); four of them.
    assert_allclose(row.ratio, 1, atol=4 * math.sqrt((2 + 6 / d_k) / 20_000))


def test_no_widths_draw_nothing():
    rng = np.random.default_rng(24)
    assert dot_product_variance(rng, (), 5) == ()
    assert rng.random() == np.random.default_rng(24).random()


# --- experiment: the retrieval limit ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "u, v, expected",
    [
        ([1, 0], [0, 1], 0),
        ([1, 0], [1, 1], math.sqrt(0.5)),
        ([3, 4], [-3, -4], -1),
        ([1, 2, 2], [2, 1, 2], 8 / 9),
        ([1e300, 1e300], [1e300, 0], math.sqrt(0.5)),
        ([1e-300, 1e-300], [0, 1e-300], math.sqrt(0.5)),
        ([1e308, -1e308], [1e-308, -1e-308], 1),
        ([5e-324, 0], [1e308, 1e308], math.sqrt(0.5)),
        (np.array([6e4, 6e4], dtype=np.float16), np.array([6e4, 0], dtype=np.float16), math.sqrt(0.5)),
    ],
)
def test_the_cosine_of_known_vectors_huge_and_tiny_ones_among_them(u, v, expected):
    assert_allclose(cosine(u, v), expected, rtol=4 * EPS, atol=EPS)  # two norms and a dot product round
    assert isinstance(cosine(u, v), float)


@every_case
@given(
    arrays(np.float64, (2, 4), elements=st.floats(-1e100, 1e100)).filter(lambda a: a.any(axis=1).all()), st.floats(1e-100, 1e100)
)
def test_the_cosine_is_symmetric_blind_to_length_and_never_beyond_one(uv, length):
    u, v = uv
    assert -1 <= cosine(u, v) <= 1
    assert cosine(u, v) == cosine(v, u)
    assert_allclose(cosine(u, u), 1, rtol=8 * EPS)  # two norms and a dot product of four entries round
    assert_allclose(cosine(u, -v), -cosine(u, v), rtol=8 * EPS)
    if (abs(u[u != 0]) > 1e-200).all():  # else length * u leaves the range and loses digits
        assert_allclose(cosine(length * u, v), cosine(u, v), rtol=1e-14, atol=1e-14)  # as above


def test_rounding_never_takes_a_cosine_beyond_one():
    for u in np.random.default_rng(29).normal(size=(500, 7)):
        assert cosine(u, u) <= 1
        assert cosine(u, -3 * u) >= -1


def test_retrieval_asks_with_c_times_the_key_of_the_slot():
    rng = np.random.default_rng(25)
    keys, values, slot, c = rng.normal(size=(4, 2)), rng.normal(size=(4, 3)), 2, 1.5
    got = retrieve(keys, values, slot, c)
    e = [math.exp(c * sum(keys[slot, t] * keys[j, t] for t in range(2))) for j in range(4)]
    weights = [x / sum(e) for x in e]
    output = [sum(weights[j] * values[j, t] for j in range(4)) for t in range(3)]
    length = math.hypot(*output) * math.hypot(*values[slot])
    # Logits below 10 round by 10 eps; the shapes (4, 2) and (4, 3) keep slots and components apart.
    assert_allclose(got.weights, weights, rtol=1e-13)
    assert_allclose(got.output, output, rtol=1e-13, atol=1e-14)
    assert_allclose(got.cosine, sum(o * v for o, v in zip(output, values[slot])) / length, rtol=1e-13)


def test_a_sharp_query_gets_its_stored_value_back():
    values = np.random.default_rng(26).normal(size=(4, 3))
    for slot in range(4):
        got = retrieve(np.eye(4), values, slot, 800)  # e^-800 is 0 in float64
        assert_array_equal(got.output, values[slot])
        assert_allclose(got.cosine, 1, rtol=4 * EPS)  # two norms and a dot product round


def test_two_slots_with_one_key_answer_with_the_mean_however_sharp_the_query():
    keys, values = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 4.0], [9.0, 9.0]])
    assert_array_equal(retrieve(keys, values, 0, 1000).output, [1, 2])


@few_cases
@given(st.integers(1, 6), st.floats(-20, 20))
def test_the_closed_form_is_the_weight_that_orthonormal_keys_give(n, c):
    keys = np.linalg.qr(np.random.default_rng(27).normal(size=(n, n)))[0]
    for slot in range(n):
        weights = retrieve(keys, np.eye(n), slot, c).weights
        # Rows from QR are orthonormal within a few eps; times |c| <= 20 that is 2e-14.
        assert_allclose(weights[slot], closed_form_weight(c, n), rtol=1e-12)
        if n > 1:
            assert_allclose(np.delete(weights, slot), (1 - closed_form_weight(c, n)) / (n - 1), rtol=1e-6, atol=1e-12)


@few_cases
@given(st.integers(2, 6), st.floats(0.02, 0.98), st.floats(-20, 20))
def test_the_closed_form_is_the_weight_that_keys_with_one_common_cosine_give(n, part, c):
    rho = part - (1 - part) / (n - 1)  # between -1/(n-1) and 1, and off both ends, where Cholesky fails
    keys = np.linalg.cholesky((1 - rho) * np.eye(n) + rho * np.ones((n, n)))  # row i . row j = rho, row i . row i = 1
    for slot in range(n):
        weights = retrieve(keys, np.eye(n), slot, c).weights
        # The factor's rows have the wanted cosines within a few eps; times |c| <= 20 that is 2e-14.
        assert_allclose(weights[slot], closed_form_weight(c, n, rho), rtol=1e-12)


def test_the_closed_form_of_an_array_of_sharpnesses_is_that_of_each():
    c = np.array([[0.0, 1.0, 2.5], [-3.0, 8.0, 30.0]])
    got = closed_form_weight(c, 4, 0.3)
    assert got.shape == (2, 3)
    # NumPy's exp of an array and of one number may differ by one rounding.
    assert_allclose(got, [[closed_form_weight(x, 4, 0.3) for x in row] for row in c], rtol=4 * EPS)
    assert_array_equal(closed_form_weight([0, 0], 4), [0.25, 0.25])


def test_the_closed_form_of_one_sharpness_is_a_float():
    assert isinstance(closed_form_weight(2.0, 3), float)
    assert isinstance(closed_form_weight(2, 3), float)


def test_extreme_sharpness_gives_a_weight_of_exactly_zero_or_one():
    assert_array_equal(closed_form_weight(np.array([-1e308, -1e4, 0, 1e4, 1e308]), 4, -1 / 3), [0, 0, 0.25, 1, 1])
    assert closed_form_weight(-1e308, 2, -1) == 0
    assert closed_form_weight(1e308, 2, -1) == 1


@pytest.mark.parametrize("c", [-5.0, 0.0, 1e308])
def test_keys_that_all_agree_leave_every_slot_an_equal_weight(c):
    assert closed_form_weight(c, 5, rho=1) == 0.2


@pytest.mark.parametrize("c", [-1e308, -1000.0, -1.0, 0.0, 1.0, 1e308])
def test_a_dictionary_of_one_slot_always_answers_with_it(c):
    assert closed_form_weight(c, 1) == 1


@pytest.mark.parametrize("n", range(2, 12))
def test_the_most_opposed_cosine_n_vectors_can_have_is_accepted(n):
    assert closed_form_weight(0.0, n, -1 / (n - 1)) == 1 / n


# --- whatever the layout, the size and the order ---------------------------------------------------------------------

LAYOUTS = {
    "columns first": np.asfortranarray,
    "every second entry": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "backwards": lambda a: np.flip(a).copy()[(slice(None, None, -1),) * a.ndim],
    "a transposed view": lambda a: np.swapaxes(np.swapaxes(a, 0, -1).copy(), 0, -1),
    "not aligned": lambda a: np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    "the other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "read only": lambda a: np.broadcast_to(a, a.shape),
}
FUNCTIONS = {
    "softmax": (softmax, [(3, 4)]),
    "sparsemax": (sparsemax, [(3, 4)]),
    "one head": (scaled_dot_product_attention, [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    "blocks": (lambda Q, K, V: blocked_attention(Q, K, V, block=(2, 2)), [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    "self-attention": (attention, [(4, 3), (3, 2), (3, 2), (3, 5)]),
    "gradients": (
        lambda X, Wq, Wk, Wv, dO, dA: attention_gradients(X, Wq, Wk, Wv, dO=dO, dA=dA),
        [(4, 3), (3, 2), (3, 2), (3, 5), (4, 5), (4, 4)],
    ),
    "several heads": (lambda X, W, Wo: multi_head_attention(X, [(W, W, W), (W, W, W)], Wo)[1:], [(4, 3), (3, 2), (4, 5)]),
    "softmax_jacobian": (lambda z: softmax_jacobian(abs(z) / abs(z).sum(axis=-1, keepdims=True)), [(3, 4)]),
    "central_difference_jacobian": (lambda z: central_difference_jacobian(np.sin, z), [(4,)]),
    "cosine": (cosine, [(4,), (4,)]),
    "retrieve": (lambda keys, values: retrieve(keys, values, 1, 2.0), [(4, 3), (4, 5)]),
    "closed_form_weight": (lambda c: closed_form_weight(c, 3), [(2, 3)]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_where_the_entries_of_an_array_lie_in_memory_does_not_matter(function, layout):
    call, shapes = FUNCTIONS[function]
    inputs = [np.random.default_rng(50 + k).normal(size=shape) for k, shape in enumerate(shapes)]
    laid = [LAYOUTS[layout](a) for a in inputs]
    assert all(np.array_equal(a, b) for a, b in zip(inputs, laid))
    plain, other = (result if isinstance(result, tuple) else (result,) for result in (call(*inputs), call(*laid)))
    for one, two in zip(plain, other, strict=True):
        # Another layout may be multiplied and added in another order; entries and scores below 20.
        assert_allclose(two, one, rtol=1e-13, atol=1e-13)


@every_case
@given(lookups(), st.randoms(use_true_random=False), st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_reordered_queries_reorder_the_rows_of_blocks_and_reordered_slots_change_none(QKV, random, block):
    Q, K, V = QKV
    rows, slots = random.sample(range(len(Q)), len(Q)), random.sample(range(len(K)), len(K))
    # Sums over keys run in another order and in other blocks; scores up to 45 round by 45 eps = 1e-14.
    assert_allclose(
        blocked_attention(Q[rows], K[slots], V[slots], block=block),
        blocked_attention(Q, K, V, block=block)[rows],
        rtol=1e-12,
        atol=1e-12,
    )


@every_case
@given(lookups(), st.sampled_from([0.01, 1.0, 100.0]), st.tuples(st.integers(1, 3), st.integers(1, 3)), st.data())
def test_every_output_lies_among_the_values_that_its_query_may_read(QKV, scale, block, data):
    Q, K, V = QKV
    mask = data.draw(arrays(np.bool_, (len(Q), len(K))))
    slack = 30 * EPS  # weights sum to one within 5 eps, and values are at most 3
    for output in (
        scaled_dot_product_attention(Q, K, V, scale=scale, mask=mask).output,
        blocked_attention(Q, K, V, scale=scale, mask=mask, block=block),
    ):
        for row, allowed in zip(output, mask):
            read = V[allowed] if allowed.any() else np.zeros((1, V.shape[1]))
            assert (row >= read.min(axis=0) - slack).all() and (row <= read.max(axis=0) + slack).all()


@every_case
@given(lookups(), arrays(np.float64, 5, elements=st.floats(-3, 3)))
def test_one_vector_added_to_every_key_changes_no_weight(QKV, shift):
    Q, K, V = QKV
    head, other = (scaled_dot_product_attention(Q, keys, V) for keys in (K, K + shift[: K.shape[1]]))
    # q.(k + a) = q.k + q.a, and the softmax forgets what all share; scores up to 90 round by 90 eps = 2e-14.
    assert_allclose(other.weights, head.weights, rtol=1e-12)


@every_case
@given(lookups(batch=(2, 2)), st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_blocks_of_a_batch_are_a_loop_over_its_members(QKV, block):
    Q, K, V = QKV
    whole = blocked_attention(Q, K, V, block=block)
    for b in np.ndindex(2, 2):
        # A batched product may add in another order; scores up to 45 round by 45 eps = 1e-14.
        assert_allclose(whole[b], blocked_attention(Q[b], K[b], V[b], block=block), rtol=1e-12, atol=1e-12)


def test_the_batch_dimensions_of_blocks_broadcast_as_those_of_the_whole():
    rng = np.random.default_rng(51)
    Q, K, V = rng.normal(size=(6, 1, 3, 4)), rng.normal(size=(7, 5, 4)), rng.normal(size=(6, 7, 5, 2))
    mask = rng.random((7, 1, 5)) < 0.7
    whole = scaled_dot_product_attention(Q, K, V, mask=mask).output
    assert whole.shape == (6, 7, 3, 2)
    assert_allclose(blocked_attention(Q, K, V, mask=mask, block=(2, 2)), whole, rtol=0, atol=1e-13)  # a few eps of values below 4


@pytest.mark.parametrize("batched", range(3))
def test_each_of_queries_keys_and_values_may_bring_the_batch_alone(batched):
    rng = np.random.default_rng(52)
    QKV = [rng.normal(size=(6, *shape) if k == batched else shape) for k, shape in enumerate([(2, 3), (4, 3), (4, 5)])]
    whole, blocks = scaled_dot_product_attention(*QKV), blocked_attention(*QKV, block=(1, 3))
    assert (whole.weights.shape, whole.output.shape, blocks.shape) == ((6, 2, 4), (6, 2, 5), (6, 2, 5))
    for b in range(6):
        alone = scaled_dot_product_attention(*(a[b] if k == batched else a for k, a in enumerate(QKV)))
        # A batched product may add in another order; values are below 4.
        assert_allclose(whole.weights[b], alone.weights, rtol=1e-13)
        assert_allclose(whole.output[b], alone.output, rtol=0, atol=1e-13)
        assert_allclose(blocks[b], alone.output, rtol=0, atol=1e-13)


@few_cases
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_reordered_rows_of_X_reorder_its_gradient_and_leave_those_of_the_projections(seed, random):
    rng = np.random.default_rng(seed)
    n, d, d_k, d_v = 5, 3, 2, 4
    X, Wq, Wk, Wv, dO, dA = (rng.normal(size=shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v), (n, d_v), (n, n)))
    mask, order = rng.random((n, n)) < 0.7, random.sample(range(n), n)
    got = attention_gradients(X, Wq, Wk, Wv, dO=dO, dA=dA, mask=mask)
    other = attention_gradients(X[order], Wq, Wk, Wv, dO=dO[order], dA=dA[order][:, order], mask=mask[order][:, order])
    # Sums of a few dozen products in another order; entries up to a few hundred.
    assert_allclose(other.dX, got.dX[order], rtol=1e-11, atol=1e-11)
    for one, two in zip(got[:3], other[:3]):
        assert_allclose(two, one, rtol=1e-11, atol=1e-11)


@few_cases
@given(st.integers(0, 1000), st.floats(-4, 4), st.floats(-4, 4))
def test_gradients_are_linear_in_what_the_loss_says(seed, a, b):
    rng = np.random.default_rng(seed)
    X, W, dO, dA = (rng.normal(size=shape) for shape in ((4, 3), (3, 3), (4, 3), (4, 4)))
    both = attention_gradients(X, W, W, W, dO=a * dO, dA=b * dA)
    alone = attention_gradients(X, W, W, W, dO=dO), attention_gradients(X, W, W, W, dA=dA)
    for whole, of_output, of_weights in zip(both, *alone):
        assert_allclose(whole, a * of_output + b * of_weights, rtol=1e-11, atol=1e-11)  # as above


@pytest.mark.parametrize("batch", [(0,), (2, 0), (0, 3)])
def test_an_empty_batch_gives_an_empty_batch(batch):
    Q, K, V = np.ones((*batch, 2, 3)), np.ones((*batch, 4, 3)), np.ones((*batch, 4, 5))
    head = scaled_dot_product_attention(Q, K, V, mask=np.ones((2, 4), bool))
    assert [stage.shape for stage in head] == [(*batch, 2, 4)] * 3 + [(*batch, 2, 5)]
    assert blocked_attention(Q, K, V, mask=np.ones((2, 4), bool), block=(1, 3)).shape == (*batch, 2, 5)
    assert attention(Q, np.eye(3), np.eye(3), np.eye(3)).output.shape == (*batch, 2, 3)
    both = multi_head_attention(Q, [(np.eye(3),) * 3] * 2, np.ones((6, 4)))
    assert (both.concat.shape, both.output.shape) == ((*batch, 2, 6), (*batch, 2, 4))
    assert softmax(Q).shape == sparsemax(Q).shape == (*batch, 2, 3)
    assert softmax_jacobian(Q).shape == (*batch, 2, 3, 3)


def test_no_queries_and_no_value_width_are_nothing_in_blocks_too():
    assert blocked_attention(np.ones((0, 3)), np.ones((4, 3)), np.ones((4, 5))).shape == (0, 5)
    assert blocked_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 0))).shape == (2, 0)


TINY = 5e-324  # the smallest number of float64; all between it and 2.2e-308 have fewer digits


@pytest.mark.parametrize(
    "lookup",
    [lambda *a, **o: scaled_dot_product_attention(*a, **o).output, lambda *a, **o: blocked_attention(*a, **o, block=(1, 1))],
    ids=["whole", "blocks"],
)
def test_numbers_too_small_for_all_their_digits_are_looked_up_like_others(lookup):
    # Equal to rounding, so that the two values are averaged; 3 and 5 times the smallest number are exact.
    assert_array_equal(lookup([[TINY]], [[TINY], [3 * TINY]], [[2 * TINY], [4 * TINY]]), [[3 * TINY]])
    assert_array_equal(lookup([[1.0]], [[TINY], [-TINY]], [[1.0], [3.0]]), [[2.0]])
    assert_array_equal(lookup([[1.0]], [[800.0], [0.0]], [[TINY], [1.0]]), [[TINY]])  # e^-800 is 0 in float64


def test_logits_too_small_for_all_their_digits_share_equally_and_tiny_weights_are_kept():
    assert_array_equal(softmax([TINY, -TINY, 0.0, 1e-310]), [0.25] * 4)
    p = softmax([0.0, -740.0])
    assert 0 < p[1] < np.finfo(np.float64).tiny
    assert_array_equal(softmax_jacobian(p), [[0, -p[1]], [-p[1], p[1]]])  # p_0 is 1, and p_1 squared 0
    assert_allclose(cosine([TINY, TINY], [1.0, 1.0]), 1, rtol=4 * EPS)  # two norms and a dot product round


@pytest.mark.parametrize("dtype, top", [(np.float16, 6e4), (np.float32, 3e38), (np.float64, 1e308)])
@pytest.mark.parametrize(
    "lookup",
    [lambda *a: scaled_dot_product_attention(*a).output, lambda *a: blocked_attention(*a, block=(1, 1))],
    ids=["whole", "blocks"],
)
def test_scores_at_both_ends_of_the_range_pick_the_better_key(lookup, dtype, top):
    Q, K = np.ones((1, 1), dtype), np.array([[-top], [top], [0]], dtype)
    output = lookup(Q, K, np.array([[1], [2], [3]], dtype))
    assert output.dtype == dtype
    assert_array_equal(output, [[2]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_function_keeps_the_dtype_of_its_arrays(dtype):
    X, W, Wo = (np.ones(shape, dtype) for shape in ((4, 3), (3, 2), (4, 5)))
    both = multi_head_attention(X, [(W, W, W)] * 2, Wo)
    assert both.concat.dtype == both.output.dtype == dtype
    assert {stage.dtype for stage in attention(X, W, W, W)[2:]} == {np.dtype(dtype)}
    got = retrieve(np.eye(3, dtype=dtype), np.eye(3, dtype=dtype), 1, 2.0)
    assert got.weights.dtype == got.output.dtype == dtype


@pytest.mark.parametrize("wide", range(3))
def test_the_widest_of_three_dtypes_is_kept(wide):
    QKV = [np.ones(shape, np.float32 if k == wide else np.float16) for k, shape in enumerate([(2, 3), (4, 3), (4, 5)])]
    assert scaled_dot_product_attention(*QKV).output.dtype == blocked_attention(*QKV).dtype == np.float32


# --- what all functions share ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "function, shapes",
    [
        (softmax, [(3, 4)]),
        (sparsemax, [(3, 4)]),
        (scaled_dot_product_attention, [(2, 3), (4, 3), (4, 5)]),
        (lambda Q, K, V: scaled_dot_product_attention(Q, K, V, mask=Q @ K.T > 0), [(2, 3), (4, 3), (4, 5)]),
        (lambda V: scaled_dot_product_attention(np.ones((1, 3)), np.ones((1, 3)), V), [(1, 5)]),
        (blocked_attention, [(2, 3), (4, 3), (4, 5)]),
        (lambda Q, K, V: blocked_attention(Q, K, V, mask=Q @ K.T > 0, block=(1, 1)), [(2, 3), (4, 3), (4, 5)]),
        (attention, [(4, 3), (3, 2), (3, 2), (3, 5)]),
        (lambda X, Wq, Wk, Wv, dO: attention_gradients(X, Wq, Wk, Wv, dO=dO), [(4, 3), (3, 2), (3, 2), (3, 5), (4, 5)]),
        (lambda z: softmax_jacobian(softmax(z)), [(4,)]),
        (lambda z: central_difference_jacobian(softmax, z), [(4,)]),
        (lambda X, W, Wo: multi_head_attention(X, [(W, W, W)], Wo), [(4, 3), (3, 2), (2, 5)]),
        (cosine, [(4,), (4,)]),
        (lambda keys, values: retrieve(keys, values, 1, 2.0), [(4, 3), (4, 5)]),
        (lambda c: closed_form_weight(c, 3), [(2, 3)]),
    ],
    ids=[
        "softmax",
        "sparsemax",
        "one head",
        "masked head",
        "one slot",
        "blocks",
        "masked blocks",
        "self-attention",
        "gradients",
        "softmax_jacobian",
        "central_difference_jacobian",
        "several heads",
        "cosine",
        "retrieve",
        "closed_form_weight",
    ],
)
def test_no_function_changes_its_inputs_or_returns_their_memory(function, shapes):
    rng = np.random.default_rng(28)
    inputs = [rng.normal(size=shape) for shape in shapes]
    before = [a.copy() for a in inputs]
    result = function(*inputs)
    for got, was in zip(inputs, before):
        assert_array_equal(got, was)
    outputs = [a for a in (result if isinstance(result, tuple) else [result]) if isinstance(a, np.ndarray)]
    assert not any(np.shares_memory(out, a) for out in outputs for a in inputs)


def test_a_mask_and_probabilities_are_left_as_they_were():
    mask, p = np.array([[True, False], [False, False]]), np.array([0.25, 0.75])
    scaled_dot_product_attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 5)), mask=mask)
    softmax_jacobian(p)
    assert_array_equal(mask, [[True, False], [False, False]])
    assert_array_equal(p, [0.25, 0.75])


def test_importing_the_mathematics_prints_nothing_and_loads_no_drawing():
    code = "import attention_core, sys; assert 'matplotlib' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(attention_core.__file__).parent, timeout=60, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# --- what bad input is told ------------------------------------------------------------------------------------------


def ones(*shape, dtype=np.float64):
    return np.ones(shape, dtype=dtype)


def hidden(*shape):
    """A masked array, whose mask no function would heed."""
    return np.ma.array(ones(*shape), mask=True)


def with_entry(a, value):
    """A copy of ``a`` whose last entry is ``value``."""
    a = a.copy()
    a.flat[-1] = value
    return a


# One good call of each function, of which each row below spoils one argument.
def look(**bad):
    return scaled_dot_product_attention(**{"Q": ones(2, 3), "K": ones(4, 3), "V": ones(4, 5), **bad})


def own(**bad):
    return attention(**{"X": ones(6, 3), "Wq": ones(3, 2), "Wk": ones(3, 2), "Wv": ones(3, 5), **bad})


def pieces(**bad):
    return blocked_attention(**{"Q": ones(2, 3), "K": ones(4, 3), "V": ones(4, 5), **bad})


def back(**bad):
    return attention_gradients(**{"X": ones(6, 3), "Wq": ones(3, 2), "Wk": ones(3, 2), "Wv": ones(3, 5), **bad})


HEAD = (ones(3, 2), ones(3, 2), ones(3, 5))


def many(**bad):
    return multi_head_attention(**{"X": ones(6, 3), "heads": [HEAD, HEAD], "Wo": ones(10, 4), **bad})


def nudge(**bad):
    return central_difference_jacobian(**{"f": softmax, "z": ones(3), **bad})


def spread(**bad):
    return dot_product_variance(**{"rng": np.random.default_rng(0), "widths": [4], "draws": 10, **bad})


def ask(**bad):
    return retrieve(**{"keys": ones(4, 3), "values": ones(4, 5), "slot": 1, "c": 2.0, **bad})


def weight(**bad):
    return closed_form_weight(**{"c": 2.0, "n": 4, "rho": 0.0, **bad})


GOOD_CALLS = (look, own, pieces, back, many, nudge, spread, ask, weight)

# Each row: the case, the call, the exception, how its message begins, and what else stands in it.
BAD_INPUT = [
    ("softmax of no entries", lambda: softmax([]), ValueError, "z has shape (0,)", "axis -1", "n >= 1"),
    ("softmax of an empty axis", lambda: softmax(ones(3, 0)), ValueError, "z has shape (3, 0)", "axis -1", "n >= 1"),
    ("softmax of an empty axis 0", lambda: softmax(ones(0, 3), axis=0), ValueError, "z has shape (0, 3)", "axis 0"),
    ("softmax of a number", lambda: softmax(1.0), ValueError, "z has shape ()", "(..., n, ...)"),
    ("softmax of NaN", lambda: softmax([[1.0, np.nan]]), ValueError, "z has shape (1, 2)", "NaN", "(..., n, ...)"),
    ("softmax of +inf", lambda: softmax([np.inf, 1.0]), ValueError, "z has shape (2,)", "+inf", "finite or -inf"),
    (
        "softmax of a row of -inf",
        lambda: softmax([[0.0, 1.0], [-np.inf, -np.inf]]),
        ValueError,
        "z has shape (2, 2)",
        "-inf along axis -1",
        "a finite logit in every row",
    ),
    (
        "softmax of complex",
        lambda: softmax(ones(2, dtype=complex)),
        TypeError,
        "z has dtype complex128",
        "(2,)",
        "real",
        "(..., n, ...)",
    ),
    ("sparsemax of no entries", lambda: sparsemax([]), ValueError, "z has shape (0,)", "axis -1", "n >= 1"),
    ("sparsemax of NaN", lambda: sparsemax([np.nan, 1.0]), ValueError, "z has shape (2,)", "NaN", "(..., n, ...)"),
    ("sparsemax along axis 1 of 1", lambda: sparsemax(ones(2), axis=1), ValueError, "axis has value 1", "from -1 to 0", "(2,)"),
    ("softmax of objects", lambda: softmax([None, 1]), TypeError, "z has dtype object", "(2,)", "real", "(..., n, ...)"),
    ("softmax of text", lambda: softmax(["a", "b"]), TypeError, "z has dtype <U1", "(2,)", "real", "(..., n, ...)"),
    ("softmax of dates", lambda: softmax(np.zeros(2, dtype="M8[s]")), TypeError, "z has dtype datetime64", "real"),
    ("softmax of a ragged list", lambda: softmax([[1, 2], [3]]), ValueError, "z is ragged", "(..., n, ...)"),
    ("softmax along axis 2 of 2", lambda: softmax(ones(2, 3), axis=2), ValueError, "axis has value 2", "from -2 to 1", "(2, 3)"),
    ("softmax along axis -3 of 2", lambda: softmax(ones(2, 3), axis=-3), ValueError, "axis has value -3", "from -2 to 1", "(2, 3)"),
    ("softmax along axis 0.5", lambda: softmax(ones(2, 3), axis=0.5), TypeError, "axis has type float", "an integer"),
    ("softmax along no axis", lambda: softmax(ones(2, 3), axis=None), TypeError, "axis has type NoneType", "an integer"),
    ("softmax along two axes", lambda: softmax(ones(2, 3), axis=(0, 1)), TypeError, "axis has type tuple", "an integer"),
    ("Q a vector", lambda: look(Q=ones(3)), ValueError, "Q has shape (3,)", "(..., m, d_k)"),
    ("K a vector", lambda: look(K=ones(3)), ValueError, "K has shape (3,)", "(..., n, d_k)"),
    ("V a vector", lambda: look(V=ones(4)), ValueError, "V has shape (4,)", "(..., n, d_v)"),
    ("K of another width", lambda: look(K=ones(4, 2)), ValueError, "K has shape (4, 2)", "(..., n, 3)", "Q of shape (2, 3)"),
    ("K transposed", lambda: look(K=ones(3, 4)), ValueError, "K has shape (3, 4)", "(..., n, 3)"),
    ("more values than keys", lambda: look(V=ones(6, 5)), ValueError, "V has shape (6, 5)", "(..., 4, d_v)", "K of shape (4, 3)"),
    ("one value for all keys", lambda: look(V=ones(1, 5)), ValueError, "V has shape (1, 5)", "(..., 4, d_v)"),
    ("no keys", lambda: look(K=ones(0, 3), V=ones(0, 5)), ValueError, "K has shape (0, 3)", "n >= 1"),
    ("d_k = 0", lambda: look(Q=ones(2, 0), K=ones(4, 0)), ValueError, "Q has shape (2, 0)", "d_k >= 1"),
    (
        "batches that do not fit",
        lambda: look(Q=ones(2, 2, 3), K=ones(3, 4, 3)),
        ValueError,
        "Q, K, V have shapes (2, 2, 3), (3, 4, 3), (4, 5)",
        "broadcast",
        "(..., m, d_k)",
    ),
    (
        "a batch of values that does not fit",
        lambda: look(Q=ones(2, 2, 3), V=ones(3, 4, 5)),
        ValueError,
        "Q, K, V have shapes (2, 2, 3), (4, 3), (3, 4, 5)",
        "broadcast",
        "(..., n, d_v)",
    ),
    ("NaN in Q", lambda: look(Q=with_entry(ones(2, 3), np.nan)), ValueError, "Q has shape (2, 3)", "NaN", "finite"),
    ("inf in K", lambda: look(K=with_entry(ones(4, 3), np.inf)), ValueError, "K has shape (4, 3)", "infinite", "finite"),
    ("-inf in V", lambda: look(V=with_entry(ones(4, 5), -np.inf)), ValueError, "V has shape (4, 5)", "infinite", "finite"),
    ("complex Q", lambda: look(Q=ones(2, 3, dtype=complex)), TypeError, "Q has dtype complex128", "(2, 3)", "real"),
    ("K of objects", lambda: look(K=ones(4, 3, dtype=object)), TypeError, "K has dtype object", "(4, 3)", "real"),
    ("V of text", lambda: look(V=np.full((4, 5), "a")), TypeError, "V has dtype <U1", "(4, 5)", "(..., n, d_v)"),
    ("ragged Q", lambda: look(Q=[[1, 2, 3], [4]]), ValueError, "Q is ragged", "(..., m, d_k)"),
    ("ragged K", lambda: look(K=[[1], [2, 3]]), ValueError, "K is ragged", "(..., n, d_k)"),
    (
        "scores that overflow",
        lambda: look(Q=1e200 * ones(2, 3), K=1e200 * ones(4, 3)),
        ValueError,
        "Q K^T has scores of shape (2, 4)",
        "overflow float64",
        "finite scores",
    ),
    (
        "scores that overflow both ways",
        lambda: look(Q=1e200 * ones(2, 2), K=1e200 * np.array([[1, -1]] * 4)),
        ValueError,
        "Q K^T has scores of shape (2, 4)",
        "overflow",
    ),
    (
        "float32 scores that overflow",
        lambda: look(
            Q=ones(2, 3, dtype="f") * np.float32(1e30), K=ones(4, 3, dtype="f") * np.float32(1e30), V=ones(4, 5, dtype="f")
        ),
        ValueError,
        "Q K^T has scores of shape (2, 4)",
        "overflow float32",
    ),
    ("scaled scores that overflow", lambda: look(Q=1e200 * ones(2, 3), scale=1e200), ValueError, "Q K^T", "overflow"),
    (
        "mask of integers",
        lambda: look(mask=ones(2, 4, dtype=int)),
        TypeError,
        "mask has dtype int",
        "(2, 4)",
        "booleans",
        "broadcast to shape (2, 4)",
    ),
    (
        "mask of 0 and -inf",
        lambda: look(mask=np.array([0.0, -np.inf, 0.0, 0.0])),
        TypeError,
        "mask has dtype float64",
        "(4,)",
        "booleans",
        "True = may attend",
    ),
    ("mask transposed", lambda: look(mask=ones(4, 2, dtype=bool)), ValueError, "mask has shape (4, 2)", "(2, 4)"),
    ("mask too wide", lambda: look(mask=ones(2, 5, dtype=bool)), ValueError, "mask has shape (2, 5)", "(2, 4)"),
    (
        "mask with a batch there is none of",
        lambda: look(mask=ones(7, 2, 4, dtype=bool)),
        ValueError,
        "mask has shape (7, 2, 4)",
        "broadcasts to (2, 4)",
    ),
    ("scale 0", lambda: look(scale=0), ValueError, "scale has value 0", "positive"),
    ("scale below 0", lambda: look(scale=-1.0), ValueError, "scale has value -1", "positive"),
    ("scale NaN", lambda: look(scale=np.nan), ValueError, "scale has", "NaN", "positive"),
    ("scale infinite", lambda: look(scale=np.inf), ValueError, "scale has", "infinite", "positive"),
    ("scale text", lambda: look(scale="1"), TypeError, "scale has", "positive"),
    ("scale complex", lambda: look(scale=1j), TypeError, "scale has", "positive"),
    ("scale a vector", lambda: look(scale=[1.0, 2.0]), ValueError, "scale has shape (2,)", "positive"),
    ("X without rows", lambda: own(X=ones(0, 3)), ValueError, "X has shape (0, 3)", "(..., n, d) with n >= 1"),
    (
        "Wq without width",
        lambda: own(Wq=ones(3, 0), Wk=ones(3, 0)),
        ValueError,
        "Wq has shape (3, 0)",
        "shape (3, width) with width >= 1",
    ),
    ("Wv without width", lambda: own(Wv=ones(3, 0)), ValueError, "Wv has shape (3, 0)", "shape (3, width) with width >= 1"),
    ("X a vector", lambda: own(X=ones(3)), ValueError, "X has shape (3,)", "(..., n, d)"),
    ("X ragged", lambda: own(X=[[1, 2, 3], [4]]), ValueError, "X is ragged", "(..., n, d)"),
    ("X of text", lambda: own(X=[["a"]]), TypeError, "X has dtype <U1", "(1, 1)", "(..., n, d)"),
    ("NaN in X", lambda: own(X=with_entry(ones(6, 3), np.nan)), ValueError, "X has shape (6, 3)", "NaN", "finite"),
    ("Wq of another height", lambda: own(Wq=ones(4, 2)), ValueError, "Wq has shape (4, 2)", "(3, width)", "X of shape (6, 3)"),
    ("Wk of another height", lambda: own(Wk=ones(2, 2)), ValueError, "Wk has shape (2, 2)", "(3, width)"),
    ("Wv of another height", lambda: own(Wv=ones(5, 3)), ValueError, "Wv has shape (5, 3)", "(3, width)"),
    ("Wk of another width", lambda: own(Wk=ones(3, 4)), ValueError, "Wk has shape (3, 4)", "(3, 2)", "Wq"),
    ("Wv with a batch", lambda: own(Wv=ones(2, 3, 5)), ValueError, "Wv has shape (2, 3, 5)", "(3, width)"),
    ("inf in Wv", lambda: own(Wv=with_entry(ones(3, 5), np.inf)), ValueError, "Wv has shape (3, 5)", "infinite", "finite"),
    ("complex Wk", lambda: own(Wk=ones(3, 2, dtype=complex)), TypeError, "Wk has dtype complex128", "(3, 2)", "real"),
    ("mask of the wrong size for X", lambda: own(mask=ones(6, 5, dtype=bool)), ValueError, "mask has shape (6, 5)", "(6, 6)"),
    ("p below 0", lambda: softmax_jacobian([1.5, -0.5]), ValueError, "p has shape (2,)", "outside [0, 1]", "(..., n)"),
    ("p above 1", lambda: softmax_jacobian([[1.2, 0.0]]), ValueError, "p has shape (1, 2)", "outside [0, 1]"),
    ("p that sums to 0.9", lambda: softmax_jacobian([0.5, 0.4]), ValueError, "p has shape (2,)", "sum to one", "(..., n)"),
    (
        "one row of p that sums to 0.9",
        lambda: softmax_jacobian([[0.5, 0.5], [0.5, 0.4]]),
        ValueError,
        "p has shape (2, 2)",
        "a row that does not sum to one",
    ),
    ("p empty", lambda: softmax_jacobian([]), ValueError, "p has shape (0,)", "n >= 1"),
    ("p a number", lambda: softmax_jacobian(1.0), ValueError, "p has shape ()", "(..., n)"),
    ("NaN in p", lambda: softmax_jacobian([np.nan, 1.0]), ValueError, "p has shape (2,)", "NaN", "finite"),
    ("p of text", lambda: softmax_jacobian(["a"]), TypeError, "p has dtype <U1", "(1,)", "real"),
    ("f no function", lambda: nudge(f=3), TypeError, "f has type int", "a function", "(n,)"),
    ("z a matrix", lambda: nudge(z=ones(2, 3)), ValueError, "z has shape (2, 3)", "(n,)"),
    ("z empty", lambda: nudge(z=ones(0)), ValueError, "z has shape (0,)", "n >= 1"),
    ("NaN in z", lambda: nudge(z=[np.nan, 1.0]), ValueError, "z has shape (2,)", "NaN", "finite"),
    (
        "f of another shape at another z",
        lambda: nudge(f=lambda z: ones(1 + (z[1] != 0)), z=[0.0, 0.0]),
        ValueError,
        "f(z) has shapes (2,), (2,)",
        "one shape (m,) at every z, here (1,)",
    ),
    (
        "rho below -1 for one slot",
        lambda: closed_form_weight(1.0, 1, rho=-1.5),
        ValueError,
        "rho has value -1.5",
        "from -1 to 1 for n = 1",
    ),
    ("h 0", lambda: nudge(h=0.0), ValueError, "h has value 0", "positive"),
    ("h below 0", lambda: nudge(h=-1e-5), ValueError, "h has value -1e-05", "positive"),
    ("h NaN", lambda: nudge(h=np.nan), ValueError, "h has", "NaN", "positive"),
    ("h infinite", lambda: nudge(h=np.inf), ValueError, "h has", "infinite", "positive"),
    ("h text", lambda: nudge(h="1e-5"), TypeError, "h has", "positive"),
    (
        "h too small for z",
        lambda: nudge(z=1e12 * ones(3), h=1e-5),
        ValueError,
        "h has value 1e-05",
        "a positive step that changes z of shape (3,)",
    ),
    ("f NaN", lambda: nudge(f=lambda z: z * np.nan), ValueError, "f(z) has", "NaN", "(m,)"),
    ("f complex", lambda: nudge(f=lambda z: z * 1j), TypeError, "f(z) has dtype complex128", "(m,)"),
    ("no heads", lambda: many(heads=[]), ValueError, "heads has 0 triples", "h >= 1", "(Wq, Wk, Wv)"),
    ("heads a number", lambda: many(heads=2), TypeError, "heads is no sequence of h triples", "(d, d_k)", "(d, d_v)"),
    ("heads of pairs", lambda: many(heads=[HEAD[:2]]), ValueError, "heads is no sequence of h triples", "(Wq, Wk, Wv)"),
    ("heads of numbers", lambda: many(heads=[1, 2]), TypeError, "heads is no sequence of h triples", "(Wq, Wk, Wv)"),
    (
        "Wq of head 0 of another height",
        lambda: many(heads=[(ones(4, 2), *HEAD[1:]), HEAD]),
        ValueError,
        "heads[0]: Wq has shape (4, 2)",
        "(3, width)",
    ),
    (
        "Wk of head 1 of another width",
        lambda: many(heads=[HEAD, (HEAD[0], ones(3, 4), HEAD[2])]),
        ValueError,
        "heads[1]: Wk has shape (3, 4)",
        "(3, 2)",
    ),
    (
        "Wv of head 1 of text",
        lambda: many(heads=[HEAD, (*HEAD[:2], [["a"]])]),
        TypeError,
        "heads[1]: Wv has dtype <U1",
        "(1, 1)",
        "(3, width)",
    ),
    ("Wo of another height", lambda: many(Wo=ones(9, 4)), ValueError, "Wo has shape (9, 4)", "(10, d_out)", "(6, 10)"),
    ("Wo a vector", lambda: many(Wo=ones(10)), ValueError, "Wo has shape (10,)", "(h d_v, d_out)"),
    ("NaN in Wo", lambda: many(Wo=with_entry(ones(10, 4), np.nan)), ValueError, "Wo has shape (10, 4)", "NaN", "finite"),
    ("rng a seed", lambda: spread(rng=0), TypeError, "rng has type int", "numpy.random.Generator"),
    (
        "rng of the old kind",
        lambda: spread(rng=np.random.RandomState(0)),
        TypeError,
        "rng has type RandomState",
        "numpy.random.Generator",
    ),
    ("width 0", lambda: spread(widths=[4, 0]), ValueError, "widths has value 0", ">= 1"),
    ("width 2.5", lambda: spread(widths=[2.5]), TypeError, "widths has type float", "integers >= 1"),
    ("one draw", lambda: spread(draws=1), ValueError, "draws has value 1", ">= 2"),
    ("draws a float", lambda: spread(draws=1e4), TypeError, "draws has type float", "an integer >= 2"),
    ("u a matrix", lambda: cosine(ones(2, 2), ones(2)), ValueError, "u has shape (2, 2)", "(d,)"),
    ("v longer than u", lambda: cosine(ones(2), ones(3)), ValueError, "v has shape (3,)", "(2,)"),
    ("u of zeros", lambda: cosine(np.zeros(2), ones(2)), ValueError, "u has shape (2,)", "no entry but 0", "(d,)"),
    ("v of zeros", lambda: cosine(ones(2), [0, 0]), ValueError, "v has shape (2,)", "no entry but 0", "(d,)"),
    (
        "v a matrix, and NaN: its shape is told first",
        lambda: cosine(ones(2), np.full((1, 2), np.nan)),
        ValueError,
        "v has shape (1, 2); it needs shape (d,)",
    ),
    ("vectors without entries", lambda: cosine([], []), ValueError, "u has shape (0,)", "(d,)"),
    ("NaN in v", lambda: cosine(ones(2), [1.0, np.nan]), ValueError, "v has shape (2,)", "NaN", "finite"),
    ("keys a vector", lambda: ask(keys=ones(4)), ValueError, "keys has shape (4,)", "(n, d)"),
    (
        "keys of a batch, and NaN",
        lambda: ask(keys=np.full((1, 4, 3), np.nan)),
        ValueError,
        "keys has shape (1, 4, 3); it needs shape (n, d)",
    ),
    (
        "values of a batch, and NaN",
        lambda: ask(values=np.full((1, 4, 5), np.nan)),
        ValueError,
        "values has shape (1, 4, 5); it needs shape (n, d_v)",
    ),
    (
        "values whose average is zero",
        lambda: ask(keys=np.eye(2), values=[[1.0], [-1.0]], slot=0, c=0.0),
        ValueError,
        "values has shape (2, 1) and an average of zero",
        "(n, d_v)",
    ),
    ("no slots", lambda: ask(keys=ones(0, 3), values=ones(0, 5)), ValueError, "keys has shape (0, 3)", "n >= 1"),
    ("keys without width", lambda: ask(keys=ones(4, 0)), ValueError, "keys has shape (4, 0)", "d >= 1"),
    ("fewer values than keys", lambda: ask(values=ones(3, 5)), ValueError, "values has shape (3, 5)", "(4, d_v)", "(4, 3)"),
    ("ragged values", lambda: ask(values=[[1, 2], [3]]), ValueError, "values is ragged", "(n, d_v)"),
    ("slot 4 of 4", lambda: ask(slot=4), ValueError, "slot has value 4", "from 0 to 3"),
    ("slot -1", lambda: ask(slot=-1), ValueError, "slot has value -1", "from 0 to 3"),
    ("slot 1.0", lambda: ask(slot=1.0), TypeError, "slot has type float", "from 0 to 3"),
    ("c NaN", lambda: ask(c=np.nan), ValueError, "c has", "NaN", "a finite number"),
    ("c text", lambda: ask(c="2"), TypeError, "c has", "a finite number"),
    ("c two numbers", lambda: ask(c=[1.0, 2.0]), ValueError, "c has shape (2,)", "a finite number"),
    ("sharpness infinite", lambda: weight(c=[1.0, np.inf]), ValueError, "c has shape (2,)", "infinite", "finite"),
    ("sharpness complex", lambda: weight(c=1j), TypeError, "c has dtype complex128", "real"),
    ("n 0", lambda: weight(n=0), ValueError, "n has value 0", ">= 1"),
    ("n 4.0", lambda: weight(n=4.0), TypeError, "n has type float", "an integer >= 1"),
    ("rho above 1", lambda: weight(rho=1.1), ValueError, "rho has value 1.1", "from -0.333333 to 1", "n = 4"),
    ("rho that no four vectors have", lambda: weight(rho=-0.5), ValueError, "rho has value -0.5", "from -0.333333 to 1"),
    ("rho NaN", lambda: weight(rho=np.nan), ValueError, "rho has", "NaN", "from -1/(n-1) to 1"),
    ("rho text", lambda: weight(rho="0"), TypeError, "rho has", "from -1/(n-1) to 1"),
    ("block a number", lambda: pieces(block=256), ValueError, "block has 1 entries", "two integers >= 1"),
    ("block of three", lambda: pieces(block=(1, 2, 3)), ValueError, "block has 3 entries", "(rows, columns)"),
    ("block of no rows", lambda: pieces(block=(0, 2)), ValueError, "block has value 0", "two integers >= 1"),
    ("block of half a column", lambda: pieces(block=(1, 0.5)), TypeError, "block has type float", "two integers >= 1"),
    ("X with a batch, backwards", lambda: back(X=ones(2, 6, 3)), ValueError, "X has shape (2, 6, 3)", "(n, d)"),
    ("dO transposed", lambda: back(dO=ones(5, 6)), ValueError, "dO has shape (5, 6)", "(6, 5)"),
    ("dA of another size", lambda: back(dA=ones(5, 5)), ValueError, "dA has shape (5, 5)", "(6, 6)"),
    (
        "dO of a batch, and NaN: its shape is told first",
        lambda: back(dO=np.full((1, 6, 5), np.nan)),
        ValueError,
        "dO has shape (1, 6, 5); it needs shape (6, 5)",
    ),
    ("dO a vector", lambda: back(dO=ones(5)), ValueError, "dO has shape (5,)", "(6, 5)"),
    ("dA of text", lambda: back(dA=[["a"]]), TypeError, "dA has dtype <U1", "(6, 6)", "real"),
    ("NaN in dO", lambda: back(dO=with_entry(ones(6, 5), np.nan)), ValueError, "dO has shape (6, 5)", "NaN", "finite"),
    ("Wk of another width, backwards", lambda: back(Wk=ones(3, 4)), ValueError, "Wk has shape (3, 4)", "(3, 2)"),
    ("mask of integers, backwards", lambda: back(mask=ones(6, 6, dtype=int)), TypeError, "mask has dtype int", "(6, 6)"),
    (
        "gradients that overflow",
        lambda: back(dO=1e308 * ones(6, 5)),
        ValueError,
        "dO, dA has shapes (6, 5), (6, 6)",
        "overflow",
        "smaller",
    ),
    # Which values overflow depends on the order of additions, and so on the machine.
    (
        "an average that overflowed",
        lambda: finite_output(np.full((2, 5), np.inf), ones(4, 5), np.dtype(np.float64)),
        ValueError,
        "V has shape (4, 5)",
        "average overflows float64",
        "(..., n, d_v)",
    ),
    (
        "a blend that overflows before it is divided",
        lambda: pieces(V=1e308 * ones(4, 5)),
        ValueError,
        "V has shape (4, 5)",
        "average overflows float64",
        "(..., n, d_v)",
    ),
    ("mask a ragged list", lambda: look(mask=[[True], [True, False]]), ValueError, "mask ", "(2, 4)"),
    ("f infinite", lambda: nudge(f=lambda z: np.full(2, np.inf)), ValueError, "f(z) has", "infinite", "(m,)"),
    ("f a matrix", lambda: nudge(f=lambda z: np.outer(z, z)), ValueError, "f(z) has shape", "(m,)"),
    ("f a number", lambda: nudge(f=lambda z: z.sum()), ValueError, "f(z) has shape ()", "(m,)"),
    ("f of changing shape", lambda: nudge(f=lambda z: z[: 1 + (z[0] > 1)]), ValueError, "f(z) has", "(m,)"),
    ("Wo of a batch", lambda: many(Wo=ones(10, 10, 4)), ValueError, "Wo has shape (10, 10, 4); it needs shape (h d_v, d_out)"),
    (
        "Wo for other heads, X of a batch",
        lambda: many(X=ones(2, 6, 3), Wo=ones(4, 4)),
        ValueError,
        "Wo has shape (4, 4); it needs shape (10, d_out) for heads joined to shape (2, 6, 10)",
    ),
    ("Wo that overflows", lambda: many(Wo=1e308 * ones(10, 4)), ValueError, "", "Wo", "overflow"),
    ("widths a number", lambda: spread(widths=4), TypeError, "widths has type int", "integers >= 1"),
    (
        "softmax of a masked array",
        lambda: softmax(np.ma.array([1.0, 2, 3], mask=[0, 0, 1])),
        TypeError,
        "z is a masked array of shape (3,); it needs an array without a mask",
        "fill or compress it first",
    ),
    ("softmax of a list of masked arrays", lambda: softmax([hidden(2), ones(2)]), TypeError, "z is a masked array of shape (2,)"),
    (
        "softmax along a masked axis",
        lambda: softmax(ones(3), axis=np.ma.array(0, mask=True)),
        TypeError,
        "axis is a masked array of shape ()",
    ),
    ("Q masked", lambda: look(Q=hidden(2, 3)), TypeError, "Q is a masked array of shape (2, 3)"),
    (
        "K masked, though it hides nothing",
        lambda: look(K=np.ma.array(ones(4, 3))),
        TypeError,
        "K is a masked array of shape (4, 3)",
    ),
    ("V masked", lambda: look(V=hidden(4, 5)), TypeError, "V is a masked array of shape (4, 5)"),
    ("a mask that is masked", lambda: look(mask=hidden(2, 4) > 0), TypeError, "mask is a masked array of shape (2, 4)"),
    ("scale masked", lambda: look(scale=hidden()), TypeError, "scale is a masked array of shape ()"),
    ("X masked", lambda: own(X=hidden(6, 3)), TypeError, "X is a masked array of shape (6, 3)"),
    ("Wk masked", lambda: own(Wk=hidden(3, 2)), TypeError, "Wk is a masked array of shape (3, 2)"),
    ("dA masked", lambda: back(dA=hidden(6, 6)), TypeError, "dA is a masked array of shape (6, 6)"),
    ("p masked", lambda: softmax_jacobian(hidden(1)), TypeError, "p is a masked array of shape (1,)"),
    ("f masked", lambda: nudge(f=lambda z: hidden(2)), TypeError, "f(z) is a masked array of shape (2,)"),
    ("heads masked", lambda: many(heads=hidden(2, 3, 3, 2)), TypeError, "heads[0]: Wq is a masked array of shape (3, 2)"),
    ("Wo masked", lambda: many(Wo=hidden(10, 4)), TypeError, "Wo is a masked array of shape (10, 4)"),
    ("widths masked", lambda: spread(widths=np.ma.array([4, 8], mask=[0, 1])), TypeError, "widths is a masked array of shape (2,)"),
    ("u masked", lambda: cosine(hidden(2), ones(2)), TypeError, "u is a masked array of shape (2,)"),
    ("values masked", lambda: ask(values=hidden(4, 5)), TypeError, "values is a masked array of shape (4, 5)"),
    ("a masked sharpness", lambda: weight(c=hidden(2)), TypeError, "c is a masked array of shape (2,)"),
    ("a stored value of zero", lambda: ask(values=np.zeros((4, 5))), ValueError, "values", "(4, 5)"),
    ("c that overflows the query", lambda: ask(keys=10 * ones(4, 3), c=1e308), ValueError, "c has", "1e+308"),
]


def rows(table):
    return [pytest.param(*row[1:4], row[4:], id=row[0]) for row in table]


def told(call, error, begins, needs):
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert caught.type is error
    assert message.startswith(begins), f"{message!r} does not begin with {begins!r}"
    assert not [part for part in needs if part not in message], f"{message!r} lacks one of {needs}"


@pytest.mark.parametrize("call, error, begins, needs", rows(BAD_INPUT))
def test_bad_input_is_told_which_argument_what_it_has_and_what_it_needs(call, error, begins, needs):
    told(call, error, begins, needs)


@pytest.mark.parametrize("call, error, begins, needs", rows(row for row in BAD_INPUT if "look" in row[1].__code__.co_names))
def test_blocks_are_told_of_bad_input_in_the_same_words(monkeypatch, call, error, begins, needs):
    monkeypatch.setitem(globals(), "scaled_dot_product_attention", blocked_attention)  # what `look` calls
    told(call, error, begins, needs)


def message(call, error):
    """All that bad input is told; but not Python's own words on what cannot be taken apart, which change."""
    with pytest.raises(error) as caught:
        call()
    words = re.sub(r"(is no sequence of h triples .*\): ).*", r"\1...", str(caught.value))
    return f"{error.__name__}: {words}"


# After a wanted change, `python tests/test_attention_core.py` writes it down anew; read what differs.
WRITTEN = Golden("bad_input.txt", {row[0]: partial(message, *row[1:3]) for row in BAD_INPUT}, "test_attention_core.py")


def test_what_is_public_is_what_the_module_defines_without_an_underscore():
    defined = {name for name, thing in vars(attention_core).items() if getattr(thing, "__module__", "") == "attention_core"}
    assert set(attention_core.__all__) == {name for name in defined if not name.startswith("_")}


@pytest.mark.parametrize("case", WRITTEN.cases)
def test_what_bad_input_is_told_reads_word_by_word_as_it_is_written_down(case):
    WRITTEN.check(case)


def test_every_bad_input_has_a_name_of_its_own_and_every_block_is_of_one():
    assert len(WRITTEN.cases) == len(BAD_INPUT)
    assert not WRITTEN.strays(), WRITTEN.strays()


SHARP = np.array([[200.0, 0.0], [0.0, 200.0]])  # as scores, half of its weights are e^-200
UNDERFLOWING = {
    "a softmax": lambda kind: softmax(np.array([0, -800], kind)),
    "an infinite distance": lambda kind: softmax(np.array([6e4, -6e4, -np.inf], kind)),
    "one head": lambda kind: scaled_dot_product_attention(
        SHARP.astype(kind), np.eye(2, dtype=kind), ones(2, 1, dtype=kind), scale=1
    ),
    "weights of half precision": lambda kind: scaled_dot_product_attention(
        SHARP.astype(kind) / 8, np.eye(2, dtype=kind), ones(2, 1, dtype=kind), scale=1
    ),
    "values": lambda kind: scaled_dot_product_attention(
        SHARP.astype(kind) / 20, np.eye(2, dtype=kind), np.full((2, 1), np.finfo(kind).smallest_normal), scale=1
    ),
    "blocks": lambda kind: blocked_attention(
        SHARP.astype(kind), np.eye(2, dtype=kind), ones(2, 1, dtype=kind), scale=1, block=(1, 1)
    ),
    "blocks of tiny values": lambda kind: blocked_attention(
        SHARP.astype(kind) / 20, np.eye(2, dtype=kind), np.full((2, 1), np.finfo(kind).smallest_normal), scale=1, block=(1, 1)
    ),
    "gradients": lambda kind: attention_gradients(
        np.eye(2, dtype=kind), SHARP.astype(kind), np.eye(2, dtype=kind), np.eye(2, dtype=kind), dO=np.eye(2, dtype=kind)
    ),
    "a Jacobian": lambda kind: softmax_jacobian(np.array([1, np.finfo(kind).smallest_normal], kind)),
    "several heads": lambda kind: multi_head_attention(
        np.eye(2, dtype=kind),
        [(SHARP.astype(kind),) + (np.eye(2, dtype=kind),) * 2],
        np.full((2, 1), np.finfo(kind).smallest_normal),
    ),
    "a retrieval": lambda kind: retrieve(np.eye(2, dtype=kind), np.eye(2, dtype=kind), 0, 200),
    "a cosine": lambda kind: cosine(np.array([1e300, 1e-300]), np.array([1e-300, 1e300])),
    "a query": lambda kind: retrieve(np.diag(np.full(2, 2 * np.finfo(kind).smallest_normal)), np.eye(2, dtype=kind), 0, 0.3),
    "the closed form": lambda kind: closed_form_weight(np.array([-800.0, 800.0]), 4),
}


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("case", UNDERFLOWING)
def test_who_lets_numpy_raise_gets_the_same(case, kind):
    with np.errstate(all="ignore"):
        wanted = UNDERFLOWING[case](kind)
    with np.errstate(all="raise"):
        np.testing.assert_equal(UNDERFLOWING[case](kind), wanted)


def test_who_lets_numpy_raise_is_told_the_same():
    with np.errstate(all="raise"):
        for case in WRITTEN.cases:
            WRITTEN.check(case)


IN_BATCHES = {
    "softmax": (softmax, [(3, 4)]),
    "sparsemax": (sparsemax, [(3, 4)]),
    "one head": (scaled_dot_product_attention, [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    "a masked head": (
        lambda Q, K, V: scaled_dot_product_attention(Q, K, V, mask=np.eye(3, 5) < 1),
        [(2, 3, 4), (2, 5, 4), (2, 5, 6)],
    ),
    "blocks": (lambda Q, K, V: blocked_attention(Q, K, V, block=(2, 2)), [(2, 3, 4), (2, 5, 4), (2, 5, 6)]),
    "masked blocks": (
        lambda Q, K, V: blocked_attention(Q, K, V, block=(2, 2), mask=np.eye(3, 5) < 1),
        [(2, 3, 4), (2, 5, 4), (2, 5, 6)],
    ),
    "self-attention": (attention, [(2, 4, 3), (3, 2), (3, 2), (3, 5)]),
    "gradients": (FUNCTIONS["gradients"][0], FUNCTIONS["gradients"][1]),
    "several heads": (FUNCTIONS["several heads"][0], [(2, 4, 3), (3, 2), (4, 5)]),
    "a Jacobian": (lambda z: softmax_jacobian(softmax(z)), [(2, 3, 4)]),
    "a retrieval": FUNCTIONS["retrieve"],
}


@pytest.mark.parametrize("case", IN_BATCHES)
def test_single_precision_is_single_all_the_way_in_batches_too(case):
    call, shapes = IN_BATCHES[case]
    inputs = [np.random.default_rng(60 + k).normal(size=shape).astype(np.float32) for k, shape in enumerate(shapes)]
    single, double = (
        result if isinstance(result, tuple) else (result,)
        for result in (call(*inputs), call(*(a.astype(np.float64) for a in inputs)))
    )
    for one, two in zip(single, double, strict=True):
        # A few dozen roundings of entries and scores below 20; half precision would be off by a hundred times as much.
        assert_allclose(one, two, rtol=0, atol=20 * 8 * np.finfo(np.float32).eps)


@pytest.mark.parametrize("call", [look, own, pieces, back, many, ask], ids=lambda call: call.__name__)
def test_a_flag_that_a_library_raises_falsely_in_a_product_is_not_heeded(monkeypatch, call):
    wanted = call()
    for check in ("finite_scores", "finite_projections", "finite_output", "need"):  # what is asked of a product when it is made
        right = getattr(attention_core, check)
        monkeypatch.setattr(attention_core, check, lambda *args, right=right: np.divide(1.0, 0.0) and right(*args))
    with np.errstate(all="raise"):
        np.testing.assert_equal(call(), wanted)


def test_half_precision_is_worked_in_single_and_single_in_single(monkeypatch):
    seen, exp = set(), np.exp
    monkeypatch.setattr(np, "exp", lambda x, **out: seen.add(x.dtype) or exp(x, **out))
    for kind in (np.float16, np.float32):
        Q, K, V = ones(2, 3, dtype=kind), ones(4, 3, dtype=kind), ones(4, 5, dtype=kind)
        softmax(Q), scaled_dot_product_attention(Q, K, V, mask=np.eye(2, 4) > 0), blocked_attention(Q, K, V, block=(2, 2))
    assert seen == {np.dtype(np.float32)}


def test_a_single_slot_has_all_of_the_weight_at_every_sharpness():
    whole = closed_form_weight(np.zeros((2, 3), np.float32), 1)
    assert whole.tolist() == [[1.0] * 3] * 2 and whole.dtype == np.float64 and isinstance(closed_form_weight(3, 1), float)


def test_half_the_digits_of_a_row_that_sums_to_one_are_counted_in_single_precision_at_least():
    softmax_jacobian(np.array([0.5, 0.53125], np.float16))  # off by the square root of half precision's eps
    with pytest.raises(ValueError, match="does not sum to one"):
        softmax_jacobian(np.array([0.5, 0.53125, 0.0003], np.float16))  # in half precision the sum would be the same
    ulp = 2.0**-23
    off = (
        math.floor(math.sqrt(ulp) / ulp) * ulp
    )  # the last float32 within the tolerance; 0.4 more are beyond it, but not in float32
    softmax_jacobian(np.array([0.5, 0.5 + off, 0.4 * ulp], np.float32))


def test_every_pair_of_blocks_is_met_once(monkeypatch):
    calls, exp = [], np.exp
    monkeypatch.setattr(np, "exp", lambda x, **out: calls.append(x.shape) or exp(x, **out))
    blocked_attention(ones(5, 3), ones(7, 3), ones(7, 2), block=(2, 3))
    pairs = [(rows, columns) for rows in (2, 2, 1) for columns in (3, 3, 1)]
    assert calls == pairs  # the weights
    calls.clear()
    blocked_attention(1000 * ones(5, 3), ones(7, 3), ones(7, 2), block=(2, 3))
    assert calls[1::2] == pairs and calls[::2] == [(rows, 1) for rows, _ in pairs]  # and how the earlier ones fade


def test_single_precision_is_summed_in_single_precision():
    rng = np.random.default_rng(3)
    Q, K, V = (rng.normal(size=shape).astype(np.float32) for shape in ((64, 8), (200, 8), (200, 3)))
    S = np.exp((Q * np.float32(1 / math.sqrt(8))) @ K.T)
    assert np.array_equal(blocked_attention(Q, K, V), S @ V / (S @ np.ones((200, 1), np.float32)))
    assert not np.array_equal(S @ V / (S @ np.ones((200, 1))), S @ V / (S @ np.ones((200, 1), np.float32)))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_an_average_that_overflows_would_be_told_with_the_dtype_of_the_result(kind, monkeypatch):
    told = []
    monkeypatch.setattr(attention_core, "finite_output", lambda O, V, kind: told.append((V.shape, kind)) or O)
    Q, K, V = ones(2, 3, dtype=kind), ones(4, 3, dtype=kind), ones(4, 5, dtype=kind)
    scaled_dot_product_attention(Q, K, V), blocked_attention(Q, K, V)
    assert told == [((4, 5), kind)] * 2


def test_bad_input_is_tried_on_every_public_function():
    def called(code):
        names = set(code.co_names)
        return names.union(*(called(globals()[name].__code__) for name in names & {call.__name__ for call in GOOD_CALLS}))

    tried = set().union(*(called(row[1].__code__) for row in BAD_INPUT))
    assert {name for name in attention_core.__all__ if name[0].islower()} <= tried
    assert len(BAD_INPUT) >= 80


if __name__ == "__main__":
    WRITTEN.renew()
