"""Notebook 07a: the backward pass against nudging and against the chapter's gradients, and targets."""

import numpy as np

from attention_core import attention_gradients, central_difference_jacobian, scaled_dot_product_attention, softmax
from tools.formulas.bindings import head
from tools.formulas.check import cell


def slope(f, M):
    """The derivative of a number with respect to each entry of a matrix, by nudging."""
    return central_difference_jacobian(lambda flat: np.atleast_1d(f(flat.reshape(M.shape))), M.ravel()).reshape(M.shape)


def backward(rng):
    """A loss with the derivative dO with respect to the output; what it says of each array on the way, by nudging that array."""
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


def cross_entropy(rng):
    """A loss on the weights, where one row has no target; its derivatives by nudging weights and scores."""
    S, Y = rng.normal(size=(5, 6)) / 2, rng.dirichlet(np.ones(6), size=5)
    A, Y[1] = softmax(S), 0

    def L(A):
        return -(Y * np.log(A)).sum()

    return {"S": S, "A": A, "Y": Y, "dA": slope(L, A), "dS": slope(lambda S: L(softmax(S)), S)}


def targets(rng):
    """Over the true objects only: Y sums to one, and the weights there to less."""
    Y, A = rng.dirichlet(np.ones(3), size=5), softmax(rng.normal(size=(5, 4)))[:, :3]
    return {"Y": Y, "A": A, "x": rng.uniform(0.2, 3), "L": lambda Y, A: -sum(y @ np.log(a) for y, a in zip(Y, A))}


def one_matrix(rng):
    """Scores whose queries and keys come from one matrix W, and their derivative."""
    n, d, d_k = 6, 5, 3
    X, W, dS = rng.normal(size=(n, d)), rng.normal(size=(d, d_k)), rng.normal(size=(n, n))
    Z = X @ W
    dW = slope(lambda W: (dS * (X @ W @ (X @ W).T)).sum() / np.sqrt(d_k), W)
    return {"n": n, "d": d, "d_k": d_k, "X": X, "W": W, "dS": dS, "Z": Z, "S": Z @ Z.T / np.sqrt(d_k), "dW": dW}


cell("attention_core.attention_gradients", bind=with_weights)
cell(
    "07a-07",
    bind=targets,
    tight={
        r"\ln x \le x - 1": ("x = 1",),
        r"\sum_j Y_{ij}\ln\frac{A_{ij}}{Y_{ij}} \le \sum_j A_{ij} - \sum_j Y_{ij} \le 0": ({"A": lambda Y: Y},),
    },
)
cell("07a-07b", "07a-09", bind=backward)
cell("07a-12", bind=cross_entropy)
cell("07a-28", settings=("d_k = 1", "d_k = 2", "q_i > 0", "q_i < 0"))
cell("07a-31", settings=("d_k = 1", "d_k = 2"))
cell("07a-s1", "07a-e05", settings=("d_k = 1",))
cell("07a-e07", "07a-e09", bind=one_matrix)
