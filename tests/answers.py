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


def log_soft(Z, axis=-1):
    Z = Z - Z.max(axis=axis, keepdims=True)
    return Z - np.log(np.exp(Z).sum(axis=axis, keepdims=True))


def column(weights, output=True):
    def attempt(Q, K, V):
        A = weights(K.T @ Q, len(K), K.shape[1], Q.shape[1])
        return V @ A if output else A

    return attempt


def batched(weights=lambda S, d_k: soft(S / d_k**0.5)):
    return lambda Q, K, V: weights(Q @ np.swapaxes(K, 1, 2), K.shape[2]) @ V


def log_shifted(shift):
    return lambda Z: (lambda z: z - np.log(np.exp(z).sum(axis=1, keepdims=True)))(Z - shift(Z))


def over_one(z, one, shift):
    e = np.exp(z - shift)
    return e / (one + e.sum(axis=1, keepdims=True))


def halved_threshold(z):
    low, high = min(z) - 1, max(z)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(z - middle, 0).sum() > 1 else (low, middle)
    return low


def staying(z):
    return int((z > halved_threshold(z)).sum())


def whole_escape(g):
    return np.exp(g) + 3 * g - 3 * np.exp(-g) - np.exp(-2 * g) / 2


def bend(f, z, x, h):
    return (f(z + h * x) - 2 * f(z) + f(z - h * x)) / h**2


def alias(f, z, x, h):
    up = down = z.copy()
    up += h * x
    down -= h * x
    return (f(up) - 2 * f(z) + f(down)) / h**2


def nudged_in_place(f, z, x, h):
    middle = f(z)
    z += h * x
    up = f(z)
    z -= 2 * h * x
    return (up - 2 * middle + f(z)) / h**2


def slope_of_slopes(f, z, x, h):
    """The central difference of central differences over half the step, which meets at z: right."""
    slopes = [(f(z + s * h * x / 2 + h * x / 2) - f(z + s * h * x / 2 - h * x / 2)) / h for s in (1, -1)]
    return (slopes[0] - slopes[1]) / h


def all_second_derivatives(f, z, x, h):
    """Every pair of entries by itself, each times its shares of x."""
    steps = [one * h * e for one, e in zip(x, np.eye(len(z)))]
    return sum((f(z + a + b) - f(z + a - b) - f(z - a + b) + f(z - a - b)) / (4 * h * h) for a in steps for b in steps)


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
def general(n, d, d_v):
    rng = np.random.default_rng(0)
    return np.column_stack([rng.normal(size=(n, d)) @ rng.normal(size=(d, d_v)), np.ones(n)])


def back(V, o):
    w = np.linalg.solve(V.T, o)
    return np.append(w, 1 - w.sum())


def turns(a):
    return np.stack([np.roll(a, j) for j in range(len(a))], axis=1)


