"""Notebook 07: several heads, and the backward pass against nudging and against the chapter's gradients."""

import numpy as np

from attention_chapter.run import D_K, HEADS, D
from attention_core import (
    attention_gradients,
    central_difference_jacobian,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
)
from tools.formulas.bindings import head
from tools.formulas.check import cell


def several(rng):
    n, d, h, d_k, d_v = 6, 5, 2, 3, 4
    shapes = ((h, d, d_k), (h, d, d_k), (h, d, d_v))
    X, W_o = rng.normal(size=(n, d)), rng.normal(size=(h * d_v, 7))
    W_q, W_k, W_v = (rng.normal(size=shape) for shape in shapes)
    found = multi_head_attention(X, list(zip(W_q, W_k, W_v)), W_o)
    return {
        "X": X,
        "d_k": d_k,
        "W_q^()": W_q,
        "W_k^()": W_k,
        "W_v^()": W_v,
        "W_o": W_o,
        "O_multi": found.output,
        "O": found.output,
        "O^()": np.array([one.output for one in found.heads]),
        "W_o^up": W_o[:d_v],
        "W_o^low": W_o[d_v:],
    }


def shares(rng):
    return {"s": rng.dirichlet(np.ones(13))}


def slope(f, M):
    """The derivative of a number by each entry of a matrix, by nudging."""
    return central_difference_jacobian(lambda flat: np.atleast_1d(f(flat.reshape(M.shape))), M.ravel()).reshape(M.shape)


def backward(rng):
    """A loss with the derivative dO by the output; what it says of each array on the way, by nudging that array."""
    h = head(rng)
    X, A, S, Q, K, V = (h[name] for name in "XASQKV")
    W_q, W_k, W_v, dO = h["W_q"], h["W_k"], h["W_v"], rng.normal(size=h["O"].shape)

    def output(Q=Q, K=K, V=V):
        return scaled_dot_product_attention(Q, K, V).output

    found = attention_gradients(X, W_q, W_k, W_v, dO=dO)
    return h | {
        "dO": dO,
        "L": (dO * h["O"]).sum(),
        "dA": slope(lambda A: (dO * (A @ V)).sum(), A),
        "dS": slope(lambda S: (dO * (softmax(S) @ V)).sum(), S),
        "dQ": slope(lambda Q: (dO * output(Q=Q)).sum(), Q),
        "dK": slope(lambda K: (dO * output(K=K)).sum(), K),
        "dV": slope(lambda V: (dO * output(V=V)).sum(), V),
        "dW_q": found.dWq,
        "dX": found.dX,
        "D_W_q": found.dWq,
        "D_W_k": found.dWk,
        "D_W_v": found.dWv,
        "D_X": found.dX,
    }


def with_weights(rng):
    """The same where the loss looks at the weights as well: D_A."""
    h = backward(rng)
    X, Q, K, V, A, S, dO = (h[name] for name in ("X", "Q", "K", "V", "A", "S", "dO"))
    dA = rng.normal(size=A.shape)
    found = attention_gradients(X, h["W_q"], h["W_k"], h["W_v"], dO=dO, dA=dA)

    def loss(Q=Q, K=K, V=V):
        look = scaled_dot_product_attention(Q, K, V)
        return (dO * look.output).sum() + (dA * look.weights).sum()

    return h | {
        "D_O": dO,
        "D_A": dA,
        "D_S": slope(lambda S: (dO * (softmax(S) @ V)).sum() + (dA * softmax(S)).sum(), S),
        "D_Q": slope(lambda Q: loss(Q=Q), Q),
        "D_K": slope(lambda K: loss(K=K), K),
        "D_V": slope(lambda V: loss(V=V), V),
        "D_W_q": found.dWq,
        "D_W_k": found.dWk,
        "D_W_v": found.dWv,
        "D_X": found.dX,
    }


def targets(rng):
    """Over the true objects only: T sums to one, and the weights there to less."""
    T, A = rng.dirichlet(np.ones(3), size=5), softmax(rng.normal(size=(5, 4)))[:, :3]
    return {"T": T, "A": A, "x": rng.uniform(0.2, 3), "L": lambda T, A: -sum(t @ np.log(a) for t, a in zip(T, A))}


cell("07-06", bind=several, settings=("h = 2", "d_k = 4"))
cell("07-09", "attention_core.multi_head_attention", bind=several)
cell("07-16", bind=shares)
cell("07-22", bind=lambda rng: {"d": D, "d_k": D_K, "h": HEADS, "n": 13})
cell("07-24", bind=backward, settings=("d_k = 1",))
cell("attention_core.attention_gradients", bind=with_weights)
cell("07-26", "07-e13", "07-e15", bind=backward)
cell(
    "07-28",
    bind=targets,
    settings=("A = T",),
    tight={
        r"\ln x \le x - 1": ("x = 1",),
        r"\sum_j T_{ij}\ln\frac{A_{ij}}{T_{ij}} \le \sum_j A_{ij} - \sum_j T_{ij} \le 0": ({"A": lambda T: T},),
    },
)
cell("07-46", settings=("d_k = 1", "q_i > 0", "q_i < 0"))
cell("07-48b", settings=("d_k = 2",))
cell("07-48", "07-e11", settings=("d_k = 1",))
