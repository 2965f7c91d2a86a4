"""The exercises: each stub says "not written yet", each solution "correct", each mistake gets the hint that names it.

Stubs and solutions are read from the notebooks; what a student might write instead stands here.
"""

import contextlib
import io
import itertools
import json
import math
import re
import sys
import tracemalloc
import warnings
import zlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from conftest import PATHS

from attention_chapter import exercises
from attention_chapter.exercises import BY_NAME, EXERCISES, LEVELS, NotYet, check, fits, numbers, table, untouched, verdict

CHECKED = [exercise.name for exercise in EXERCISES if exercise.check]


# --- the cells of the notebooks --------------------------------------------------------------------------------------

@cache
def cells(number):
    """The cells of one notebook, as (type, source, tags)."""
    path, = (p for p in PATHS if p.stem[:2] == number)
    return [(cell["cell_type"], "".join(cell["source"]), cell["metadata"].get("tags", []))
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def stubs(number):
    """{name: (task, stub, solution)} of a notebook's code exercises: the cells around each `check`."""
    all_ = cells(number)
    return {re.search(r'^check\("([^"]+)", ', source, re.M).group(1): (all_[k - 1], (kind, source, tags), all_[k + 1])
            for k, (kind, source, tags) in enumerate(all_) if kind == "code" and 'check("' in source}


def headings(number):
    """(title, level, minutes) of the exercises of a notebook, in order."""
    text = "\n\n".join(source for kind, source, _ in cells(number) if kind == "markdown")
    return [(title, level, int(minutes)) for title, level, minutes in
            re.findall(r"^### Exercise \d+ · (.+)\n\n\*(\w+), (\d+) minutes\.\*", text, re.M)]


@cache
def names_of(number):
    """What the import cell of a notebook defines."""
    space = {}
    exec(next(source for kind, source, _ in cells(number) if kind == "code"), space)
    return space


def defined(number, source):
    """The names a piece of code adds to the imports of its notebook, and what it printed."""
    space = dict(names_of(number))
    before, out = set(space), io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(source, space)
    return {name: value for name, value in space.items() if name not in before}, out.getvalue()


def solution(name):
    """The function in the fenced block of an exercise's solution."""
    number = BY_NAME[name].notebook
    source = re.search(r"^```python\n(.*?)^```", stubs(number)[name][2][1], re.M | re.S).group(1)
    (_, function), = defined(number, source)[0].items()
    return function


NUMBERS = sorted({exercise.notebook for exercise in EXERCISES})


@pytest.mark.parametrize("number", NUMBERS)
def test_a_notebook_states_its_exercises_as_the_module_lists_them(number):
    ours = [exercise for exercise in EXERCISES if exercise.notebook == number]
    assert headings(number) == [(e.title, e.level, e.minutes) for e in ours]
    assert list(stubs(number)) == [e.name for e in ours if e.check]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_notebook_has_three_to_five_graded_exercises_and_says_how_long_they_take(number):
    ours = [exercise for exercise in EXERCISES if exercise.notebook == number]
    grades = [LEVELS.index(exercise.level) for exercise in ours]
    assert 3 <= len(ours) <= 5 and sum(exercise.check is not None for exercise in ours) >= 2
    assert grades == sorted(grades) and set(grades) == {0, 1, 2}
    opening, = (source for kind, source, _ in cells(number) if kind == "markdown" and source.startswith("## Exercises"))
    assert f"about {sum(exercise.minutes for exercise in ours)} minutes" in opening


def test_no_exercise_stands_in_another_notebook():
    assert sum(len(headings(path.stem.split("_")[0])) for path in PATHS) == len(EXERCISES)
    assert len({exercise.title for exercise in EXERCISES}) == len(BY_NAME) == len(EXERCISES)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_answer_is_folded_in_a_cell_of_its_own_below_the_task(number):
    all_ = cells(number)
    tasks = [k for k, (_, source, _) in enumerate(all_) if source.startswith("### Exercise")]
    answers = [k for k, (_, _, tags) in enumerate(all_) if "solution" in tags]
    assert answers == [k + 1 + (all_[k + 1][0] == "code") for k in tasks]
    for k in answers:
        kind, source, _ = all_[k]
        assert kind == "markdown"
        assert re.fullmatch(r"<details><summary>(Solution|Answer)</summary>\n\n.+\n\n</details>", source, re.S), source


@pytest.mark.parametrize("name", CHECKED)
def test_a_stub_says_not_written_yet(name):
    number = BY_NAME[name].notebook
    _, (_, source, _), _ = stubs(number)[name]
    added, printed = defined(number, source)
    assert printed == f"{name}: not written yet\n"
    assert len(source.splitlines()) <= 6
    (function, _), = added.items()
    assert source.endswith(f'\n\ncheck("{name}", {function})')
    others = "\n".join(text for kind, text, _ in cells(number) if kind == "code" and text != source)
    assert not re.search(rf"\b{function}\b", others), f"{function} means something else in this notebook"
    assert f"def {function}" in stubs(number)[name][2][1]


@pytest.mark.parametrize("name", CHECKED)
def test_a_solution_is_correct(name):
    assert verdict(name, solution(name)) == f"{name}: correct"


# --- what students write ---------------------------------------------------------------------------------------------

def soft(z, axis=-1):
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def loops(q, K, V):
    e = [math.exp(sum(a * b for a, b in zip(q, k))) for k in K]
    return [sum(w * v[i] for w, v in zip(e, V)) / sum(e) for i in range(len(V[0]))]


def downhill_in_place(q, o, t, D, rate):
    q -= rate * 2 * D.T @ (o - t)
    return q


def head(shape=lambda S, Q, K, V: soft(S / np.sqrt(K.shape[1])) @ V):
    return lambda Q, K, V: shape(Q @ K.T, Q, K, V)


def cross(shape=lambda S, d_k: soft(S / np.sqrt(d_k)), queries="X", keys="Y", values="Y", swap=False):
    def attempt(X, Y, Wq, Wk, Wv):
        at = {"X": X, "Y": Y}
        if swap:
            Wq, Wk = Wk, Wq
        return shape((at[queries] @ Wq) @ (at[keys] @ Wk).T, Wk.shape[1]) @ (at[values] @ Wv)
    return attempt


def difference(slope, axis=1):
    return lambda f, z, h: np.stack([slope(f, z, h, e) for e in np.eye(len(z))], axis=axis)


def heaped(f, z, h):
    up, down, columns = z.copy(), z.copy(), []
    for j in range(len(z)):
        up[j] += h
        down[j] -= h
        columns.append((f(up) - f(down)) / (2 * h))
    return np.stack(columns, axis=1)


def nudged_in_place(f, z, h):
    columns = []
    for j in range(len(z)):
        z[j] += h
        up = f(z)
        z[j] -= 2 * h
        columns.append((up - f(z)) / (2 * h))
    return np.stack(columns, axis=1)


def into_a_table(f, z, h):
    J = np.empty((len(f(z)), len(z)))
    for j in range(len(z)):
        up, down = z.copy(), z.copy()
        up[j], down[j] = z[j] + h, z[j] - h
        J[:, j] = (f(up) - f(down)) / 2 / h
    return J


def renormalised(A, mask):
    kept = A * mask
    out = np.zeros_like(A)
    some = mask.any(axis=1)
    out[some] = kept[some] / kept[some].sum(axis=1, keepdims=True)
    return out


def right_only_for_3_by_6(f):
    return lambda A, mask: f(A, mask) if A.shape == (4, 6) else A * mask


def powers(count, L=lambda L: L, self=True):
    def attempt(edges, layers):
        loops = edges.astype(int) + self * np.eye(len(edges), dtype=int)
        return int(count(np.linalg.matrix_power(loops, L(layers))))
    return attempt


def reached(edges, L):
    heard = [{i} for i in range(len(edges))]
    for _ in range(L):
        heard = [set().union(own, *(heard[j] for j in np.flatnonzero(edges[i]))) for i, own in enumerate(heard)]
    return sum(map(len, heard))


def breadth(edges, L, extra=0):
    return reached(edges, L + extra) if L + extra >= 0 else 0


def merge(factors=lambda ma, mb, m: (np.exp(ma - m), np.exp(mb - m)), top=max, total=None, mix=None):
    def attempt(a, b):
        (ma, la, ua), (mb, lb, ub) = a, b
        m = top(ma, mb)
        fa, fb = factors(ma, mb, m)
        return (m, total(la, lb) if total else fa * la + fb * lb, mix(fa, fb, a, b) if mix else fa * ua + fb * ub)
    return attempt


def merge_by_cases(a, b):
    if b[0] > a[0]:
        a, b = b, a
    f = math.exp(b[0] - a[0])
    return [a[0], a[1] + f * b[1], a[2] + f * b[2]]


def merge_from_zero(a, b):  # as if exponents could not overflow
    (ma, la, ua), (mb, lb, ub) = a, b
    m, sa, sb = max(ma, mb), np.exp(ma), np.exp(mb)
    return m, (la * sa + lb * sb) / np.exp(m), (ua * sa + ub * sb) / np.exp(m)


def merge_that_minds_empty(a, b):
    factors = merge(lambda ma, mb, m: (np.exp(ma - m + 0 * ma), np.exp(mb - m + 0 * mb)))
    return tuple(np.nan_to_num(x, nan=7.0) for x in factors(a, b))


def fft(a, b, turn=False):
    b = np.fft.fft(b)
    return np.fft.ifft(np.fft.fft(a) * (b.conj() if turn else b)).real


def at_right(K, s, c):
    """The right query of exercise crosstalk-free."""
    return c * np.linalg.pinv(K)[:, s]


def beside(K):
    """A vector at a right angle to all keys."""
    return np.linalg.svd(K)[2][-1]


def split(Y, h, axes=(1, 0, 2)):
    return Y.reshape(len(Y), h, -1).transpose(axes)


def blocks(O, Wo, at=lambda i, d_v: slice(i * d_v, (i + 1) * d_v)):
    return sum(o @ Wo[at(i, O.shape[2])] for i, o in enumerate(O))


# For each exercise: other right ways to write it, and wrong ones with the beginning of the hint that each must get.
RIGHT = {
    "soft-lookup": [loops, lambda q, K, V: np.einsum("n,nv->v", soft(K @ q), V)],
    "two-slots": [lambda p, gap: -np.log(1 / p - 1) / gap, lambda p, gap: (math.log(p) - math.log1p(-p)) / gap],
    "downhill": [lambda q, o, t, D, rate: q - 2 * rate * (o - t) @ D,
                 lambda q, o, t, D, rate: [q[j] + rate * 2 * sum(D[:, j] * (t - o)) for j in range(len(q))]],
    "head-shapes": [lambda m, n, d_k, d_v: [[m, n], [m, n], [m, d_v]],
                    lambda m, n, d_k, d_v: tuple(np.zeros(s).shape for s in ((m, n), (m, n), (m, d_v)))],
    "matrix-attention": [lambda Q, K, V: np.stack([loops(q / math.sqrt(len(q)), K, V) for q in Q]),
                         lambda Q, K, V: soft((K @ Q.T / K.shape[-1] ** 0.5), axis=0).T @ V],
    "cross-attention": [cross(), lambda X, Y, Wq, Wk,
        Wv: [loops(x @ Wq @ Wk.T / len(Wk.T) ** 0.5, Y, Y @ Wv) for x in X]],
    "top-names": [lambda w, names, k: sorted(names, key=lambda name: -w[names.index(name)])[:k],
                  lambda w, names, k: np.array(names)[w.argsort()[::-1][:k]],
                  lambda w, names, k: tuple(name for _, name in sorted(zip(w, names), reverse=True)[:k])],
    "raw-lead": [lambda w, i, j, d_k: d_k ** 0.5 * (math.log(w[i]) - math.log(w[j])),
                 lambda w, i, j, d_k: (lambda z: z[i] - z[j])(np.log(w) * np.sqrt(d_k))],
    "without-a-key": [lambda w, V, j: (w @ V - w[j] * V[j]) / (1 - w[j]),
                      lambda w, V, j: soft(np.log(np.delete(w, j))) @ np.delete(V, j, axis=0)],
    "standard-errors": [lambda r, d, N: (r - 1) * np.sqrt(N / (2 + 6 / d)),
                        lambda r, d, N: (r * d - d) / math.sqrt((2 * d * d + 6 * d) / N)],
    "score-variance": [lambda d, mq, vq, mk, vk: d * (vq * vk + mq ** 2 * vk + mk ** 2 * vq),
                       lambda d, mq, vq, mk, vk: sum([(vq + mq * mq) * (vk + mk * mk) - (mq * mk) ** 2] * d)],
    "general-variance": [lambda mq, Sq, mk, Sk: ((Sq + np.outer(mq, mq)) * (Sk + np.outer(mk,
        mk))).sum() - (mq @ mk) ** 2,
                         lambda mq, Sq, mk, Sk: (Sq * Sk).sum() + mk @ Sq @ mk + mq @ Sk @ mq],
    "softmax-shift": [soft, lambda z: np.array([np.exp(r - max(r)) / sum(np.exp(r - max(r))) for r in z]),
                      lambda z: np.exp(z - np.logaddexp.reduce(z, axis=1)[:, None])],
    "jacobian-of-weights": [lambda p: p[:, None] * (np.eye(len(p)) - p),
                            lambda p: [[a * (i == j) - a * b for j, b in enumerate(p)] for i, a in enumerate(p)]],
    "central-difference": [into_a_table, lambda f, z,
        h: np.array([(f(z + h * e) - f(z - h * e)) / (2 * h) for e in np.eye(len(z))]).T],
    "jacobian-product": [lambda A, G: A * G - A * np.einsum("mn,mn->m", A, G)[:, None],
                         lambda A, G: np.array([p * g - p * (p @ g) for p, g in zip(A, G)])],
    "leak": [lambda c, n: 1 - np.exp(c) / (np.exp(c) + n - 1), lambda c, n: 1 / (1 + math.exp(c) / (n - 1))],
    "sharpness-needed": [lambda n, p, rho: (np.log(n - 1) + np.log(p) - np.log1p(-p)) / (1 - rho),
                         lambda n, p, rho: -math.log((1 / p - 1) / (n - 1)) / (1 - rho)],
    "row-cosines": [lambda U, W: [u @ w / np.sqrt(u @ u) / np.sqrt(w @ w) for u, w in zip(U, W)],
                    lambda U, W: np.einsum("nd,nd->n",
                        *(M / np.linalg.norm(M, axis=1, keepdims=True) for M in (U, W)))],
    "crosstalk-free": [at_right, lambda K, s, c: np.linalg.lstsq(K, c * np.eye(len(K))[s], rcond=None)[0]],
    "count-parameters": [lambda d, h, k, v: h * d * (2 * k + 2 * v), lambda d, h, k,
        v: sum([d * k, d * k, d * v, v * d] * h)],
    "split-heads": [lambda Y, h: np.split(Y, h, axis=1),
                    lambda Y, h: np.stack([Y[:, i * (Y.shape[1] // h):(i + 1) * (Y.shape[1] // h)] for i in range(h)])],
    "mix-of-heads": [blocks, lambda O, Wo: O.transpose(1, 0, 2).reshape(O.shape[1], -1) @ Wo],
    "query-gradient": [lambda X, K, dS: (K.T @ dS.T @ X).T / K.shape[1] ** 0.5,
                       lambda X, K, dS: np.einsum("na,nm,mb->ab", X, dS, K) / np.sqrt(K.shape[-1])],
    "causal-mask": [lambda n: np.tri(n, dtype=bool), lambda n: [[j <= i for j in range(n)] for i in range(n)],
                    lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1)],
    "renormalise": [renormalised, lambda A, mask: [[a * ok / max(sum(row[oks]), 1e-300) for a, ok in zip(row, oks)]
                                                   for row, oks in zip(A, mask)]],
    "pairs-reached": [reached, lambda edges, L: np.count_nonzero(
        np.linalg.matrix_power(edges + 1.0 * np.eye(len(edges)), L) > 0.5)],
    "merge-blocks": [merge(), merge_by_cases],
    "forgotten": [lambda r, f: r * f - r - f + 1, lambda r, f: r * f - (r + f - 1)],
    "bland-table": [lambda B: B.sum(1, keepdims=True) * B.sum(0) / B.sum(),
                    lambda B: [[row.sum() * column.sum() / B.sum() for column in B.T] for row in B]],
    "bind": [fft, lambda a, b: [sum(a[i] * b[(k - i) % len(a)] for i in range(len(a))) for k in range(len(a))],
             lambda a, b: sum(np.split(np.pad(np.convolve(a, b), (0, 1)), 2))],
    "unbind": [lambda c, a: fft(c, a, turn=True), lambda c, a: fft(c, np.roll(a[::-1], 1)),
               lambda c, a: [sum(a[i] * c[(k + i) % len(a)] for i in range(len(a))) for k in range(len(a))]],
}

WRONG = {
    "soft-lookup": [
        (lambda q, K, V: soft(K @ q), "blend"),
        (lambda q, K, V: K @ q @ V, "softmax"),
        (lambda q, K, V: np.exp(K @ q) @ V, "normalise"),
        (lambda q, K, V: V[(K @ q).argmax()], "soft:"),
        (lambda q, K, V: V.mean(axis=0), "scores"),
        (lambda q, K, V: soft(K @ q / np.sqrt(len(q))) @ V, "scale"),
        (lambda q, K, V: soft(-K @ q) @ V, "sign"),
        (lambda q, K, V: soft(2 * K @ q) @ V, "the shape is right"),
        (lambda q, K, V: soft(q @ K) @ V, "it raises ValueError"),
        (lambda q, K, V: soft(K @ q)[:, None] * V, "shape")],
    "two-slots": [
        (lambda p, gap: np.log(p / (1 - p)), "gap: it is not"),
        (lambda p, gap: np.log(p / (1 - p)) * gap, "gap: it multiplies"),
        (lambda p, gap: np.log((1 - p) / p) / gap, "sign"),
        (lambda p, gap: np.log10(p / (1 - p)) / gap, "logarithm: it must"),
        (lambda p, gap: np.log(p) / gap, "odds"),
        (lambda p, gap: p / (1 - p) / gap, "logarithm: the odds"),
        (lambda p, gap: p * gap, "put your c back"),
        (lambda p, gap: np.log(p / (1 - p)) / gap + (p == 0.5), "even shares")],
    "downhill": [
        (lambda q, o, t, D, rate: q + rate * 2 * D.T @ (o - t), "sign"),
        (lambda q, o, t, D, rate: q - rate * 2 * D.T @ (t - o), "sign"),
        (lambda q, o, t, D, rate: q - rate * D.T @ (o - t), "factor"),
        (lambda q, o, t, D, rate: q - 2 * D.T @ (o - t), "rate"),
        (lambda q, o, t, D, rate: 2 * D.T @ (o - t), "step: this is the gradient"),
        (lambda q, o, t, D, rate: -rate * 2 * D.T @ (o - t), "step: this is only"),
        (lambda q, o, t, D, rate: q - rate * 2 * D.T @ o, "the new query"),
        (lambda q, o, t, D, rate: q - rate * 2 * D @ (o - t), "it raises ValueError"),
        (downhill_in_place, "it changes its argument q")],
    "head-shapes": [
        (lambda m, n, k, v: [(n, m), (n, m), (n, v)], "transposed"),
        (lambda m, n, k, v: [(k, k), (k, k), (k, v)], "product"),
        (lambda m, n, k, v: [(m, k), (m, n), (m, v)], "scores"),
        (lambda m, n, k, v: [(m, n), (n, n), (m, v)], "weights"),
        (lambda m, n, k, v: [(m, n), (m, n), (m, k)], "width"),
        (lambda m, n, k, v: [(m, n), (m, n), (n, v)], "rows"),
        (lambda m, n, k, v: [(m, n), (m, n), (v, m)], "output"),
        (lambda m, n, k, v: (m, v), "shape")],
    "matrix-attention": [
        (head(lambda S, Q, K, V: soft(S / K.shape[1] ** 0.5)), "output"),
        (head(lambda S, Q, K, V: soft(S) @ V), "scale: the scores are not"),
        (head(lambda S, Q, K, V: soft(S / K.shape[1]) @ V), "scale: it divides by d_k"),
        (head(lambda S, Q, K, V: soft(S * K.shape[1] ** 0.5) @ V), "scale: it multiplies"),
        (head(lambda S, Q, K, V: soft(S / len(K) ** 0.5) @ V), "scale: it divides by the root of n"),
        (head(lambda S, Q, K, V: soft(S / V.shape[1] ** 0.5) @ V), "scale: it divides by the root of d_v"),
        (head(lambda S, Q, K, V: soft(S / K.shape[1] ** 0.5, axis=0) @ V), "axis"),
        (head(lambda S, Q, K, V: S / K.shape[1] ** 0.5 @ V), "softmax"),
        (head(lambda S, Q, K, V: np.exp(S / K.shape[1] ** 0.5) @ V), "normalise: the exponentials"),
        (head(lambda S, Q, K, V: (lambda e: e / e.sum())(np.exp(S / K.shape[1] ** 0.5)) @ V), "normalise: all weights"),
        (head(lambda S, Q, K, V: soft(-S) @ V), "the shape is right"),
        (head(lambda S, Q, K, V: soft(S.T) @ V), "it raises ValueError")],
    "cross-attention": [
        (cross(queries="Y", keys="Y"), "roles: there is one"),
        (cross(queries="X", keys="X", values="X"), "source"),
        (cross(swap=True), "roles: Wq"),
        (cross(lambda S, d_k: soft(S)), "scale: the scores are not"),
        (cross(lambda S, d_k: soft(S / d_k)), "scale: it divides by d_k"),
        (cross(lambda S, d_k: soft(S * d_k ** 0.5)), "scale: it multiplies"),
        (lambda X, Y, Wq, Wk, Wv: soft(X @ Wq @ (Y @ Wk).T / X.shape[1] ** 0.5) @ Y @ Wv,
         "scale: it divides by the root of d;"),
        (cross(lambda S, d_k: soft(S / d_k ** 0.5, axis=0)), "axis"),
        (cross(lambda S, d_k: S / d_k ** 0.5), "softmax"),
        (cross(lambda S, d_k: np.exp(S / d_k ** 0.5)), "normalise: the exponentials"),
        (cross(lambda S, d_k: (lambda e: e / e.sum())(np.exp(S / d_k ** 0.5))), "normalise: all weights"),
        (cross(lambda S, d_k: soft(-S)), "queries X Wq"),
        (cross(values="X"), "it raises ValueError")],
    "top-names": [
        (lambda w, names, k: list(np.argsort(-w)[:k]), "names: these are row numbers"),
        (lambda w, names, k: sorted(w)[::-1][:k], "names: these are weights"),
        (lambda w, names, k: [(names[j],) for j in np.argsort(-w)[:k]], "names: not all"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)], "count"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)[:k - 1]], "count"),
        (lambda w, names, k: [names[j] for j in np.argsort(w)[:k]], "order: these are the smallest"),
        (lambda w, names, k: [names[j] for j in np.argsort(w)[-k:]], "order: the largest comes first"),
        (lambda w, names, k: list(names[:k]), "order: these are the first names"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)[1:k + 1]], "choice"),
        (lambda w, names, k: [names[j] for j in (1, 3, 4, 5)], "order: the right names"),
        (lambda w, names: names, "it raises TypeError"),
        (lambda w, names, k: ", ".join(names[j] for j in np.argsort(-w)[:k]), "it returns something of type str")],
    "raw-lead": [
        (lambda w, i, j, d_k: np.log(w[i] / w[j]), "scale: this is"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j]) / d_k ** 0.5, "scale: it divides"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j]) * d_k, "scale: it multiplies"),
        (lambda w, i, j, d_k: np.log(w[j] / w[i]) * d_k ** 0.5, "sign"),
        (lambda w, i, j, d_k: w[i] / w[j] * d_k ** 0.5, "logarithm: a ratio"),
        (lambda w, i, j, d_k: (w[i] - w[j]) * d_k ** 0.5, "difference"),
        (lambda w, i, j, d_k: np.log10(w[i] / w[j]) * d_k ** 0.5, "logarithm: it must"),
        (lambda w, i, j, d_k: np.log(w[i]) * d_k ** 0.5, "the ratio")],
    "without-a-key": [
        (lambda w, V, j: np.delete(w, j) @ np.delete(V, j, axis=0), "normalise: what"),
        (lambda w, V, j: w @ V, "key j: its value"),
        (lambda w, V, j: (w @ V - w[j] * V[j]) / w[j], "normalise: it divides"),
        (lambda w, V, j: (w @ V - w[j] * V[j]) * (1 - w[j]), "normalise: it multiplies"),
        (lambda w, V, j: np.delete(V, j, axis=0).mean(axis=0), "weights"),
        (lambda w, V, j: soft(np.delete(w, j)) @ np.delete(V, j, axis=0), "softmax"),
        (lambda w, V, j: V[j], "key j: this is"),
        (lambda w, V, j: (w @ V - V[j]) / (1 - w[j]), "drop entry j"),
        (lambda w, V, j: np.delete(w, j) @ np.delete(V, j, axis=1), "it raises ValueError")],
    "standard-errors": [
        (lambda r, d, N: (1 - r) / np.sqrt((2 + 6 / d) / N), "sign: a ratio above"),
        (lambda r, d, N: abs(r - 1) / np.sqrt((2 + 6 / d) / N), "sign: a ratio below"),
        (lambda r, d, N: (r - 1) / ((2 + 6 / d) / N), "root"),
        (lambda r, d, N: (r - 1) / np.sqrt(2 + 6 / d), "draws: the variance"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 6 / d) * N), "draws: it multiplies"),
        (lambda r, d, N: (r - 1) / np.sqrt(2 / N), "width: the term"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 6 * d) / N), "width: it multiplies"),
        (lambda r, d, N: r / np.sqrt((2 + 6 / d) / N), "expected"),
        (lambda r, d, N: np.sqrt((2 + 6 / d) / N), "error"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 3 / d) / N), "divide ratio - 1")],
    "score-variance": [
        (lambda d, mq, vq, mk, vk: d * vq * vk, "means: they"),
        (lambda d, mq, vq, mk, vk: d * (vq + mq**2) * (vk + mk**2), "mean: this"),
        (lambda d, mq, vq, mk, vk: (vq + mq**2) * (vk + mk**2) - mq**2 * mk**2, "width: this"),
        (lambda d, mq, vq, mk, vk: d**2 * ((vq + mq**2) * (vk + mk**2) - mq**2 * mk**2), "width: the variances"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vq + mk**2 * vk), "cross terms"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq * vk + mk * vq), "squares"),
        (lambda d, mq, vq, mk, vk: d * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2), "variances"),
        (lambda d, mq, vq, mk, vk: np.sqrt(d * (vq * vk + mq**2 * vk + mk**2 * vq)), "root"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk), "means: only"),
        (lambda d, mq, vq, mk, vk: d * (vq + vk), "each of the d_k terms"),
        (lambda d, mq, vq, mk, vk: d * (1 + mq**2 + mk**2), "each of the d_k terms")],
    "general-variance": [
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk), "means: the two"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq) * np.trace(Sk) + mk @ Sq @ mk + mq @ Sk @ mq,
         "trace: the trace of a product"),
        (lambda mq, Sq, mk, Sk: (Sq @ Sk).sum() + mk @ Sq @ mk + mq @ Sk @ mq, "trace: sum the diagonal"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq * Sk) + mk @ Sq @ mk + mq @ Sk @ mq, "off the diagonal"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mq @ Sq @ mq + mk @ Sk @ mk, "cross terms"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mk @ Sq @ mk, "means: only"),
        (lambda mq, Sq, mk, Sk: ((Sq + np.outer(mq, mq)) * (Sk + np.outer(mk, mk))).sum(), "mean: the square"),
        (lambda mq, Sq, mk, Sk: mk @ Sq @ mk + mq @ Sk @ mq, "trace: the term"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) - mk @ Sq @ mk - mq @ Sk @ mq, "the three terms"),
        (lambda mq, Sq, mk, Sk: Sq @ Sk, "shape")],
    "softmax-shift": [
        (lambda z: soft(z, axis=0), "axis: each column"),
        (lambda z: np.exp(z) / np.exp(z).sum(), "axis: all entries"),
        (np.exp, "normalise: the exponentials"),
        (lambda z: np.exp(z - z.max(1, keepdims=True)), "normalise: shifted"),
        (lambda z: np.exp(z) / np.exp(z).max(1, keepdims=True), "normalise: shifted"),
        (lambda z: np.exp(z - z.max(1, keepdims=True)) / np.exp(z).sum(1, keepdims=True),
         "shift: it is in the numerator"),
        (lambda z: np.exp(z) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True), "shift: it is in the sum"),
        (lambda z: z / z.sum(1, keepdims=True), "exponential"),
        (lambda z: soft(-z), "sign"),
        (lambda z: np.log(soft(z)), "logarithm"),
        (lambda z: soft(z / 2), "p_i = exp"),
        (lambda z: np.exp(z) / np.exp(z).sum(1, keepdims=True), "overflow"),
        (lambda z: np.nan_to_num(np.exp(z) / np.exp(z).sum(1, keepdims=True)), "overflow"),
        (lambda z: soft(np.clip(z, -700, 700)), "overflow"),
        (lambda z: np.exp(z - z.max()) / np.exp(z - z.max()).sum(1, keepdims=True), "own shift"),
        (lambda z: soft(z) if z.shape == (4, 6) else soft(z).T, "shape"),
        (lambda z: np.exp(z) / np.exp(z).sum(1), "it raises ValueError")],
    "jacobian-of-weights": [
        (lambda p: p * (1 - p), "off the diagonal: this is"),
        (lambda p: np.outer(p, p) - np.diag(p), "sign: raising"),
        (lambda p: np.diag(p) + np.outer(p, p), "sign: the others"),
        (lambda p: np.diag(p * (1 - p)), "off the diagonal: p_i"),
        (np.diag, "outer product: the term"),
        (lambda p: -np.outer(p, p), "diagonal: the term"),
        (lambda p: np.diag(p) - p * p, "outer product: p - p^2"),
        (lambda p: np.diag(soft(p)) - np.outer(soft(p), soft(p)), "input"),
        (lambda p: np.diag(p) - np.outer(p, p) * (1 - np.eye(len(p))), "diagonal: J_ii"),
        (lambda p: np.eye(len(p)) - np.outer(p, p), "J = diag(p)"),
        (lambda p: np.diag(p) - np.outer(p, p) + (len(p) > 3) * 0.1, "size")],
    "central-difference": [
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (2 * h), axis=0), "transposed"),
        (lambda f, z, h: (f(z + h) - f(z - h)) / (2 * h), "one at a time: nudge each"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z)) / h), "one side: it nudges up"),
        (difference(lambda f, z, h, e: (f(z) - f(z - h * e)) / h), "one side: it nudges down"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / h), "width: the two"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / 2 * h), "brackets"),
        (difference(lambda f, z, h, e: (f(z - h * e) - f(z + h * e)) / (2 * h)), "sign"),
        (heaped, "one at a time: earlier"),
        (difference(lambda f, z, h, e: f(z + h * e) - f(z - h * e)), "width: it is not"),
        (difference(lambda f, z, h, e: (f(z + h) - f(z - h)) / (2 * h)), "one at a time: every"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (4 * h)), "column j"),
        (difference(lambda f, z, h, e: (f(z + 1e-5 * e) - f(z - 1e-5 * e)) / 2e-5), "step"),
        (difference(lambda f, z, h, e: (f(z + 1e-3 * e) - f(z - 1e-3 * e)) / 2e-3), "step"),
        (lambda f, z, h: into_a_table(f, z, h) * (1 if len(z) == 3 else 1.1), "size"),
        (nudged_in_place, "it changes its argument z")],
    "jacobian-product": [
        (lambda A, G: A * G, "p p^T"),
        (lambda A, G: A * (G - (A * G).sum()), "axis: the sum runs over"),
        (lambda A, G: A * (G - (A * G).sum(axis=0)), "axis: the sum runs down"),
        (lambda A, G: A * (G + (A * G).sum(1, keepdims=True)), "sign: the second"),
        (lambda A, G: A * ((A * G).sum(1, keepdims=True) - G), "sign: all"),
        (lambda A, G: A * (G - G.sum(1, keepdims=True)), "sum: it sums"),
        (lambda A, G: A * (G - G.mean(1, keepdims=True)), "sum: it takes"),
        (lambda A, G: -A * (A * G).sum(1, keepdims=True), "diag(p)"),
        (lambda A, G: G - (A * G).sum(1, keepdims=True), "factor"),
        (lambda A, G: A * G - A * A * G, "row by row"),
        (lambda A, G: np.array([(np.diag(p) - np.outer(p, p)) @ g for p, g in zip(A, G)]), "memory"),
        (lambda A, G: A * (G - (A * G).sum(axis=1)), "it raises ValueError")],
    "leak": [
        (lambda c, n: np.exp(c) / (np.exp(c) + n - 1), "leak"),
        (lambda c, n: 1 / (np.exp(c) + n - 1), "slots: this is"),
        (lambda c, n: n / (np.exp(c) + n), "slots: it counts"),
        (lambda c, n: (n - 1) / np.exp(c), "sum: the exponential"),
        (lambda c, n: (n - 1) / (np.exp(c) + n), "sum: it divides"),
        (lambda c, n: (n - 1) / (np.exp(-c) + n - 1), "sign"),
        (lambda c, n: 1 - c, "the leak is"),
        (lambda c, n: 6 / (np.exp(c) + 6), "the leak is")],
    "sharpness-needed": [
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)), "rho: it is not"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) * (1 - rho), "rho: it multiplies"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / (1 + rho), "rho: the lead"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / rho, "rho: only"),
        (lambda n, p, rho: np.log(n * p / (1 - p)) / (1 - rho), "slots: there are"),
        (lambda n, p, rho: np.log(p / (1 - p)) / (1 - rho), "slots: the number"),
        (lambda n, p, rho: np.log((n - 1) * (1 - p) / p) / (1 - rho), "odds"),
        (lambda n, p, rho: np.log10((n - 1) * p / (1 - p)) / (1 - rho), "logarithm"),
        (lambda n, p, rho: np.log((n - 1) * p) / (1 - rho), "with logits c")],
    "row-cosines": [
        (lambda U, W: (U * W).sum(axis=0), "axis: there is"),
        (lambda U, W: U @ W.T, "pairs"),
        (lambda U, W: (U * W).sum(axis=1), "lengths: these"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(U, axis=1), "lengths: only that of U"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(W, axis=1), "lengths: only that of W"),
        (lambda U, W: (U * W).sum(1) / (U * U).sum(1) / (W * W).sum(1), "root"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(U) / np.linalg.norm(W), "axis: the lengths"),
        (lambda U, W: -(U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "sign"),
        (lambda U, W: np.arccos(np.clip((U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), -1,
         1)), "angle"),
        (lambda U, W: abs((U * W).sum(1)) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "size"),
        (lambda U, W: (U * W).mean(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "for each row")],
    "crosstalk-free": [
        (lambda K, s, c: c * np.linalg.inv(K @ K.T)[:, s], "shape: this has"),
        (lambda K, s, c: c * K[s], "crosstalk: c k_s"),
        (lambda K, s, c: at_right(K, s, 1), "sharpness: slot s gets the logit 1"),
        (lambda K, s, c: at_right(K, (s + 1) % len(K), c), "slot"),
        (lambda K, s, c: at_right(K, s, c) / np.linalg.norm(at_right(K, s, c)), "sharpness: the crosstalk"),
        (lambda K, s, c: at_right(K, s, c * c), "sharpness: the crosstalk"),
        (lambda K, s, c: c * K[s] - K.mean(axis=0), "crosstalk: K q"),
        (lambda K, s, c: c * K.T[:, s] + K.sum(axis=0), "crosstalk: K q"),
        (lambda K, s, c: at_right(K, s, c) + beside(K), "length"),
        (lambda K, s, c: c * np.linalg.pinv(K), "shape: it returns")],
    "count-parameters": [
        (lambda d, h, k, v: h * (2 * d * k + d * v), "mix: Wo is missing"),
        (lambda d, h, k, v: 2 * d * k + d * v + h * v * d, "heads"),
        (lambda d, h, k, v: 3 * h * d * k + h * v * d, "values"),
        (lambda d, h, k, v: 3 * h * d * v + h * v * d, "queries and keys"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + d * d, "mix: Wo has h d_v rows and"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + v * d, "mix: Wo has h d_v rows, as"),
        (lambda d, h, k, v: h * (d * k + d * v) + h * v * d, "keys"),
        (lambda d, h, k, v: h * (2 * (d + 1) * k + (d + 1) * v) + (h * v + 1) * d, "biases"),
        (lambda d, h, k, v: h * (2 * d * k + d * v + h * v * d), "mix: there is one"),
        (lambda d, h, k, v: 4 * d * d, "h heads")],
    "split-heads": [
        (lambda Y, h: Y.reshape(len(Y), h, -1), "axes"),
        (lambda Y, h: split(Y, h, (1, 2, 0)), "transposed"),
        (lambda Y, h: Y.reshape(len(Y), h, -1).transpose(2, 0, 1), "width"),
        (lambda Y, h: Y.reshape(h, len(Y), -1), "scrambled"),
        (lambda Y, h: Y.reshape(len(Y), -1, h).transpose(2, 0, 1), "interleaved"),
        (lambda Y, h: split(Y, h)[::-1], "order"),
        (lambda Y, h: np.stack([Y[:, :Y.shape[1] // h]] * h), "columns"),
        (lambda Y, h: split(Y, h)[:, ::-1], "head i"),
        (lambda Y, h: np.array(np.array_split(Y, h, axis=0)[:1]), "shape")],
    "mix-of-heads": [
        (lambda O, Wo: np.concatenate(list(O), axis=1), "mix"),
        (lambda O, Wo: O @ Wo[:O.shape[2]], "sum: the heads' parts"),
        (lambda O, Wo: O.reshape(O.shape[1], -1) @ Wo, "scrambled"),
        (lambda O, Wo: O.transpose(1, 2, 0).reshape(O.shape[1], -1) @ Wo, "interleaved"),
        (lambda O, Wo: O.sum(axis=0) @ Wo[:O.shape[2]], "blocks"),
        (lambda O, Wo: np.concatenate(list(O[::-1]), axis=1) @ Wo, "order"),
        (lambda O, Wo: blocks(O, Wo) / len(O), "sum: the mix"),
        (lambda O, Wo: blocks(O, Wo, lambda i, d_v: slice(-d_v, None)), "join the heads"),
        (lambda O, Wo: np.concatenate(list(O), axis=0) @ Wo, "it raises ValueError")],
    "query-gradient": [
        (lambda X, K, dS: dS @ K / K.shape[1] ** 0.5, "chain rule"),
        (lambda X, K, dS: X.T @ dS @ K, "scale: the scores"),
        (lambda X, K, dS: X.T @ dS @ K / K.shape[1], "scale: it divides"),
        (lambda X, K, dS: X.T @ dS @ K * K.shape[1] ** 0.5, "scale: it multiplies"),
        (lambda X, K, dS: X.T @ dS.T @ K / K.shape[1] ** 0.5, "transposed"),
        (lambda X, K, dS: -X.T @ dS @ K / K.shape[1] ** 0.5, "sign"),
        (lambda X, K, dS: X.T @ dS @ K / K.shape[1] ** 0.5 / len(X), "mean"),
        (lambda X, K, dS: X.T @ dS @ K / X.shape[1] ** 0.5, "Q = X Wq"),
        (lambda X, K, dS: K.T @ dS.T @ X / K.shape[1] ** 0.5, "shape")],
    "causal-mask": [
        (lambda n: np.tri(n), "booleans"),
        (lambda n: np.where(np.tri(n), 0, -np.inf), "booleans"),
        (lambda n: np.tri(n, dtype=bool).T, "transposed"),
        (lambda n: np.tri(n, k=-1, dtype=bool), "diagonal: an element"),
        (lambda n: ~np.tri(n, dtype=bool), "inverted"),
        (lambda n: np.ones((n, n), bool), "complete"),
        (lambda n: np.eye(n, dtype=bool), "alone"),
        (lambda n: np.tri(n, dtype=bool)[::-1], "row i allows"),
        (lambda n: np.tri(n, dtype=bool) & (n > 1), "diagonal: a single"),
        (lambda n: np.arange(n) <= n, "shape"),
        (lambda: True, "it raises TypeError")],
    "renormalise": [
        (lambda A, mask: A * mask, "normalise"),
        (lambda A, mask: A * mask / (A * mask).sum(axis=0), "axis: it divides"),
        (lambda A, mask: A * mask / (A * mask).sum(), "axis: all"),
        (lambda A, mask: A, "mask"),
        (lambda A, mask: renormalised(A, ~mask), "inverted"),
        (lambda A, mask: soft(np.where(mask, A, -np.inf)), "softmax"),
        (lambda A, mask: mask / mask.sum(axis=1, keepdims=True), "proportions"),
        (lambda A, mask: renormalised(A, mask) ** 2, "for allowed j"),
        (right_only_for_3_by_6(renormalised), "size"),
        (lambda A, mask: A * mask / (A * mask).sum(axis=1, keepdims=True), "empty row: where"),
        (lambda A, mask: np.where(mask.any(1, keepdims=True), renormalised(A, mask), A), "empty row: its weights")],
    "pairs-reached": [
        (powers(np.count_nonzero, self=False), "staying"),
        (lambda edges, L: breadth(edges, L, 1), "layers: this is one layer too many"),
        (lambda edges, L: breadth(edges, L, -1), "layers: this is one layer too few"),
        (powers(np.sum), "walks"),
        (lambda edges, L: reached(edges, L) - len(edges), "itself"),
        (lambda edges, L: reached(edges | edges.T, L), "one way"),
        (lambda edges, L: len(edges) ** 2, "no edges"),
        (lambda edges, L: reached(edges, L) / 2, "count the pairs"),
        (lambda edges, L: reached(edges, max(L, 1)), "no layer"),
        (powers(np.count_nonzero), "overflow")],
    "merge-blocks": [
        (merge(top=min), "maximum"),
        (merge(top=lambda a, b: a + b), "maximum"),
        (merge(total=lambda la, lb: la + lb), "rescale: the two"),
        (merge(lambda ma, mb, m: (np.exp(m - ma), np.exp(m - mb))), "sign"),
        (merge(lambda ma, mb, m: (np.exp(mb - m), np.exp(ma - m))), "crossed"),
        (merge(total=max), "sum: it is"),
        (merge(mix=lambda fa, fb, a, b: a[2] + b[2]), "rescale the blend"),
        (merge(mix=lambda fa, fb, a, b: (fa * a[2] + fb * b[2]) / (fa * a[1] + fb * b[1])), "unnormalised"),
        (merge(mix=lambda fa, fb, a, b: fa * a[1] * a[2] + fb * b[1] * b[2]), "weights"),
        (merge(mix=lambda fa, fb, a, b: fa * a[2]), "blend: it is"),
        (merge_from_zero, "overflow"),
        (merge_that_minds_empty, "empty"),
        (lambda a, b: (*merge_from_zero(a, b)[:2], merge()(a, b)[2]), "overflow"),
        (lambda a, b: (*merge_that_minds_empty(a, b)[:2], merge()(a, b)[2]), "empty"),
        (merge(lambda ma, mb, m: (math.exp(ma) / math.exp(m), math.exp(mb) / math.exp(m))), "it raises OverflowError"),
        (merge(mix=lambda fa, fb, a, b: fa * a[1] * (a[2] * (1 / a[1])) + fb * b[2]), "it raises ZeroDivisionError"),
        (lambda a, b: 1 / 0, "it raises ZeroDivisionError"),
        (lambda a, b: a[1] + b[1], "it does not return three"),
        (lambda a, b: a[1:], "it does not return three")],
    "forgotten": [
        (lambda r, f: r * f - r - f, "redundancy"),
        (lambda r, f: r + f - 1, "kept"),
        (lambda r, f: r * f, "all"),
        (lambda r, f: r - 1 + f - 1, "product"),
        (lambda r, f: (r - 1) * f, "of the r f numbers")],
    "bland-table": [
        (lambda B: np.outer(B.sum(1), B.sum(0)), "total: row sum"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.sum() ** 2, "total: it divides"),
        (lambda B: B.copy(), "table"),
        (lambda B: np.full(B.shape, B.mean()), "sums"),
        (lambda B: np.tile(B.mean(1, keepdims=True), (1, B.shape[1])), "rows"),
        (lambda B: np.tile(B.mean(0), (len(B), 1)), "columns"),
        (lambda B: np.add.outer(B.sum(1), B.sum(0)) / B.sum(), "entry (a, b)"),
        (lambda B: np.outer(B.sum(0), B.sum(1)) / B.sum(), "shape")],
    "bind": [
        (np.convolve, "circle: what runs"),
        (np.outer, "outer product"),
        (lambda a, b: a * b, "circle: it multiplies"),
        (lambda a, b: np.convolve(a, b)[:len(a)], "circle: the part"),
        (lambda a, b: np.convolve(a, b, "same"), "circle: the middle"),
        (lambda a, b: fft(b, a, turn=True), "sign: b runs"),
        (lambda a, b: fft(a, b, turn=True), "sign: a runs"),
        (lambda a, b: np.roll(fft(a, b), -1), "shift: one place too far"),
        (lambda a, b: np.roll(fft(a, b), 1), "shift: one place short"),
        (lambda a, b: fft(a, b) / len(a), "scale: the sum is divided"),
        (lambda a, b: np.fft.fft(np.fft.fft(a) * np.fft.fft(b)).real[-np.arange(len(a))],
         "scale: the sum is multiplied"),
        (lambda a, b: a + b, "entry k"),
        (lambda a, b: np.fft.ifft(np.fft.fft(a) * np.fft.fft(b)), "it returns complex")],
    "unbind": [
        (lambda c, a: fft(c, a), "inverse"),
        (lambda c, a: fft(c, a[::-1]), "shift: reversing"),
        (lambda c, a: np.roll(fft(c, a, turn=True), 1), "shift: one place"),
        (lambda c, a: fft(a, c, turn=True), "arguments"),
        (lambda c, a: np.fft.ifft(np.fft.fft(c) / np.fft.fft(a)).real, "division"),
        (lambda c, a: fft(c, a, turn=True) / len(a), "scale"),
        (lambda c, a: a * c, "circle"),
        (lambda c, a: c - a, "entry k"),
        (lambda c, a: np.fft.ifft(np.fft.fft(c) * np.fft.fft(a).conj()), "it returns complex")],
}


@pytest.mark.parametrize("name", CHECKED)
def test_other_ways_to_write_it_are_correct(name):
    assert len(RIGHT[name]) >= 2
    assert [verdict(name, attempt) for attempt in RIGHT[name]] == [f"{name}: correct"] * len(RIGHT[name])


@pytest.mark.parametrize("name", CHECKED)
def test_each_mistake_gets_the_hint_that_names_it(name):
    assert len(WRONG[name]) >= 3
    for k, (attempt, hint) in enumerate(WRONG[name]):
        line = verdict(name, attempt)
        assert line.startswith(f"{name}: not yet: {hint}"), (k, line)


@pytest.mark.parametrize("name", CHECKED)
def test_no_hint_is_there_for_a_mistake_that_nobody_makes_here(name):
    """Every hint that a check holds ready is one that a wrong attempt above gets, word for word."""
    with np.errstate(all="ignore"):
        ready = {hint for ok, hint in BY_NAME[name].check(solution(name))}
    general = {hint for hint in ready if hint.startswith(("shape: it returns", "finite: "))}
    given = {verdict(name, attempt).removeprefix(f"{name}: not yet: ") for attempt, _ in WRONG[name]}
    # a number in a hint is that of the case in which it was given
    bare = [{re.sub(r"\d+", "#", hint) for hint in hints} for hints in (ready - general, given)]
    assert bare[0] - bare[1] == set()


def changed(function, change, part=None):
    """A right solution whose result, or one part of it, is changed."""
    def attempt(*args):
        result = function(*args)
        if part is None:
            return change(np.array(result))
        return [change(np.array(x)) if k == part else x for k, x in enumerate(result)]
    return attempt


@pytest.mark.parametrize("name", [name for name in CHECKED if name != "top-names"])
def test_a_right_result_with_one_axis_more_or_with_nan_is_told_so(name):
    for part in (0, 1, 2) if name == "merge-blocks" else (None,):
        line = verdict(name, changed(solution(name), lambda a: a[None], part))
        assert line.startswith(f"{name}: not yet: shape: it returns shape (1,"), line
        line = verdict(name, changed(solution(name), lambda a: a * np.nan, part))
        assert line == f"{name}: not yet: finite: it returns NaN or infinity for ordinary numbers", line


def test_an_exercise_has_a_check_or_none():
    assert all(exercise.check is None or callable(exercise.check) for exercise in EXERCISES)
    assert exercises.Exercise("a", "01", "A", "recall", 3).check is None


def test_both_tables_are_about_all_exercises_that_are_checked():
    assert set(RIGHT) == set(WRONG) == set(CHECKED)


# --- what is written down: on which inputs an attempt is tried, and what each mistake is told, word by word -----------

# After a wanted change, `python tests/test_exercises.py` writes it down anew; read what differs.
WRITTEN = Path(__file__).with_name("verdicts.txt")


def plain(value, z=None):
    """An argument as text that rounding does not reach; a function by what it gives at the array it comes with."""
    if callable(value):
        value = value(z)
    if isinstance(value, (tuple, list)):
        return [plain(x) for x in value]
    if isinstance(value, (np.ndarray, np.generic, float)):
        rounded = np.round(np.asarray(value, dtype=float), 9) + 0.0
        return [str(np.asarray(value).dtype), rounded.shape, rounded.tolist()]
    return [type(value).__name__, value]


def size(value):
    if isinstance(value, (np.ndarray, int, float)):
        return f"{np.shape(value) or value}"
    return "a function" if callable(value) else f"{len(value)} values"


def questions(name):
    """What the check of an exercise calls a right attempt with, one line of sizes for each call, and a digest of all of it."""
    calls, sizes, right = [], [], solution(name)

    def watched(*args):
        calls.append([plain(a, args[1] if len(args) > 1 else None) for a in args])
        sizes.append(", ".join(map(size, args)))
        return right(*args)

    assert verdict(name, watched) == f"{name}: correct"
    return [*(f"called with {line}" for line in sizes), f"digest of all inputs {zlib.crc32(json.dumps(calls).encode()):08x}"]


def listed():
    """The last part of the file: the names of all exercises, and the table of them."""
    return "\n".join(["## all exercises", ", ".join(e.name for e in EXERCISES), table()])


def written(name):
    """The part of the file that an exercise has: its questions, then a line for each attempt of WRONG."""
    told = [f"{k}: {verdict(name, attempt).removeprefix(f'{name}: ')}" for k, (attempt, _) in enumerate(WRONG[name])]
    told = [re.sub(r"(it raises \w+: ).*(; it was called)", r"\1...\2", line) for line in told]  # NumPy's words are its own
    told = [re.sub(r"\d+\.\d{12,}", lambda m: f"{float(m[0]):.9f}", line) for line in told]  # Python 3.12 sums otherwise
    return "\n".join([f"## {name}", *questions(name), *told])


@cache
def parts():
    return dict(zip([*CHECKED, ""], WRITTEN.read_text(encoding="utf-8").rstrip("\n").split("\n\n"), strict=True))


@pytest.mark.parametrize("name", CHECKED)
def test_what_is_asked_and_what_is_said_are_as_written_down(name):
    assert written(name) == parts()[name]


def test_the_names_and_the_table_are_as_written_down():
    assert listed() == parts()[""]


# --- whatever an attempt does ----------------------------------------------------------------------------------------

class Odd:
    """A result that resists every question."""

    def __array__(self, *args, **kwargs):
        raise SystemExit("no")

    def __len__(self):
        return -1

    def __eq__(self, other):
        raise RuntimeError("no")

    def __iter__(self):
        raise RuntimeError("no")


class Speechless(Exception):
    def __str__(self):
        raise ValueError("no words")


class Subclass(np.ndarray):
    def __eq__(self, other):
        raise RuntimeError("no")


def raises(error):
    def attempt(*args):
        raise error
    return attempt


def empty_all(*args):
    for a in args:
        if isinstance(a, np.ndarray):
            a[...] = 0
    return args[0]


def shouts(*args):
    print("a line\nanother")
    print("an error", file=sys.stderr)
    warnings.warn("careful")
    np.seterr(all="raise")
    return np.float64(1e308) * 10 * np.log(np.zeros(3))


async def later(*args):
    return 0.0


def one_by_one(*args):
    yield 0.0


HOSTILE = {
    "raises": raises(ValueError("one\ntwo\n" + "long " * 100)), "exits": raises(SystemExit(1)),
    "runs out": raises(MemoryError()),
    "without words": raises(Speechless()), "a deep one": lambda *a: (lambda f: f(f))(lambda f: f(f)),
    "takes nothing": lambda: 0,
    "a string": lambda *a: "0.5", "a dictionary": lambda *a: {"p": 1}, "a set": lambda *a: {1.0},
    "an object": lambda *a: object(),
    "an odd object": lambda *a: Odd(), "ragged": lambda *a: [[1.0], [2.0, 3.0]], "a type": lambda *a: float,
    "itself": lambda *a: a,
    "a function": lambda *a: np.sum, "NaN": lambda *a: np.nan, "infinity": lambda *a: np.full((5, 3), np.inf),
    "an empty list": lambda *a: [],
    "NaN in its shape": lambda *a: np.full(np.shape(a[0]), np.nan), "a huge integer": lambda *a: 10 ** 400,
    "complex": lambda *a: 1j,
    "float32": lambda *a: np.float32(0.5), "dates": lambda *a: np.array(["2026-01-01"], dtype="datetime64[D]"),
    "a masked array": lambda *a: np.ma.masked_all(3), "a subclass": lambda *a: np.ones(3).view(Subclass),
    "a boolean": lambda *a: True,
    "three things": lambda *a: (None, "x", [[]]), "names": lambda *a: ["abe", None], "changes everything": empty_all,
    "shouts": shouts,
    "a coroutine": later, "a generator": one_by_one, "a class": Odd, "a built-in": print,
    "an iterator": lambda *a: itertools.count(),
    "no function": 3, "a value": np.ones(3), "text": "my_softmax", "a list": [1],
}


@pytest.mark.parametrize("name", CHECKED)
def test_whatever_an_attempt_does_the_check_prints_one_line_and_goes_on(name, capfd):
    state = np.geterr()
    for words, attempt in HOSTILE.items():
        check(name, attempt)
        out, err = capfd.readouterr()
        assert err == "", words
        assert re.fullmatch(rf"{name}: not yet: \S[^\n]*\n", out), (words, out)
        assert len(out) < 420, (words, out)
        assert "could not be compared" not in out or words == "an odd object", (words, out)
        assert np.geterr() == state, words
    assert not tracemalloc.is_tracing()


@pytest.mark.parametrize("name", CHECKED)
def test_none_and_dots_are_not_written_yet(name, capfd):
    def dots(*args): ...

    def documented(*args):
        """What it is to do."""

    def two_lines(*args):
        ...
        ...

    for attempt in (None, ..., dots, documented, two_lines, lambda *a: None, lambda *a: ..., raises(NotImplementedError())):
        check(name, attempt)
        assert capfd.readouterr() == (f"{name}: not written yet\n", "")


def test_a_missing_return_is_told_from_a_stub():
    def forgot(z):
        e = np.exp(z)
        e / e.sum()

    assert not untouched(forgot)
    assert verdict("softmax-shift", forgot) == ("softmax-shift: not yet: it returns nothing; does it end with `return` "
                                                "and a value?")


@pytest.mark.parametrize("name", ["softmax-shift", "top-names", "merge-blocks", "central-difference"])
def test_an_interrupt_passes_through(name):
    with pytest.raises(KeyboardInterrupt):
        verdict(name, raises(KeyboardInterrupt()))


def test_an_unknown_name_is_told_in_one_line(capfd):
    for name, words in (("softmax-shfit", "did you mean 'softmax-shift'?"), ("two\nlines", "there is no exercise"),
        ("", "there is no"),
                        ("which-step", "there is no exercise"), (3, "first the name"), ([], "first the name"),
                         (None, "first the name"), ("zzz", "did you mean")):
        check(name, lambda z: z)
        out, err = capfd.readouterr()
        assert words in out and out.count("\n") == 1 and out.startswith("check: ") and err == "", out


def test_what_an_attempt_prints_does_not_disturb_the_line(capfd):
    def chatty(z):
        print("z is", z)
        warnings.warn("careful")
        return soft(z)

    check("softmax-shift", chatty)
    assert capfd.readouterr() == ("softmax-shift: correct\n", "")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        check("softmax-shift", lambda z: np.exp(z) / np.exp(z).sum(axis=1, keepdims=True))  # overflows
    assert seen == []


def test_an_attempt_may_write_wherever_it_likes():
    def writes(z):
        sys.stdout.write("z")
        sys.stderr.write("z")
        return soft(z)

    assert verdict("softmax-shift", writes) == "softmax-shift: correct"


def test_who_lets_numpy_raise_gets_the_same_hint():
    overflowing = lambda z: np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)  # noqa: E731
    usual = verdict("softmax-shift", overflowing)
    with np.errstate(all="raise"):
        assert verdict("softmax-shift", overflowing) == usual
    assert usual.startswith("softmax-shift: not yet: overflow")


def test_a_result_that_cannot_be_compared_is_told_by_the_error_it_made():
    assert verdict("head-shapes", lambda *a: Odd()) == ("head-shapes: not yet: what it returns could not be compared "
                                                        "(SystemExit)")


def test_a_line_is_cut_where_a_screen_would_end_it():
    line = verdict("softmax-shift", lambda z: type("x" * 500, (), {})())
    assert line.removeprefix("softmax-shift: not yet: ") == "it returns something of type " + "x" * (396 - 29) + " ..."
    line = verdict("x" * 70, soft)
    assert line.startswith(f"check: there is no exercise '{'x' * 56} ...'; did you mean '")


def test_a_verdict_is_the_same_every_time():
    for name in CHECKED:
        for attempt, _ in WRONG[name][:2]:
            assert verdict(name, attempt) == verdict(name, attempt)


def test_what_was_in_memory_before_is_not_the_attempt_s():
    tracemalloc.start()
    try:
        held = np.ones(10 ** 6)
        assert verdict("jacobian-product", solution("jacobian-product")) == "jacobian-product: correct"
        np.ones(10 ** 7)  # and gone again
        table = lambda A, G: np.stack([(np.diag(p) - np.outer(p, p)) @ g for p, g in zip(A, G)])  # noqa: E731
        assert verdict("jacobian-product", table).startswith("jacobian-product: not yet: memory") and held.all()
    finally:
        tracemalloc.stop()


def test_a_check_that_is_watched_for_memory_leaves_the_watching_as_it_was():
    tracemalloc.start()
    try:
        assert verdict("jacobian-product", RIGHT["jacobian-product"][0]) == "jacobian-product: correct"
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_the_kind_and_shape_of_a_result_are_told():
    for result, words in ((np.ones(2, "f4"), "float32"), (np.ones(2) * 1j, "complex"), ("ab", "type str"),
        ([[1], [2, 3]], "type list")):
        with pytest.raises(NotYet, match=words):
            numbers(result)
    assert [hint for ok, hint in fits(np.ones((2, 3)), (3, 2)) if not ok] == [
        "shape: it returns shape (2, 3), but shape (3, 2) is wanted. Is it transposed?"]
    assert [hint for ok, hint in fits(np.ones(1), ()) if not ok] == [
        "shape: it returns shape (1,), but a single number is wanted."]
    assert [hint for ok, hint in fits(np.array([1, np.nan]),
        (2,)) if not ok] == ["finite: it returns NaN or infinity for ordinary numbers"]


def test_what_an_attempt_was_called_with_is_told_by_sizes_and_numbers():
    given = {"q": np.ones(3), "k": 2, "c": 0.5, "f": np.sin, "a": (0.5, 2.0, np.ones((2, 1))), "names": ("x", "y")}
    assert exercises.sizes(given) == "q (3,), k 2, c 0.5, f a function, a (0.5, 2.0, (2, 1)), names (x, y)"


def test_long_words_are_cut_where_the_line_ends():
    assert exercises.one_line(" a\n b ") == "a b"
    assert exercises.one_line("x" * 160) == "x" * 160 and exercises.one_line("x" * 161) == "x" * 156 + " ..."
    assert exercises.one_line("x" * 9, 9) == "x" * 9 and exercises.one_line("x" * 9, 8) == "xxxx ..."


def test_an_argument_is_unchanged_where_all_of_it_is():
    a = np.arange(3.0)
    for same in ((a, a.copy()), (3, 3), ((1, a), (1, a.copy())), (np.sin, np.cos), (["x"], ["x"])):
        assert exercises.alike(*same) is True
    for other in ((a, a + 1), (a, a[:2]), (a, 1.0), (1.0, a), (3, 4), ((1, a), (1, a + 1)), ((1, a), (1,)), ((1,), (2,)), (["x"], ["y"])):
        assert exercises.alike(*other) is False


def test_an_error_without_words_is_told_by_its_name():
    line = verdict("two-slots", raises(Speechless()))
    assert line == "two-slots: not yet: it raises Speechless; it was called with p 0.9, gap 2.0"


def test_numbers_are_float64_and_equal_up_to_rounding():
    assert numbers([True, 2]).dtype == np.float64 and numbers(np.float64(3)).tolist() == 3
    got = numbers([1.0, 1e6])
    assert exercises.same(got, [1 + 1e-10, 1e6 + 1e-4]) and not exercises.same(got, [1 + 1e-8, 1e6])
    assert not exercises.same(got, [1, 1e6 + 1e-2]) and exercises.same(numbers(1e-10), 0) and not exercises.same(numbers(1e-8), 0)
    assert exercises.same(got, [1.5, 1e6], 1) and exercises.same(numbers([1, 2]), ["1", "2"])
    assert not exercises.same(got, [[1, 1e6]])


def test_a_result_may_be_transposed_only_where_it_has_two_axes():
    asked = {shape: [hint for ok, hint in fits(np.ones(got), shape) if not ok]
             for got, shape in (((2, 3), (3, 2)), ((3,), (2,)), ((2, 3), (2, 4)), ((2, 3, 4), (4, 3, 2)))}
    assert ["transposed" in hints[0] for hints in asked.values()] == [True, False, False, True]


def test_the_products_of_unequal_rows_are_none():
    with pytest.raises(ValueError, match="shorter"):
        exercises.dot([1.0, 2.0], [3.0])
    assert exercises.dot([1, 2], [3.0, 4.0]) == 11.0


# --- the list --------------------------------------------------------------------------------------------------------

def test_the_table_lists_every_exercise_in_order():
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table().splitlines()]
    assert lines[0] == ["notebook", "exercise", "level", "minutes", "answer"] and set("".join(lines[1])) == {"-"}
    assert lines[2:] == [[e.notebook, e.title, e.level, str(e.minutes),
        "checks itself" if e.check else "folded"] for e in EXERCISES]
    assert len({len(line) for line in table().splitlines()}) == 1
    assert [e.notebook for e in EXERCISES] == sorted(e.notebook for e in EXERCISES)


def test_the_module_imports_nothing_that_it_checks():
    assert not any(name in vars(exercises) for name in ("softmax", "attention", "attention_core"))


if __name__ == "__main__":
    WRITTEN.write_text("\n\n".join([*map(written, CHECKED), listed()]) + "\n", encoding="utf-8", newline="\n")
