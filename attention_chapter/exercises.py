"""The exercises of notebooks 01 to 09, and checks that name the mechanism which is off.

`check(name, attempt)` prints one line: not written yet, correct, or not yet with a hint. `table()` lists all exercises.

A check calls the attempt on inputs whose sizes all differ and yields pairs (ok, hint), the most telling first; the
first pair that is not ok is the verdict. A hint begins with the mechanism: "axis: ...". What the check expects is worked
by hand, by loops over numbers with `math.exp`, or by going through all cases; never by the function that the exercise is
about.
"""

from __future__ import annotations

import contextlib
import copy
import difflib
import dis
import io
import itertools
import math
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

Verdicts = Iterator[tuple[bool, str]]
LEVELS = ("recall", "apply", "extend")


class Exercise(NamedTuple):
    """One exercise, as its notebook states it."""

    name: str
    notebook: str  # its two digits
    title: str
    level: str     # one of LEVELS
    minutes: int
    check: Callable[[Callable], Verdicts] | None = None  # None: a question, whose answer is folded below it


# --- asking the attempt ----------------------------------------------------------------------------------------------

class NotWritten(Exception):
    """The attempt is still the stub."""


class NotYet(Exception):
    """The attempt gave nothing that could be compared; the message is the hint."""


# A function made of these alone does nothing but return a constant.
STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


def untouched(function: object) -> bool:
    """Whether a function's body is still no more than the dots of its stub."""
    code = getattr(function, "__code__", None)
    return code is not None and all(step.opname in STUB for step in dis.get_instructions(code))


def sizes(given: dict) -> str:
    """What an attempt was called with: 'q (3,), K (5, 3), k 2'."""
    def size(value):
        if isinstance(value, np.ndarray):
            return f"{value.shape}"
        if isinstance(value, tuple):
            return f"({', '.join(map(size, value))})"
        return "a function" if callable(value) else f"{value}"
    return ", ".join(f"{name} {size(value)}" for name, value in given.items())


def one_line(text: str, most: int = 160) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most - 4] + " ..."


