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


def window(n, w, low=0, high=0):
    back = np.arange(n)[:, None] - np.arange(n)
    return (back >= low) & (back < w + high)


def heard_by(edges, L, count=lambda heard: heard.sum(axis=0) - 1, extra=0, stay=True):
    loops = edges | (stay * np.eye(len(edges), dtype=bool))
    heard = np.eye(len(edges), dtype=bool)
    for _ in range(L + extra):
        heard = heard @ loops
    return count(heard)


def listeners(edges, L):
    heard = [{i} for i in range(len(edges))]
    for _ in range(L):
        heard = [set().union(own, *(heard[j] for j in np.flatnonzero(edges[i]))) for i, own in enumerate(heard)]
    return [sum(j in own for own in heard) - 1 for j in range(len(edges))]


def walks(edges, L, loops=True):
    return np.linalg.matrix_power(edges.astype(int) + loops * np.eye(len(edges), dtype=int), L).sum(axis=0) - loops


def pairwise(rest=lambda p, r: 1 - np.minimum(p, r).sum(), choose=max):
    return lambda A: choose([rest(A[i], A[k]) for i in range(len(A)) for k in range(i)])


def graph_layer(mend=lambda mask: mask | np.diag(~mask.any(axis=1)), scale=lambda Q, V: Q.shape[1], fill=-np.inf, after=None):
    def attempt(Q, K, V, mask):
        S = np.where(mend(mask), Q @ K.T / np.sqrt(scale(Q, V)), fill)
        out = soft(S) @ V
        return after(out, mask, V) if after else out

    return attempt


def own_value(out, mask, V):
    return np.where(mask.any(axis=1, keepdims=True), out, V)


def shifted_by_all(Q, K, V, mask):
    S = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(S - S.max(axis=1, keepdims=True)) * mask
    total = e.sum(axis=1, keepdims=True)
    return np.where(mask.any(axis=1, keepdims=True), e / np.where(total > 0, total, 1) @ V, V)


def by_columns(Q, K, V, mask):
    e = np.exp(np.where(mask, Q @ K.T / np.sqrt(K.shape[1]), -np.inf))
    return own_value(e / e.sum(axis=0) @ V, mask, V)


def with_epsilon(Q, K, V, mask):
    S = np.where(mask, Q @ K.T / np.sqrt(K.shape[1]), -np.inf)
    e = np.exp(S - S.max(axis=1, keepdims=True))
    return e / (e.sum(axis=1, keepdims=True) + 1e-9) @ V


def node_by_node(Q, K, V, mask):
    rows = []
    for i, allowed in enumerate(mask):
        if not allowed.any():
            rows.append(V[i])
            continue
        e = [math.exp(Q[i] @ K[j] / math.sqrt(K.shape[1])) for j in np.flatnonzero(allowed)]
        rows.append(sum(w * v for w, v in zip(e, V[allowed])) / sum(e))
    return rows


