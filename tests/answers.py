"""What students write: for each exercise right answers and wrong ones, each of these with the hint that it must get."""

import math

import numpy as np


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
