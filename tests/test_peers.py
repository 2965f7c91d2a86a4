"""The mathematics beside other people's: SciPy, PyTorch and the node tests of ONNX, on the same inputs.

The name of a test says whose numbers it compares with; the suite's closing lines count the cases of each. `make peers`
installs all three.
"""

import importlib
import os
import sys
import warnings
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_core import (
    attention,
    attention_gradients,
    blocked_attention,
    central_difference_jacobian,
    closed_form_weight,
    cosine,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)

# Where they are required, a missing peer is a failure and not a reason to skip.
if os.environ.get("PEERS") != "required":
    for peer in ("scipy", "torch", "onnx"):
        pytest.importorskip(peer, reason="peers left out: `make peers` installs them")
import onnx
import onnx.backend.test.case.node as node
import scipy.spatial.distance
import scipy.special
import torch

with warnings.catch_warnings():
    warnings.simplefilter("ignore", pytest.PytestUnknownMarkWarning)  # marks of SciPy's own suite
    from scipy.special.tests import test_logsumexp as scipy_tests

EPS = {dtype: float(np.finfo(dtype).eps) for dtype in (np.float16, np.float32, np.float64)}


def given(rng, *shapes, dtype=np.float64):
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


# --- SciPy -----------------------------------------------------------------------------------------------------------


def softmax_over(z, axis=None):
    """Our softmax as SciPy's is called: over one axis, several (a tuple), or all of them (None)."""
    z = np.asarray(z)
    axes = tuple(range(z.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = range(z.ndim - len(axes), z.ndim)
    moved = np.moveaxis(z, axes, last)
    flat = moved.reshape(*moved.shape[: z.ndim - len(axes)], -1)
    return np.moveaxis(softmax(flat).reshape(moved.shape), last, axes)[()]


@pytest.mark.parametrize("name", [name for name in dir(scipy_tests.TestSoftmax) if name.startswith("test_")])
def test_the_softmax_passes_the_tests_that_scipy_has_for_its_own(name, monkeypatch):
    monkeypatch.setattr(scipy_tests, "softmax", softmax_over)
    test = getattr(scipy_tests.TestSoftmax(), name)
    test(**({"xp": np} if "xp" in test.__code__.co_varnames[: test.__code__.co_argcount] else {}))


@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("shape, axis", [((7,), 0), ((3, 5), -1), ((3, 5), 0), ((2, 3, 4), 1), ((2, 3, 4), (0, 2)), ((2, 3), None)])
@pytest.mark.parametrize("spread", [1e-3, 1, 30])
def test_the_softmax_is_that_of_scipy(dtype, shape, axis, spread):
    (z,) = given(np.random.default_rng(40), shape, dtype=dtype)
    z = z * dtype(spread)
    # SciPy stays in the dtype where we add float16 in float32: a rounding for each of up to 24 terms, and two more. What
    # lies below the dtype's smallest normal number has fewer digits.
    assert_allclose(softmax_over(z, axis), scipy.special.softmax(z, axis=axis), rtol=26 * EPS[dtype], atol=np.finfo(dtype).tiny)


@pytest.mark.parametrize("z", [[1.0, -np.inf, 2.0], [700.0, -700.0], [1e300, 1e300], [5e-324, 0.0], [-745.2, 0.0]])
def test_the_softmax_of_extreme_logits_is_that_of_scipy(z):
    assert_allclose(softmax(z), scipy.special.softmax(z), rtol=4 * EPS[np.float64], atol=5e-324)


@pytest.mark.parametrize("n", [2, 4, 100])
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.99])
def test_the_closed_form_of_retrieval_is_the_logistic_function_of_scipy(n, rho):
    c = np.linspace(-40, 40, 81)
    # The argument c (1 - rho) - log(n - 1) is up to 45 and rounds by 45 eps, and so does the weight, relatively.
    assert_allclose(closed_form_weight(c, n, rho), scipy.special.expit(c * (1 - rho) - np.log(n - 1)), rtol=2e-14)