def asked(memory, roles, candidates, turn=lambda m, a: fft(m, a, turn=True)):
    answers = np.array([turn(memory, a) for a in roles])
    return answers @ candidates.T / np.outer(np.linalg.norm(answers, axis=1), np.linalg.norm(candidates, axis=1))


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
    "stored-twice": [
        lambda q, K, V, times: loops(q, np.repeat(K, times, axis=0), np.repeat(V, times, axis=0)),
        lambda q, K, V, times: np.einsum("n,nv->v", soft(K @ q + np.log(times)), V),
        lambda q, K, V, times: tuple((lambda e: e / e.sum() @ V)(times * np.exp(K @ q))),
    ],
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
    "log-jacobian": [
        lambda p: (np.diag(p) - np.outer(p, p)) / p[:, None],
        lambda p: [[(i == j) - b for j, b in enumerate(p)] for i, _ in enumerate(p)],
        lambda p: np.einsum("ij->ij", np.eye(len(p)) - np.ones(len(p))[:, None] * p),
    ],
    "second-difference": [
        slope_of_slopes,
        lambda f, z, x, h: ((f(z + h * x) - f(z)) / h - (f(z) - f(z - h * x)) / h) / h,
        lambda f, z, x, h: [(a - b - b + c) / h / h for a, b, c in zip(f(z + h * x), f(z), f(z - h * x))],
        lambda f, z, x, h: np.einsum("k,km->m", [1, -2, 1], [f(z + s * h * x) for s in (1, 0, -1)]) / h**2,
    ],
    "jacobian-product": [
        lambda A, G: A * G - A * np.einsum("mn,mn->m", A, G)[:, None],
        lambda A, G: np.array([p * g - p * (p @ g) for p, g in zip(A, G)]),
    ],
    "log-weights": [
        log_soft,
        lambda Z: Z - np.logaddexp.reduce(Z, axis=1)[:, None],
        lambda Z: [[z - max(row) - math.log(sum(math.exp(y - max(row)) for y in row)) for z in row] for row in Z],
    ],
    "brier-gradient": [
        lambda p, t: (np.diag(p) - np.outer(p, p)) @ (p - np.eye(len(p))[t]),
        lambda p, t: [a * ((a - (i == t)) - sum(b * (b - (j == t)) for j, b in enumerate(p))) for i, a in enumerate(p)],
        lambda p, t: p * (p - p @ p) - p * (np.eye(len(p))[t] - p[t]),
    ],
    "until-the-weight": [
        lambda g, p, rate: (g + np.log(p / (1 - p)) + p / (1 - p) - np.exp(-g)) / 2 / rate,
        lambda g, p, rate: [g - math.exp(-g) - (math.log(1 - p) - math.log(p)) + p / (1 - p)][0] / (2 * rate),
    ],
    "leak": [
        lambda c, n: 1 - 2 * np.exp(c) / (2 * np.exp(c) + n - 2),
        lambda c, n: soft(np.array([c, c] + [0.0] * (n - 2)))[2:].sum(),
    ],
    "slots-held": [
        lambda c, p: 1 + int(math.exp(c) / p - math.exp(c)),
        lambda c, p: sum(np.exp(c) / (np.exp(c) + np.arange(10_000)) >= p),
    ],
    "row-cosines": [
        lambda U, W: [u @ w / np.sqrt(u @ u) / np.sqrt(w @ w) for u, w in zip(U, W)],
        lambda U, W: np.einsum("nd,nd->n", *(M / np.linalg.norm(M, axis=1, keepdims=True) for M in (U, W))),
    ],
    "crosstalk-free": [at_right, lambda K, s, c: np.linalg.lstsq(K, c * np.eye(len(K))[s], rcond=None)[0]],
    "keys-allowed": [
        lambda n, p, c: (c - math.log(n - 1) - math.log(p) + math.log(1 - p)) / c,
        lambda n, p, c: 1 + np.log((1 / p - 1) / (n - 1)) / c,
    ],
    "fair-scores": [
        lambda K, c: [c / 2 * (min(sum(x * x for x in k) for k in K) - sum(x * x for x in row)) for row in K],
        lambda K, c: (lambda s: -c * (s - s.min()) / 2)(np.einsum("nd,nd->n", K, K)),
        lambda K, c: c / 2 * (np.diag(K @ K.T).min() - np.diag(K @ K.T)),
    ],
    "sign-keys": [
        lambda c, d, p: 1 + (1 / p - 1) * math.exp(c) / ((math.exp(c / d) + math.exp(-c / d)) / 2) ** d,
        lambda c, d, p: 1 + (1 / p - 1) * ((1 + np.exp(-2 * c / d)) / 2) ** -d,
    ],
    "with-one": [
        lambda z: [
            [math.exp(x - max(0, *row)) / (math.exp(-max(0, *row)) + sum(math.exp(y - max(0, *row)) for y in row)) for x in row]
            for row in z
        ],
        lambda z: soft(np.concatenate([z, np.zeros((len(z), 1))], axis=1))[:, :-1],
        lambda z: np.exp(z - np.logaddexp(0, np.logaddexp.reduce(z, axis=1, keepdims=True))),
    ],
    "tied-slots": [
        lambda n, k, p: (n - k) / (n * p - 1) * np.log((n - k) * p / (1 - k * p)),
        lambda n, k, p: (math.log(p) - math.log1p(-k * p) + math.log(n - k)) / (p - (1 - k * p) / (n - k)),
    ],
    "sparse-threshold": [lambda z: max((sum(sorted(z)[::-1][: k + 1]) - 1) / (k + 1) for k in range(len(z))), halved_threshold],
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
    "forgotten": [
        lambda n_r, n_f, n_y: n_r * n_f * n_y - n_r - n_f - n_y + 2,
        lambda *n: math.prod(n) - (1 + sum(k - 1 for k in n)),
    ],
    "bland-table": [
        lambda B: B.sum(1, keepdims=True) * B.sum(0) / B.sum(),
        lambda B: [[row.sum() * column.sum() / B.sum() for column in B.T] for row in B],
    ],
    "lost-directions": [
        lambda n, d, d_v: max(n - 1 - min(d, d_v), 0),
        lambda n, d, d_v: n - np.linalg.matrix_rank(general(n, d, d_v)),
    ],
    "weights-back": [
        lambda V, o: (lambda w: [*w, 1 - sum(w)])(np.linalg.solve(V.T, o).tolist()),
        lambda V, o: np.linalg.inv(np.block([[V.T, np.zeros((len(V), 1))], [np.ones(len(V) + 1)]])) @ np.append(o, 1),
        lambda V, o: np.linalg.lstsq(
            np.column_stack([np.vstack([V, 0 * V[:1]]), np.ones(len(V) + 1)]).T, np.append(o, 1), rcond=None
        )[0],
    ],
    "turn-matrix": [
        lambda a: [[a[(k - j) % len(a)] for j in range(len(a))] for k in range(len(a))],
        lambda a: a[np.subtract.outer(np.arange(len(a)), np.arange(len(a)))],
        lambda a: np.array([fft(a, one) for one in np.eye(len(a))]).T,
    ],
    "ask-every-role": [
        lambda memory, roles, candidates: asked(memory, roles, candidates),
        lambda m, R, C: [[(lambda y: y @ c / np.sqrt(y @ y * (c @ c)))(fft(m, a, turn=True)) for c in C] for a in R],
        lambda m, R, C: (lambda Y: np.einsum("rk,ck->rc", Y, C) / np.outer(np.linalg.norm(Y, axis=1), np.linalg.norm(C, axis=1)))(
            np.array([fft(m, a, turn=True) for a in R])
        ),
    ],
}