def memory_fit(heads=True, root=math.isqrt, per=lambda bytes_each: bytes_each):
    return lambda memory, heads_, bytes_each: root(memory // ((heads_ if heads else 1) * per(bytes_each)))


def joined(logs, outs):
    return soft(logs) @ outs


def joined_one_by_one(logs, outs):
    total, out = logs[0], outs[0]
    for log, one in zip(logs[1:], outs[1:]):
        both = np.logaddexp(total, log)
        total, out = both, np.exp(total - both) * out + np.exp(log - both) * one
    return out


def centred(
    common=lambda Q, K: Q @ K.mean(axis=0),
    q=lambda Q: np.linalg.norm(Q, axis=1),
    k=lambda K: np.linalg.norm(K - K.mean(axis=0), axis=1).max(),
    scale=lambda K: np.sqrt(K.shape[1]),
):
    return lambda Q, K: (common(Q, K) + q(Q) * k(K)) / scale(K)


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
    "standard-errors": [
        lambda r, d, N: (r - 1) * np.sqrt(N / (2 + 6 / d)),
        lambda r, d, N: (r * d - d) / math.sqrt((2 * d * d + 6 * d) / N),
    ],
    "score-variance": [
        lambda d, mq, vq, mk, vk: d * (vq * vk + mq**2 * vk + mk**2 * vq),
        lambda d, mq, vq, mk, vk: sum([(vq + mq * mq) * (vk + mk * mk) - (mq * mk) ** 2] * d),
    ],
    "general-variance": [
        lambda mq, Sq, mk, Sk: ((Sq + np.outer(mq, mq)) * (Sk + np.outer(mk, mk))).sum() - (mq @ mk) ** 2,
        lambda mq, Sq, mk, Sk: (Sq * Sk).sum() + mk @ Sq @ mk + mq @ Sk @ mq,
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
    "count-parameters": [lambda d, h, k, v: h * d * (2 * k + 2 * v), lambda d, h, k, v: sum([d * k, d * k, d * v, v * d] * h)],
    "split-heads": [
        lambda Y, h: np.split(Y, h, axis=1),
        lambda Y, h: np.stack([Y[:, i * (Y.shape[1] // h) : (i + 1) * (Y.shape[1] // h)] for i in range(h)]),
    ],
    "mix-of-heads": [blocks, lambda O, Wo: O.transpose(1, 0, 2).reshape(O.shape[1], -1) @ Wo],
    "query-gradient": [
        lambda X, K, dS: (K.T @ dS.T @ X).T / K.shape[1] ** 0.5,
        lambda X, K, dS: np.einsum("na,nm,mb->ab", X, dS, K) / np.sqrt(K.shape[-1]),
    ],
    "causal-mask": [
        lambda n, w: np.tri(n, dtype=bool) & ~np.tri(n, k=-w, dtype=bool),
        lambda n, w: [[j <= i < j + w for j in range(n)] for i in range(n)],
        lambda n, w: window(n, w),
    ],
    "audience": [
        listeners,
        lambda edges, L: (np.linalg.matrix_power(edges + 1.0 * np.eye(len(edges)), L) > 0.5).sum(axis=0) - 1,
        lambda edges, L: heard_by(edges.T, L, lambda heard: heard.sum(axis=1) - 1),
    ],
    "must-shrink": [
        pairwise(),
        lambda A: abs(A[:, None] - A).sum(axis=2).max() / 2,
        lambda A: 1 - min(sum(min(a, b) for a, b in zip(p, r)) for p in A for r in A),
        pairwise(lambda p, r: np.einsum("j->", np.clip(p - r, 0, None))),
    ],
    "empty-row": [
        graph_layer(),
        node_by_node,
        lambda Q, K, V, mask: own_value(np.nan_to_num(with_epsilon(Q, K, V, mask) * (1 + 1e-9)), mask, V),
    ],
    "largest-n": [
        memory_fit(),
        lambda memory, heads, bytes_each: int(np.floor(np.sqrt(memory / heads / bytes_each))),
        lambda memory, heads, bytes_each: next(n for n in range(10**6) if (n + 1) ** 2 * heads * bytes_each > memory),
    ],
    "blocks-by-logs": [joined, joined_one_by_one, lambda logs, outs: np.einsum("b,bv->v", soft(logs), outs)],
    "centred-shift": [
        centred(),
        lambda Q, K: [
            (sum(q * K.mean(0)) + math.hypot(*q) * max(math.hypot(*(k - K.mean(0))) for k in K)) / K.shape[1] ** 0.5 for q in Q
        ],
    ],
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
    "standard-errors": [
        (lambda r, d, N: (1 - r) / np.sqrt((2 + 6 / d) / N), "sign: a ratio above"),
        (lambda r, d, N: abs(r - 1) / np.sqrt((2 + 6 / d) / N), "sign: a ratio below"),
        (lambda r, d, N: (r - 1) / ((2 + 6 / d) / N), "root"),
        (lambda r, d, N: (r - 1) / np.sqrt(2 + 6 / d), "draws: the variance"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 6 / d) * N), "draws: more of"),
        (lambda r, d, N: (r - 1) / np.sqrt(2 / N), "width: the spread"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 6 * d) / N), "width: the wider"),
        (lambda r, d, N: r / np.sqrt((2 + 6 / d) / N), "expected"),
        (lambda r, d, N: np.sqrt((2 + 6 / d) / N), "error"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 3 / d) / N), "errors: a ratio"),
        (lambda r, d, N: round((r - 1) / np.sqrt((2 + 6 / d) / N), 1), "close"),
        (lambda r, d, N: (r - 1) * np.sqrt((2 + 6 / d) / N), "draws: more"),
        (lambda r, d, N: (r - 1) / (np.sqrt(2 + 6 / d) / N), "draws: the root"),
        (lambda r, d, N: (r - 1) / np.sqrt((2 + 6 / d) / (N - 1)), "draws: the variance of the mean"),
        (lambda r, d, N: (r / d - 1) / np.sqrt((2 + 6 / d) / N), "width: the ratio"),
        (lambda r, d, N: np.log(r) / np.sqrt((2 + 6 / d) / N), "ratio"),
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
    "general-variance": [
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk), "means: the two"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq) * np.trace(Sk) + mk @ Sq @ mk + mq @ Sk @ mq, "trace: the trace of a product"),
        (lambda mq, Sq, mk, Sk: (Sq @ Sk).sum() + mk @ Sq @ mk + mq @ Sk @ mq, "trace: sum the diagonal"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq * Sk) + mk @ Sq @ mk + mq @ Sk @ mq, "off the diagonal"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mq @ Sq @ mq + mk @ Sk @ mk, "cross terms"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mk @ Sq @ mk, "means: only"),
        (lambda mq, Sq, mk, Sk: ((Sq + np.outer(mq, mq)) * (Sk + np.outer(mk, mk))).sum(), "mean: the square"),
        (lambda mq, Sq, mk, Sk: mk @ Sq @ mk + mq @ Sk @ mq, "means: what is"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) - mk @ Sq @ mk - mq @ Sk @ mq, "sign: the means"),
        (lambda mq, Sq, mk, Sk: Sq @ Sk, "shape"),
        (lambda mq, Sq, mk, Sk: (mq @ mk) ** 2, "mean: this"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mk @ Sq @ mk + mq @ Sk @ mq + 2 * mq @ mk, "cross terms: the two"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + np.trace(Sq) * mk @ mk + np.trace(Sk) * mq @ mq, "diagonal"),
        (lambda mq, Sq, mk, Sk: np.sqrt(np.trace(Sq @ Sk) + mk @ Sq @ mk + mq @ Sk @ mq), "root"),
        (lambda mq, Sq, mk, Sk: np.trace(Sq @ Sk) + mq @ Sk @ mq, "means: only"),
        (lambda mq, Sq, mk, Sk: (Sq * Sk).max(), "covariances"),
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
        (lambda d, h, k, v: h * (2 * d * k + d * v), "mix: Wo is missing"),
        (lambda d, h, k, v: 2 * d * k + d * v + h * v * d, "heads"),
        (lambda d, h, k, v: 3 * h * d * k + h * v * d, "values"),
        (lambda d, h, k, v: 3 * h * d * v + h * v * d, "queries and keys"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + d * d, "mix: Wo is"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + v * d, "mix: Wo takes"),
        (lambda d, h, k, v: h * (d * k + d * v) + h * v * d, "keys"),
        (lambda d, h, k, v: h * (2 * (d + 1) * k + (d + 1) * v) + (h * v + 1) * d, "biases"),
        (lambda d, h, k, v: h * (2 * d * k + d * v + h * v * d), "mix: there is one"),
        (lambda d, h, k, v: 4 * d * d, "widths: here the"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + h * k * d, "values"),
        (lambda d, h, k, v: h * (2 * d * k + d * v) + (h * v) ** 2, "mix: Wo leads"),
        (lambda d, h, k, v: h * ((d + k) * 2 + d + v) + h * v + d, "product"),
        (lambda d, h, k, v: h * d * k + d * k + d * v + h * v * d, "shared"),
        (lambda d, h, k, v: h * d * (k + v), "sum"),
    ],
    "split-heads": [
        (lambda Y, h: Y.reshape(len(Y), h, -1), "axes"),
        (lambda Y, h: split(Y, h, (1, 2, 0)), "transposed"),
        (lambda Y, h: Y.reshape(len(Y), h, -1).transpose(2, 0, 1), "width"),
        (lambda Y, h: Y.reshape(h, len(Y), -1), "scrambled"),
        (lambda Y, h: Y.reshape(len(Y), -1, h).transpose(2, 0, 1), "interleaved"),
        (lambda Y, h: split(Y, h)[::-1], "order"),
        (lambda Y, h: np.stack([Y[:, : Y.shape[1] // h]] * h), "columns"),
        (lambda Y, h: split(Y, h)[:, ::-1], "rows: they come"),
        (lambda Y, h: np.array(np.array_split(Y, h, axis=0)[:1]), "shape"),
        (lambda Y, h: np.split(Y, h, axis=0), "axis"),
        (lambda Y, h: np.split(Y, h, axis=1)[0], "heads: this is a single"),
        (lambda Y, h: Y, "split"),
        (lambda Y, h: Y.reshape(-1, Y.shape[1] // h), "heads: they stand"),
        (lambda Y, h: Y[0].reshape(h, -1), "rows: each"),
        (lambda Y, h: split(Y, h)[:, ::-1], "rows: they come"),
        (lambda Y, h: split(Y, h)[:, :, ::-1], "columns: those of a head"),
        (lambda Y, h: np.stack([Y[:, a : a + Y.shape[1] // h] for a in range(h)]), "columns: heads overlap"),
        (lambda Y, h: Y.T.reshape(h, len(Y), -1), "scrambled: the shape"),
        (lambda Y, h: split(Y, h) * 2, "columns: element 0"),
    ],
    "mix-of-heads": [
        (lambda O, Wo: np.concatenate(list(O), axis=1), "mix"),
        (lambda O, Wo: O @ Wo[: O.shape[2]], "sum: the heads' parts"),
        (lambda O, Wo: O.reshape(O.shape[1], -1) @ Wo, "scrambled"),
        (lambda O, Wo: O.transpose(1, 2, 0).reshape(O.shape[1], -1) @ Wo, "interleaved"),
        (lambda O, Wo: O.sum(axis=0) @ Wo[: O.shape[2]], "blocks"),
        (lambda O, Wo: np.concatenate(list(O[::-1]), axis=1) @ Wo, "order"),
        (lambda O, Wo: blocks(O, Wo) / len(O), "sum: the mix"),
        (lambda O, Wo: blocks(O, Wo, lambda i, d_v: slice(-d_v, None)), "blocks: every head"),
        (lambda O, Wo: np.concatenate(list(O), axis=0) @ Wo, "axis: the heads"),
        (lambda O, Wo: np.concatenate(list(O), axis=0) @ Wo[: O.shape[2]], "axis: the heads stand below one another; each"),
        (lambda O, Wo: O[0] @ Wo[: O.shape[2]], "heads: only"),
        (lambda O, Wo: np.tile(O.mean(axis=0), (1, len(O))) @ Wo, "sum: one head"),
        (lambda O, Wo: O.sum(axis=0) @ Wo[-O.shape[2] :], "blocks: every head goes through the last"),
        (lambda O, Wo: np.concatenate([o[:, ::-1] for o in O], axis=1) @ Wo, "blocks: each head's"),
        (lambda O, Wo: (np.concatenate(list(O), axis=1) @ Wo)[::-1], "elements"),
        (lambda O, Wo: Wo @ np.concatenate(list(O), axis=1), "order: the joined"),
        (lambda O, Wo: np.concatenate(list(O), axis=1).T @ Wo, "transposed: a row"),
        (lambda O, Wo: np.concatenate(list(O), axis=1) @ Wo * 3, "joined"),
        (lambda O, Wo: O[-1] @ Wo[-O.shape[2] :], "heads: only"),
        (lambda O, Wo: O[1] @ Wo[O.shape[2] : 2 * O.shape[2]], "heads: only"),
    ],
    "query-gradient": [
        (lambda X, K, dS: dS @ K / K.shape[1] ** 0.5, "chain rule"),
        (lambda X, K, dS: X.T @ dS @ K, "scale: the scores"),
        (lambda X, K, dS: X.T @ dS @ K / K.shape[1], "scale: it divides"),
        (lambda X, K, dS: X.T @ dS @ K * K.shape[1] ** 0.5, "scale: it multiplies"),
        (lambda X, K, dS: X.T @ dS.T @ K / K.shape[1] ** 0.5, "transposed"),
        (lambda X, K, dS: -X.T @ dS @ K / K.shape[1] ** 0.5, "sign"),
        (lambda X, K, dS: X.T @ dS @ K / K.shape[1] ** 0.5 / len(X), "mean"),
        (lambda X, K, dS: X.T @ dS @ K / X.shape[1] ** 0.5, "scale: this is"),
        (lambda X, K, dS: K.T @ dS.T @ X / K.shape[1] ** 0.5, "shape"),
        (lambda X, K, dS: X @ dS @ K, "transposed: which"),
        (lambda X, K, dS: 2 * X.T @ dS @ K / K.shape[1] ** 0.5, "factor"),
        (lambda X, K, dS: X.T @ K / K.shape[1] ** 0.5, "dS"),
        (lambda X, K, dS: X.T @ np.diag(np.diag(dS)) @ K / K.shape[1] ** 0.5, "pairs"),
        (lambda X, K, dS: X.T @ (dS.sum(1, keepdims=True) * K) / K.shape[1] ** 0.5, "sum"),
        (lambda X, K, dS: X.T @ (dS - dS.mean(1, keepdims=True)) @ K / K.shape[1] ** 0.5, "softmax"),
        (lambda X, K, dS: X.T @ abs(dS) @ K / K.shape[1] ** 0.5, "check"),
    ],
    "causal-mask": [
        (lambda n, w: window(n, w).astype(float), "booleans"),
        (lambda n, w: np.where(window(n, w), 0, -np.inf), "booleans"),
        (lambda n, w: window(n, w).T, "transposed"),
        (lambda n, w: window(n, w, low=1), "diagonal"),
        (lambda n, w: window(n, w, low=1, high=1), "diagonal"),
        (lambda n, w: ~window(n, w), "inverted"),
        (lambda n, w: np.ones((n, n), bool), "complete"),
        (lambda n, w: np.eye(n, dtype=bool), "alone"),
        (lambda n, w: np.tri(n, dtype=bool), "window: it has no end"),
        (lambda n, w: window(n, w, high=1), "window: it is one element too long"),
        (lambda n, w: window(n, w, high=-1), "window: it is one element too short"),
        (lambda n, w: window(n, w) | window(n, w).T, "ahead"),
        (lambda n, w: np.tri(n, k=-w, dtype=bool), "far"),
        (lambda n, w: window(n, w)[::-1], "turned"),
        (lambda n, w: window(n, w)[:, ::-1], "turned"),
        (lambda n, w: window(n, 3), "size"),
        (lambda n, w: window(n, w) & (np.arange(n) > 0), "band"),
        (lambda n, w: np.arange(n) < w, "shape"),
        (lambda n: np.tri(n, dtype=bool), "it raises TypeError"),
        (lambda n, w: np.zeros((n, n), dtype=bool), "zero"),
    ],
    "audience": [
        (lambda edges, L: heard_by(edges, L, stay=False), "staying"),
        (
            lambda edges, L: heard_by(edges, L, lambda heard: (heard & ~np.eye(len(edges), dtype=bool)).sum(0), stay=False),
            "staying",
        ),
        (lambda edges, L: heard_by(edges, L, extra=1), "layers: this is one layer too many"),
        (lambda edges, L: heard_by(edges, L, extra=-1), "layers: this is one layer too few"),
        (lambda edges, L: heard_by(edges | edges.T, L), "one way"),
        (lambda edges, L: heard_by(edges & edges.T, L), "one way"),
        (lambda edges, L: heard_by(edges, L, lambda heard: heard.sum(axis=1) - 1), "turned"),
        (lambda edges, L: heard_by(edges.T, L), "turned"),
        (walks, "walks"),
        (lambda edges, L: walks(edges, L, False), "walks"),
        (lambda edges, L: heard_by(edges, L, lambda heard: heard.sum(axis=0)), "itself"),
        (lambda edges, L: heard_by(edges, len(edges)), "reach"),
        (lambda edges, L: heard_by(edges, L) - heard_by(edges, max(L - 1, 0)), "one step"),
        (lambda edges, L: np.full(len(edges), len(edges) - 1), "no edges"),
        (lambda edges, L: heard_by(edges, L) / len(edges), "share"),
        (lambda edges, L: heard_by(edges, L) / (len(edges) - 1), "share"),
        (lambda edges, L: sum(heard_by(edges, k) for k in range(1, L + 1)), "layers: the listeners"),
        (lambda edges, L: heard_by(edges, L, lambda heard: heard.sum() - len(edges)), "shape"),
        (lambda edges, L: heard_by(edges, L)[::-1], "count for each j"),
        (lambda edges, L: heard_by(edges, max(L, 1)), "no layer"),
        (
            lambda edges, L: np.count_nonzero(np.linalg.matrix_power(edges + np.eye(len(edges), dtype=int), L), axis=0) - 1,
            "overflow",
        ),
    ],
    "must-shrink": [
        (pairwise(choose=np.mean), "pairs: the largest rest is wanted, and this is their mean"),
        (lambda A: (abs(A[:, None] - A).sum(axis=2) / 2).mean(), "pairs: the largest rest is wanted, and this is their mean"),
        (pairwise(choose=min), "pairs: the largest rest is wanted, and this is the smallest"),
        (lambda A: 1 - A.min(axis=0).sum(), "together"),
        (lambda A: np.minimum(A[:, None], A).sum(axis=2).min(), "shared"),
        (lambda A: 1 - pairwise(choose=min)(A), "shared"),
        (lambda A: abs(A[:, None] - A).sum(axis=2).max(), "factor"),
        (lambda A: abs(A[:, None] - A).max(), "one key"),
        (lambda A: pairwise()(A.T), "axis"),
        (pairwise(lambda p, r: 1 - p @ r), "product"),
        (lambda A: 1 - (A @ A.T).min(), "product"),
        (pairwise(lambda p, r: np.maximum(p, r).sum()), "larger"),
        (lambda A: 1 - np.maximum(A[:, None], A).sum(axis=2).max(), "larger"),
        (pairwise(lambda p, r: np.linalg.norm(p - r)), "length"),
        (lambda A: max(1 - np.minimum(p, r).sum() for p, r in zip(A, A[1:])), "neighbours"),
        (lambda A: max(1 - np.minimum(A[0], r).sum() for r in A[1:]), "first"),
        (lambda A: pairwise(choose=sum)(A), "rest"),
        (lambda A: 1 - np.minimum(A[:, None], A).sum(axis=2), "shape"),
        (lambda A: max(pairwise()(A), 0.2), "alike"),
        (lambda A: min(pairwise()(A), 0.95), "apart"),
    ],
    "empty-row": [
        (
            graph_layer(mend=lambda mask: mask, after=lambda out, mask, V: out * np.where(mask.any(1), 1, np.nan)[:, None]),
            "empty row",
        ),
        (with_epsilon, "empty row"),
        (lambda Q, K, V, mask: np.nan_to_num(with_epsilon(Q, K, V, mask)), "forgotten"),
        (graph_layer(mend=lambda mask: mask, fill=-1e9), "flat"),
        (graph_layer(mend=lambda mask: mask | ~mask.any(axis=1, keepdims=True)), "unmasked"),
        (graph_layer(mend=lambda mask: mask | np.eye(len(mask), dtype=bool)), "loops"),
        (graph_layer(mend=lambda mask: ~mask), "inverted"),
        (graph_layer(mend=lambda mask: np.ones_like(mask)), "no mask"),
        (graph_layer(scale=lambda Q, V: 1), "scale: the scores"),
        (graph_layer(scale=lambda Q, V: V.shape[1]), "scale: the root"),
        (by_columns, "axis"),
        (graph_layer(mend=lambda mask: (mask | np.diag(~mask.any(axis=0))).T), "transposed"),
        (graph_layer(mend=lambda mask: mask.T | np.diag(~mask.T.any(axis=1)), after=own_value), "transposed"),
        (lambda Q, K, V, mask: np.where(mask.any(1)[:, None], graph_layer()(Q, K, V, mask), V[(Q @ K.T).argmax(1)]), "query"),
        (lambda Q, K, V, mask: V, "everyone"),
        (lambda Q, K, V, mask: graph_layer()(Q, K, V, mask) + ~mask.any(axis=1)[:, None], "row"),
        (shifted_by_all, "underflow"),
        (lambda Q, K, V, mask: graph_layer()(Q, K, V, mask)[mask.any(axis=1)], "shape"),
        (lambda Q, K, V, mask: graph_layer()(Q, K.T, V, mask), "product"),
    ],
    "largest-n": [
        (memory_fit(heads=False), "heads"),
        (lambda memory, heads, bytes_each: memory // (heads * bytes_each), "root"),
        (lambda memory, heads, bytes_each: (memory / (heads * bytes_each)) ** 0.5, "whole"),
        (lambda memory, heads, bytes_each: math.ceil((memory / (heads * bytes_each)) ** 0.5), "whole"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // heads), "bytes: a number"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // (heads * 8)), "bytes: not every"),
        (lambda memory, heads, bytes_each: math.isqrt(8 * memory // (heads * bytes_each)), "bits"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // bytes_each) // heads, "heads: the heads"),
        (lambda memory, heads, bytes_each: math.isqrt(memory * heads // bytes_each), "heads: more"),
        (lambda memory, heads, bytes_each: math.isqrt(2 * memory // (heads * bytes_each)), "half"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // (3 * heads * bytes_each)), "arrays"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // (heads * bytes_each)) - 1, "whole: one"),
        (lambda memory, heads, bytes_each: math.isqrt(memory // (heads * bytes_each)) + 50, "count"),
        (lambda memory, heads, bytes_each: round((memory // (heads * bytes_each)) ** (1 / 3)), "root: a square"),
        (lambda memory, heads, bytes_each: 0, "zero"),
        (lambda memory, heads, bytes_each: heads**2, "count"),
    ],
    "blocks-by-logs": [
        (lambda logs, outs: outs.mean(axis=0), "mean"),
        (lambda logs, outs: outs.sum(axis=0), "sum: each output"),
        (lambda logs, outs: logs @ outs, "logs: a block"),
        (lambda logs, outs: logs / logs.sum() @ outs, "logs: a block"),
        (lambda logs, outs: np.exp(logs) @ outs, "normalise"),
        (lambda logs, outs: np.exp(logs - logs.max()) @ outs, "normalise"),
        (lambda logs, outs: soft(-logs) @ outs, "sign"),
        (lambda logs, outs: outs[logs.argmax()], "largest"),
        (lambda logs, outs: soft(np.exp(logs)) @ outs, "twice"),
        (lambda logs, outs: soft(logs)[::-1] @ outs, "crossed"),
        (lambda logs, outs: soft(2 * logs) @ outs, "square"),
        (lambda logs, outs: soft(logs / 2) @ outs, "root"),
        (lambda logs, outs: soft(logs)[:, None] * outs, "shape"),
        (lambda logs, outs: np.exp(logs) / np.exp(logs).sum() @ outs, "overflow"),
        (lambda logs, outs: soft(np.where(np.isinf(logs), 0, logs)) @ outs, "empty"),
        (lambda logs, outs: soft(logs) @ outs + 1, "weights"),
        (lambda logs, outs: outs @ soft(logs), "product"),
        (lambda logs, outs: outs[:-1].T @ soft(logs[:-1]), "last"),
    ],
    "centred-shift": [
        (lambda Q, K: np.linalg.norm(Q, axis=1) * np.linalg.norm(K, axis=1).max() / np.sqrt(K.shape[1]), "plain"),
        (centred(common=lambda Q, K: 0), "common: the scores"),
        (centred(common=lambda Q, K: -(Q @ K.mean(axis=0))), "sign"),
        (centred(scale=lambda K: 1), "scale: the scores"),
        (centred(scale=lambda K: K.shape[1]), "scale: the root"),
        (centred(scale=lambda K: np.sqrt(len(K))), "scale: the root of the key width"),
        (centred(q=lambda Q: np.linalg.norm(Q, axis=1).max()), "row"),
        (centred(k=lambda K: np.linalg.norm(K - K.mean(0), axis=1).min()), "smallest"),
        (centred(k=lambda K: np.linalg.norm(K - K.mean(0), axis=1).mean()), "mean"),
        (centred(k=lambda K: np.linalg.norm(K - K.mean(0))), "all keys"),
        (centred(k=lambda K: np.linalg.norm(K - K.mean(0), axis=0).max()), "axis"),
        (centred(q=lambda Q: (Q**2).sum(axis=1)), "squared"),
        (centred(k=lambda K: ((K - K.mean(0)) ** 2).sum(axis=1).max()), "squared"),
        (lambda Q, K: (Q @ K.T).max(axis=1) / np.sqrt(K.shape[1]), "maximum"),
        (lambda Q, K: centred()(Q, K)[:, None], "shape"),
        (lambda Q, K: centred()(Q, K) + 1, "bound"),
        (centred(k=lambda K: np.linalg.norm(K, axis=1).max()), "twice"),
        (lambda Q, K: Q @ K.mean(1), "product"),
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