@pytest.mark.parametrize("width", [1, 2, 16, 300])
def test_the_cosine_is_one_less_the_distance_of_scipy(width):
    u, v = given(np.random.default_rng(width), width, width)
    assert_allclose(cosine(u, v), 1 - scipy.spatial.distance.cosine(u, v), atol=1e-14)  # a few dozen eps of 1


# --- PyTorch ---------------------------------------------------------------------------------------------------------

SIZES = [(4, 4, 8, 8), (3, 7, 5, 2), (1, 9, 4, 4), (6, 2, 1, 3)]  # m, n, d_k, d_v
LOOKUPS = {
    "whole": lambda *arrays, **options: scaled_dot_product_attention(*arrays, **options).output,
    "in blocks": lambda *arrays, **options: blocked_attention(*arrays, **options, block=(2, 3)),
}


def tensors(*arrays):
    return [None if a is None else torch.tensor(a) for a in arrays]


@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_softmax_is_that_of_torch(dtype, axis):
    (z,) = given(np.random.default_rng(41), (4, 5, 6), dtype=dtype)
    # Both add float16 in float32; a few roundings.
    assert_allclose(softmax(3 * z, axis), torch.softmax(torch.tensor(3 * z), axis).numpy(), rtol=8 * EPS[dtype])


@pytest.mark.parametrize("dtype", EPS)
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("mask", ["none", "some", "a row of nothing", "causal"])
@pytest.mark.parametrize("scale", [None, 0.3])
@pytest.mark.parametrize("lookup", LOOKUPS)
def test_a_head_is_the_scaled_dot_product_attention_of_torch(dtype, batch, sizes, mask, scale, lookup):
    rng, (m, n, d_k, d_v) = np.random.default_rng(42), sizes
    Q, K, V = given(rng, (*batch, m, d_k), (*batch, n, d_k), (*batch, n, d_v), dtype=dtype)
    allowed = {"none": None, "causal": np.tril(np.ones((m, n), bool))}.get(mask, rng.random((*batch, m, n)) < 0.6)
    if mask == "some":
        allowed[..., 0] = True
    if mask == "a row of nothing":
        allowed[..., 0, :] = False
    want = torch.nn.functional.scaled_dot_product_attention(
        *tensors(Q, K, V, None if mask == "causal" else allowed), scale=scale, is_causal=mask == "causal"
    )
    # Scores up to 20 round by 20 eps of the sums' type, values are below 4; PyTorch keeps float16 weights between its steps.
    assert_allclose(LOOKUPS[lookup](Q, K, V, mask=allowed, scale=scale), want.numpy(), rtol=0, atol=16 * EPS[dtype])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("h", [1, 2, 4])
@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("masked", [False, True])
def test_several_heads_are_the_multihead_attention_of_torch(dtype, h, batch, masked):
    rng, n, d = np.random.default_rng(43), 5, 8
    # W is that of queries, keys and values, and each head has a block of its columns.
    X, W, Wo = given(rng, (*batch, n, d), (3, d, d), (d, d), dtype=dtype)
    mask = np.tril(np.ones((n, n), bool)) if masked else None
    theirs = torch.nn.MultiheadAttention(d, h, bias=False, batch_first=True, dtype=torch.tensor(X).dtype)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.tensor(np.concatenate([w.T for w in W])))
        theirs.out_proj.weight.copy_(torch.tensor(Wo.T))
        x = torch.tensor(X)
        # Theirs says where a query may not attend.
        want, weights = theirs(x, x, x, attn_mask=None if mask is None else torch.tensor(~mask), average_attn_weights=False)
    ours = multi_head_attention(X, [tuple(np.split(w, h, axis=1)[i] for w in W) for i in range(h)], Wo, mask=mask)
    # Scores up to 60 round by 60 eps; weights relatively by as much; outputs are up to 20.
    assert_allclose(np.stack([head.weights for head in ours.heads], axis=-3), weights.numpy(), rtol=0, atol=60 * EPS[dtype])
    assert_allclose(ours.output, want.numpy(), rtol=0, atol=20 * 60 * EPS[dtype])