WRONG = {
    "stored-twice": [
        (lambda q, K, V, times: soft(K @ q) @ V, "copies: every slot"),
        (lambda q, K, V, times: soft(K @ q) * times @ V, "copies: the values"),
        (lambda q, K, V, times: soft(K @ q * times) @ V, "copies: the scores"),
        (lambda q, K, V, times: soft(K @ q + times) @ V, "copies: the number"),
        (lambda q, K, V, times: soft(K @ q - np.log(times)) @ V, "copies: the more"),
        (lambda q, K, V, times: (lambda e: e / e.sum() @ V)(np.exp(K @ q) / times), "copies: the more"),
        (lambda q, K, V, times: soft(K @ q + np.log(times)), "blend"),
        (lambda q, K, V, times: soft(np.repeat(K, times, axis=0) @ q), "blend"),
        (lambda q, K, V, times: K @ q * times @ V, "softmax"),
        (lambda q, K, V, times: K @ q * times / (K @ q * times).sum() @ V, "softmax"),
        (lambda q, K, V, times: times * np.exp(K @ q) @ V, "normalise: the exponentials"),
        (lambda q, K, V, times: np.exp(K @ q) @ V, "normalise: the exponentials"),
        (lambda q, K, V, times: V[(K @ q).argmax()], "soft:"),
        (lambda q, K, V, times: V.mean(axis=0), "scores: all"),
        (lambda q, K, V, times: times @ V / times.sum(), "scores: all"),
        (lambda q, K, V, times: times @ V, "scores: all"),
        (lambda q, K, V, times: soft(K @ q / np.sqrt(len(q)) + np.log(times)) @ V, "scale"),
        (lambda q, K, V, times: soft(-K @ q + np.log(times)) @ V, "sign"),
        (lambda q, K, V, times: soft(2 * K @ q + np.log(times)) @ V, "the shape is right"),
        (lambda q, K, V, times: soft(q @ K) @ V, "scores: q meets"),
        (lambda q, K, V, times: soft(K @ q + np.log(times)) @ V.T, "blend: the shares weigh"),
        (
            lambda q, K, V, times: (lambda e: e / e.max())(np.exp(np.repeat(K, times, 0) @ q)) @ np.repeat(V, times, 0),
            "normalise: the",
        ),
        (lambda q, K, V, times: times * np.exp(K @ q) / times.sum() @ V, "normalise: the shares"),
        (lambda q, K, V, times: times * np.exp(K @ q) / np.exp(K @ q).sum() @ V, "copies: the values"),
        (lambda q, K, V, times: np.round(soft(K @ q + np.log(times)) @ V, 2), "close"),
        (lambda q, K, V, times: np.zeros(V.shape[1]), "zero"),
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
    "log-jacobian": [
        (lambda p: 1 - p, "off the diagonal: this is"),
        (lambda p: np.diag(p) - np.outer(p, p), "logarithm: this is the derivative of p_i"),
        (lambda p: (np.eye(len(p)) - p).T, "transposed"),
        (lambda p: np.eye(len(p)) - p[:, None], "transposed"),
        (lambda p: (np.diag(p) - np.outer(p, p)) / p, "transposed"),
        (lambda p: (np.diag(p) - np.outer(p, p)) * p[:, None], "product"),
        (lambda p: (np.diag(p) - np.outer(p, p)) * p, "product"),
        (lambda p: p - np.eye(len(p)), "sign: raising"),
        (lambda p: np.eye(len(p)) + p, "sign: the sum"),
        (lambda p: np.eye(len(p)), "off the diagonal: ln S"),
        (lambda p: np.diag(1 - p), "off the diagonal: ln S"),
        (lambda p: np.diag(1 / p) - p, "sum: the derivative"),
        (lambda p: -np.tile(p, (len(p), 1)), "diagonal: z_i"),
        (lambda p: np.eye(len(p)) - np.outer(p, p), "one weight too many"),
        (lambda p: np.diag(p) - p, "one weight too many"),
        (lambda p: np.log(abs(np.diag(p) - np.outer(p, p))), "logarithm: it takes ln"),
        (lambda p: np.eye(len(p)) - soft(p), "input"),
        (lambda p: 2 * (np.eye(len(p)) - p), "factor"),
        (lambda p: p @ p, "outer"),
        (lambda p: np.diag(p) - p @ p.T, "rows"),
        (lambda p: np.eye(len(p)) - p + (len(p) > 3) * 0.1, "size"),
        (lambda p: np.round(np.eye(len(p)) - p, 3), "close"),
        (lambda p: np.eye(len(p)) - p / (p + 1e-3), "rows"),
        (lambda p: np.zeros((len(p), len(p))), "zero"),
        (lambda p: np.ones((len(p), len(p))), "constant"),
    ],
    "second-difference": [
        (lambda f, z, x, h: (f(z + h * x) - f(z - h * x)) / (2 * h), "slope: this is the first"),
        (lambda f, z, x, h: ((f(z + h * x) - f(z)) - (f(z) - f(z - h * x))) / h, "slope: this is the difference"),
        (lambda f, z, x, h: bend(f, z, x, h) / 2, "width: the slopes"),
        (lambda f, z, x, h: (f(z + h * x) - 2 * f(z) + f(z - h * x)) / (2 * h) ** 2, "width: the slopes"),
        (lambda f, z, x, h: f(z + h * x) - 2 * f(z) + f(z - h * x), "width: it is not"),
        (lambda f, z, x, h: (f(z + h * x) - 2 * f(z) + f(z - h * x)) / h * h, "width: it is not"),
        (lambda f, z, x, h: (f(z + h * x) - 2 * f(z) + f(z - h * x)) * h**2, "brackets"),
        (lambda f, z, x, h: (f(z + h * x) - f(z) + f(z - h * x)) / h**2, "middle: f(z) is taken off twice"),
        (lambda f, z, x, h: (f(z + h * x) + f(z - h * x)) / h**2, "middle: f(z) is taken off twice"),
        (lambda f, z, x, h: (f(z + h * x) + 2 * f(z) + f(z - h * x)) / h**2, "middle: f(z) is taken off, not"),
        (lambda f, z, x, h: -bend(f, z, x, h), "sign"),
        (lambda f, z, x, h: bend(f, z, x / np.linalg.norm(x), h), "length"),
        (lambda f, z, x, h: bend(f, z, x, h) / np.linalg.norm(x), "length"),
        (lambda f, z, x, h: bend(f, z, np.ones(len(z)), h), "direction: every entry"),
        (lambda f, z, x, h: sum(bend(f, z, a * e, h) for a, e in zip(x, np.eye(len(z)))), "direction: each entry"),
        (lambda f, z, x, h: bend(f, z, abs(x), h), "direction: x is taken"),
        (lambda f, z, x, h: ((f(z + h * x) - f(z - h * x)) / (2 * h)) ** 2, "square"),
        (lambda f, z, x, h: np.stack([bend(f, z, e, h) for e in np.eye(len(z))], axis=1), "direction: this is"),
        (lambda f, z, x, h: x * 2, "f: it is never"),
        (lambda f, z, x, h: z * f(z)[0], "direction: one nudge"),
        (lambda f, z, x, h: bend(f, z, x, h).sum(), "outputs"),
        (all_second_derivatives, "points"),
        (alias, "second name"),
        (nudged_in_place, "it changes its argument z"),
        (lambda f, z, x, h: bend(f, z, x, 1e-3), "step: it does not"),
        (lambda f, z, x, h: bend(f, z, x, h / 2), "step: the outer points lie h x/2"),
        (lambda f, z, x, h: bend(f, z, x, 2 * h), "step: the outer points lie 2h x"),
        (lambda f, z, x, h: bend(f, z, x, h) * (1 if len(z) == 3 else 1.1), "size: right"),
        (lambda f, z, x, h: bend(f, z, x, h) / 3, "along x"),
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
    "log-weights": [
        (lambda Z: np.log(np.exp(Z) / np.exp(Z).sum(1, keepdims=True)), "overflow"),
        (lambda Z: np.log(soft(Z)), "underflow"),
        (lambda Z: np.nan_to_num(np.log(np.exp(Z) / np.exp(Z).sum(1, keepdims=True))), "overflow"),
        (lambda Z: np.log(soft(Z) + 1e-12), "far below"),
        (lambda Z: np.log(np.maximum(soft(Z), 1e-300)), "far below"),
        (lambda Z: np.log(soft(np.clip(Z, -700, 700))), "overflow"),
        (lambda Z: log_soft(Z, axis=0), "axis: the sum runs"),
        (lambda Z: Z - np.log(np.exp(Z).sum()), "axis: one sum"),
        (soft, "logarithm: these are"),
        (lambda Z: Z - Z.max(1, keepdims=True), "sum: the logarithm of the sum"),
        (lambda Z: Z - np.exp(Z).sum(1, keepdims=True), "sum: the sum is taken"),
        (lambda Z: Z - Z.sum(1, keepdims=True), "sum: it sums the logits"),
        (lambda Z: -log_soft(Z), "sign"),
        (lambda Z: Z - np.log(np.exp(Z).mean(1, keepdims=True)), "mean"),
        (lambda Z: Z - Z.max(1, keepdims=True) - np.log(np.exp(Z).sum(1, keepdims=True)), "shift: it is taken off the logits"),
        (lambda Z: Z - np.log(np.exp(Z - Z.max(1, keepdims=True)).sum(1, keepdims=True)), "shift: it is taken off in the sum"),
        (lambda Z: log_soft(Z) / np.log(2), "base"),
        (lambda Z: log_soft(Z) / np.log(10), "base"),
        (lambda Z: np.log1p(soft(Z)), "log1p"),
        (lambda Z: log_soft(Z / 2), "rows"),
        (lambda Z: Z - np.log(np.exp(Z).sum(1)), "broadcast: arrays of"),
        (lambda Z: log_soft(Z) if Z.shape == (4, 6) else log_soft(Z).T, "shape"),
        (lambda Z: Z - Z.max() - np.log(np.exp(Z - Z.max()).sum(1, keepdims=True)), "own shift"),
        (log_shifted(lambda Z: Z.mean(1, keepdims=True)), "wide row"),
        (log_shifted(lambda Z: np.median(Z, 1, keepdims=True)), "wide row"),
        (log_shifted(lambda Z: Z.min(1, keepdims=True)), "wide row"),
        (log_shifted(lambda Z: Z[:, :1]), "wide row"),
        (log_shifted(lambda Z: Z[:, -1:]), "wide row"),
        (lambda Z: np.round(log_soft(Z), 2), "close"),
    ],
    "brier-gradient": [
        (lambda p, t: p - np.eye(len(p))[t], "weights"),
        (lambda p, t: p * (p - np.eye(len(p))[t]), "p p^T"),
        (lambda p, t: (lambda y: y - p @ y)(p - np.eye(len(p))[t]), "factor: p_i"),
        (lambda p, t: (lambda y: p * (y - y.sum()))(p - np.eye(len(p))[t]), "p p^T"),
        (lambda p, t: (lambda y: p * (y - y.mean()))(p - np.eye(len(p))[t]), "p p^T"),
        (lambda p, t: (lambda y: p * (y + p @ y))(p - np.eye(len(p))[t]), "sign"),
        (lambda p, t: -(lambda y: p * (y - p @ y))(p - np.eye(len(p))[t]), "downhill"),
        (lambda p, t: (lambda y: p * (y - p @ y))(np.eye(len(p))[t] - p), "downhill"),
        (lambda p, t: 2 * (lambda y: p * (y - p @ y))(p - np.eye(len(p))[t]), "factor: the half"),
        (lambda p, t: (lambda y: p * (y - p @ y))(p - np.eye(len(p))[t - 1]), "slot"),
        (lambda p, t: p * (p - p @ p), "target: the loss also"),
        (lambda p, t: (lambda y: p * (y - p @ y))(p + np.eye(len(p))[t]), "target: e_t"),
        (lambda p, t: p * (p[t] - np.eye(len(p))[t]), "loss: this is"),
        (lambda p, t: p * (1 - p) * (p - np.eye(len(p))[t]), "diagonal"),
        (lambda p, t: (lambda y: p * y - p @ y)(p - np.eye(len(p))[t]), "J: it is"),
        (lambda p, t: np.diag(p) - np.outer(p, p), "shape: this is a matrix"),
        (lambda p, t: ((p - np.eye(len(p))[t]) ** 2).sum() / 2, "shape: this is one number"),
        (lambda p, t: (lambda y: p * (y - p @ y))(soft(p) - np.eye(len(p))[t]), "J: what"),
        (lambda p, t: (lambda y: p * (y - p @ y))(p - np.eye(len(p))[t]) * (1 if len(p) == 3 else 2), "size"),
    ],
    "until-the-weight": [
        (lambda g, p, rate: (g - np.exp(-g) + 1) / (2 * rate), "end: this stops"),
        (
            lambda g, p, rate: (lambda u: (g - np.exp(-g) - u + np.exp(-u)) / (2 * rate))(np.log(p / (1 - p))),
            "end: the gap that belongs",
        ),
        (lambda g, p, rate: (g - np.exp(-g) - p + np.exp(-p)) / (2 * rate), "end: p is a weight"),
        (lambda g, p, rate: (lambda u: (g - np.exp(-g) - u + np.exp(-u)) / (2 * rate))(np.log(p)), "end: the logarithm of p"),
        (lambda g, p, rate: (lambda u: (g - np.exp(-g) - u + np.exp(-u)) / (2 * rate))(-np.log(p)), "end: the logarithm of p"),
        (lambda g, p, rate: (g - np.log((1 - p) / p)) / (2 * rate), "dropped"),
        (lambda g, p, rate: g / (2 * rate), "dropped"),
        (lambda g, p, rate: (g + np.exp(-g) - np.log((1 - p) / p) - p / (1 - p)) / (2 * rate), "integral: that of"),
        (lambda g, p, rate: (g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) / rate, "rate: both"),
        (lambda g, p, rate: (g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) * 2 * rate, "rate: steps are"),
        (lambda g, p, rate: (g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) / 2 * rate, "rate: steps are"),
        (lambda g, p, rate: -(g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) / (2 * rate), "sign"),
        (lambda g, p, rate: (np.exp(g) - (1 - p) / p) / (2 * rate), "loss: it takes"),
        (lambda g, p, rate: (lambda F: (F(g) - F(np.log(1 / p - 1))) / (2 * rate))(whole_escape), "loss: that is"),
        (lambda g, p, rate: (g - np.exp(-g)) / (2 * rate), "gap"),
        (lambda g, p, rate: round((g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) / (2 * rate)), "close"),
        (lambda g, p, rate: np.exp(g) / (2 * rate), "integral: from"),
        (
            lambda g, p, rate: (g - np.exp(-g) - np.log((1 - p) / p) + p / (1 - p)) / (2 * rate) if rate == 0.1 else g,
            "integral: from",
        ),
        (lambda g, p, rate: np.array([g, p]), "shape"),
    ],
    "leak": [
        (lambda c, n: 2 * np.exp(c) / (2 * np.exp(c) + n - 2), "leak"),
        (lambda c, n: 1 - np.exp(c) / (2 * np.exp(c) + n - 2), "two: the second"),
        (lambda c, n: 1 / (2 * np.exp(c) + n - 2), "slots: this is"),
        (lambda c, n: (n - 1) / (np.exp(c) + n - 1), "two: this is"),
        (lambda c, n: (n - 2) / (np.exp(c) + n - 2), "two: each of the slots asked for has an"),
        (lambda c, n: (n - 2) / (np.exp(2 * c) + n - 2), "two: each of the slots asked for has the"),
        (lambda c, n: (n - 2) / (2 * np.exp(c / 2) + n - 2), "two: each of the slots asked for has the"),
        (lambda c, n: n / (2 * np.exp(c) + n), "slots: it counts"),
        (lambda c, n: (n - 1) / (2 * np.exp(c) + n - 1), "slots: it counts"),
        (lambda c, n: (n - 2) / (2 * np.exp(c)), "sum: all n"),
        (lambda c, n: (n - 2) / (2 * np.exp(c) + n), "sum: all n"),
        (lambda c, n: (n - 2) / (2 * np.exp(-c) + n - 2), "sign"),
        (lambda c, n: (n - 2) / (2 * c + n - 2), "exponential"),
        (lambda c, n: 5 / (2 * np.exp(c) + 5), "ends"),
        (lambda c, n: (n - 2) / (2 * np.exp(c) + n - 2) / n, "mean"),
        (lambda c, n: (n - 2) / (2 * np.exp(c)) * 0 + 2 * np.exp(c) / (n - 2), "odds"),
        (lambda c, n: -np.log(2 * np.exp(c) / (2 * np.exp(c) + n - 2)), "logarithm"),
        (lambda c, n: round((n - 2) / (2 * np.exp(c) + n - 2), 3), "close"),
    ],
    "slots-held": [
        (lambda c, p: 1 + np.exp(c) * (1 - p) / p, "whole"),
        (lambda c, p: np.ceil(1 + np.exp(c) * (1 - p) / p), "one: with"),
        (lambda c, p: np.round(1 + np.exp(c) * (1 - p) / p), "one: with"),
        (lambda c, p: np.floor(2 + np.exp(c) * (1 - p) / p), "one: with"),
        (lambda c, p: np.floor(np.exp(c) * (1 - p) / p), "slots: the one"),
        (lambda c, p: np.floor(1 + np.exp(c) * p / (1 - p)), "odds: upside"),
        (lambda c, p: np.floor(1 + np.exp(c) * (1 - p)), "odds: compare"),
        (lambda c, p: np.floor(1 + np.exp(c)), "p: it is"),
        (lambda c, p: np.floor(1 + np.exp(c) / p), "p: what"),
        (lambda c, p: np.floor(1 + c * (1 - p) / p), "exponential: the logit"),
        (lambda c, p: np.floor(1 + np.exp(-c) * (1 - p) / p), "sign"),
        (lambda c, p: np.floor(1 + 2**c * (1 - p) / p), "exponential: its base"),
        (lambda c, p: np.floor(1 + 10**c * (1 - p) / p), "exponential: its base"),
        (lambda c, p: np.floor(1 + np.exp(c) ** 2 * (1 - p) / p), "square"),
        (lambda c, p: np.log(np.floor(1 + np.exp(c) * (1 - p) / p)), "logarithm"),
        (lambda c, p: np.floor(1 + np.exp(c) * (1 - p) / p) + 0.3, "close"),
        (lambda c, p: np.floor(np.exp(c) * (1 - p) / p / 2), "so many"),
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
    "keys-allowed": [
        (lambda n, p, c: np.log((n - 1) * p / (1 - p)) / c, "part"),
        (lambda n, p, c: np.log((n - 1) * p / (1 - p)), "sharpness: this is"),
        (lambda n, p, c: 1 - c / np.log((n - 1) * p / (1 - p)), "upside down"),
        (lambda n, p, c: 1 + np.log((n - 1) * p / (1 - p)) / c, "sign"),
        (lambda n, p, c: 1 - np.log(n * p / (1 - p)) / c, "slots: the one"),
        (lambda n, p, c: 1 - np.log(p / (1 - p)) / c, "slots: their"),
        (lambda n, p, c: 1 - np.log((n - 1) * p) / c, "odds: compare"),
        (lambda n, p, c: 1 - np.log((n - 1) * (1 - p) / p) / c, "odds: the larger"),
        (lambda n, p, c: 1 - np.log10((n - 1) * p / (1 - p)) / c, "logarithm: it must"),
        (lambda n, p, c: 1 - np.log2((n - 1) * p / (1 - p)) / c, "logarithm: it must"),
        (lambda n, p, c: 1 - (n - 1) * p / (1 - p) / c, "logarithm: odds"),
        (lambda n, p, c: 1 - (n - 1) / n * (np.log((n - 1) * p / (1 - p)) / c) ** 2, "query"),
        (lambda n, p, c: 1 - np.log((n - 1) * p / (1 - p)), "sharpness: it is"),
        (lambda n, p, c: 1 - np.log((n - 1) * p / (1 - p)) * c, "product"),
        (lambda n, p, c: np.log((n - 1) * p / (1 - p)) / c - 1, "turned"),
        (lambda n, p, c: round(1 - np.log((n - 1) * p / (1 - p)) / c, 3), "close"),
        (lambda n, p, c: 1 / n, "with this cosine"),
    ],
    "fair-scores": [
        (lambda K, c: -c * (K**2).sum(axis=1) / 2, "shift"),
        (lambda K, c: (lambda b: b - b.mean())(-c * (K**2).sum(axis=1) / 2), "shift"),
        (lambda K, c: (lambda b: b - b.max())(c * (K**2).sum(axis=1) / 2), "sign"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).sum(axis=1)), "half"),
        (lambda K, c: (lambda b: b - b.max())(-(K**2).sum(axis=1) / 2), "sharpness: it is"),
        (lambda K, c: (lambda b: b - b.max())(-c * np.linalg.norm(K, axis=1) / 2), "length"),
        (lambda K, c: (lambda b: b - b.max())(-c * c * (K**2).sum(axis=1) / 2), "sharpness: it counts"),
        (lambda K, c: np.exp(-c * (K**2).sum(axis=1) / 2), "factor"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).mean(axis=1) / 2), "mean"),
        (lambda K, c: (lambda b: b - b.max())(-np.log(np.linalg.norm(K, axis=1))), "logarithm"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).sum(axis=1) / 2 / np.sqrt(K.shape[1])), "width"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).sum(axis=1) / 2 / (K**2).sum()), "sum"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).sum(axis=1) ** 2 / 2), "square"),
        (lambda K, c: (lambda b: b - b.max())(-c * (K**2).sum(axis=0) / 2), "axis"),
        (lambda K, c: -c * K @ K.T / 2, "pairs"),
        (lambda K, c: K @ K, "product"),
        (lambda K, c: (lambda b: b - b.max() - 1e-3)(-c * (K**2).sum(axis=1) / 2), "shift"),
        (lambda K, c: (lambda b: (b - b.max()).round(2))(-c * (K**2).sum(axis=1) / 2), "close"),
        (lambda K, c: (lambda b: b - b.max())(-c * abs(K).sum(axis=1)), "added to"),
    ],
    "sign-keys": [
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c - c**2 / 2 / d), "bound"),
        (lambda c, d, p: 1 + np.exp(c) / np.cosh(c / d) ** d / 9, "p: 1/9"),
        (lambda c, d, p: (1 - p) / p * np.exp(c) / np.cosh(c / d) ** d, "slots"),
        (lambda c, d, p: 1 + p / (1 - p) * np.exp(c) / np.cosh(c / d) ** d, "odds: upside"),
        (lambda c, d, p: 1 + (1 - p) * np.exp(c) / np.cosh(c / d) ** d, "odds: compare"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / np.cosh(c) ** d, "entries: one"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / np.cosh(c / np.sqrt(d)) ** d, "entries: one"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / np.cosh(c / d), "entries: there"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / (d * np.cosh(c / d)), "entries: there"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / (np.exp(c / d) + np.exp(-c / d)) ** d, "half"),
        (lambda c, d, p: 1 + (1 - p) / p / np.cosh(c / d) ** d, "lead"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(-c) / np.cosh(c / d) ** d, "sign"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c), "orthonormal"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) * np.cosh(c / d) ** d, "mean"),
        (lambda c, d, p: 1 + (1 - p) / p * np.exp(c) / np.sinh(c / d) ** d, "sine"),
        (lambda c, d, p: np.floor(1 + (1 - p) / p * np.exp(c) / np.cosh(c / d) ** d), "whole"),
        (lambda c, d, p: 1.01 + (1 - p) / p * np.exp(c) / np.cosh(c / d) ** d, "close"),
        (lambda c, d, p: c * d * p, "the mean odds"),
    ],
    "with-one": [
        (lambda z: over_one(z, 1, z.max(axis=1, keepdims=True)), "left alone"),
        (lambda z: soft(z), "softmax"),
        (lambda z: np.exp(z) / (1 + np.exp(z).sum()), "axis"),
        (lambda z: np.exp(z) / (1 + np.exp(z).sum(axis=0)), "axis"),
        (lambda z: over_one(z, np.exp(z.max(axis=1, keepdims=True)), z.max(axis=1, keepdims=True)), "sign"),
        (lambda z: over_one(z, 1 - z.max(axis=1, keepdims=True), z.max(axis=1, keepdims=True)), "exponential"),
        (lambda z: over_one(z, z.max(axis=1, keepdims=True), z.max(axis=1, keepdims=True)), "exponential"),
        (lambda z: (1 + np.exp(z)) / (1 + np.exp(z).sum(axis=1, keepdims=True)), "numerator"),
        (lambda z: np.exp(z) / (1 + np.exp(z)).sum(axis=1, keepdims=True), "count"),
        (lambda z: over_one(-z, 1, 0), "inverted"),
        (lambda z: 1 / (1 + np.exp(-z)), "each alone"),
        (lambda z: np.log(over_one(z, 1, 0)), "logarithm"),
        (lambda z: soft(np.concatenate([z, np.zeros((len(z), 1))], axis=1)), "null slot"),
        (lambda z: over_one(z, 1, 0), "overflow: e^1000"),
        (lambda z: over_one(z, np.exp(-z.max()), z.max()), "shift: each row"),
        (lambda z: over_one(np.minimum(z, 9), np.exp(-9), 9), "shift: it must"),
        (lambda z: over_one(z, 1, 0).round(3), "close"),
        (lambda z: abs(z), "each weight"),
    ],
    "tied-slots": [
        (lambda n, k, p: (n - 1) / (n * p - 1) * np.log((n - 1) * p / (1 - p)), "tie"),
        (lambda n, k, p: np.log(p * (n - k) / (1 - p)) / (p - (1 - p) / (n - k)), "rest: k slots"),
        (lambda n, k, p: np.log(p * (n - 1) / (1 - k * p)) / (p - (1 - k * p) / (n - 1)), "rest: n - k"),
        (lambda n, k, p: np.log(p * n / (1 - k * p)) / (p - (1 - k * p) / n), "rest: n - k"),
        (lambda n, k, p: np.log(p / (1 - k * p)) / (p - (1 - k * p)), "rest: n - k"),
        (lambda n, k, p: np.log(p * (n - k) / (1 - k * p)) / p, "lead"),
        (lambda n, k, p: np.log(p * (n - k) / (1 - k * p)), "lead"),
        (lambda n, k, p: (p - (1 - k * p) / (n - k)) / np.log(p * (n - k) / (1 - k * p)), "upside down"),
        (lambda n, k, p: np.log((1 - k * p) / (n - k) / p) / (p - (1 - k * p) / (n - k)), "sign"),
        (lambda n, k, p: np.log(p * (n - k) / (1 - k * p)) * (p - (1 - k * p) / (n - k)), "product"),
        (lambda n, k, p: np.log10(p * (n - k) / (1 - k * p)) / (p - (1 - k * p) / (n - k)), "logarithm: it must"),
        (lambda n, k, p: np.log2(p * (n - k) / (1 - k * p)) / (p - (1 - k * p) / (n - k)), "logarithm: it must"),
        (lambda n, k, p: p * (n - k) / (1 - k * p) / (p - (1 - k * p) / (n - k)), "logarithm: a ratio"),
        (lambda n, k, p: 1 / (k * p * (1 - k * p)), "threshold"),
        (lambda n, k, p: np.log(k * p / (1 - k * p)) / (2 * k * p - 1), "together"),
        (lambda n, k, p: np.round((n - k) / (n * p - 1) * np.log((n - k) * p / (1 - k * p))), "whole"),
        (lambda n, k, p: 0.01 + (n - k) / (n * p - 1) * np.log((n - k) * p / (1 - k * p)), "close"),
        (lambda n, k, p: n * k * p, "a reading"),
    ],
    "sparse-threshold": [
        (lambda z: (z.sum() - 1) / len(z), "support: this lets all"),
        (lambda z: z.max() - 1, "support: this lets only"),
        (lambda z: (np.sort(z)[::-1][: staying(z) - 1].sum() - 1) / (staying(z) - 1 or 1), "support: one logit too few"),
        (lambda z: (np.sort(z)[::-1][: staying(z) + 1].sum() - 1) / (staying(z) + 1), "support: one logit too many"),
        (lambda z: np.sort(z)[::-1][: staying(z)].mean(), "mean"),
        (lambda z: np.sort(z)[::-1][: staying(z)].mean() - 1, "one"),
        (lambda z: (1 - np.sort(z)[::-1][: staying(z)].sum()) / staying(z), "sign"),
        (lambda z: np.sort(z)[::-1][: staying(z)].sum() - 1, "divide: k logits"),
        (lambda z: (np.sort(z)[::-1][: staying(z)].sum() - 1) / len(z), "divide: only"),
        (lambda z: (z[: staying(z)].sum() - 1) / staying(z), "order: the largest logits stay, not the first"),
        (lambda z: (np.sort(z)[: staying(z)].sum() - 1) / staying(z), "order: the largest logits stay, not the smallest"),
        (lambda z: np.sort(z)[-staying(z)], "place: this is the least"),
        (lambda z: np.append(-np.inf, np.sort(z))[-staying(z) - 1], "place: this is the largest"),
        (lambda z: staying(z), "count"),
        (lambda z: np.log(np.exp(z).sum()), "softmax"),
        (lambda z: np.maximum(z - halved_threshold(z), 0), "shares"),
        (lambda z: round(halved_threshold(z), 2), "close"),
        (lambda z: 0.5, "taken off"),
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
        (lambda L, n, s: np.log((n - 1) / (1 - s ** (1 / L))), "odds: solve"),
        (lambda L, n, s: np.log((n - 1) * s ** (1 / L)), "odds: solve"),
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
        (lambda r, f, y: r * f * y - r - f - y + 1, "redundancy"),
        (lambda r, f, y: r * f * y - r - f - y, "redundancy"),
        (lambda r, f, y: r * f * y - r - f - y + 3, "redundancy"),
        (lambda r, f, y: (r - 1) * (f - 1) * (y - 1), "pairs: this much"),
        (lambda r, f, y: r * f * y - r * f - f * y - r * y, "pairs: these"),
        (lambda r, f, y: r * f * y - r * f, "pairs: these"),
        (lambda r, f, y: r + f + y - 2, "kept"),
        (lambda r, f, y: r + f + y, "kept"),
        (lambda r, f, y: r * f * y, "all"),
        (lambda r, f, y: (r - 1) * (f - 1), "years"),
        (lambda r, f, y: (r - 1) * (f - 1) * y, "years"),
        (lambda r, f, y: r - 1 + f - 1 + y - 1, "product"),
        (lambda r, f, y: 1 - (r + f + y - 2) / (r * f * y), "fraction"),
        (lambda r, f, y: 2 * (r * f * y - r - f - y + 2), "factor"),
        (lambda r, f, y: (r * f * y) ** 2 - r * f * y, "sums"),
        (lambda r, f, y: 0, "zero"),
        (lambda r, f, y: (r - 1) * (f - 1) * 5, "small"),
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
    "lost-directions": [
        (lambda n, d, d_v: n - min(d, d_v), "sum: that"),
        (lambda n, d, d_v: n - d_v - 1, "features"),
        (lambda n, d, d_v: max(n - d_v - 1, 0), "features"),
        (lambda n, d, d_v: n - d - 1, "values"),
        (lambda n, d, d_v: min(d, d_v) + 1, "kept"),
        (lambda n, d, d_v: d_v + 1, "kept"),
        (lambda n, d, d_v: d_v, "kept"),
        (lambda n, d, d_v: n, "all"),
        (lambda n, d, d_v: n - min(d, d_v) + 1, "sign"),
        (lambda n, d, d_v: n - min(d, d_v) - 2, "sum: one"),
        (lambda n, d, d_v: n * d_v - d_v, "weights"),
        (lambda n, d, d_v: d_v - 1, "slots"),
        (lambda n, d, d_v: (n - min(d, d_v) - 1) / n, "fraction"),
        (lambda n, d, d_v: 2 * (n - min(d, d_v) - 1), "factor"),
        (lambda n, d, d_v: n - min(d, d_v) - 1, "below 0"),
        (lambda n, d, d_v: 0, "zero"),
        (lambda n, d, d_v: n // 2, "small"),
    ],
    "weights-back": [
        (lambda V, o: np.linalg.solve(V.T, o), "null slot: its"),
        (lambda V, o: np.linalg.lstsq(np.column_stack([V, np.ones(len(V))]).T, np.append(o, 1), rcond=None)[0], "null slot: its"),
        (
            lambda V, o: np.append(np.linalg.lstsq(np.column_stack([V, np.ones(len(V))]).T, np.append(o, 1), rcond=None)[0], 0),
            "null slot: it has",
        ),
        (lambda V, o: (lambda w: np.append(w / w.sum(), 0))(np.linalg.solve(V.T, o)), "null slot: it has"),
        (lambda V, o: np.append(np.linalg.solve(V.T, o), 0), "null slot: it has"),
        (lambda V, o: np.append(np.linalg.solve(V.T, o), 1), "sum"),
        (lambda V, o: (lambda w: np.append(w, w.sum()))(np.linalg.solve(V.T, o)), "sum"),
        (lambda V, o: (lambda w: np.append(w, w.sum() - 1))(np.linalg.solve(V.T, o)), "sum"),
        (lambda V, o: np.append(np.linalg.solve(V.T, o), 1 / (len(V) + 1)), "sum"),
        (lambda V, o: np.roll(back(V, o), 1), "order: the null"),
        (lambda V, o: (lambda w: np.append(w, 1 - w.sum()))(np.linalg.solve(V, o)), "transposed"),
        (lambda V, o: soft(np.append(V @ o, 0)), "softmax"),
        (lambda V, o: np.append(V @ o, 0), "softmax"),
        (lambda V, o: np.append(np.eye(len(V))[np.linalg.norm(V - o, axis=1).argmin()], 0), "nearest"),
        (lambda V, o: np.log(back(V, o)), "logits"),
        (lambda V, o: back(V, o)[::-1], "order: the weights"),
        (lambda V, o: (len(V) + 1) * back(V, o), "scale"),
        (lambda V, o: back(V, o) ** 2, "square"),
        (lambda V, o: back(V, o) / np.linalg.norm(back(V, o)), "length"),
        (lambda V, o: back(V, o) * np.append(V.sum(1), 1), "values"),
        (lambda V, o: np.full(len(V) + 1, 1 / (len(V) + 1)), "constant"),
        (lambda V, o: np.append(abs(V - o).sum(1), 1) / 9, "check"),
    ],
    "turn-matrix": [
        (lambda a: turns(a).T, "transposed"),
        (lambda a: np.stack([np.roll(a, -j) for j in range(len(a))]), "sign"),
        (lambda a: turns(np.roll(a[::-1], 1))[::-1], "columns"),
        (lambda a: turns(np.roll(a[::-1], 1)), "transposed"),
        (lambda a: np.tril(turns(a)), "circle: what runs"),
        (lambda a: np.triu(turns(a), 1), "circle: this"),
        (np.diag, "every"),
        (lambda a: np.outer(a, a), "outer product"),
        (lambda a: np.tile(a, (len(a), 1)), "turned"),
        (lambda a: np.tile(a, (len(a), 1)).T, "turned"),
        (lambda a: np.roll(turns(a), 1, axis=0), "shift: one hour too far"),
        (lambda a: np.roll(turns(a), 1, axis=1), "shift: one hour short"),
        (lambda a: turns(a[::-1]), "reversed"),
        (lambda a: turns(a) / len(a), "scale"),
        (lambda a: turns(a)[::-1], "rows"),
        (lambda a: turns(a)[:, ::-1], "columns"),
        (lambda a: turns(a) @ turns(a), "square"),
        (lambda a: turns(a) / np.linalg.norm(a), "length"),
        (lambda a: a, "vector"),
        (lambda a: np.zeros((len(a), len(a))), "zero"),
        (lambda a: turns(a) * turns(a), "column: bind"),
        (lambda a: np.fft.fft(np.eye(len(a))) * a, "it returns complex"),
    ],
    "ask-every-role": [
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: fft(m, a)), "bound again"),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: fft(m, a[::-1])), "shift"),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: np.roll(fft(m, a, turn=True), 1)), "shift"),
        (lambda m, R, C: np.array([fft(m, a, turn=True) for a in R]) @ C.T, "length: these"),
        (
            lambda m, R, C: np.array([fft(m, a, turn=True) for a in R]) @ (C / np.linalg.norm(C, axis=1)[:, None]).T,
            "length: only that of the c",
        ),
        (lambda m, R, C: asked(m, R, C) * np.linalg.norm(C, axis=1), "length: only that of the a"),
        (
            lambda m, R, C: np.array([fft(m, a, turn=True) for a in R]) @ C.T / np.linalg.norm(C, axis=1) / np.linalg.norm(m),
            "length: it is",
        ),
        (
            lambda m, R, C: asked(m, R, C) / np.outer([np.linalg.norm(fft(m, a, turn=True)) for a in R], np.linalg.norm(C, axis=1)),
            "length: squared",
        ),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: a), "not unbound"),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: m), "not unbound"),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: np.fft.ifft(np.fft.fft(m) / np.fft.fft(a)).real), "division"),
        (lambda m, R, C: asked(m, C, R).T, "roles"),
        (lambda m, R, C: asked(m, R, C, turn=lambda m, a: m * a), "entry by entry"),
        (lambda m, R, C: abs(asked(m, R, C)), "sign"),
        (lambda m, R, C: np.arccos(asked(m, R, C)), "angle"),
        (lambda m, R, C: asked(m, R, C) ** 2, "square"),
        (lambda m, R, C: soft(asked(m, R, C)), "softmax"),
        (lambda m, R, C: asked(m, R, C).T, "shape"),
        (lambda m, R, C: asked(m, R, C).argmax(axis=1), "table"),
        (lambda m, R, C: asked(m, R, C) * 3, "one pair"),
        (lambda m, R, C: np.zeros((len(R), len(C))), "zero"),
    ],
}