def alike(a: object, b: object) -> bool:
    """Whether an argument is as it was before the call."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return callable(a) or a == b


def call(attempt: Callable, given: dict) -> object:
    """What the attempt returns for copies of these arguments, handed over in order; NotYet where there is no answer."""
    ours = copy.deepcopy(given)
    try:
        result = attempt(*ours.values())
    except KeyboardInterrupt:
        raise
    except NotImplementedError:
        raise NotWritten from None
    except BaseException as error:  # SystemExit too: whatever it does, the reader gets a line and keeps the kernel
        try:
            words = f"{type(error).__name__}: {error}"
        except Exception:
            words = type(error).__name__
        raise NotYet(f"it raises {one_line(words)}; it was called with {sizes(given)}") from None
    if result is None or result is Ellipsis:
        if untouched(attempt):
            raise NotWritten
        raise NotYet("it returns nothing; does it end with `return` and a value?")
    changed = [name for name in given if not alike(given[name], ours[name])]
    if changed:
        raise NotYet(f"it changes its argument {changed[0]} in place; compute a new array instead")
    return result


def numbers(result: object) -> np.ndarray:
    """What came back as an array of float64, or a hint about its kind."""
    try:
        a = np.array(result)
    except Exception:
        raise NotYet(f"it returns something of type {type(result).__name__}, which is no array of numbers") from None
    if a.dtype.kind == "c":
        raise NotYet("it returns complex numbers; the result is real: take the real part")
    if a.dtype.kind not in "fiub":
        raise NotYet(f"it returns something of type {type(result).__name__}, which is no array of numbers")
    if a.dtype.kind == "f" and a.dtype.itemsize < 8:
        raise NotYet(f"it returns {a.dtype}; the arguments are float64, and so should the result be")
    return a.astype(np.float64)


def ask(attempt: Callable, **given: object) -> np.ndarray:
    """The numbers that the attempt returns for these arguments."""
    return numbers(call(attempt, given))


# --- comparing -------------------------------------------------------------------------------------------------------

def same(got: np.ndarray, want: object, tolerance: float = 1e-9) -> bool:
    """Equal up to rounding: the inputs are of order one, so that two orders of summation differ by far less."""
    want = np.asarray(want, dtype=np.float64)
    return got.shape == want.shape and np.allclose(got, want, rtol=tolerance, atol=tolerance)


def fits(got: np.ndarray, shape: tuple[int, ...]) -> Verdicts:
    """The right shape, and finite."""
    turned = " Is it transposed?" if len(shape) > 1 and got.shape == shape[::-1] else ""
    wanted = f"shape {shape}" if shape else "a single number"
    yield got.shape == shape, f"shape: it returns shape {got.shape}, but {wanted} is wanted.{turned}"
    yield bool(np.isfinite(got).all()), "finite: it returns NaN or infinity for ordinary numbers"


def compare(got: np.ndarray, want: object, slips: dict[str, object], otherwise: str) -> Verdicts:
    """Known mistakes first: {hint: what that mistake gives}; then the right result."""
    for hint, slip in slips.items():
        yield not same(got, slip), hint
    yield same(got, want), otherwise


# --- independent values: loops over plain numbers --------------------------------------------------------------------

def draws(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def products(Q, K) -> np.ndarray:
    """Q K^T, one dot product at a time."""
    return np.array([[dot(q, k) for k in K] for q in Q])


def shares(scores: Iterable[float]) -> list[float]:
    """The softmax of one row of numbers."""
    e = [math.exp(s) for s in scores]
    total = sum(e)
    return [x / total for x in e]


def by_rows(S) -> np.ndarray:
    return np.array([shares(row) for row in S])


def blend(p, V) -> np.ndarray:
    """The sum of the rows of V, each by its weight in p."""
    return np.array([dot(p, column) for column in np.transpose(V)])


def blends(A, V) -> np.ndarray:
    return np.array([blend(p, V) for p in A])


# --- 01 --------------------------------------------------------------------------------------------------------------

def soft_lookup(attempt: Callable) -> Verdicts:
    for n, d_k, d_v in ((5, 3, 2), (4, 6, 3)):
        q, K, V = draws(10 + n, (d_k,), (n, d_k), (n, d_v))
        z = products([q], K)[0]
        e = [math.exp(s) for s in z]
        o = ask(attempt, q=q, K=K, V=V)
        yield o.shape != (n,), "blend: one number for each slot; use these shares to average the rows of V"
        yield from fits(o, (d_v,))
        yield from compare(o, blend(shares(z), V), {
            "softmax: the scores themselves are the weights; turn them into shares first": blend(z, V),
            "normalise: the exponentials are not divided by their sum": blend(e, V),
            "soft: this is the value of the best slot; let every slot answer by its share": V[int(np.argmax(z))],
            "scores: all slots count alike; weigh them by how well their keys fit q": V.mean(axis=0),
            "scale: this notebook divides the scores by nothing; the root of d_k comes later":
                blend(shares(z / math.sqrt(d_k)), V),
            "sign: the worst match has the largest share": blend(shares(-z), V),
        }, "the shape is right; the steps are: scores K q, softmax, then the sum of p_j v_j")


def two_slots(attempt: Callable) -> Verdicts:
    for p, gap in ((0.9, 2.0), (0.75, 0.5), (0.5, 3.0), (0.999, 0.25)):
        c = ask(attempt, p=p, gap=gap)
        yield from fits(c, ())
        odds = math.log(p / (1 - p))
        if p != 0.5:
            yield from compare(c, odds / gap, {
                "gap: it is not used; scores that lie further apart need less sharpness": odds,
                "gap: it multiplies by the gap; the larger the gap, the less sharpness is needed": odds * gap,
                "sign: it is negative, so that the worse slot wins; mind which share stands on top": -odds / gap,
                "logarithm: it must be the natural one, the inverse of the exponential": odds / gap / math.log(10),
                "odds: compare the two shares, p against 1 - p, not p alone": math.log(p) / gap,
                "logarithm: the odds e^(c gap) = p/(1-p) still stand there; solve for c": p / (1 - p) / gap,
            }, "put your c back into 1/(1 + e^(-c gap)): it should give p")
        else:
            yield same(c, 0), "even shares: for p = 1/2 no sharpness is needed, c = 0"


def downhill(attempt: Callable) -> Verdicts:
    for d_k, d_v, rate in ((3, 2, 0.3), (4, 5, 0.7)):
        q, o, t, D = draws(20 + d_k, (d_k,), (d_v,), (d_v,), (d_v, d_k))
        uphill = 2 * blend(o - t, D)
        got = ask(attempt, q=q, o=o, t=t, D=D, rate=rate)
        yield from fits(got, (d_k,))
        yield from compare(got, q - rate * uphill, {
            "sign: it walks uphill; the gradient is 2 D^T (o - t), and the step goes against it":
                q + rate * uphill,
            "factor: the derivative of a square has a factor 2": q - rate * uphill / 2,
            "rate: the step is not multiplied by the rate": q - uphill,
            "step: this is the gradient; the new query is q minus the rate times it": uphill,
            "step: this is only the change; add it to q": -rate * uphill,
        }, "the new query is q - rate * 2 D^T (o - t)")


# --- 02 --------------------------------------------------------------------------------------------------------------

def head_shapes(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((5, 7, 3, 2), (4, 6, 8, 9)):
        got = ask(attempt, m=m, n=n, d_k=d_k, d_v=d_v)
        yield from fits(got, (3, 2))
        raw, A, O = (tuple(int(x) for x in pair) for pair in got)
        yield raw != (n, m), "transposed: queries are rows and keys are columns of Q K^T"
        yield raw != (d_k, d_k), "product: this would be Q^T K; Q K^T pairs every query with every key"
        yield raw == (m, n), "scores: one number for each pair of a query and a key"
        yield A == raw, "weights: the scale and the softmax change no shape"
        yield O != (m, d_k), "width: an output is a blend of values, so it is as wide as they are"
        yield O != (n, d_v), "rows: there is one output for each query"
        yield O == (m, d_v), "output: A V has the rows of A and the columns of V"


def head_slips(S, V, d_k: int, others: dict[str, int]) -> dict[str, object]:
    """What goes wrong between unscaled scores S (m, n) and the output."""
    scaled = S / math.sqrt(d_k)
    slips = {
        "scale: the scores are not divided by the root of d_k": blends(by_rows(S), V),
        "scale: it divides by d_k; the root of it is wanted": blends(by_rows(S / d_k), V),
        "scale: it multiplies by the root of d_k instead of dividing": blends(by_rows(S * math.sqrt(d_k)), V),
        "axis: each column of the weights sums to one; every query, a row, should share out one unit":
            blends(by_rows(scaled.T).T, V),
        "softmax: the scaled scores are used as weights": blends(scaled, V),
        "normalise: the exponentials are not divided by the sum of their row": blends(np.exp(scaled), V),
        "normalise: all weights together sum to one; each row should": blends(np.exp(scaled) / np.exp(scaled).sum(), V),
    }
    return slips | {f"scale: it divides by the root of {name}; d_k is the width of a key":
                    blends(by_rows(S / math.sqrt(size)), V) for name, size in others.items()}


def matrix_attention(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((4, 6, 5, 3), (7, 2, 3, 8)):
        Q, K, V = draws(30 + m, (m, d_k), (n, d_k), (n, d_v))
        S = products(Q, K)
        O = ask(attempt, Q=Q, K=K, V=V)
        yield O.shape != (m, n), "output: this has the shape of the weights; multiply them by V"
        yield from fits(O, (m, d_v))
        yield from compare(O, blends(by_rows(S / math.sqrt(d_k)), V), head_slips(S, V, d_k, {"n": n, "d_v": d_v}),
                           "the shape is right; the steps: Q K^T, over the root of d_k, softmax of each row, times V")


def cross_attention(attempt: Callable) -> Verdicts:
    for m, n, d, d_k, d_v in ((4, 6, 7, 5, 3), (5, 3, 2, 4, 6)):
        X, Y, Wq, Wk, Wv = draws(40 + m, (m, d), (n, d), (d, d_k), (d, d_k), (d, d_v))

        def parts(asking, answering, A=Wq, B=Wk):
            return products(blends(asking, A), blends(answering, B)), blends(answering, Wv)
        O = ask(attempt, X=X, Y=Y, Wq=Wq, Wk=Wk, Wv=Wv)
        S, V = parts(X, Y)
        selfish, own = parts(X, X)
        turned, _ = parts(X, Y, Wk, Wq)
        yield O.shape != (n, d_v), "roles: there is one output for each row of Y; the queries come from X"
        yield from fits(O, (m, d_v))
        yield not same(O, blends(by_rows(selfish / math.sqrt(d_k)), own)), "source: keys and values come from Y"
        yield not same(O, blends(by_rows(turned / math.sqrt(d_k)), V)), "roles: Wq and Wk have changed places"
        yield from compare(O, blends(by_rows(S / math.sqrt(d_k)), V), head_slips(S, V, d_k, {"d": d}),
                           "queries X Wq; keys Y Wk and values Y Wv; then the lookup as before")


# --- 03 --------------------------------------------------------------------------------------------------------------

def top_names(attempt: Callable) -> Verdicts:
    weights = np.array([0.07, 0.31, 0.02, 0.18, 0.29, 0.13])
    names = ("zoe", "abe", "kim", "lou", "eve", "pat")
    order = ("abe", "eve", "lou", "pat", "zoe", "kim")
    for k in (4, 1, 3):
        got = call(attempt, dict(weights=weights, names=names, k=k))
        if isinstance(got, str) or not isinstance(got, (Sequence, np.ndarray)):
            raise NotYet(f"it returns something of type {type(got).__name__}; a list of {k} names is wanted")
        got = [x.item() if isinstance(x, np.generic) else x for x in got]
        yield len(got) == k, f"count: it returns {len(got)} names where k = {k}"
        yield not all(isinstance(x, int) for x in got), "names: these are row numbers; look up who stands there"
        yield not all(isinstance(x, float) for x in got), "names: these are weights; say whose they are"
        yield all(isinstance(x, str) for x in got), "names: not all of what it returns are names"
        yield set(got) != set(order[-k:]), "order: these are the smallest weights"
        yield got == list(order[:k]) or got[::-1] != list(order[:k]), "order: the largest comes first"
        yield got != list(names[:k]), "order: these are the first names of the list; sort by weight"
        yield set(got) == set(order[:k]), "choice: these are not the names with the largest weights"
        yield got == list(order[:k]), "order: the right names, but not from the largest weight down"


def raw_lead(attempt: Callable) -> Verdicts:
    for d_k, i, j in ((9, 4, 3), (5, 0, 2)):
        z = [0.4, -1.1, 2.3, 0.0, 1.9]  # raw scores, known beforehand
        weights = np.array(shares(s / math.sqrt(d_k) for s in z))
        lead, root = z[i] - z[j], math.sqrt(d_k)
        got = ask(attempt, weights=weights, i=i, j=j, d_k=d_k)
        yield from fits(got, ())
        yield from compare(got, lead, {
            "scale: this is the lead of the scaled scores; the raw ones lie further apart": lead / root,
            "scale: it divides by the root of d_k; the scores were divided already, undo it": lead / d_k,
            "scale: it multiplies by d_k; the root of it is wanted": lead * root,
            "sign: i and j have changed places": -lead,
            "logarithm: a ratio of weights is e to the difference of scaled scores; take its logarithm":
                root * weights[i] / weights[j],
            "difference: subtract scores, not weights": root * (weights[i] - weights[j]),
            "logarithm: it must be the natural one": lead / math.log(10),
        }, "the ratio of two weights is e^(s_i - s_j), and s = z / sqrt(d_k)")


def without_a_key(attempt: Callable) -> Verdicts:
    for n, d_v, j in ((6, 4, 2), (3, 5, 0)):
        z, V = draws(50 + n, (n,), (n, d_v))
        weights = np.array(shares(z))
        kept = [k for k in range(n) if k != j]
        o = ask(attempt, weights=weights, V=V, j=j)
        yield from fits(o, (d_v,))
        yield from compare(o, blend(shares(z[kept]), V[kept]), {
            "normalise: what is left of the weights no longer sums to one": blend(weights[kept], V[kept]),
            "key j: its value still takes part": blend(weights, V),
            "normalise: it divides by p_j; what is left sums to 1 - p_j": blend(weights[kept], V[kept]) / weights[j],
            "normalise: it multiplies by 1 - p_j; divide by it": blend(weights[kept], V[kept]) * (1 - weights[j]),
            "weights: the keys that are left do not count alike; they keep their proportions": V[kept].mean(axis=0),
            "softmax: it takes the softmax of weights; they are shares already": blend(shares(weights[kept]), V[kept]),
            "key j: this is key j alone; all the others are wanted": V[j],
        }, "drop entry j of the weights and row j of V, divide the weights by their sum, then blend")


# --- 04 --------------------------------------------------------------------------------------------------------------

def score_variance(attempt: Callable) -> Verdicts:
    for d_k, mq, vq, mk, vk in ((5, 0.5, 2.5, -1.5, 3.0), (16, 0.0, 1.0, 0.0, 1.0), (7, 1.0, 1.0, 1.0, 1.0)):
        # components that are mean + or - spread with equal chance: four cases, gone through one by one
        cases = [(mq + a * math.sqrt(vq)) * (mk + b * math.sqrt(vk)) for a in (-1, 1) for b in (-1, 1)]
        mean, square = sum(cases) / 4, sum(x * x for x in cases) / 4
        got = ask(attempt, d_k=d_k, mean_q=mq, var_q=vq, mean_k=mk, var_k=vk)
        yield from fits(got, ())
        slips = {
            "means: they are not used; what is not centred adds to the spread of a product": d_k * vq * vk,
            "mean: this is the mean of the squares; take off the square of the mean, term by term": d_k * square,
            "width: this is one term of the sum; there are d_k of them": square - mean * mean,
            "width: the variances of independent terms add, so d_k appears once": d_k * d_k * (square - mean * mean),
            "cross terms: the square of a mean goes with the variance of the other vector":
                d_k * (vq * vk + mq * mq * vq + mk * mk * vk),
            "squares: a mean enters by its square": d_k * (vq * vk + mq * vk + mk * vq),
            "variances: they are squares already": d_k * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2),
            "root: this is the standard deviation": math.sqrt(d_k * (square - mean * mean)),
            "means: only one of the two means is used": d_k * (vq * vk + mq * mq * vk),
        } if mq == 0.5 else {}
        yield from compare(got, d_k * (square - mean * mean), slips,
                           "each of the d_k terms has E[q^2] E[k^2] - E[q]^2 E[k]^2, and E[q^2] is var + mean^2")


def standard_errors(attempt: Callable) -> Verdicts:
    # chosen so that (2 + 6/d_k)/N is 1/100 or 1/25, and the standard error 1/10 or 1/5
    for ratio, d_k, N, want in ((1.25, 3, 400, 2.5), (0.8, 6, 75, -1.0), (1.0, 2, 500, 0.0), (1.3, 1, 800, 3.0)):
        got = ask(attempt, ratio=ratio, d_k=d_k, N=N)
        yield from fits(got, ())
        spread = 2 + 6 / d_k
        slips = {
            "sign: a ratio above 1 should give a positive number": -want,
            "root: the standard error is the root of the variance": (ratio - 1) / (spread / N),
            "draws: the variance of an average is N times smaller": (ratio - 1) / math.sqrt(spread),
            "draws: it multiplies by N; more draws make the error smaller": (ratio - 1) / math.sqrt(spread * N),
            "width: the term 6/d_k is missing": (ratio - 1) / math.sqrt(2 / N),
            "width: it multiplies by d_k; the term is 6/d_k": (ratio - 1) / math.sqrt((2 + 6 * d_k) / N),
            "expected: subtract 1, which the theorem predicts, before dividing": ratio / math.sqrt(spread / N),
            "error: this is the standard error; say how many of them the ratio is off": math.sqrt(spread / N),
        } if want == 2.5 else {"sign: a ratio below 1 should give a negative number": -want} if want < 0 else {}
        yield from compare(got, want, slips, "divide ratio - 1 by the root of (2 + 6/d_k)/N")


def general_variance(attempt: Callable) -> Verdicts:
    for d, nq, nk in ((3, 5, 4), (2, 4, 7)):
        # q and k each take one of a few values with equal chance, independently: all pairs, gone through one by one
        q, k = draws(60 + d, (nq, d), (nk, d))
        q, k = q + 0.7, k - 0.4
        z = [dot(a, b) for a, b in itertools.product(q, k)]
        mean = sum(z) / len(z)
        want = sum((s - mean) ** 2 for s in z) / len(z)
        mq, mk = q.mean(axis=0), k.mean(axis=0)
        Sq, Sk = ((u - u.mean(axis=0)).T @ (u - u.mean(axis=0)) / len(u) for u in (q, k))
        trace = sum(Sq[a, b] * Sk[b, a] for a in range(d) for b in range(d))
        got = ask(attempt, mean_q=mq, cov_q=Sq, mean_k=mk, cov_k=Sk)
        yield from fits(got, ())
        first, second = mk @ Sq @ mk, mq @ Sk @ mq
        yield from compare(got, want, {
            "means: the two terms with the means are missing": trace,
            "trace: the trace of a product is no product of traces": np.trace(Sq) * np.trace(Sk) + first + second,
            "trace: sum the diagonal of the product, not all of its entries": (Sq @ Sk).sum() + first + second,
            "off the diagonal: the other covariances count too": np.diag(Sq) @ np.diag(Sk) + first + second,
            "cross terms: a mean goes with the covariance of the other vector": trace + mq @ Sq @ mq + mk @ Sk @ mk,
            "means: only one of the two terms is there": trace + first,
            "mean: the square of the mean of z must not be in it": trace + first + second + mean ** 2,
            "trace: the term tr(cov_q cov_k) is missing": first + second,
        }, "the three terms are tr(cov_q cov_k), mean_k^T cov_q mean_k and mean_q^T cov_k mean_q")


# --- 05 --------------------------------------------------------------------------------------------------------------

def softmax_shift(attempt: Callable) -> Verdicts:
    z, = draws(70, (4, 6))
    e = np.array([[math.exp(x) for x in row] for row in z])
    top = z.max(axis=1, keepdims=True)
    want = by_rows(z)
    p = ask(attempt, z=z)
    yield from fits(p, (4, 6))
    yield from compare(p, want, {
        "axis: each column sums to one; each row should": by_rows(z.T).T,
        "axis: all entries together sum to one; each row should": e / e.sum(),
        "normalise: the exponentials are not divided by their sum": e,
        "normalise: shifted, but not divided by the sum": e * np.exp(-top),
        "shift: it is in the numerator only; the sum below needs it too": want * np.exp(-top),
        "shift: it is in the sum only; the numerator needs it too": want * np.exp(top),
        "exponential: it divides the logits themselves by their sum": z / z.sum(axis=1, keepdims=True),
        "sign: the smallest logit has the largest weight": by_rows(-z),
        "logarithm: these are logarithms of weights": np.log(want),
    }, "p_i = exp(z_i - a) / sum_k exp(z_k - a), with one a for each row")
    high = np.array([[1000.0, 1001.0, 1002.0, 1000.5], [1003.0, 999.0, 1000.0, 1001.0]])
    p = ask(attempt, z=high)
    yield p.shape == (2, 4), "shape: for z of shape (2, 4) it returns another shape"
    yield same(p, by_rows(high - 1000)), ("overflow: right for small logits, but not for logits of 1000; "
                                          "subtract the largest of each row first")
    apart = np.array([[1.0, 0.0, 3.0], [-2000.0, -2001.0, -1998.0]])
    yield same(ask(attempt, z=apart), by_rows(apart + [[0.0], [2000.0]])), (
        "own shift: rows that lie far apart each need their own; take the maximum along the row")


def jacobian_of_weights(attempt: Callable) -> Verdicts:
    # by hand: p (1 - p) on the diagonal, -p_i p_j off it
    p = np.array([1 / 2, 1 / 3, 1 / 6])
    by_hand = np.array([[1 / 4, -1 / 6, -1 / 12], [-1 / 6, 2 / 9, -1 / 18], [-1 / 12, -1 / 18, 5 / 36]])
    J = ask(attempt, p=p)
    yield J.shape != (3,), "off the diagonal: this is p (1 - p), the diagonal alone; J is 3 x 3"
    yield from fits(J, (3, 3))
    diagonal, outer = np.diag(p), np.array([[a * b for b in p] for a in p])
    again = np.array(shares(p))
    yield from compare(J, by_hand, {
        "sign: raising a logit raises its own weight, so the diagonal is positive": -by_hand,
        "sign: the others lose what one weight gains; off the diagonal J is negative": diagonal + outer,
        "off the diagonal: p_i falls when z_j rises, by p_i p_j": np.diag(p * (1 - p)),
        "outer product: the term p p^T is missing": diagonal,
        "diagonal: the term diag(p) is missing": -outer,
        "outer product: p - p^2 is taken along one axis only": diagonal - p * p,
        "input: p is taken for logits; the softmax was taken already": np.diag(again) - np.outer(again, again),
        "diagonal: J_ii is p_i (1 - p_i), and this has p_i itself": diagonal - outer + np.diag(p * p),
    }, "J = diag(p) - p p^T: its rows sum to zero, and J_01 = -p_0 p_1")
    z, h = [0.3, -1.2, 0.8, 2.0, -0.5], 1e-5

    def nudged(j, by):
        return shares(x + by * (k == j) for k, x in enumerate(z))
    by_nudging = [[(nudged(j, h)[i] - nudged(j, -h)[i]) / (2 * h) for j in range(5)] for i in range(5)]
    # the difference quotient is itself off by about 1e-11, far less than is let pass
    yield same(ask(attempt, p=np.array(shares(z))), by_nudging), "size: right for three weights, wrong for five"


def central_difference(attempt: Callable) -> Verdicts:
    def curve(z):
        return np.array([z[0] * z[1], z[1] ** 2 + 3 * z[2]])

    z, h = np.array([2.0, -1.5, 0.5]), 0.1
    J = np.array([[z[1], z[0], 0], [0, 2 * z[1], 3]])  # a central difference has no error on a quadratic
    bend = np.array([[0, 0, 0], [0, h, 0]])
    pairs = itertools.accumulate(np.eye(3), initial=0)
    heaped = np.stack([(curve(z + h * e) - curve(z - h * e)) / (2 * h) for e in list(pairs)[1:]], axis=1)
    all_at_once = (curve(z + h) - curve(z - h)) / (2 * h)
    D = ask(attempt, f=curve, z=z, h=h)
    yield D.shape != (3, 2), "transposed: row i belongs to output i, column j to the input that is nudged"
    yield D.shape != (2,), "one at a time: nudge each entry of z by itself, and give each a column"
    yield from fits(D, (2, 3))
    yield from compare(D, J, {
        "one side: it nudges up only; the error is of order h, where a central difference has h^2": J + bend,
        "one side: it nudges down only; the error is of order h, where a central difference has h^2": J - bend,
        "width: the two points lie 2h apart": 2 * J,
        "width: it is not divided by 2h": J * 2 * h,
        "brackets: / 2 * h divides by 2 and then multiplies by h": J * h * h,
        "sign: up minus down, not down minus up": -J,
        "one at a time: earlier nudges are still there; start each column from z": heaped,
        "one at a time: every column nudges all entries": np.stack([all_at_once] * 3, axis=1),
    }, "column j is (f(z + h e_j) - f(z - h e_j)) / (2h)")

    def cubic(z):
        return np.array([z[0] ** 3, z[1], z[0] * z[1]])

    z, h = np.array([1.5, -0.5]), 0.4
    exact = np.array([[3 * z[0] ** 2, 0], [0, 1], [z[1], z[0]]])
    D = ask(attempt, f=cubic, z=z, h=h)
    yield from fits(D, (3, 2))
    yield not same(D, exact, 1e-4), "step: it does not use the step h that it is given"
    yield same(D, exact + h * h * np.array([[1, 0], [0, 0], [0, 0]])), (
        "size: right for two outputs of three inputs, wrong for three of two")


def peak_bytes(attempt: Callable, **given: object) -> int:
    """The most memory the attempt held at once, beyond its arguments."""
    ours = not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        call(attempt, given)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if ours:
            tracemalloc.stop()


def jacobian_product(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (5, 3)):
        z, G = draws(80 + m, (m, n), (m, n))
        A = by_rows(z)
        want = np.array([[sum(p[i] * ((i == j) - p[j]) * g[j] for j in range(n)) for i in range(n)]
                         for p, g in zip(A, G)])
        AG = A * G
        got = ask(attempt, A=A, G=G)
        yield from fits(got, (m, n))
        yield from compare(got, want, {
            "p p^T: only diag(p) g is there; each row loses A_i times the sum of its A G": AG,
            "axis: the sum runs over all rows; each row has its own J": A * (G - AG.sum()),
            "axis: the sum runs down the columns; J acts along a row": A * (G - AG.sum(axis=0)),
            "sign: the second term is taken off": A * (G + AG.sum(axis=1, keepdims=True)),
            "sign: all of it has the wrong sign": -want,
            "sum: it sums G; the weights belong inside the sum": A * (G - G.sum(axis=1, keepdims=True)),
            "sum: it takes the mean of G; a weighted sum is wanted": A * (G - G.mean(axis=1, keepdims=True)),
            "diag(p): the first term is missing": -A * AG.sum(axis=1, keepdims=True),
            "factor: p_i stands in front of both terms": G - AG.sum(axis=1, keepdims=True),
        }, "row by row: p_i g_i - p_i sum_j p_j g_j")
    n = 1200
    p = np.full((1, n), 1 / n)
    # an n x n array takes 8 n^2 bytes, 11.5 MB, and the vectors that are needed 10 kB each
    yield peak_bytes(attempt, A=p, G=p) < n * n, "memory: right, but an n x n array was built on the way"


# --- 06 --------------------------------------------------------------------------------------------------------------

def leak(attempt: Callable) -> Verdicts:
    for c, n in ((1.3, 7), (0.0, 4), (math.log(3), 4), (6.0, 50)):
        one = shares([c] + [0.0] * (n - 1))
        got = ask(attempt, c=c, n=n)
        yield from fits(got, ())
        slips = {
            "leak: this is the weight of the slot asked for; the leak is what goes elsewhere": one[0],
            "slots: this is the share of one wrong slot; there are n - 1 of them": one[1],
            "slots: it counts n other slots; there are n - 1": n / (math.exp(c) + n),
            "sum: the exponential of the right slot is missing below": (n - 1) / math.exp(c),
            "sum: it divides by e^c + n; the logits are c once and 0 for n - 1 slots": (n - 1) / (math.exp(c) + n),
            "sign: the leak shrinks as c grows": (n - 1) / (math.exp(-c) + n - 1),
        } if n == 7 else {}
        yield from compare(got, 1 - one[0], slips, "the leak is 1 - p, with p = e^c / (e^c + n - 1)")


def sharpness_needed(attempt: Callable) -> Verdicts:
    for n, p, rho in ((7, 0.9, 0.25), (4, 0.99, 0.0), (13, 0.5, -1 / 12), (1000, 0.999, 0.9)):
        got = ask(attempt, n=n, p=p, rho=rho)
        yield from fits(got, ())
        c = math.log((n - 1) * p / (1 - p))
        slips = {
            "rho: it is not used; keys that lean together need more": c,
            "rho: it multiplies by 1 - rho; the lead of the right logit is c (1 - rho), so divide": c * (1 - rho),
            "rho: the lead is c - rho c, not c + rho c": c / (1 + rho),
            "rho: only n - 1 logits are rho c; the right one is c": c / rho,
            "slots: there are n - 1 wrong slots, not n": math.log(n * p / (1 - p)) / (1 - rho),
            "slots: the number of slots is not used": math.log(p / (1 - p)) / (1 - rho),
            "odds: p stands above 1 - p": math.log((n - 1) * (1 - p) / p) / (1 - rho),
            "logarithm: it must be the natural one": c / (1 - rho) / math.log(10),
        } if n == 7 else {}
        yield from compare(got, c / (1 - rho), slips,
                           "with logits c once and rho c elsewhere, the right slot should get p")


def row_cosines(attempt: Callable) -> Verdicts:
    for n, d in ((5, 3), (2, 4)):
        U, W = draws(90 + n, (n, d), (n, d))
        U[0] = (2 if n == 5 else -2) * W[0]              # parallel or opposite: 1 or -1
        U[1] = 0
        U[1, :2] = W[1, 1], -W[1, 0]                     # at a right angle: 0
        lengths = np.array([[math.sqrt(dot(r, r)) for r in M] for M in (U, W)])
        inner = np.array([dot(u, w) for u, w in zip(U, W)])
        got = ask(attempt, U=U, W=W)
        yield got.shape != (d,), "axis: there is one cosine for each row, so sum along the rows"
        yield got.shape != (n, n), "pairs: row i of U goes with row i of W alone"
        yield from fits(got, (n,))
        yield from compare(got, inner / lengths[0] / lengths[1], {
            "lengths: these are dot products; divide by both lengths": inner,
            "lengths: only that of U is divided by": inner / lengths[0],
            "lengths: only that of W is divided by": inner / lengths[1],
            "root: it divides by the squares of the lengths": inner / lengths[0] ** 2 / lengths[1] ** 2,
            "axis: the lengths are those of the whole arrays; each row has its own":
                inner / math.sqrt(dot(lengths[0], lengths[0])) / math.sqrt(dot(lengths[1], lengths[1])),
            "sign: parallel vectors have the cosine 1": -inner / lengths[0] / lengths[1],
            "angle: its cosine is wanted": np.arccos(np.minimum(inner / lengths[0] / lengths[1], 1)),
            "size: it leaves out the sign; opposite vectors have the cosine -1": abs(inner) / lengths[0] / lengths[1],
        }, "for each row: u.w over the product of the two lengths, each the root of a sum of squares")


def crosstalk_free(attempt: Callable) -> Verdicts:
    for n, d, s, c in ((4, 6, 1, 3.0), (3, 5, 2, 0.5)):
        K, = draws(100 + n, (n, d))
        K = K + 1.0
        K = np.array([k / math.sqrt(dot(k, k)) for k in K])
        q = ask(attempt, K=K, s=s, c=c)
        yield q.shape != (n,), "shape: this has one number for each slot; a query has the width of a key"
        yield from fits(q, (d,))
        z = products([q], K)[0]
        wanted = c * np.eye(n)[s]
        yield not same(q, c * K[s]), "crosstalk: c k_s also matches the other keys; the query must avoid them"
        yield not same(z, np.eye(n)[s]), "sharpness: slot s gets the logit 1; it should get c"
        yield not any(same(z, c * e) for i, e in enumerate(np.eye(n)) if i != s), "slot: another slot gets the logit c"
        yield not (same(np.delete(z, s), np.zeros(n - 1)) and not same(z, wanted)), (
            "sharpness: the crosstalk is gone, but slot s does not get the logit c")
        yield same(z, wanted), "crosstalk: K q should be c in place s and 0 in all others"
        # what of q lies outside the span of the keys matches no key and only makes it longer
        rest, basis = q.copy(), []
        for k in K:
            for b in basis:
                k = k - dot(k, b) * b
            basis.append(k / math.sqrt(dot(k, k)))
        for b in basis:
            rest = rest - dot(rest, b) * b
        yield same(rest, np.zeros(d)), "length: a shorter query has the same logits; take no more than the keys span"


# --- 07 --------------------------------------------------------------------------------------------------------------

def count_parameters(attempt: Callable) -> Verdicts:
    for d, h, d_k, d_v in ((10, 3, 4, 5), (8, 2, 4, 4), (6, 1, 7, 2)):
        got = ask(attempt, d=d, h=h, d_k=d_k, d_v=d_v)
        yield from fits(got, ())
        # three heads of 10 x 4, 10 x 4 and 10 x 5, and a mix of 15 x 10; two of 8 x 4 three times, and 8 x 8; one
        want = {10: 3 * (40 + 40 + 50) + 150, 8: 2 * 96 + 64, 6: 42 + 42 + 12 + 12}[d]
        slips = {
            "mix: Wo is missing": 390,
            "heads: there are h of them, each with its own three matrices": 130 + 150,
            "values: Wv is d x d_v": 3 * 120 + 150,
            "queries and keys: Wq and Wk are d x d_k": 3 * 150 + 150,
            "mix: Wo has h d_v rows and d columns": 390 + 100,
            "mix: Wo has h d_v rows, as wide as the joined heads": 390 + 50,
            "keys: a head has three matrices": 3 * (40 + 50) + 150,
            "biases: these projections have none": 540 + 3 * 13 + 10,
            "mix: there is one Wo for all heads together": 3 * (130 + 150),
        }
        yield from compare(got, want, slips, "h heads of d d_k + d d_k + d d_v numbers each, and Wo of h d_v times d")


def split_heads(attempt: Callable) -> Verdicts:
    for n, h, d_k in ((5, 3, 4), (2, 4, 3)):
        Y = np.array([[100.0 * i + j for j in range(h * d_k)] for i in range(n)])
        got = ask(attempt, Y=Y, h=h)
        yield got.shape != (n, h, d_k), "axes: split, but not moved; the heads come first"
        yield got.shape != (h, d_k, n), "transposed: each head keeps the elements as its rows"
        yield got.shape != (d_k, n, h), "width: there are h heads of d_k columns, not d_k heads of h"
        yield from fits(got, (h, n, d_k))
        yield from compare(got, [[[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)] for a in range(h)], {
            "scrambled: a reshape alone deals rows out to heads; each head must see all rows": Y.reshape(h, n, d_k),
            "interleaved: head i takes every h-th column; it should take d_k neighbouring ones":
                Y.reshape(n, d_k, h).transpose(2, 0, 1),
            "order: the heads come in reverse": [[[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)]
                                                 for a in reversed(range(h))],
            "columns: every head has the same ones": [Y[:, :d_k]] * h,
        }, "head i is the columns from i d_k to (i + 1) d_k - 1, for all rows")


def mix_of_heads(attempt: Callable) -> Verdicts:
    for h, n, d_v, d in ((3, 5, 2, 7), (2, 4, 3, 5)):
        O, Wo = draws(110 + h, (h, n, d_v), (h * d_v, d))

        def mixed(column):  # of the joined row, where entry b of head a stands
            entries = [(a, b, column(a, b)) for a in range(h) for b in range(d_v)]
            return np.array([[sum(O[a, i, b] * Wo[row, k] for a, b, row in entries) for k in range(d)]
                             for i in range(n)])
        got = ask(attempt, O=O, Wo=Wo)
        yield got.shape != (n, h * d_v), "mix: the heads are joined, but not multiplied by Wo"
        yield got.shape != (h, n, d), "sum: the heads' parts still stand side by side; the mix adds them up"
        yield from fits(got, (n, d))
        yield from compare(got, mixed(lambda a, b: a * d_v + b), {
            "scrambled: a reshape alone mixes rows of different elements; move the heads behind the rows first":
                O.reshape(n, h * d_v) @ Wo,
            "interleaved: the joined row has all of head 1, then all of head 2": mixed(lambda a, b: b * h + a),
            "blocks: every head goes through the first block of Wo; each has its own": mixed(lambda a, b: b),
            "order: the heads are joined in reverse": mixed(lambda a, b: (h - 1 - a) * d_v + b),
            "sum: the mix adds the heads' parts; it is not their mean": mixed(lambda a, b: a * d_v + b) / h,
        }, "join the heads side by side, head 1 first, (n, h d_v), then multiply by Wo")


def query_gradient(attempt: Callable) -> Verdicts:
    for n, d, d_k in ((5, 7, 3), (4, 2, 6)):
        X, K, dS = draws(120 + n, (n, d), (n, d_k), (n, n))

        def loss(Wq, dS=dS):  # sum of dS_ij s_ij, which is linear in Wq
            return sum(dot(given, row) for given, row in zip(dS, products(blends(X, Wq), K))) / math.sqrt(d_k)

        def by_nudging(loss):  # exact, since the loss is linear
            W = np.zeros((d, d_k))
            gradient = np.zeros((d, d_k))
            for at in np.ndindex(d, d_k):
                W[at] = 1
                gradient[at] = loss(W)
                W[at] = 0
            return gradient
        got = ask(attempt, X=X, K=K, dS=dS)
        want = by_nudging(loss)
        yield got.shape != (n, d_k), "chain rule: this is the gradient by Q; one factor more leads to Wq"
        yield from fits(got, (d, d_k))
        yield from compare(got, want, {
            "scale: the scores are Q K^T over the root of d_k; the gradient keeps that factor": want * math.sqrt(d_k),
            "scale: it divides by d_k; the root of it is wanted": want / math.sqrt(d_k),
            "scale: it multiplies by the root of d_k; divide": want * d_k,
            "transposed: dS is turned round; row i of dS belongs to query i": by_nudging(lambda W: loss(W, dS.T)),
            "sign: the gradient points uphill; the step against it comes later": -want,
            "mean: the gradient sums over the elements": want / n,
        }, "Q = X Wq and S = Q K^T / sqrt(d_k), so dQ = dS K / sqrt(d_k) and dWq = X^T dQ")


# --- 08 --------------------------------------------------------------------------------------------------------------

def causal_mask(attempt: Callable) -> Verdicts:
    for n in (5, 3, 1):
        result = call(attempt, dict(n=n))
        got = numbers(result)
        yield from fits(np.where(np.isinf(got), 0, got), (n, n))
        yield np.asarray(result).dtype == np.bool_, "booleans: a mask says True or False, and nothing else"
        want = np.array([[j <= i for j in range(n)] for i in range(n)])
        if n == 1:
            yield bool(got[0, 0]), "diagonal: a single element may attend to itself"
        else:
            yield from compare(got, want, {
                "transposed: row i is the query; it may attend to itself and the rows above": want.T,
                "diagonal: an element may attend to itself": want & ~np.eye(n, dtype=bool),
                "inverted: True is for what is allowed": ~want,
                "complete: this allows everything": np.ones((n, n)),
                "alone: this allows an element nothing but itself": np.eye(n),
            }, "row i allows the columns j with j <= i")


def renormalise(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (3, 2)):
        z, pick = draws(130 + m, (m, n), (m, n))
        A, mask = by_rows(z), pick > 0
        mask[:, 0] = ~mask.all(axis=1)
        mask[0] = [True] + [False] * (n - 1)
        kept = A * mask
        want = np.array([[a * allowed / sum(x for x, ok in zip(row, oks) if ok) for a, allowed in zip(row, oks)]
                         for row, oks in zip(A, mask)])
        got = ask(attempt, A=A, mask=mask)
        yield from fits(got, (m, n))
        if m == 4:
            yield from compare(got, want, {
                "normalise: the forbidden weights are gone, but the rows no longer sum to one": kept,
                "axis: it divides by the sums of the columns": kept / kept.sum(axis=0),
                "axis: all entries together sum to one; each row should": kept / kept.sum(),
                "mask: nothing is forbidden any more": A,
                "inverted: True is for what is allowed": (A * ~mask) / (A * ~mask).sum(axis=1, keepdims=True),
                "softmax: the weights are shares already; keep their proportions":
                    np.where(mask, np.exp(A), 0) / np.where(mask, np.exp(A), 0).sum(axis=1, keepdims=True),
                "proportions: the allowed keys do not count alike": mask / mask.sum(axis=1, keepdims=True),
            }, "for allowed j: A_ij over the sum of the allowed weights of row i; 0 for all others")
        yield same(got, want), "size: right for 4 x 6, wrong for another shape"
    mask[1] = False
    got = ask(attempt, A=A, mask=mask)
    yield not np.isnan(got).any(), "empty row: where nothing is allowed, 0/0 is NaN; the weights are to be 0"
    want[1] = 0
    yield same(got, want), "empty row: its weights are 0, and the other rows stay as they are"


def walked(edges: np.ndarray, L: int, stay: bool = True) -> set[tuple[int, int]]:
    """The pairs (i, j) joined by L steps, with or without the choice to stay; one step at a time."""
    n = len(edges)
    found = {(i, i) for i in range(n)}
    for _ in range(L):
        found = {(i, k) for i, j in found for k in range(n) if edges[j, k] or (stay and j == k)}
    return found


def pairs_reached(attempt: Callable) -> Verdicts:
    edges = np.zeros((9, 9), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (0, 2)):  # a path with a short cut; node 8 has no edge
        edges[i, j] = edges[j, i] = True
    edges[7, 2] = True  # one way
    counts = {L: len(walked(edges, L)) for L in range(6)}
    loops = edges.astype(int) + np.eye(len(edges), dtype=int)
    for L in (2, 1, 3):
        got = ask(attempt, edges=edges, L=L)
        yield from fits(got, ())
        slips = {
            "staying: news that has arrived stays; add the self loops": len(walked(edges, L, stay=False)),
            "layers: this is one layer too many": counts[L + 1],
            "layers: this is one layer too few": counts[L - 1],
            "walks: it counts the ways; a pair counts once, however many ways lead there":
                np.linalg.matrix_power(loops, L).sum(),
            "itself: the pairs (i, i) count too": counts[L] - 9,
            "one way: some edges run in one direction only; do not turn them round": len(walked(edges | edges.T, L)),
            "no edges: without an edge there is no way; a graph need not be complete": 81,
        } if L == 2 else {}
        yield from compare(got, counts[L], slips, "count the pairs (i, j) such that news of j reaches i, or i itself, in at most L steps")
    yield same(ask(attempt, edges=edges, L=0), 9), "no layer: for L = 0 every element has heard of itself alone"
    full = ~np.eye(8, dtype=bool)
    yield same(ask(attempt, edges=full, L=70), 64), (
        "overflow: the numbers of ways outgrow an integer; after each layer keep only whether there is one")


def merge_blocks(attempt: Callable) -> Verdicts:
    def state(scores, V):
        top = max(scores)
        e = [math.exp(s - top) for s in scores]
        return top, sum(e), blend(e, V)

    z, V = draws(140, (7,), (7, 3))
    a, b = state(z[:4], V[:4]), state(z[4:], V[4:])
    for first, second in ((a, b), (b, a)):
        (top1, total1, blend1), (top2, total2, blend2) = first, second
        result = call(attempt, dict(a=first, b=second))
        try:
            top, total, mix = result
        except (TypeError, ValueError):
            raise NotYet("it does not return three things: the maximum, the sum and the blend") from None
        top, total, mix = numbers(top), numbers(total), numbers(mix)
        yield from fits(top, ())
        yield from fits(total, ())
        yield from fits(mix, (3,))
        want = state(z, V)
        yield same(top, want[0]), "maximum: the new one is the larger of the two"
        f1, f2 = math.exp(top1 - want[0]), math.exp(top2 - want[0])
        yield from compare(total, want[1], {
            "rescale: the two sums were taken with different maxima; bring both to the new one first": total1 + total2,
            "sign: the factor is exp(old maximum - new maximum), which is at most 1": total1 / f1 + total2 / f2,
            "crossed: each sum needs the factor of its own maximum": total1 * f2 + total2 * f1,
        }, "sum: it is l_a exp(m_a - m) + l_b exp(m_b - m)")
        yield from compare(mix, want[2], {
            "rescale the blend: it needs the same factors as the sum": blend1 + blend2,
            "unnormalised: the blend is divided by the sum only in the end": want[2] / want[1],
            "weights: the blends carry their sums already; do not multiply by them again":
                total1 * f1 * blend1 + total2 * f2 * blend2,
        }, "blend: it is u_a exp(m_a - m) + u_b exp(m_b - m)")
    near, far = (0.5, 2.0, np.array([1.0, 2.0, 3.0])), (1000.0, 1.5, np.array([-1.0, 0.0, 1.0]))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=near, b=far)))
    yield (same(top, 1000) and same(total, 1.5) and same(mix, [-1, 0, 1])), (
        "overflow: maxima of 0 and 1000 should not trouble it; no exponent may be above 0")
    none = (-math.inf, 0.0, np.zeros(3))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=none, b=near)))
    yield (same(top, 0.5) and same(total, 2) and same(mix, [1, 2, 3])), (
        "empty: a block without an allowed key (maximum -inf, sum 0) should change nothing")


# --- 09 --------------------------------------------------------------------------------------------------------------

def forgotten(attempt: Callable) -> Verdicts:
    # the tables with all sums 0: choose all entries but a last row and column, which then follow
    for r, f, want in ((4, 6, 15), (2, 2, 1), (5, 13, 48), (1, 6, 0), (4, 1, 0)):
        got = ask(attempt, r=r, f=f)
        yield from fits(got, ())
        yield from compare(got, want, {
            "redundancy: both kinds of sum have the same total, so one of the r + f is no news": r * f - r - f,
            "kept: this is how many independent sums there are; subtract it from r f": r + f - 1,
            "all: this is the size of the table; the sums keep some of it": r * f,
            "product: it adds; each of r - 1 rows is free in f - 1 places": (r - 1) + (f - 1),
        }, "of the r f numbers, r + f - 1 are kept")


def bland_table(attempt: Callable) -> Verdicts:
    for B in ([[2, 0, 1, 0, 4], [0, 3, 0, 1, 0], [1, 0, 0, 5, 0]], [[1, 0], [0, 1], [0, 3], [2, 0]]):
        B = np.array(B, dtype=np.float64)
        r, f = B.shape
        R, C, total = [sum(row) for row in B], [sum(column) for column in B.T], sum(sum(row) for row in B)
        want = np.array([[x * y / total for y in C] for x in R])
        got = ask(attempt, B=B)
        yield from fits(got, (r, f))
        yield from compare(got, want, {
            "total: row sum times column sum is too much; divide by the total": want * total,
            "total: it divides by the square of the total": want / total,
            "table: this is B itself, which still knows who filled which role": B,
            "sums: one number everywhere; the rows and columns must keep their sums": np.full((r, f), total / r / f),
            "rows: each row is spread evenly; the column sums are lost": [[x / f] * f for x in R],
            "columns: each column is spread evenly; the row sums are lost": [[y / r for y in C]] * r,
        }, "entry (a, b) is row sum a times column sum b, over the total")


def wrap(a, b, sign: int, shift: int = 0) -> np.ndarray:
    """Entry k is the sum over i of a_i b at k - i (sign -1) or k + i (sign +1), counted round in a circle."""
    n = len(a)
    return np.array([sum(a[i] * b[(k + sign * i + shift) % n] for i in range(n)) for k in range(n)])


def bind(attempt: Callable) -> Verdicts:
    for n in (7, 4):
        a, b = draws(150 + n, (n,), (n,))
        want = wrap(a, b, -1)
        full = np.array([sum(a[i] * b[k - i] for i in range(n) if 0 <= k - i < n) for k in range(2 * n - 1)])
        got = ask(attempt, a=a, b=b)
        yield got.shape != (2 * n - 1,), "circle: what runs over the end must come in again at the front"
        yield got.shape != (n, n), "outer product: add up its n circular diagonals, so that n numbers are left"
        yield from fits(got, (n,))
        yield from compare(got, want, {
            "circle: it multiplies entry by entry; every a_i must meet every b_j": a * b,
            "circle: the part that runs over the end is cut off; it comes in again at the front": full[:n],
            "circle: the middle of the straight convolution is no circle": full[(n - 1) // 2:(n - 1) // 2 + n],
            "sign: b runs forwards, at k + i; it must run backwards, at k - i": wrap(a, b, 1),
            "sign: a runs forwards; the two indices must add up to k": wrap(b, a, 1),
            "shift: one place too far": wrap(a, b, -1, 1),
            "shift: one place short": wrap(a, b, -1, -1),
            "scale: the sum is divided by n": want / n,
            "scale: the sum is multiplied by n": want * n,
        }, "entry k is the sum of a_i b_(k-i), with k - i counted round modulo n")


def unbind(attempt: Callable) -> Verdicts:
    for n in (7, 6):
        a, c = draws(160 + n, (n,), (n,))
        want = wrap(a, c, 1)
        exact = np.fft.ifft(np.fft.fft(c) / np.fft.fft(a)).real
        got = ask(attempt, c=c, a=a)
        yield from fits(got, (n,))
        yield from compare(got, want, {
            "inverse: it binds once more; the index must run the other way, at k + i": wrap(a, c, -1),
            "shift: reversing a whole array also moves it; a_0 must stay in place 0": wrap(a, c, 1, 1),
            "shift: one place too far back": wrap(a, c, 1, -1),
            "arguments: c and a have changed places, so the result runs backwards": wrap(c, a, 1),
            "division: that undoes one exact pair, but blows up noise where a has a small frequency; sum c_(k+i) a_i":
                exact,
            "scale: the sum is divided by n": want / n,
            "circle: it multiplies entry by entry": a * c,
        }, "entry k is the sum of c_(k+i) a_i, with k + i counted round modulo n")


# --- all of them, in the order of the notebooks ----------------------------------------------------------------------

EXERCISES = (
    Exercise("negative-sharpness", "01", "A sharpness below zero", "recall", 3),
    Exercise("soft-lookup", "01", "A lookup of your own", "apply", 5, soft_lookup),
    Exercise("two-slots", "01", "As sharp as you need", "apply", 6, two_slots),
    Exercise("downhill", "01", "One step downhill", "extend", 6, downhill),

    Exercise("head-shapes", "02", "Shapes before numbers", "recall", 3, head_shapes),
    Exercise("matrix-attention", "02", "Attention in a few lines", "apply", 6, matrix_attention),
    Exercise("symmetric-scores", "02", "When are the scores symmetric?", "apply", 5),
    Exercise("cross-attention", "02", "One set asks, another answers", "extend", 8, cross_attention),

    Exercise("top-names", "03", "Who is looked up first", "recall", 4, top_names),
    Exercise("between-the-values", "03", "How long can an output be?", "recall", 4),
    Exercise("raw-lead", "03", "From weights back to scores", "apply", 6, raw_lead),
    Exercise("without-a-key", "03", "If one entity were not there", "extend", 7, without_a_key),

    Exercise("which-step", "04", "Which step breaks?", "recall", 4),
    Exercise("standard-errors", "04", "How far off, in standard errors", "apply", 5, standard_errors),
    Exercise("score-variance", "04", "Components with a mean", "apply", 8, score_variance),
    Exercise("general-variance", "04", "Components that go together", "extend", 10, general_variance),

    Exercise("silent-or-stuck", "05", "Silent, or stuck?", "recall", 4),
    Exercise("softmax-shift", "05", "A softmax that does not overflow", "apply", 6, softmax_shift),
    Exercise("jacobian-of-weights", "05", "The Jacobian from the weights", "apply", 5, jacobian_of_weights),
    Exercise("central-difference", "05", "A derivative by nudging", "apply", 8, central_difference),
    Exercise("jacobian-product", "05", "J times a vector, without J", "extend", 10, jacobian_product),

    Exercise("leak", "06", "What leaks", "recall", 3, leak),
    Exercise("sharpness-needed", "06", "The sharpness that is needed", "apply", 6, sharpness_needed),
    Exercise("row-cosines", "06", "Cosines, row by row", "apply", 5, row_cosines),
    Exercise("two-slot-tension", "06", "Only two slots", "apply", 5),
    Exercise("crosstalk-free", "06", "A query without crosstalk", "extend", 12, crosstalk_free),

    Exercise("count-parameters", "07", "Counting parameters", "recall", 4, count_parameters),
    Exercise("split-heads", "07", "From one width to many heads", "apply", 7, split_heads),
    Exercise("mix-of-heads", "07", "Join and mix", "apply", 7, mix_of_heads),
    Exercise("one-number-keys", "07", "Keys of a single number", "extend", 8),
    Exercise("query-gradient", "07", "The gradient of Wq", "extend", 10, query_gradient),

    Exercise("causal-mask", "08", "A causal mask", "recall", 3, causal_mask),
    Exercise("masks-and-order", "08", "Which masks keep the symmetry?", "recall", 4),
    Exercise("renormalise", "08", "From dense weights to masked ones", "apply", 7, renormalise),
    Exercise("pairs-reached", "08", "Who has heard of whom", "apply", 8, pairs_reached),
    Exercise("merge-blocks", "08", "Two blocks become one", "extend", 12, merge_blocks),

    Exercise("forgotten", "09", "How much is forgotten", "recall", 3, forgotten),
    Exercise("bland-table", "09", "What the sums alone suggest", "apply", 6, bland_table),
    Exercise("added-tokens", "09", "Role plus filler", "apply", 6),
    Exercise("bind", "09", "Bind", "apply", 8, bind),
    Exercise("unbind", "09", "Unbind", "extend", 10, unbind),
)
BY_NAME = {exercise.name: exercise for exercise in EXERCISES}


def table() -> str:
    """All exercises as a Markdown table whose columns line up in plain text as well."""
    head = ("notebook", "exercise", "level", "minutes", "answer")
    rows = [(e.notebook, e.title, e.level, str(e.minutes), "checks itself" if e.check else "folded") for e in EXERCISES]
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    lines = [head, tuple("-" * width for width in widths), *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


# --- the one line ----------------------------------------------------------------------------------------------------

def first_fault(exercise: Exercise, attempt: Callable) -> str | None:
    """The hint of the first pair that is not ok."""
    return next((hint for ok, hint in exercise.check(attempt) if not ok), None)


def verdict(name: str, attempt: object) -> str:
    """The line that `check` prints."""
    checked = {key: e for key, e in BY_NAME.items() if e.check}
    if not isinstance(name, str) or name not in checked:
        if not isinstance(name, str):
            return "check: first the name of the exercise, in quotes, then your function"
        near = difflib.get_close_matches(name, checked, cutoff=0)
        return f"check: there is no exercise {one_line(name, 60)!r}; did you mean {near[0]!r}?"
    if attempt is None or attempt is Ellipsis:
        return f"{name}: not written yet"
    if not callable(attempt):
        return f"{name}: not yet: hand over the function itself, by its name without brackets"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            fault = first_fault(checked[name], attempt)
        except NotWritten:
            return f"{name}: not written yet"
        except NotYet as hint:
            fault = str(hint)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a result so odd that reading or comparing it failed
            fault = f"what it returns could not be compared ({type(error).__name__})"
    return f"{name}: correct" if fault is None else f"{name}: not yet: {one_line(fault, 400)}"


def check(name: str, attempt: object) -> None:
    """Print one line on an attempt: not written yet, correct, or not yet with a hint. Never raises."""
    print(verdict(name, attempt))
