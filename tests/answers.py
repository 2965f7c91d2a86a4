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


def shifted(shift):
    return lambda z: (lambda e: e / e.sum(axis=1, keepdims=True))(np.exp(z - shift(z)))


def cross(shape=lambda S, d_k: soft(S / np.sqrt(d_k)), queries="X", keys="Y", values="Y", swap=False):
    def attempt(X, Y, Wq, Wk, Wv):
        at = {"X": X, "Y": Y}
        if swap:
            Wq, Wk = Wk, Wq
        return shape((at[queries] @ Wq) @ (at[keys] @ Wk).T, Wk.shape[1]) @ (at[values] @ Wv)

    return attempt


def column(weights, output=True):
    def attempt(Q, K, V):
        A = weights(K.T @ Q, len(K), K.shape[1], Q.shape[1])
        return V @ A if output else A

    return attempt


def batched(weights=lambda S, d_k: soft(S / d_k**0.5)):
    return lambda Q, K, V: weights(Q @ np.swapaxes(K, 1, 2), K.shape[2]) @ V


def difference(slope, axis=1):
    return lambda f, z, h: np.stack([slope(f, z, h, e) for e in np.eye(len(z))], axis=axis)


def heaped(f, z, h):
    up, down, columns = z.copy(), z.copy(), []
    for j in range(len(z)):
        up[j] += h
        down[j] -= h
        columns.append((f(up) - f(down)) / (2 * h))
    return np.stack(columns, axis=1)


def alias(f, z, h):
    columns = []
    for j in range(len(z)):
        up = down = z.copy()
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


def blocks_of(O, Wo):
    return Wo.reshape(len(O), -1, Wo.shape[1])


def mixing(O, blocks):
    return (O @ blocks).sum(axis=0)


def off(O, i):
    return O * (np.arange(len(O)) != i)[:, None, None]


def one_off(O, Wo, i):
    return mixing(off(O, i), blocks_of(O, Wo))


def split(Y, H):
    return Y.reshape(len(Y), H, -1).transpose(1, 0, 2)