@pytest.mark.parametrize("n", [1, 2, 5, 13])
@pytest.mark.parametrize("spread", [0.1, 1, 10])
def test_the_softmax_jacobian_is_that_of_torch(n, spread):
    z = spread * np.random.default_rng(n).normal(size=n)
    want = torch.autograd.functional.jacobian(lambda z: torch.softmax(z, -1), torch.tensor(z))
    # Weights within a few eps of each other; entries are at most 1/4.
    assert_allclose(softmax_jacobian(softmax(z)), want.numpy(), rtol=0, atol=4 * EPS[np.float64])


@pytest.mark.parametrize("m, n", [(2, 5), (5, 2), (3, 3)])
def test_central_differences_are_near_the_jacobian_of_torch(m, n):
    A, z = given(np.random.default_rng(46), (m, n), n)
    want = torch.autograd.functional.jacobian(lambda z: torch.sin(torch.tensor(A) @ z), torch.tensor(z))
    # Truncation h^2 / 6 times third derivatives up to 30, and rounding eps / 2h = 1e-11; twice their sum.
    assert_allclose(central_difference_jacobian(lambda z: np.sin(A @ z), z), want.numpy(), rtol=0, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("upstream", ["dO", "dA", "both"])
@pytest.mark.parametrize("mask", ["none", "some", "a row of nothing"])
@pytest.mark.parametrize("sizes", [(5, 4, 3, 2), (3, 6, 1, 5), (1, 2, 2, 2), (13, 8, 4, 4)], ids=str)  # n, d, d_k, d_v
def test_the_gradients_of_a_head_are_those_of_torch(dtype, upstream, mask, sizes):
    rng, (n, d, d_k, d_v) = np.random.default_rng(44), sizes
    X, Wq, Wk, Wv, dO, dA = given(rng, (n, d), (d, d_k), (d, d_k), (d, d_v), (n, d_v), (n, n), dtype=dtype)
    allowed = np.ones((n, n), bool) if mask == "none" else (rng.random((n, n)) < 0.5) | np.eye(n, dtype=bool)
    empty = mask == "a row of nothing"
    if empty:
        allowed[0] = False
    leaves = [a.requires_grad_() for a in tensors(Wq, Wk, Wv, X)]
    q, k, v = (leaves[3] @ W for W in leaves[:3])
    # Written out, since theirs gives no weights. A row of nothing is left out: their softmax of it is NaN, backwards too.
    A = torch.softmax((q @ k.T / d_k**0.5).masked_fill(torch.tensor(~allowed), -torch.inf)[empty:], -1)
    loss = 0
    if upstream != "dA":
        loss = loss + (A @ v * torch.tensor(dO)[empty:]).sum()
    if upstream != "dO":
        loss = loss + (A * torch.tensor(dA)[empty:]).sum()
    want = torch.autograd.grad(loss, leaves, materialize_grads=True)
    got = attention_gradients(
        X,
        Wq,
        Wk,
        Wv,
        mask=None if mask == "none" else allowed,
        **{"dO": {"dO": dO}, "dA": {"dA": dA}, "both": {"dO": dO, "dA": dA}}[upstream],
    )
    for ours, theirs in zip(got, want):
        # Sums of up to 13 x 8 products, of scores up to 60 that round by 60 eps; against the largest entry of the gradient.
        assert_allclose(ours, theirs.numpy(), rtol=0, atol=100 * EPS[dtype] * (1 + abs(theirs.numpy()).max()))


@pytest.mark.parametrize("mask", ["none", "some", "a row of nothing"])
def test_the_gradients_of_a_head_are_those_of_torch_through_its_own_attention(mask):
    rng = np.random.default_rng(45)
    X, Wq, Wk, Wv, dO = given(rng, (6, 4), (4, 3), (4, 3), (4, 5), (6, 5))
    allowed = np.ones((6, 6), bool) if mask == "none" else (rng.random((6, 6)) < 0.5) | np.eye(6, dtype=bool)
    if mask == "a row of nothing":
        allowed[2] = False
    leaves = [a.requires_grad_() for a in tensors(Wq, Wk, Wv, X)]
    q, k, v = (leaves[3] @ W for W in leaves[:3])
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, torch.tensor(allowed))
    want = torch.autograd.grad((out * torch.tensor(dO)).sum(), leaves)
    assert_allclose(attention(X, Wq, Wk, Wv, mask=allowed).output, out.detach().numpy(), rtol=0, atol=1e-13)
    for ours, theirs in zip(attention_gradients(X, Wq, Wk, Wv, dO=dO, mask=allowed), want):
        assert_allclose(ours, theirs.numpy(), rtol=0, atol=1e-12)  # as above, with entries up to 30