def cut(Y, H, h):
    return Y[:, h * (Y.shape[1] // H) : (h + 1) * (Y.shape[1] // H)]


def scored(Q, K, width=None):
    return Q @ K.transpose(0, 2, 1) / np.sqrt(width or Q.shape[2])


def through_softmax(A, dA):
    return A * (dA - (A * dA).sum(axis=1, keepdims=True))


def any_true(A, E):
    return through_softmax(A, -E / (A * E).sum(axis=1, keepdims=True))


def shared(X, W, dS):
    return X.T @ (dS + dS.T) @ X @ W / W.shape[1] ** 0.5


# For each exercise: other right ways to write it, and wrong ones with the beginning of the hint that each must get.
def column_share(column, start):
    return column * start / (column * start).sum()


def walked_back(As, start, j):
    back = [float(i == j) for i in range(len(start))]
    for A in reversed(As):
        back = [sum(a * b for a, b in zip(row, back)) for row in A]
    total = sum(b for b, ok in zip(back, start) if ok)
    return [b / total if ok else 0 for b, ok in zip(back, start)]


def likeliest(As):
    best = As[0]
    for A in As[1:]:
        best = (best[:, :, None] * A[None]).max(axis=1)
    return best


def odds(p, others):
    return math.log(others * p / (1 - p))


def tried_out(f, low=-30.0, high=60.0):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


def ring_mass(c, L, n):
    p = 1 / (1 + (n - 1) * math.exp(-c))
    return 1 / n + (1 - 1 / n) * max(p - (1 - p) / (n - 1), 0) ** L


RIGHT = {
    "soft-lookup": [loops, lambda q, K, V: np.einsum("n,nv->v", soft(K @ q), V)],
    "two-slots": [lambda p, gap: -np.log(1 / p - 1) / gap, lambda p, gap: (math.log(p) - math.log1p(-p)) / gap],
    "downhill": [
        lambda q, o, t, D, rate: q - 2 * rate * (o - t) @ D,
        lambda q, o, t, D, rate: [q[j] + rate * 2 * sum(D[:, j] * (t - o)) for j in range(len(q))],
    ],
    "head-shapes": [
        lambda m, n, d_k, d_v: [[m, n], [m, n], [m, d_v]],
        lambda m, n, d_k, d_v: tuple(np.zeros(s).shape for s in ((m, n), (m, n), (m, d_v))),
    ],
    "columns": [
        lambda Q, K, V: np.stack([loops(q / math.sqrt(len(q)), K.T, V.T) for q in Q.T], axis=1),
        lambda Q, K, V: (soft(Q.T @ K / K.shape[0] ** 0.5) @ V.T).T,
        lambda Q, K, V: np.einsum("vn,nm->vm", V, soft(np.einsum("kn,km->nm", K, Q) / len(K) ** 0.5, axis=0)).tolist(),
    ],
    "batch": [
        batched(),
        lambda Q, K, V: [soft(q @ k.T / math.sqrt(q.shape[1])) @ v for q, k, v in zip(Q, K, V)],
        lambda Q, K, V: np.einsum("bmn,bnv->bmv", soft(np.einsum("bmk,bnk->bmn", Q, K) / K.shape[2] ** 0.5), V),
    ],
    "cross-attention": [cross(), lambda X, Y, Wq, Wk, Wv: [loops(x @ Wq @ Wk.T / len(Wk.T) ** 0.5, Y, Y @ Wv) for x in X]],
    "top-names": [
        lambda w, names, k: sorted(names, key=lambda name: -w[names.index(name)])[:k],
        lambda w, names, k: np.array(names)[w.argsort()[::-1][:k]],
        lambda w, names, k: tuple(name for _, name in sorted(zip(w, names), reverse=True)[:k]),
    ],
    "raw-lead": [
        lambda w, i, j, d_k: d_k**0.5 * (math.log(w[i]) - math.log(w[j])),
        lambda w, i, j, d_k: (lambda z: z[i] - z[j])(np.log(w) * np.sqrt(d_k)),
    ],
    "without-a-key": [
        lambda w, V, j: (w @ V - w[j] * V[j]) / (1 - w[j]),
        lambda w, V, j: soft(np.log(np.delete(w, j))) @ np.delete(V, j, axis=0),
    ],
    "right-divisor": [
        lambda d, vq, vk: math.sqrt(d) * math.sqrt(vq) * math.sqrt(vk),
        lambda d, vq, vk: np.sqrt(sum(vq * vk for _ in range(d))),
        lambda d, vq, vk: np.linalg.norm(np.full(d, np.sqrt(vq * vk))),
    ],
    "draws-needed": [
        lambda z, d, e: ((z**2).std() / d / e) ** 2,
        lambda z, d, e: ((z**4).mean() - (z**2).mean() ** 2) / (d * e) ** 2,
        lambda z, d, e: sum((x * x / d - np.mean(z**2) / d) ** 2 for x in z) / len(z) / e**2,
    ],
    "score-variance": [
        lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk + mk**2 * vq),
        lambda d, mq, vq, mk, vk: sum([(vq + mq * mq) * (vk + mk * mk) - (mq * mk) ** 2] * d),
    ],
    "fourth-moment": [
        lambda d, N, f: math.sqrt((f**2 * d + 3 * d * (d - 1) - d**2) / (N * d**2)),
        lambda d, N, f: np.sqrt(2 * d * d + (f * f - 3) * d) / d / np.sqrt(N),
    ],
    "score-difference": [
        lambda mq, Sq, mk, Sk: ((Sq + np.outer(mq, mq)) * (2 * Sk)).sum(),
        lambda mq, Sq, mk, Sk: np.trace((Sq + np.outer(mq, mq)) @ (Sk + Sk)),
        lambda mq, Sq, mk, Sk: 2 * sum(Sk[i, j] * (Sq[i, j] + mq[i] * mq[j]) for i in range(len(mq)) for j in range(len(mq))),
        lambda mq, Sq, mk, Sk: 2 * np.einsum("ij,ij->", Sq + np.outer(mq, mq), Sk),
    ],
    "softmax-shift": [
        soft,
        lambda z: np.array([np.exp(r - max(r)) / sum(np.exp(r - max(r))) for r in z]),
        lambda z: np.exp(z - np.logaddexp.reduce(z, axis=1)[:, None]),
    ],
    "jacobian-of-weights": [
        lambda p: p[:, None] * (np.eye(len(p)) - p),
        lambda p: [[a * (i == j) - a * b for j, b in enumerate(p)] for i, a in enumerate(p)],
    ],
    "central-difference": [
        into_a_table,
        lambda f, z, h: np.array([(f(z + h * e) - f(z - h * e)) / (2 * h) for e in np.eye(len(z))]).T,
    ],
    "jacobian-product": [
        lambda A, G: A * G - A * np.einsum("mn,mn->m", A, G)[:, None],
        lambda A, G: np.array([p * g - p * (p @ g) for p, g in zip(A, G)]),
    ],
    "leak": [lambda c, n: 1 - np.exp(c) / (np.exp(c) + n - 1), lambda c, n: 1 / (1 + math.exp(c) / (n - 1))],
    "sharpness-needed": [
        lambda n, p, rho: (np.log(n - 1) + np.log(p) - np.log1p(-p)) / (1 - rho),
        lambda n, p, rho: -math.log((1 / p - 1) / (n - 1)) / (1 - rho),
    ],
    "row-cosines": [
        lambda U, W: [u @ w / np.sqrt(u @ u) / np.sqrt(w @ w) for u, w in zip(U, W)],
        lambda U, W: np.einsum("nd,nd->n", *(M / np.linalg.norm(M, axis=1, keepdims=True) for M in (U, W))),
    ],
    "crosstalk-free": [at_right, lambda K, s, c: np.linalg.lstsq(K, c * np.eye(len(K))[s], rcond=None)[0]],
    "count-parameters": [lambda d, H, k, v: H * d * (2 * k + 2 * v), lambda d, H, k, v: sum([d * k, d * k, d * v, v * d] * H)],
    "without-a-head": [
        lambda O, Wo, i: np.concatenate([0 * o if h == i else o for h, o in enumerate(O)], axis=1) @ Wo,
        lambda O, Wo, i: mixing(np.delete(O, i, axis=0), np.delete(Wo.reshape(len(O), -1, Wo.shape[1]), i, axis=0)),
        lambda O, Wo, i: np.einsum("hnv,hvd->nd", np.where(np.arange(len(O)) == i, 0, O.T).T, Wo.reshape(*O.shape[::2], -1)),
    ],
    "wide-head": [
        lambda A: soft(np.log(A).sum(axis=0) / np.sqrt(len(A))),
        lambda A: [(lambda p: p / p.sum())(np.exp(sum(map(np.log, rows)) / len(A) ** 0.5)) for rows in zip(*A)],
    ],
    "split-heads": [
        lambda X, Wq, Wk, H: [cut(X @ Wq, H, h) @ cut(X @ Wk, H, h).T / np.sqrt(Wq.shape[1] // H) for h in range(H)],
        lambda X, Wq, Wk, H: scored(*(np.stack(np.split(X @ W, H, axis=1)) for W in (Wq, Wk))),
        lambda X, Wq, Wk, H: np.einsum(
            "nhk,mhk->hnm", *((X @ W).reshape(len(X), H, -1) / (Wq.shape[1] / H) ** 0.25 for W in (Wq, Wk))
        ),
    ],
    "any-of": [
        lambda A, E: [[a - e * a / (row @ true) for a, e in zip(row, true)] for row, true in zip(A, E)],
        lambda A, E: A - np.where(E, A, 0) / np.einsum("ij,ij->i", A, E)[:, None],
        lambda A, E: through_softmax(A, -E / (A * E).sum(axis=1, keepdims=True)),
    ],
    "shared-gradient": [
        lambda X, W, dS: (X.T @ dS @ X + X.T @ dS.T @ X) @ W / W.shape[1] ** 0.5,
        lambda X, W, dS: np.einsum("na,nm,mb->ab", X, dS + dS.T, X @ W) / np.sqrt(W.shape[-1]),
    ],
    "ask-backwards": [
        lambda As, start, j: column_share(np.linalg.multi_dot(As)[:, j], start),
        walked_back,
        lambda As, start, j: [x for x in column_share(np.linalg.multi_dot(list(As))[:, j], start)],
    ],
    "sharp-enough": [
        lambda L, n, s: math.log((n - 1) / (s ** (-1 / L) - 1)),
        lambda L, n, s: np.log(n - 1) + np.log(s) / L - np.log1p(-(s ** (1 / L))),
        lambda L, n, s: tried_out(lambda c: (np.exp(c) / (np.exp(c) + n - 1)) ** L - s),
    ],
    "causal-mask": [
        lambda n: np.tri(n, dtype=bool),
        lambda n: [[j <= i for j in range(n)] for i in range(n)],
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), 1),
    ],
    "renormalise": [
        renormalised,
        lambda A, mask: [[a * ok / max(sum(row[oks]), 1e-300) for a, ok in zip(row, oks)] for row, oks in zip(A, mask)],
    ],
    "pairs-reached": [
        reached,
        lambda edges, L: np.count_nonzero(np.linalg.matrix_power(edges + 1.0 * np.eye(len(edges)), L) > 0.5),
    ],
    "merge-blocks": [merge(), merge_by_cases],
    "forgotten": [lambda r, f: r * f - r - f + 1, lambda r, f: r * f - (r + f - 1)],
    "bland-table": [
        lambda B: B.sum(1, keepdims=True) * B.sum(0) / B.sum(),
        lambda B: [[row.sum() * column.sum() / B.sum() for column in B.T] for row in B],
    ],
    "bind": [
        fft,
        lambda a, b: [sum(a[i] * b[(k - i) % len(a)] for i in range(len(a))) for k in range(len(a))],
        lambda a, b: sum(np.split(np.pad(np.convolve(a, b), (0, 1)), 2)),
    ],
    "unbind": [
        lambda c, a: fft(c, a, turn=True),
        lambda c, a: fft(c, np.roll(a[::-1], 1)),
        lambda c, a: [sum(a[i] * c[(k + i) % len(a)] for i in range(len(a))) for k in range(len(a))],
    ],
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
        (lambda q, K, V: soft(q @ K) @ V, "scores: q meets"),
        (lambda q, K, V: soft(K @ q)[:, None] * V, "shape"),
        (lambda q, K, V: soft(K @ q) @ V.T, "blend: the shares weigh"),
        (lambda q, K, V: (lambda e: e / e.max())(np.exp(K @ q)) @ V, "normalise: the shares"),
        (lambda q, K, V: (lambda e: e / np.linalg.norm(e))(np.exp(K @ q)) @ V, "normalise: the shares"),
        (lambda q, K, V: V.sum(axis=0), "scores: all"),
        (lambda q, K, V: (K @ q) / (K @ q).sum() @ V, "softmax"),
        (lambda q, K, V: np.round(soft(K @ q) @ V, 2), "close"),
        (lambda q, K, V: np.zeros(V.shape[1]), "zero"),
        (lambda q, K, V: np.exp(K @ q) / len(K) @ V, "normalise: the shares"),
    ],
    "two-slots": [
        (lambda p, gap: np.log(p / (1 - p)), "gap: it is not"),
        (lambda p, gap: np.log(p / (1 - p)) * gap, "gap: it multiplies"),
        (lambda p, gap: np.log((1 - p) / p) / gap, "sign"),
        (lambda p, gap: np.log10(p / (1 - p)) / gap, "logarithm: it must"),
        (lambda p, gap: np.log(p) / gap, "odds"),
        (lambda p, gap: p / (1 - p) / gap, "logarithm: these are"),
        (lambda p, gap: p * gap, "back again"),
        (lambda p, gap: np.log(p / (1 - p)) / gap + (p == 0.5), "even shares"),
        (lambda p, gap: np.log2(p / (1 - p)) / gap, "logarithm: it must"),
        (lambda p, gap: -np.log(1 - p) / gap, "odds"),
        (lambda p, gap: p / (1 - p), "logarithm: these"),
        (lambda p, gap: 2 * np.log(p / (1 - p)) / gap, "factor"),
        (lambda p, gap: np.log(p / (1 - p)) / (2 * gap), "factor"),
        (lambda p, gap: np.log(p / (1 - p)) - gap, "gap: the sharpness"),
        (lambda p, gap: 1 / (1 + np.exp(-p * gap)), "direction"),
        (lambda p, gap: round(np.log(p / (1 - p)) / gap, 2), "close"),
    ],
    "downhill": [
        (lambda q, o, t, D, rate: q + rate * 2 * D.T @ (o - t), "sign"),
        (lambda q, o, t, D, rate: q - rate * 2 * D.T @ (t - o), "sign"),
        (lambda q, o, t, D, rate: q - rate * D.T @ (o - t), "factor"),
        (lambda q, o, t, D, rate: q - 2 * D.T @ (o - t), "rate"),
        (lambda q, o, t, D, rate: 2 * D.T @ (o - t), "step: this is the gradient"),
        (lambda q, o, t, D, rate: -rate * 2 * D.T @ (o - t), "step: this is only"),
        (lambda q, o, t, D, rate: q - rate * 2 * D.T @ o, "error: the gradient"),
        (lambda q, o, t, D, rate: q - rate * 2 * D @ (o - t), "transposed: the gradient"),
        (downhill_in_place, "it changes its argument q"),
        (lambda q, o, t, D, rate: q - rate * 2 * D.T @ t, "error"),
        (lambda q, o, t, D, rate: q - rate * 4 * D.T @ (o - t), "factor"),
        (lambda q, o, t, D, rate: q - 2 * D.T @ (o - t) / rate, "rate"),
        (lambda q, o, t, D, rate: q - rate * D.T @ (o - t) ** 2, "square"),
        (lambda q, o, t, D, rate: (lambda g: q - rate * g / np.linalg.norm(g))(D.T @ (o - t)), "length"),
        (lambda q, o, t, D, rate: q - rate * 2 * (o - t).sum(), "derivative"),
        (lambda q, o, t, D, rate: q.copy(), "step: where"),
        (lambda q, o, t, D, rate: q - rate * 2 * (D**2).T @ (o - t), "derivative"),
        (lambda q, o, t, D, rate: q - rate * 2 * abs(D).T @ (o - t), "derivative"),
    ],
    "head-shapes": [
        (lambda m, n, k, v: [(n, m), (n, m), (n, v)], "transposed"),
        (lambda m, n, k, v: [(k, k), (k, k), (k, v)], "product"),
        (lambda m, n, k, v: [(m, k), (m, n), (m, v)], "scores"),
        (lambda m, n, k, v: [(m, n), (n, n), (m, v)], "weights"),
        (lambda m, n, k, v: [(m, n), (m, n), (m, k)], "width"),
        (lambda m, n, k, v: [(m, n), (m, n), (n, v)], "rows"),
        (lambda m, n, k, v: [(m, n), (m, n), (v, m)], "transposed: an output"),
        (lambda m, n, k, v: (m, v), "shape"),
        (lambda m, n, k, v: [(n, m), (n, m), (m, v)], "transposed"),
        (lambda m, n, k, v: [(m, n), (m, n), (v, m)], "transposed: an output"),
        (lambda m, n, k, v: [(m, v), (m, n), (m, n)], "order"),
        (lambda m, n, k, v: [(m + 0.4, n), (m, n), (m, v)], "whole"),
        (lambda m, n, k, v: [(m, n), (m, n), (m,)], "ragged"),
        (lambda m, n, k, v: {"scores": (m, n), "A": (m, n), "O": (m, v)}, "it returns a dict"),
        (lambda m, n, k, v: [(m, m), (m, m), (m, v)], "scores: one"),
        (lambda m, n, k, v: [(m, n), (m, n), (m, n)], "output"),
        (lambda m, n, k, v: [(m, n), (n, m), (m, v)], "weights"),
    ],
    "columns": [
        (column(lambda S, d, n, m: soft(S / d**0.5), output=False), "output"),
        (column(lambda S, d, n, m: soft(S, axis=0)), "scale: the scores are not"),
        (column(lambda S, d, n, m: soft(S / d, axis=0)), "scale: it divides by d_k"),
        (column(lambda S, d, n, m: soft(S * d**0.5, axis=0)), "scale: it multiplies"),
        (column(lambda S, d, n, m: soft(S / n**0.5, axis=0)), "scale: it divides by the root of n"),
        (column(lambda S, d, n, m: soft(S / m**0.5, axis=0)), "scale: it divides by the root of m"),
        (
            lambda Q, K, V: column(lambda S, d, n, m: soft(S / len(V) ** 0.5, axis=0))(Q, K, V),
            "scale: it divides by the root of d_v",
        ),
        (column(lambda S, d, n, m: soft(S / d**0.5, axis=1)), "axis"),
        (column(lambda S, d, n, m: S / d**0.5), "softmax"),
        (column(lambda S, d, n, m: np.exp(S / d**0.5)), "normalise: the exponentials"),
        (column(lambda S, d, n, m: (lambda e: e / e.sum())(np.exp(S / d**0.5))), "normalise: all weights"),
        (column(lambda S, d, n, m: soft(-S, axis=0)), "sign"),
        (column(lambda S, d, n, m: soft(S, axis=0) / d**0.5), "scale: it stands after"),
        (column(lambda S, d, n, m: np.eye(n)[:, S.argmax(axis=0)]), "soft: each"),
        (column(lambda S, d, n, m: np.ones((n, m)) / n), "scores: all keys"),
        (lambda Q, K, V: soft(Q @ K.T / K.shape[1] ** 0.5) @ V, "transposed"),
        (lambda Q, K, V: soft(Q.T @ K / K.shape[0] ** 0.5) @ V, "convention"),
        (lambda Q, K, V: soft(Q.T @ K / K.shape[0] ** 0.5) @ V.T, "convention: the output"),
        (lambda Q, K, V: V @ soft(Q.T @ K / K.shape[0] ** 0.5), "transposed: a column"),
        (lambda Q, K, V: soft(K.T @ Q / K.shape[0] ** 0.5, axis=0) @ V, "transposed: the columns of V"),
        (column(lambda S, d, n, m: (lambda e: e / (e.sum(0) + 1e-6))(np.exp(S / d**0.5))), "close"),
        (column(lambda S, d, n, m: soft(S / d**0.25, axis=0)), "the shape is right"),
    ],
    "batch": [
        (batched(lambda S, d: soft(S / d**0.5, axis=1)), "axis: the weights of one key"),
        (batched(lambda S, d: soft(S / d**0.5, axis=0)), "axis: the weights of one pair"),
        (batched(lambda S, d: soft(S / d**0.5, axis=(1, 2))), "axis: all weights of a member"),
        (batched(lambda S, d: soft(S / d**0.5, axis=(0, 1, 2))), "axis: all weights of the batch"),
        (batched(lambda S, d: (lambda z: np.exp(z - z.max(axis=-1, keepdims=True)))(S / d**0.5)), "normalise"),
        (batched(lambda S, d: soft(S)), "scale: the scores are not"),
        (batched(lambda S, d: soft(S / d)), "scale: it divides by d_k"),
        (batched(lambda S, d: soft(S / S.shape[1] ** 0.5)), "scale: it divides by the root of another"),
        (batched(lambda S, d: soft(S / S.shape[2] ** 0.5)), "scale: it divides by the root of another"),
        (batched(lambda S, d: soft(S / d**0.25)), "one member alone"),
        (batched(lambda S, d: soft(-S / d**0.5)), "sign"),
        (batched(lambda S, d: S / d**0.5), "softmax"),
        (batched(lambda S, d: np.eye(S.shape[2])[S.argmax(axis=2)]), "soft"),
        (lambda Q, K, V: batched()(Q, K, np.stack([V[0]] * len(V))), "batch: every member"),
        (lambda Q, K, V: batched()(Q, K, V[::-1]), "batch: the members"),
        (lambda Q, K, V: batched()(Q, K, V)[0], "batch: one member"),
        (lambda Q, K, V: soft(Q @ np.swapaxes(K, 1, 2) / K.shape[2] ** 0.5), "output"),
        (lambda Q, K, V: soft(Q @ K.T / K.shape[2] ** 0.5) @ V, "transposed: in each"),
        (lambda Q, K, V: soft(Q @ K / K.shape[2] ** 0.5) @ V, "transposed: in each"),
    ],
    "cross-attention": [
        (cross(queries="Y", keys="Y"), "roles: it has"),
        (cross(queries="X", keys="X", values="X"), "source"),
        (cross(swap=True), "roles: Wq"),
        (cross(lambda S, d_k: soft(S)), "scale: the scores are not"),
        (cross(lambda S, d_k: soft(S / d_k)), "scale: it divides by d_k"),
        (cross(lambda S, d_k: soft(S * d_k**0.5)), "scale: it multiplies"),
        (lambda X, Y, Wq, Wk, Wv: soft(X @ Wq @ (Y @ Wk).T / X.shape[1] ** 0.5) @ Y @ Wv, "scale: it divides by the root of d;"),
        (cross(lambda S, d_k: soft(S / d_k**0.5, axis=0)), "axis"),
        (cross(lambda S, d_k: S / d_k**0.5), "softmax"),
        (cross(lambda S, d_k: np.exp(S / d_k**0.5)), "normalise: the exponentials"),
        (cross(lambda S, d_k: (lambda e: e / e.sum())(np.exp(S / d_k**0.5))), "normalise: all weights"),
        (cross(lambda S, d_k: soft(-S)), "sign: the worst"),
        (cross(values="X"), "source: the weights"),
        (cross(queries="Y", keys="X", values="X"), "roles: it has a row"),
        (cross(queries="Y", keys="X", values="Y"), "roles: a row"),
        (cross(keys="X"), "roles: a row"),
        (lambda X, Y, Wq, Wk, Wv: soft(X @ Wq @ (Y @ Wk) / 2) @ Y @ Wv, "transposed"),
        (lambda X, Y, Wq, Wk, Wv: soft(X @ Wq @ (Y @ Wk).T / Wk.shape[1] ** 0.5), "output"),
        (cross(lambda S, d_k: soft(S) / d_k**0.5), "scale: it stands"),
        (cross(lambda S, d_k: np.eye(S.shape[1])[S.argmax(axis=1)]), "soft: each"),
        (cross(lambda S, d_k: np.ones(S.shape) / S.shape[1]), "scores: all"),
        (cross(lambda S, d_k: soft(S / d_k**0.25)), "the shape is right"),
    ],
    "top-names": [
        (lambda w, names, k: list(np.argsort(-w)[:k]), "names: these are row numbers"),
        (lambda w, names, k: sorted(w)[::-1][:k], "names: these are weights"),
        (lambda w, names, k: [(names[j],) for j in np.argsort(-w)[:k]], "names: these are pairs"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)], "count"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)[: k - 1]], "count"),
        (lambda w, names, k: [names[j] for j in np.argsort(w)[:k]], "order: these are the smallest"),
        (lambda w, names, k: [names[j] for j in np.argsort(w)[-k:]], "order: the largest comes first"),
        (lambda w, names, k: list(names[:k]), "order: these are the first names"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)[1 : k + 1]], "choice"),
        (lambda w, names, k: [names[j] for j in (2, 5, 0, 1)], "order: the right names"),
        (lambda w, names: names, "it raises TypeError"),
        (lambda w, names, k: ", ".join(names[j] for j in np.argsort(-w)[:k]), "it returns something of type str"),
        (lambda w, names, k: sorted(names[j] for j in np.argsort(-w)[:k]), "order: the right names, in the order of the alphabet"),
        (lambda w, names, k: [names[j] for j in sorted(np.argsort(-w)[:k])], "order: the right names, in the order of the list"),
        (lambda w, names, k: sorted(names)[:k], "order: these are the ends"),
        (lambda w, names, k: sorted(names, reverse=True)[:k], "order: these are the ends"),
        (lambda w, names, k: [names[w.argmax()]] * k, "choice: a name"),
        (lambda w, names, k: {names[j]: w[j] for j in np.argsort(-w)[:k]}, "it returns a dict"),
        (lambda w, names, k: {names[j] for j in np.argsort(-w)[:k]}, "it returns something of type set"),
        (lambda w, names, k: sorted(zip(w, names), reverse=True)[:k], "names: these are pairs"),
        (lambda w, names, k: [names[0], 3.0, *names[2:k]] if k > 1 else [3], "names: not all"),
        (lambda w, names, k: [names[j] for j in np.argsort(-w)[[1, 0, *range(2, k)][:k]]], "order: the right names, but"),
    ],
    "raw-lead": [
        (lambda w, i, j, d_k: np.log(w[i] / w[j]), "scale: this is"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j]) / d_k**0.5, "scale: it divides"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j]) * d_k, "scale: it multiplies"),
        (lambda w, i, j, d_k: np.log(w[j] / w[i]) * d_k**0.5, "sign"),
        (lambda w, i, j, d_k: w[i] / w[j] * d_k**0.5, "logarithm: weights grow"),
        (lambda w, i, j, d_k: (w[i] - w[j]) * d_k**0.5, "difference"),
        (lambda w, i, j, d_k: np.log10(w[i] / w[j]) * d_k**0.5, "logarithm: it must"),
        (lambda w, i, j, d_k: np.log(w[i]) * d_k**0.5, "keys: only one"),
        (lambda w, i, j, d_k: np.log2(w[i] / w[j]) * d_k**0.5, "logarithm: it must"),
        (lambda w, i, j, d_k: abs(np.log(w[i] / w[j])) * d_k**0.5, "sign"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j]) * len(w) ** 0.5, "scale: this is the root"),
        (lambda w, i, j, d_k: np.log(w[i]) / np.log(w[j]) * d_k**0.5, "logarithm: two"),
        (lambda w, i, j, d_k: w[i] - w[j], "difference"),
        (lambda w, i, j, d_k: np.exp(w[i] - w[j]) * d_k**0.5, "exponential"),
        (lambda w, i, j, d_k: np.log(w[i] / w[j] + 1e-6) * d_k**0.5, "close"),
        (lambda w, i, j, d_k: w[i] * d_k, "lead"),
    ],
    "without-a-key": [
        (lambda w, V, j: np.delete(w, j) @ np.delete(V, j, axis=0), "normalise: what"),
        (lambda w, V, j: w @ V, "key j: its value"),
        (lambda w, V, j: (w @ V - w[j] * V[j]) / w[j], "normalise: it divides"),
        (lambda w, V, j: (w @ V - w[j] * V[j]) * (1 - w[j]), "normalise: it makes"),
        (lambda w, V, j: np.delete(V, j, axis=0).mean(axis=0), "weights"),
        (lambda w, V, j: soft(np.delete(w, j)) @ np.delete(V, j, axis=0), "softmax"),
        (lambda w, V, j: V[j], "key j: this is"),
        (lambda w, V, j: (w @ V - V[j]) / (1 - w[j]), "others: their weights"),
        (lambda w, V, j: np.delete(w, j) @ np.delete(V, j, axis=1), "key j: its"),
        (lambda w, V, j: w @ np.delete(V, j, axis=0), "key j: its row of V is gone"),
        (lambda w, V, j: np.delete(w, j) / (1 - w[j]) @ V, "key j: its weight is gone"),
        (lambda w, V, j: w @ np.delete(V, j, axis=1), "axis"),
        (lambda w, V, j: (np.delete(w, j) + w[j] / (len(w) - 1)) @ np.delete(V, j, axis=0), "proportions"),
        (lambda w, V, j: np.delete(w, j) / (len(w) - 1) @ np.delete(V, j, axis=0), "normalise: the weights"),
        (lambda w, V, j: np.delete(w, j - 1) / (1 - w[j - 1]) @ np.delete(V, j - 1, axis=0), "key j: another"),
        (lambda w, V, j: np.round((w @ V - w[j] * V[j]) / (1 - w[j]), 3), "close"),
        (lambda w, V, j: V[j] * 0, "zero"),
        (lambda w, V, j: np.delete(w, j) / len(w) @ np.delete(V, j, axis=0), "normalise: the weights"),
        (lambda w, V, j: (lambda r: r / r.max())(np.delete(w, j)) @ np.delete(V, j, axis=0), "normalise: the weights"),
        (lambda w, V, j: (lambda r: r / np.linalg.norm(r))(np.delete(w, j)) @ np.delete(V, j, axis=0), "normalise: the weights"),
    ],
    "right-divisor": [
        (lambda d, vq, vk: np.sqrt(d), "variances: the components"),
        (lambda d, vq, vk: d * vq * vk, "root: this is the variance"),
        (lambda d, vq, vk: d * np.sqrt(vq * vk), "width: it stands"),
        (lambda d, vq, vk: np.sqrt(vq * vk), "width: this is for one"),
        (lambda d, vq, vk: np.sqrt(d) * vq * vk, "variances: they stand"),
        (lambda d, vq, vk: np.sqrt(d * (vq + vk)), "product"),
        (lambda d, vq, vk: np.sqrt(d) * (vq + vk), "product"),
        (lambda d, vq, vk: np.sqrt(d * vq), "one side"),
        (lambda d, vq, vk: np.sqrt(d * vk), "one side"),
        (lambda d, vq, vk: np.sqrt(d * (vq + vk) / 2), "average"),
        (lambda d, vq, vk: 1 / np.sqrt(d * vq * vk), "inverse"),
        (lambda d, vq, vk: np.sqrt(d * np.sqrt(vq * vk)), "variances: what is"),
        (lambda d, vq, vk: (d * vq * vk) ** 0.25, "root: it is taken twice"),
        (lambda d, vq, vk: -np.sqrt(d * vq * vk), "sign"),
        (lambda d, vq, vk: np.sqrt(2 * d * vq * vk), "divisor"),
        (lambda d, vq, vk: round(np.sqrt(d * vq * vk), 2), "close"),
        (lambda d, vq, vk: 0, "zero"),
    ],
    "draws-needed": [
        (lambda z, d, e: (z**2 / d).var() / e, "square: a standard error"),
        (lambda z, d, e: (z**2 / d).std() / e, "root"),
        (lambda z, d, e: (z**2 / d).std() / e**2, "root"),
        (lambda z, d, e: (z**2).var() / e**2, "width"),
        (lambda z, d, e: (z**2 / d**0.5).var() / e**2, "width"),
        (lambda z, d, e: z.var() / e**2, "squares"),
        (lambda z, d, e: (z / np.sqrt(d)).var() / e**2, "squares"),
        (lambda z, d, e: len(z) * (z**2 / d).var() / e**2, "sample"),
        (lambda z, d, e: (z**2 / d).var() / len(z) / e**2, "sample"),
        (lambda z, d, e: (z**2 / d).std() / np.sqrt(len(z)), "error"),
        (lambda z, d, e: (z**4).mean() / d**2 / e**2, "mean of squares"),
        (lambda z, d, e: e**2 / (z**2 / d).var(), "upside down"),
        (lambda z, d, e: 2 / e**2, "normal"),
        (lambda z, d, e: (2 + 6 / d) / e**2, "normal"),
        (lambda z, d, e: (z**2 / d).var(ddof=1) / e**2, "division"),
        (lambda z, d, e: math.ceil((z**2 / d).var() / e**2), "rounding"),
        (lambda z, d, e: round((z**2 / d).var() / e**2), "rounding"),
        (lambda z, d, e: int((z**2 / d).var() / e**2), "rounding"),
        (lambda z, d, e: 4 * (z**2 / d).var() / e**2, "draws: write down"),
        (lambda z, d, e: round((z**2 / d).var() / e**2, 1), "close"),
        (lambda z, d, e: 0, "zero"),
    ],
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
        (lambda d, mq, vq, mk, vk: d * (vq + vk), "product"),
        (lambda d, mq, vq, mk, vk: d * (1 + mq**2 + mk**2), "terms"),
        (lambda d, mq, vq, mk, vk: d * ((vq + mq**2) * (vk + mk**2) + mq**2 * mk**2), "mean: its square"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk + mk**2 * vq + 2 * mq * mk), "cross terms: twice"),
        (lambda d, mq, vq, mk, vk: d * (mq**2 * vk + mk**2 * vq), "means: this is"),
        (lambda d, mq, vq, mk, vk: d * (vq * vk + mk**2 * vq), "means: only"),
        (lambda d, mq, vq, mk, vk: 0, "zero"),
    ],
    "fourth-moment": [
        (lambda d, N, f: np.sqrt((2 + 6 / d) / N), "normal"),
        (lambda d, N, f: (2 + (f**2 - 3) / d) / N, "root: the standard error"),
        (lambda d, N, f: np.sqrt((2 + (f - 3) / d) / N), "both"),
        (lambda d, N, f: np.sqrt(2 + (f**2 - 3) / d), "draws: the variance"),
        (lambda d, N, f: np.sqrt(2 + (f**2 - 3) / d) / N, "draws: the root"),
        (lambda d, N, f: np.sqrt((2 * d**2 + (f**2 - 3) * d) / N), "width: the ratio"),
        (lambda d, N, f: np.sqrt((2 * d + (f**2 - 3)) / N), "width: the ratio"),
        (lambda d, N, f: np.sqrt((3 + (f**2 - 3) / d) / N), "square"),
        (lambda d, N, f: np.sqrt((2 + f**2 / d) / N), "pairs: two"),
        (lambda d, N, f: np.sqrt((f**2 - 1) / d / N), "pairs: four"),
        (lambda d, N, f: np.sqrt((2 + f**2 - 3) / N), "width: the more"),
        (lambda d, N, f: np.sqrt((2 + (f**4 - 3) / d) / N), "fourth: it is"),
        (lambda d, N, f: np.sqrt((2 + (f**2 + 3) / d) / N), "sign"),
        (lambda d, N, f: np.sqrt(2 / N), "components"),
        (lambda d, N, f: np.sqrt((2 + (f**2 - 9) / d) / N), "fourth moment"),
        (lambda d, N, f: round(np.sqrt((2 + (f**2 - 3) / d) / N), 3), "close"),
        (lambda d, N, f: 0, "zero"),
    ],
    "score-difference": [
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mk @ Sq @ mk + mq @ Sk @ mq, "one score"),
        (lambda mq, Sq, mk, Sk: 2 * (np.trace(Sq @ Sk) + mk @ Sq @ mk + mq @ Sk @ mq), "one query"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk) + mk @ Sq @ mk + 2 * mq @ Sk @ mq, "mean of the keys"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mq @ Sk @ mq, "two keys"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk), "mean of the query"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk) + 2 * mk @ Sq @ mk, "cross terms"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk) + 2 * mq @ Sq @ mq, "cross terms"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq) * np.trace(Sk) + 2 * mq @ Sk @ mq, "trace: the trace of a product"),
        (lambda mq, Sq, mk, Sk: 2 * (Sq @ Sk).sum() + 2 * mq @ Sk @ mq, "trace: sum the diagonal"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq * Sk) + 2 * mq @ Sk @ mq, "off the diagonal"),
        (lambda mq, Sq, mk, Sk: 4 * (np.trace(Sq @ Sk) + mq @ Sk @ mq), "factor: the difference"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + 2 * mq @ Sk @ mq, "factor: both"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk) + mq @ Sk @ mq, "factor: both"),
        (lambda mq, Sq, mk, Sk: 2 * mq @ Sk @ mq, "noise of the query"),
        (lambda mq, Sq, mk, Sk: 2 * np.trace(Sq @ Sk) - 2 * mq @ Sk @ mq, "sign"),
        (lambda mq, Sq, mk, Sk: np.sqrt(2 * np.trace(Sq @ Sk) + 2 * mq @ Sk @ mq), "root"),
        (lambda mq, Sq, mk, Sk: 3 * np.trace(Sq @ Sk) + 3 * mq @ Sk @ mq, "difference: write"),
        (lambda mq, Sq, mk, Sk: 0 * (mq @ mk), "zero"),
        (lambda mq, Sq, mk, Sk: Sq @ Sk, "shape"),
    ],
    "softmax-shift": [
        (lambda z: soft(z, axis=0), "axis: each column"),
        (lambda z: np.exp(z) / np.exp(z).sum(), "axis: all entries"),
        (np.exp, "normalise: the exponentials"),
        (lambda z: np.exp(z - z.max(1, keepdims=True)), "normalise: shifted"),
        (lambda z: np.exp(z) / np.exp(z).max(1, keepdims=True), "normalise: shifted"),
        (lambda z: np.exp(z - z.max(1, keepdims=True)) / np.exp(z).sum(1, keepdims=True), "shift: it is in the numerator"),
        (lambda z: np.exp(z) / np.exp(z - z.max(1, keepdims=True)).sum(1, keepdims=True), "shift: it is in the sum"),
        (lambda z: z / z.sum(1, keepdims=True), "exponential"),
        (lambda z: soft(-z), "sign"),
        (lambda z: np.log(soft(z)), "logarithm"),
        (lambda z: soft(z / 2), "rows: each sums"),
        (lambda z: np.exp(z) / np.exp(z).sum(1, keepdims=True), "overflow"),
        (lambda z: np.nan_to_num(np.exp(z) / np.exp(z).sum(1, keepdims=True)), "overflow"),
        (lambda z: soft(np.clip(z, -700, 700)), "overflow"),
        (lambda z: np.exp(z - z.max()) / np.exp(z - z.max()).sum(1, keepdims=True), "own shift"),
        (lambda z: soft(z) if z.shape == (4, 6) else soft(z).T, "shape"),
        (lambda z: np.exp(z) / np.exp(z).sum(1), "broadcast: arrays of"),
        (shifted(lambda z: z.mean(1, keepdims=True)), "wide row"),
        (shifted(lambda z: np.median(z, 1, keepdims=True)), "wide row"),
        (shifted(lambda z: z.min(1, keepdims=True)), "wide row"),
        (shifted(lambda z: z[:, :1]), "wide row"),
        (shifted(lambda z: z[:, -1:]), "wide row"),
        (shifted(lambda z: abs(z).max(1, keepdims=True)), "own shift"),
        (lambda z: (lambda e: e / (e.sum(1, keepdims=True) + 1e-6))(np.exp(z - z.max(1, keepdims=True))), "close"),
        (lambda z: np.exp(z) / np.linalg.norm(np.exp(z), axis=1, keepdims=True), "normalise: it divides"),
        (lambda z: soft(z / z.max(1, keepdims=True)), "exponential: logits"),
        (lambda z: np.exp(z - z.max()), "normalise: shifted by the maximum"),
    ],
    "jacobian-of-weights": [
        (lambda p: p * (1 - p), "off the diagonal: this is"),
        (lambda p: np.outer(p, p) - np.diag(p), "sign: raising"),
        (lambda p: np.diag(p) + np.outer(p, p), "sign: the others"),
        (lambda p: np.diag(p * (1 - p)), "off the diagonal"),
        (np.diag, "off the diagonal"),
        (lambda p: -np.outer(p, p), "diagonal: a weight"),
        (lambda p: np.diag(p) - p * p, "outer product: squares"),
        (lambda p: np.diag(soft(p)) - np.outer(soft(p), soft(p)), "input"),
        (lambda p: np.diag(p) - np.outer(p, p) * (1 - np.eye(len(p))), "diagonal: a weight"),
        (lambda p: np.eye(len(p)) - np.outer(p, p), "identity: the first"),
        (lambda p: np.diag(p) - np.outer(p, p) + (len(p) > 3) * 0.1, "size"),
        (lambda p: np.eye(len(p)) - np.outer(p, p), "identity"),
        (lambda p: np.diag(p) - np.outer(p, p) ** 2, "square"),
        (lambda p: np.diag(p * p) - np.outer(p, p), "square"),
        (lambda p: 2 * (np.diag(p) - np.outer(p, p)), "factor"),
        (lambda p: np.diag(p) - (p * p)[:, None], "outer product"),
        (lambda p: np.ones((len(p), len(p))), "constant"),
        (lambda p: np.round(np.diag(p) - np.outer(p, p), 3), "close"),
        (lambda p: np.diag(p) - np.outer(p, p[::-1]), "rows"),
    ],
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
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (4 * h)), "width: it divides"),
        (difference(lambda f, z, h, e: (f(z + 1e-5 * e) - f(z - 1e-5 * e)) / 2e-5), "step"),
        (difference(lambda f, z, h, e: (f(z + 1e-3 * e) - f(z - 1e-3 * e)) / 2e-3), "step"),
        (lambda f, z, h: into_a_table(f, z, h) * (1 if len(z) == 3 else 1.1), "size"),
        (nudged_in_place, "it changes its argument z"),
        (alias, "second name"),
        (lambda f, z, h: np.zeros((2, 3)), "f: it is never"),
        (difference(lambda f, z, h, e: (f(z + h / 2 * e) - f(z - h / 2 * e)) / h), "step: the two points lie h/2"),
        (difference(lambda f, z, h, e: (f(z + 2 * h * e) - f(z - 2 * h * e)) / (4 * h)), "step: the two points lie 2h"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z)) / (2 * h)), "width: it divides"),
        (difference(lambda f, z, h, e: abs(f(z + h * e) - f(z - h * e)) / (2 * h)), "size: a slope"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (2 * h) * e[-1]), "last"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (2 * h) * e[0]), "first"),
        (lambda f, z, h: into_a_table(f, z, h).sum(axis=0), "outputs"),
        (difference(lambda f, z, h, e: (f(z + h * e) - f(z - h * e)) / (3 * h)), "column j"),
    ],
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
        (lambda A, G: A * G - A * A * G, "square"),
        (lambda A, G: np.array([(np.diag(p) - np.outer(p, p)) @ g for p, g in zip(A, G)]), "memory"),
        (lambda A, G: A * (G - (A * G).sum(axis=1)), "broadcast: arrays of"),
        (lambda A, G: A * G - A * A * G, "square"),
        (lambda A, G: 2 * A * (G - (A * G).sum(1, keepdims=True)), "factor: all"),
        (lambda A, G: A * (G - (A * G).mean(1, keepdims=True)), "mean"),
        (lambda A, G: soft(A) * (G - (soft(A) * G).sum(1, keepdims=True)), "softmax"),
        (lambda A, G: A * (G - G.max(1, keepdims=True)), "row by row"),
        (lambda A, G: A @ G, "product"),
    ],
    "leak": [
        (lambda c, n: np.exp(c) / (np.exp(c) + n - 1), "leak"),
        (lambda c, n: 1 / (np.exp(c) + n - 1), "slots: this is"),
        (lambda c, n: n / (np.exp(c) + n), "slots: it counts"),
        (lambda c, n: (n - 1) / np.exp(c), "sum: all n"),
        (lambda c, n: (n - 1) / (np.exp(c) + n), "sum: one slot"),
        (lambda c, n: (n - 1) / (np.exp(-c) + n - 1), "sign"),
        (lambda c, n: 1 - c, "exponential"),
        (lambda c, n: 6 / (np.exp(c) + 6), "ends"),
        (lambda c, n: 1 - np.exp(-c), "sum: all n"),
        (lambda c, n: (n - 1) / (c + n - 1), "exponential"),
        (lambda c, n: (n - 1) / (np.exp(c) + n - 1) / n, "mean"),
        (lambda c, n: (n - 1) / np.exp(c) * 0 + np.exp(c) / (n - 1), "odds"),
        (lambda c, n: 1 - (np.exp(c) / (np.exp(c) + n - 1)) ** 2, "square"),
        (lambda c, n: -np.log(np.exp(c) / (np.exp(c) + n - 1)), "logarithm"),
        (lambda c, n: round((n - 1) / (np.exp(c) + n - 1), 3), "close"),
    ],
    "sharpness-needed": [
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)), "rho: it is not"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) * (1 - rho), "rho: here it"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / (1 + rho), "rho: the lead"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / rho, "rho: it shortens"),
        (lambda n, p, rho: np.log(n * p / (1 - p)) / (1 - rho), "slots: one too"),
        (lambda n, p, rho: np.log(p / (1 - p)) / (1 - rho), "slots: the number"),
        (lambda n, p, rho: np.log((n - 1) * (1 - p) / p) / (1 - rho), "odds"),
        (lambda n, p, rho: np.log10((n - 1) * p / (1 - p)) / (1 - rho), "logarithm"),
        (lambda n, p, rho: np.log((n - 1) * p) / (1 - rho), "odds: compare"),
        (lambda n, p, rho: np.log2((n - 1) * p / (1 - p)) / (1 - rho), "logarithm: it must"),
        (lambda n, p, rho: (n - 1) * p / (1 - p) / (1 - rho), "logarithm: this"),
        (lambda n, p, rho: 2 * np.log((n - 1) * p / (1 - p)) / (1 - rho), "factor"),
        (lambda n, p, rho: -np.log((n - 1) * p / (1 - p)) / (1 - rho), "sign"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / (1 - rho) / np.sqrt(n), "width"),
        (lambda n, p, rho: np.log((n - 1) * p / (1 - p)) / (1 - rho**2), "rho: its square"),
        (lambda n, p, rho: n * p, "with logits c"),
    ],
    "row-cosines": [
        (lambda U, W: (U * W).sum(axis=0), "axis: there is"),
        (lambda U, W: U @ W.T, "pairs"),
        (lambda U, W: (U * W).sum(axis=1), "lengths: these"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(U, axis=1), "lengths: only that of U"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(W, axis=1), "lengths: only that of W"),
        (lambda U, W: (U * W).sum(1) / (U * U).sum(1) / (W * W).sum(1), "root"),
        (lambda U, W: (U * W).sum(1) / np.linalg.norm(U) / np.linalg.norm(W), "axis: the lengths"),
        (lambda U, W: -(U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "sign"),
        (lambda U, W: np.arccos(np.clip((U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), -1, 1)), "angle"),
        (lambda U, W: abs((U * W).sum(1)) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "size"),
        (lambda U, W: (U * W).mean(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "mean: a dot"),
        (lambda U, W: U @ W, "pairs"),
        (lambda U, W: 1 - (U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1), "distance"),
        (lambda U, W: ((U * W).sum(1) / np.linalg.norm(U, axis=1) / np.linalg.norm(W, axis=1)) ** 2, "square"),
        (lambda U, W: (U * W).sum(1) / (np.linalg.norm(U, axis=1) + np.linalg.norm(W, axis=1)), "lengths: they"),
        (lambda U, W: (U * W).sum(1) / (np.linalg.norm(U, axis=1) * np.linalg.norm(W, axis=1) + 1e-4), "close"),
        (lambda U, W: (U + W).sum(1), "lengths: a row"),
    ],
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
        (lambda K, s, c: c * np.linalg.pinv(K), "shape: it returns"),
        (lambda K, s, c: np.zeros(K.shape[1]), "zero"),
        (lambda K, s, c: np.linalg.pinv(K) @ np.full(len(K), c), "all"),
        (lambda K, s, c: -at_right(K, s, c), "sign"),
        (lambda K, s, c: K @ np.eye(len(K))[s], "shape: something"),
    ],
    "count-parameters": [
        (lambda d, H, k, v: H * (2 * d * k + d * v), "mix: Wo is missing"),
        (lambda d, H, k, v: 2 * d * k + d * v + H * v * d, "heads"),
        (lambda d, H, k, v: 3 * H * d * k + H * v * d, "values"),
        (lambda d, H, k, v: 3 * H * d * v + H * v * d, "queries and keys"),
        (lambda d, H, k, v: H * (2 * d * k + d * v) + d * d, "mix: Wo is"),
        (lambda d, H, k, v: H * (2 * d * k + d * v) + v * d, "mix: Wo takes"),
        (lambda d, H, k, v: H * (d * k + d * v) + H * v * d, "keys"),
        (lambda d, H, k, v: H * (2 * (d + 1) * k + (d + 1) * v) + (H * v + 1) * d, "biases"),
        (lambda d, H, k, v: H * (2 * d * k + d * v + H * v * d), "mix: there is one"),
        (lambda d, H, k, v: 4 * d * d, "widths: here the"),
        (lambda d, H, k, v: 3 * H * d * (d // H) + d * d, "widths: here the"),
        (lambda d, H, k, v: H * (2 * d * k + d * v) + H * k * d, "values"),
        (lambda d, H, k, v: H * (2 * d * k + d * v) + (H * v) ** 2, "mix: Wo leads"),
        (lambda d, H, k, v: H * ((d + k) * 2 + d + v) + H * v + d, "product"),
        (lambda d, H, k, v: H * d * k + d * k + d * v + H * v * d, "shared"),
        (lambda d, H, k, v: H * d * (k + v), "sum"),
    ],
    "without-a-head": [
        (lambda O, Wo, i: mixing(O, blocks_of(O, Wo)), "switch: all heads"),
        (lambda O, Wo, i: O[i] @ blocks_of(O, Wo)[i], "switch: only"),
        (lambda O, Wo, i: one_off(O, Wo, i - 1), "count: heads"),
        (lambda O, Wo, i: one_off(O, Wo, (i + 1) % len(O)), "count: the first"),
        (lambda O, Wo, i: mixing(O, blocks_of(O, Wo)) - 2 * O[i] @ blocks_of(O, Wo)[i], "sign"),
        (lambda O, Wo, i: mixing(O * (np.arange(O.shape[2]) != min(i, O.shape[2] - 1)), blocks_of(O, Wo)), "columns"),
        (lambda O, Wo, i: mixing(O * (np.arange(O.shape[1])[:, None] != min(i, O.shape[1] - 1)), blocks_of(O, Wo)), "rows"),
        (lambda O, Wo, i: off(O, i).reshape(O.shape[1], -1) @ Wo, "scrambled"),
        (lambda O, Wo, i: off(O, i).transpose(1, 2, 0).reshape(O.shape[1], -1) @ Wo, "interleaved"),
        (lambda O, Wo, i: off(O, i).sum(axis=0) @ Wo[: O.shape[2]], "blocks: every head"),
        (lambda O, Wo, i: np.concatenate(list(np.delete(O, i, axis=0)), axis=1) @ Wo[: -O.shape[2]], "blocks: the heads after"),
        (lambda O, Wo, i: mixing(O, blocks_of(O, Wo)) / len(O), "mean"),
        (lambda O, Wo, i: one_off(O, Wo, i) / len(O), "mean"),
        (lambda O, Wo, i: one_off(O, Wo, i) / (len(O) - 1), "mean"),
        (lambda O, Wo, i: one_off(O, Wo, i) * len(O) / (len(O) - 1), "scale"),
        (lambda O, Wo, i: np.concatenate(list(off(O, i)), axis=1), "mix"),
        (lambda O, Wo, i: np.concatenate(list(off(O, i)), axis=0) @ Wo, "blocks: each head has"),
        (lambda O, Wo, i: np.concatenate(list(off(O, i)), axis=0) @ Wo[: O.shape[2]], "axis"),
        (lambda O, Wo, i: off(O, i) @ blocks_of(O, Wo), "sum"),
        (lambda O, Wo, i: np.concatenate(list(np.delete(O, i, axis=0)), axis=1) @ Wo, "blocks: a head that is switched off leaves"),
        (
            lambda O, Wo, i: np.concatenate(list(O), axis=1) @ np.delete(Wo, range(O.shape[2]), axis=0),
            "blocks: a head that is switched off still",
        ),
        (lambda O, Wo, i: np.concatenate(list(off(O, i)), axis=1).T @ Wo, "transposed: a row"),
        (lambda O, Wo, i: np.concatenate(list(off(O, i)), axis=1) @ Wo.T, "transposed: the mix"),
        (lambda O, Wo, i: Wo @ np.concatenate(list(off(O, i)), axis=1), "order"),
        (lambda O, Wo, i: O.__setitem__(i, 0) or np.concatenate(list(O), axis=1) @ Wo, "it changes its argument O in place"),
        (lambda O, Wo, i: one_off(O, Wo, i)[::-1], "parts"),
    ],
    "wide-head": [
        (lambda A: A.mean(axis=0), "mean"),
        (lambda A: A.sum(axis=0), "sum"),
        (lambda A: soft(np.log(A).sum(axis=0)), "scale: the wide"),
        (lambda A: soft(np.log(A).mean(axis=0)), "scale: the widths"),
        (lambda A: soft(np.log(A).sum(axis=0) * len(A) ** 0.5), "scale: a wider"),
        (lambda A: A.prod(axis=0), "normalise"),
        (lambda A: (A ** len(A) ** -0.5).prod(axis=0), "normalise"),
        (lambda A: (lambda P: P / P.sum(axis=0))((A ** len(A) ** -0.5).prod(axis=0)), "axis: each column"),
        (lambda A: (lambda P: P / P.sum())((A ** len(A) ** -0.5).prod(axis=0)), "axis: the whole"),
        (lambda A: soft(A.sum(axis=0)), "softmax: it was taken"),
        (lambda A: soft(A.sum(axis=0) / len(A) ** 0.5), "softmax: it was taken"),
        (lambda A: soft(A.mean(axis=0)), "softmax: it was taken"),
        (lambda A: soft(A.prod(axis=0)), "softmax: scores"),
        (lambda A: A[0], "head"),
        (lambda A: np.log(A).sum(axis=0) / len(A) ** 0.5, "scores: these"),
        (lambda A: A.max(axis=0), "maximum"),
        (lambda A: soft(np.log(A).sum(axis=0) / len(A) ** 0.5).T, "transposed"),
        (lambda A: np.linalg.multi_dot(list(A)), "order"),
        (lambda A: soft(np.log(A) / len(A) ** 0.5), "heads"),
        (lambda A: soft(np.log(A).sum(axis=0) / 2), "scores: write"),
    ],
    "split-heads": [
        (lambda X, Wq, Wk, H: scored(*((X @ W).reshape(H, len(X), -1) for W in (Wq, Wk))), "scrambled: a reshape"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), (X @ Wk).reshape(H, len(X), -1)), "keys: the queries are"),
        (lambda X, Wq, Wk, H: scored((X @ Wq).reshape(H, len(X), -1), split(X @ Wk, H)), "queries"),
        (lambda X, Wq, Wk, H: scored(*((X @ W).T.reshape(H, len(X), -1) for W in (Wq, Wk))), "scrambled: the matrix"),
        (lambda X, Wq, Wk, H: scored(*((X @ W).reshape(len(X), -1, H).transpose(2, 0, 1) for W in (Wq, Wk))), "interleaved"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H))[::-1], "order"),
        (lambda X, Wq, Wk, H: scored(*(np.stack([cut(X @ W, H, 0)] * H) for W in (Wq, Wk))), "columns: every"),
        (
            lambda X, Wq, Wk, H: scored(*(np.stack([(X @ W)[:, h : h + W.shape[1] // H] for h in range(H)]) for W in (Wq, Wk))),
            "columns: heads",
        ),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), Wq.shape[1]), "scale: each"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), H), "scale: each"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), len(X)), "scale: each"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), X.shape[1]), "scale: each"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), 1), "scale: it is"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H), (Wq.shape[1] / H) ** 2), "scale: it divides"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wk, H), split(X @ Wq, H)), "transposed"),
        (lambda X, Wq, Wk, H: soft(scored(split(X @ Wq, H), split(X @ Wk, H))), "softmax"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wq, H)), "keys: the queries of"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H))[:, ::-1], "rows"),
        (lambda X, Wq, Wk, H: scored(*((X @ W).reshape(len(X), H, -1) for W in (Wq, Wk))), "axes: the heads meet"),
        (lambda X, Wq, Wk, H: X @ Wq @ (X @ Wk).T / np.sqrt(Wq.shape[1] // H), "heads"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H)).transpose(1, 2, 0), "axes: the heads come"),
        (lambda X, Wq, Wk, H: split(X @ Wq, H), "scores"),
        (lambda X, Wq, Wk, H: split(X @ Wq, H) @ split(X @ Wk, H), "keys: turn"),
        (lambda X, Wq, Wk, H: scored(split(X @ Wq, H), split(X @ Wk, H)) * 3, "columns: which"),
    ],
    "any-of": [
        (lambda A, E: A - E / E.sum(axis=1, keepdims=True), "share"),
        (lambda A, E: A * E.sum(axis=1, keepdims=True) - E, "sum: here"),
        (lambda A, E: A - E, "pull"),
        (lambda A, E: -E / (A * E).sum(axis=1, keepdims=True), "chain rule"),
        (lambda A, E: -A * E / (A * E).sum(axis=1, keepdims=True), "softmax"),
        (lambda A, E: -E * A * (1 - A) / (A * E).sum(axis=1, keepdims=True), "diagonal"),
        (lambda A, E: through_softmax(A, -E), "logarithm"),
        (lambda A, E: any_true(A, E) * E, "others"),
        (lambda A, E: any_true(A, E) * (1 - E), "objects"),
        (lambda A, E: -any_true(A, E), "sign: the"),
        (lambda A, E: 2 * A - any_true(A, E), "sign: both"),
        (lambda A, E: any_true(A, 1 - E), "inverted"),
        (lambda A, E: A - A * E / np.maximum((A * E).sum(axis=0), 1e-300), "axis: each"),
        (lambda A, E: A - A * E / (A * E).sum(), "axis: all"),
        (lambda A, E: any_true(A, E) / len(A), "mean"),
        (lambda A, E: any_true(A, E).T, "transposed"),
        (lambda A, E: (A * E).sum(axis=1), "sum: a row"),
        (lambda A, E: any_true(A, E) * A, "check"),
    ],
    "shared-gradient": [
        (lambda X, W, dS: X.T @ dS @ X @ W / W.shape[1] ** 0.5, "once: this is what W does for the queries"),
        (lambda X, W, dS: X.T @ dS.T @ X @ W / W.shape[1] ** 0.5, "once: this is what W does for the keys"),
        (lambda X, W, dS: 2 * X.T @ dS @ X @ W / W.shape[1] ** 0.5, "twice"),
        (lambda X, W, dS: 2 * X.T @ dS.T @ X @ W / W.shape[1] ** 0.5, "twice"),
        (lambda X, W, dS: X.T @ (dS - dS.T) @ X @ W / W.shape[1] ** 0.5, "sign: the two"),
        (lambda X, W, dS: shared(X, W, dS) / 2, "mean: the two"),
        (lambda X, W, dS: shared(X, W, dS) / len(X), "mean: the derivative"),
        (lambda X, W, dS: X.T @ (dS + dS.T) @ X @ W, "scale: the scores"),
        (lambda X, W, dS: X.T @ (dS + dS.T) @ X @ W / W.shape[1], "scale: it divides"),
        (lambda X, W, dS: X.T @ (dS + dS.T) @ X @ W * W.shape[1] ** 0.5, "scale: it multiplies"),
        (lambda X, W, dS: X.T @ (dS + dS.T) @ X @ W / W.shape[0] ** 0.5, "scale: this is"),
        (lambda X, W, dS: -shared(X, W, dS), "sign: the derivative"),
        (lambda X, W, dS: shared(X, W, dS - np.diag(np.diag(dS)) / 2), "diagonal"),
        (lambda X, W, dS: X.T @ X @ W / W.shape[1] ** 0.5, "dS"),
        (lambda X, W, dS: X.T @ ((dS + dS.T).sum(axis=1, keepdims=True) * (X @ W)) / W.shape[1] ** 0.5, "sum"),
        (lambda X, W, dS: (dS + dS.T) @ X @ W / W.shape[1] ** 0.5, "chain rule: this"),
        (lambda X, W, dS: X.T @ (dS + dS.T) @ X / W.shape[1] ** 0.5, "chain rule: the score"),
        (lambda X, W, dS: shared(X, W, dS).T, "shape"),
        (lambda X, W, dS: X @ (dS + dS.T) @ X @ W, "transposed"),
        (lambda X, W, dS: shared(X, W, dS + np.eye(len(dS))), "check"),
    ],
    "ask-backwards": [
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[:, j], 1), "start"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[:, j], ~start), "inverted"),
        (lambda As, start, j: np.linalg.multi_dot(As)[:, j] * start, "normalise: these"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[:, j], 1) * start, "normalise: the starts"),
        (lambda As, start, j: np.linalg.multi_dot(As)[:, j] * start / start.sum(), "normalise: it"),
        (lambda As, start, j: start @ np.linalg.multi_dot(As) / start.sum(), "forwards"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[j], start), "row"),
        (lambda As, start, j: np.linalg.multi_dot(As)[j], "row"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As[::-1])[:, j], start), "order: the first"),
        (lambda As, start, j: column_share(np.linalg.multi_dot([A.T for A in As])[:, j], start), "order: to turn"),
        (lambda As, start, j: column_share(As[-1][:, j], start), "hops: this is the last"),
        (lambda As, start, j: column_share(As[0][:, j], start), "hops: this is the first"),
        (lambda As, start, j: column_share(np.prod(As, axis=0)[:, j], start), "product: this"),
        (lambda As, start, j: column_share(sum(As)[:, j], start), "product: weights"),
        (lambda As, start, j: column_share(likeliest(As)[:, j], start), "best way"),
        (lambda As, start, j: soft(np.linalg.multi_dot(As)[:, j]), "softmax"),
        (lambda As, start, j: column_share(np.exp(np.linalg.multi_dot(As)[:, j]), start), "softmax"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As / As.sum(axis=1, keepdims=True))[:, j], start), "hops: each"),
        (lambda As, start, j: np.eye(len(start))[np.argmax(np.linalg.multi_dot(As)[:, j] * start)], "certain"),
        (lambda As, start, j: start / start.sum(), "end"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[start, j], 1), "shape: every"),
        (lambda As, start, j: np.linalg.multi_dot(As), "shape: of all"),
        (lambda As, start, j: column_share(np.linalg.multi_dot(As)[:, j - 1], start), "check"),
    ],
    "sharp-enough": [
        (lambda L, n, s: np.log(L * (n - 1) / (1 - s)), "enough"),
        (lambda L, n, s: np.log((n - 1) * s / (1 - s)), "hops: this"),
        (lambda L, n, s: L * np.log((n - 1) * s / (1 - s)), "hops: sharpness"),
        (lambda L, n, s: odds(1 - (1 - s) / L, n - 1), "root: shares"),
        (lambda L, n, s: odds(s**L, n - 1), "root: a hop"),
        (lambda L, n, s: odds(s / L, n - 1), "root: a hop"),
        (lambda L, n, s: odds((1 - s) ** (1 / L), n - 1), "kept"),
        (lambda L, n, s: odds(s ** (1 / L), n), "others: of n"),
        (lambda L, n, s: odds(s ** (1 / L), 1), "others: the wrong"),
        (lambda L, n, s: odds(s ** (1 / L), 1 / (n - 1)), "others: the more"),
        (lambda L, n, s: np.log((n - 1) / (1 - s ** (1 / L))), "odds: p"),
        (lambda L, n, s: np.log((n - 1) * s ** (1 / L)), "odds: p"),
        (lambda L, n, s: odds(1 - s ** (1 / L), n - 1), "odds: turned"),
        (lambda L, n, s: -odds(s ** (1 / L), n - 1), "odds: turned"),
        (lambda L, n, s: odds(s ** (1 / L), n - 1) / np.log(10), "logarithm: the"),
        (lambda L, n, s: np.log2((n - 1) * s ** (1 / L) / (1 - s ** (1 / L))), "logarithm: the"),
        (lambda L, n, s: np.exp(odds(s ** (1 / L), n - 1)), "logarithm: this"),
        (lambda L, n, s: s ** (1 / L), "share"),
        (lambda L, n, s: tried_out(lambda c: ring_mass(c, L, n) - s), "ring"),
        (lambda L, n, s: math.ceil(odds(s ** (1 / L), n - 1)), "round"),
        (lambda L, n, s: [odds(s ** (1 / L), n - 1)] * L, "shape"),
        (lambda L, n, s: odds(s ** (1 / L), n - 1) / np.sqrt(n), "check"),
    ],
    "causal-mask": [
        (lambda n: np.tri(n), "booleans"),
        (lambda n: np.where(np.tri(n), 0, -np.inf), "booleans"),
        (lambda n: np.tri(n, dtype=bool).T, "transposed"),
        (lambda n: np.tri(n, k=-1, dtype=bool), "diagonal: an element"),
        (lambda n: ~np.tri(n, dtype=bool), "inverted"),
        (lambda n: np.ones((n, n), bool), "complete"),
        (lambda n: np.eye(n, dtype=bool), "alone"),
        (lambda n: np.tri(n, dtype=bool)[::-1], "turned: the first"),
        (lambda n: np.tri(n, dtype=bool) & (n > 1), "diagonal: a single"),
        (lambda n: np.arange(n) <= n, "shape"),
        (lambda: True, "it raises TypeError"),
        (lambda n: np.tri(n, k=1, dtype=bool), "ahead"),
        (lambda n: np.tri(n, dtype=bool) & ~np.tri(n, k=-2, dtype=bool), "last"),
        (lambda n: np.tri(n, dtype=bool)[:, ::-1], "turned"),
        (lambda n: np.tri(n, dtype=bool) & (np.arange(n) != 1), "triangle"),
        (lambda n: np.zeros((n, n), dtype=bool), "zero"),
    ],
    "renormalise": [
        (lambda A, mask: A * mask, "normalise"),
        (lambda A, mask: A * mask / (A * mask).sum(axis=0), "axis: it divides"),
        (lambda A, mask: A * mask / (A * mask).sum(), "axis: all"),
        (lambda A, mask: A, "mask"),
        (lambda A, mask: renormalised(A, ~mask), "inverted"),
        (lambda A, mask: soft(np.where(mask, A, -np.inf)), "softmax"),
        (lambda A, mask: mask / mask.sum(axis=1, keepdims=True), "proportions"),
        (lambda A, mask: renormalised(A, mask) ** 2, "rows: the allowed"),
        (right_only_for_3_by_6(renormalised), "size"),
        (lambda A, mask: A * mask / (A * mask).sum(axis=1, keepdims=True), "empty row: where"),
        (lambda A, mask: np.where(mask.any(1, keepdims=True), renormalised(A, mask), A), "empty row: its weights"),
        (lambda A, mask: A * mask / A.sum(axis=0), "normalise: it divides"),
        (lambda A, mask: A * mask / mask.sum(axis=1, keepdims=True), "normalise: it divides"),
        (
            lambda A, mask: np.where(mask, A + (A * ~mask).sum(1, keepdims=True) / mask.sum(1, keepdims=True), 0),
            "proportions: what",
        ),
        (lambda A, mask: (A * mask) ** 2 / ((A * mask) ** 2).sum(1, keepdims=True), "square"),
        (lambda A, mask: A * mask / ((A * mask).sum(1, keepdims=True) + 1e-6), "close"),
        (lambda A, mask: A * mask / (A * mask).sum(1), "broadcast"),
    ],
    "pairs-reached": [
        (powers(np.count_nonzero, self=False), "staying"),
        (lambda edges, L: breadth(edges, L, 1), "layers: this is one layer too many"),
        (lambda edges, L: breadth(edges, L, -1), "layers: this is one layer too few"),
        (powers(np.sum), "walks"),
        (lambda edges, L: reached(edges, L) - len(edges), "itself"),
        (lambda edges, L: reached(edges | edges.T, L), "one way"),
        (lambda edges, L: len(edges) ** 2, "no edges"),
        (lambda edges, L: reached(edges, L) / 2, "pairs: (i, j)"),
        (lambda edges, L: reached(edges, max(L, 1)), "no layer"),
        (powers(np.count_nonzero), "overflow"),
        (lambda edges, L: (reached(edges, L) - len(edges)) / 2, "pairs: (i, j)"),
        (lambda edges, L: len(edges), "pairs: it counts"),
        (lambda edges, L: reached(edges, len(edges)), "reach"),
        (lambda edges, L: edges.sum() * L, "pairs: all edges"),
        (lambda edges, L: reached(edges, L) - breadth(edges, L, -1), "one step"),
        (lambda edges, L: reached(edges & edges.T, L), "one way"),
        (lambda edges, L: reached(edges, L) ** 2, "count the pairs"),
    ],
    "merge-blocks": [
        (merge(top=min), "maximum"),
        (merge(top=lambda a, b: a + b), "maximum"),
        (merge(total=lambda la, lb: la + lb), "rescale: the two"),
        (merge(lambda ma, mb, m: (np.exp(m - ma), np.exp(m - mb))), "sign"),
        (merge(lambda ma, mb, m: (np.exp(mb - m), np.exp(ma - m))), "crossed"),
        (merge(total=max), "sum: had both"),
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
        (lambda a, b: a[1:], "it does not return three"),
        (lambda a, b: (lambda m, l, u: (l, m, u))(*merge()(a, b)), "order"),
        (lambda a, b: (lambda m, l, u: (u, l, m))(*merge()(a, b)), "order"),
        (lambda a, b: dict(zip("mlu", merge()(a, b))), "it does not return three"),
        (merge(mix=lambda fa, fb, a, b: (fa * a[2] + fb * b[2]) / 2), "mean"),
    ],
    "forgotten": [
        (lambda r, f: r * f - r - f, "redundancy"),
        (lambda r, f: r + f - 1, "kept"),
        (lambda r, f: r * f, "all"),
        (lambda r, f: r - 1 + f - 1, "product"),
        (lambda r, f: (r - 1) * f, "one kind: both"),
        (lambda r, f: r + f, "kept"),
        (lambda r, f: r * f - r - f + 2, "redundancy: only"),
        (lambda r, f: r * f - f, "one kind"),
        (lambda r, f: (r - 1) * (f - 1) / (r * f), "fraction"),
        (lambda r, f: min(r, f) - 1, "rank"),
        (lambda r, f: 2 * (r - 1) * (f - 1), "factor"),
        (lambda r, f: (r - 2) * (f - 2), "edges"),
        (lambda r, f: (r * f) ** 2 - r * f, "sums"),
        (lambda r, f: 0, "zero"),
        (lambda r, f: r * 7, "small"),
    ],
    "bland-table": [
        (lambda B: np.outer(B.sum(1), B.sum(0)), "total: the products"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.sum() ** 2, "total: it divides"),
        (lambda B: B.copy(), "table"),
        (lambda B: np.full(B.shape, B.mean()), "sums"),
        (lambda B: np.tile(B.mean(1, keepdims=True), (1, B.shape[1])), "rows"),
        (lambda B: np.tile(B.mean(0), (len(B), 1)), "columns"),
        (lambda B: np.add.outer(B.sum(1), B.sum(0)) / B.sum(), "sum: the sums"),
        (lambda B: np.outer(B.sum(0), B.sum(1)) / B.sum(), "shape"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.max(), "sums: add"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.sum(1).max(), "total: what"),
        (lambda B: np.sqrt(np.outer(B.sum(1), B.sum(0)) / B.sum()), "root"),
        (lambda B: B * np.outer(B.sum(1), B.sum(0)) / B.sum(), "both"),
        (lambda B: np.add.outer(B.sum(1), B.sum(0)), "sum: the sums"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.size, "total: it divides"),
        (lambda B: np.zeros(B.shape), "zero"),
        (lambda B: (lambda M: M / M.max())(np.outer(B.sum(1), B.sum(0))), "total: what"),
        (lambda B: np.outer(B.sum(1), B.sum(0)) / B.sum(0).max(), "total: what"),
    ],
    "bind": [
        (np.convolve, "circle: what runs"),
        (np.outer, "outer product"),
        (lambda a, b: a * b, "circle: it multiplies"),
        (lambda a, b: np.convolve(a, b)[: len(a)], "circle: the part"),
        (lambda a, b: np.convolve(a, b, "same"), "circle: the middle"),
        (lambda a, b: fft(b, a, turn=True), "sign: b runs"),
        (lambda a, b: fft(a, b, turn=True), "sign: a runs"),
        (lambda a, b: np.roll(fft(a, b), -1), "shift: one place too far"),
        (lambda a, b: np.roll(fft(a, b), 1), "shift: one place short"),
        (lambda a, b: fft(a, b) / len(a), "scale: the sum is divided"),
        (lambda a, b: np.fft.fft(np.fft.fft(a) * np.fft.fft(b)).real[-np.arange(len(a))], "scale: the sum is multiplied"),
        (lambda a, b: a + b, "sum: it binds"),
        (lambda a, b: np.fft.ifft(np.fft.fft(a) * np.fft.fft(b)), "it returns complex"),
        (lambda a, b: np.full(len(a), a @ b), "number"),
        (lambda a, b: fft(a, b)[::-1], "order"),
        (lambda a, b: fft(a, a), "twice"),
        (lambda a, b: (np.fft.fft(a) * np.fft.fft(b)).real, "frequencies"),
        (lambda a, b: np.zeros(len(a)), "zero"),
        (lambda a, b: fft(a, b) * a, "entry"),
    ],
    "unbind": [
        (lambda c, a: fft(c, a), "inverse"),
        (lambda c, a: fft(c, a[::-1]), "shift: reversing"),
        (lambda c, a: np.roll(fft(c, a, turn=True), 1), "shift: one place"),
        (lambda c, a: fft(a, c, turn=True), "arguments"),
        (lambda c, a: np.fft.ifft(np.fft.fft(c) / np.fft.fft(a)).real, "division"),
        (lambda c, a: fft(c, a, turn=True) / len(a), "scale"),
        (lambda c, a: a * c, "circle"),
        (lambda c, a: c - a, "sum: an index"),
        (lambda c, a: np.fft.ifft(np.fft.fft(c) * np.fft.fft(a).conj()), "it returns complex"),
        (lambda c, a: fft(c, a, turn=True) / (a @ a), "scale: the sum is multiplied"),
        (lambda c, a: np.correlate(c, a, "same"), "circle: what runs"),
        (lambda c, a: fft(c, a, turn=True)[::-1], "order"),
        (lambda c, a: abs(fft(c, a, turn=True)), "frequencies"),
        (lambda c, a: np.full(len(a), a @ c), "number"),
        (lambda c, a: np.roll(fft(c, a, turn=True), -1), "shift: reversing"),
        (lambda c, a: fft(c, a, turn=True) * a, "entry"),
    ],
}