# --- ONNX ------------------------------------------------------------------------------------------------------------


def node_tests():
    """What ONNX asks of the operators Softmax and Attention; the same cases written out in smaller operators left out."""
    for name in ("softmax", "attention"):
        importlib.import_module(f"{node.__name__}.{name}")  # importing it records its cases
    return {
        case.name: case
        for case in node._NodeTestCases
        if not case.name.endswith(("_expanded", "_expanded_ver18")) and case.model.graph.node[0].op_type in ("Softmax", "Attention")
    }


def opened(case):
    """A node test's attributes, its inputs and its outputs by name."""
    (operator,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    return (
        {a.name: onnx.helper.get_attribute_value(a) for a in operator.attribute},
        dict(zip([i.name for i in case.model.graph.input], inputs)),
        dict(zip([o.name for o in case.model.graph.output], outputs)),
    )


def why_not(case):
    """What a node test asks for that attention_core does not offer; empty where nothing."""
    asks, inputs, _ = opened(case)
    if any(str(a.dtype) == "bfloat16" for a in inputs.values()):
        return "bfloat16, which NumPy does not have"
    return "softcap, which bends the scores" if asks.get("softcap") else ""


def answer(case):
    """Ours to a node test of Attention, which calls and places things otherwise: heads side by side in one axis, several
    query heads to one key head, earlier keys in an input of their own, three more ways to forbid a key, and a number added
    to a score.
    """
    asks, inputs, _ = opened(case)
    Q, K, V = inputs["Q"], inputs["K"], inputs["V"]
    flat = Q.ndim == 3
    if flat:
        heads = {"Q": asks["q_num_heads"], "K": asks["kv_num_heads"], "V": asks["kv_num_heads"]}
        Q, K, V = (np.stack(np.split(a, heads[name], axis=-1), axis=1) for name, a in (("Q", Q), ("K", K), ("V", V)))
    answers, past = {}, 0
    if "past_key" in inputs:
        past = inputs["past_key"].shape[2]
        K, V = np.concatenate([inputs["past_key"], K], axis=2), np.concatenate([inputs["past_value"], V], axis=2)
        answers.update(present_key=K, present_value=V)
    (batch, h, m, d_k), n = Q.shape, K.shape[2]

    given = inputs.get("attn_mask", np.ones((m, n), bool))
    given = np.where(given, 0, -np.inf) if given.dtype == np.bool_ else given
    given = np.broadcast_to(given, np.broadcast_shapes(given.shape, (m, 1)))
    given = np.concatenate([given, np.full((*given.shape[:-1], n - given.shape[-1]), -np.inf)], axis=-1)
    ahead = np.arange(n) - np.arange(m)[:, None] - past  # how many places a key lies after its query
    mask = ~np.isneginf(given)
    if "nonpad_kv_seqlen" in inputs:
        filled = inputs["nonpad_kv_seqlen"].reshape(-1, 1, 1, 1)
        mask = mask & (np.arange(n) < filled)
        ahead = ahead + m - filled
    if asks.get("is_causal"):
        mask = mask & (ahead <= 0)
    for side, sign in (("left", -1), ("right", 1)):
        if asks.get(f"{side}_window_size", -1) >= 0:
            mask = mask & (sign * ahead <= asks[f"{side}_window_size"])

    def grouped(a):  # the query heads of one key head beside one another
        a = np.broadcast_to(a, (batch, h, *a.shape[-2:]))
        return a.reshape(batch, K.shape[1], h // K.shape[1], *a.shape[2:])

    Q, K, V, mask = grouped(Q), K[:, :, None], V[:, :, None], grouped(mask)
    scale = asks.get("scale", d_k**-0.5)
    answers["qk_matmul_output"] = scaled_dot_product_attention(Q, K, V, scale=scale).scaled
    if (added := grouped(np.where(np.isneginf(given), 0, given) / scale)).any():
        # One more coordinate for each key, which this key alone has, and in which a query holds what its score is to gain.
        Q = np.concatenate([Q, added.astype(Q.dtype)], axis=-1)
        K = np.concatenate([K, np.broadcast_to(np.eye(n, dtype=K.dtype), (*K.shape[:-2], n, n))], axis=-1)
    head = scaled_dot_product_attention(Q, K, V, scale=scale, mask=mask)
    answers["Y"], answers["Y in blocks"] = head.output, blocked_attention(Q, K, V, scale=scale, mask=mask, block=(2, 4))
    mode = asks.get("qk_matmul_output_mode", 0)
    if mode:
        answers["qk_matmul_output"] = np.where(mask, head.scaled, -np.inf) if mode == 2 else head.weights
    for name in ("Y", "Y in blocks", "qk_matmul_output"):
        answers[name] = answers[name].reshape(batch, h, m, -1)
        if flat and name != "qk_matmul_output":
            answers[name] = np.concatenate(list(np.moveaxis(answers[name], 1, 0)), axis=-1)
    return answers


NODE_TESTS = node_tests()
FITTING = [name for name, case in NODE_TESTS.items() if not why_not(case)]


@pytest.mark.parametrize("name", [name for name in FITTING if NODE_TESTS[name].model.graph.node[0].op_type == "Softmax"])
def test_the_softmax_passes_a_node_test_of_onnx(name):
    case = NODE_TESTS[name]
    asks, inputs, outputs = opened(case)
    assert_allclose(softmax(inputs["x"], asks.get("axis", -1)), outputs["y"], rtol=case.rtol, atol=case.atol)  # theirs


@pytest.mark.parametrize("name", [name for name in FITTING if NODE_TESTS[name].model.graph.node[0].op_type == "Attention"])
def test_a_head_passes_a_node_test_of_onnx(name):
    case = NODE_TESTS[name]
    answers, (_, _, outputs) = answer(case), opened(case)
    for output, want in {**outputs, "Y in blocks": outputs["Y"]}.items():
        assert answers[output].shape == want.shape and answers[output].dtype.kind == want.dtype.kind
        assert_allclose(answers[output], want, rtol=case.rtol, atol=case.atol, err_msg=output)  # their tolerances


def test_every_node_test_of_onnx_is_passed_or_left_out_for_a_reason(request):
    reasons = Counter(filter(None, map(why_not, NODE_TESTS.values())))
    why = ", ".join(f"{count} with {why}" for why, count in reasons.most_common())
    request.node.user_properties.append(("left out of onnx", why))
    assert len(FITTING) > sum(reasons.values()), "most of them should fit"
    assert len(FITTING) + sum(reasons.values()) == len(NODE_TESTS)


def test_the_name_of_each_test_says_which_of_scipy_torch_and_onnx_it_asks():
    tests = [name for name, value in vars(sys.modules[__name__]).items() if name.startswith("test_") and callable(value)]
    assert not [name for name in tests if not any(peer in name for peer in ("scipy", "torch", "onnx"))]
