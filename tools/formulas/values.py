"""What a formula computes with: numbers, vectors and matrices, for all values of its free indices at once.

The array of a `Value` has the axes of the tensor first, and then one axis for each free index by name. So z_j is a number
with an axis called j, and a sum over j removes that axis. Two values meet by the names of their indices; an index that
runs over 4 in the one and over 5 in the other is an error, and that is how a wrong index of a formula shows itself.
The outcomes of a random variable are one more such axis, called OUTCOME.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

OUTCOME = "outcome"
KINDS = ("a number", "a vector", "a matrix")


class FormulaError(ValueError):
    """A formula that cannot be read or has no value; the message says what is wrong with it."""


@dataclass(frozen=True)
class Value:
    """A tensor of some rank (0, 1, 2) for every value of the indices named; a vector is a column unless it is a row."""

    data: np.ndarray
    rank: int = 0
    names: tuple[str, ...] = ()
    row: bool = False

    @property
    def kind(self) -> str:
        return "a row vector" if self.row else KINDS[self.rank] if self.rank < 3 else f"an array of {self.rank} axes"

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the tensor, without the axes of the indices."""
        return self.data.shape[: self.rank]

    def size(self, name: str) -> int:
        return self.data.shape[self.rank + self.names.index(name)]

    def over(self, names: tuple[str, ...]) -> np.ndarray:
        """The array with one axis for each of these names in their order, of length 1 where the value lacks the index."""
        own = [name for name in names if name in self.names]
        data = self.data.transpose([*range(self.rank), *(self.rank + self.names.index(name) for name in own)])
        return data.reshape(self.shape + tuple(self.size(name) if name in own else 1 for name in names))


def number(x) -> Value:
    return Value(np.asarray(x))


def tensor(x, row: bool = False) -> Value:
    data = np.asarray(x)
    return Value(data, data.ndim, row=row)


def together(*values: Value) -> tuple[tuple[str, ...], list[np.ndarray]]:
    """The indices of all the values, and their arrays with an axis for each of these."""
    names = tuple(dict.fromkeys(name for value in values for name in value.names))
    for name in names:
        sizes = sorted({value.size(name) for value in values if name in value.names})
        if len(sizes) > 1:
            raise FormulaError(f"the index {name} runs over {sizes[0]} here and over {sizes[1]} there")
    return names, [value.over(names) for value in values]


def entrywise(f, *values: Value) -> Value:
    """A function of numbers, applied to each entry of values of one kind."""
    names, arrays = together(*values)
    return replace(values[0], data=f(*arrays), names=names)


def add(a: Value, b: Value) -> Value:
    if (a.rank, a.row, a.shape) != (b.rank, b.row, b.shape):
        raise FormulaError(f"{a.kind} {a.shape} and {b.kind} {b.shape} cannot be added or compared")
    return entrywise(np.add, a, b)


def scale(factor: Value, a: Value) -> Value:
    """A number times anything; an index of the number that the tensor lacks becomes one of its indices."""
    names, (x, y) = together(factor, a)
    return replace(a, data=x * y, names=names)


def product(a: Value, b: Value) -> Value:
    """Two factors side by side, by their shapes: a number times anything, or the product of matrices."""
    if a.rank == 0 or b.rank == 0:
        return scale(a, b) if a.rank == 0 else scale(b, a)
    rule = {
        ("m", "m"): "ij...,jk...->ik...",
        ("m", "c"): "ij...,j...->i...",
        ("r", "m"): "i...,ij...->j...",
        ("r", "c"): "i...,i...->...",
        ("c", "r"): "i...,j...->ij...",
    }.get((letter(a), letter(b)))
    if rule is None:
        raise FormulaError(f"{a.kind} {a.shape} and {b.kind} {b.shape} stand side by side: is a transpose or a dot missing?")
    return contract(rule, a, b, row=letter(a) + letter(b) == "rm")


def letter(a: Value) -> str:
    return "r" if a.row else "cm"[a.rank - 1]


def contract(rule: str, a: Value, b: Value, row: bool = False) -> Value:
    names, (x, y) = together(a, b)
    try:
        data = np.einsum(rule, x, y)
    except ValueError:
        raise FormulaError(f"{a.kind} {a.shape} does not fit {b.kind} {b.shape}") from None
    return Value(data, data.ndim - len(names), names, row)


def dot(a: Value, b: Value) -> Value:
    """What a centred dot means: the dot product of two vectors, and otherwise the product of numbers."""
    if (a.rank, b.rank) == (1, 1):
        return contract("i...,i...->...", a, b)
    if a.rank and b.rank:
        raise FormulaError(f"a dot stands between {a.kind} and {b.kind}")
    return product(a, b)


def convolve(a: Value, b: Value) -> Value:
    """The circular convolution of two vectors, from its meaning: where indices add up round a circle."""
    if (a.rank, b.rank) != (1, 1) or a.shape != b.shape or a.names or b.names:
        raise FormulaError(f"a circular convolution needs two vectors of one width, not {a.shape} and {b.shape}")
    return tensor(sum(x * np.roll(b.data, i) for i, x in enumerate(a.data)))


def power(a: Value, b: Value) -> Value:
    if a.rank or b.rank:
        raise FormulaError(f"{(a if a.rank else b).kind} stands in a power; only numbers may")
    with np.errstate(invalid="ignore", divide="ignore"):
        return entrywise(lambda x, y: np.power(x if np.iscomplexobj(x) else x.astype(float), y), a, b)


def divide(a: Value, b: Value) -> Value:
    if b.rank:
        raise FormulaError(f"{b.kind} stands below a fraction bar; only a number may")
    return scale(power(b, number(-1)), a)


def transpose(a: Value) -> Value:
    if a.rank == 0:
        raise FormulaError("a number is transposed")
    return replace(a, row=not a.row) if a.rank == 1 else replace(a, data=np.swapaxes(a.data, 0, 1))


def join(a: Value, b: Value) -> Value:
    """[a || b]: two matrices side by side."""
    return tensor(np.concatenate([a.data, b.data], axis=1))


def take(a: Value, place: Value) -> Value:
    """The entry of the first axis at a place, counted from 0, for all values of the indices of both."""
    if a.rank == 0:
        raise FormulaError("a number has an index")
    at = np.asarray(place.data)
    if at.size and not (0 <= at.min() and at.max() < a.shape[0]):
        raise FormulaError(f"an index leaves its range: the axis has {a.shape[0]} places")
    names, (x, i) = together(a, place)
    sizes = tuple(np.maximum(x.shape[a.rank :], i.shape))
    x = np.broadcast_to(x, a.shape + sizes)
    i = np.broadcast_to(i, sizes)[(None,) * a.rank]
    return Value(np.take_along_axis(x, i, axis=0)[0], a.rank - 1, names, a.row and a.rank == 2)


def unfold(a: Value, names: tuple[str, ...]) -> Value:
    """The indices named as axes of the tensor instead, in this order: what the definition of an array by its entries means."""
    rest = tuple(name for name in a.names if name not in names)
    data = np.moveaxis(a.over((*names, *rest)), range(a.rank, a.rank + len(names)), range(len(names)))
    return Value(data, a.rank + len(names), rest)


def reduced(f, a: Value, name: str) -> Value:
    """A sum, a product or a maximum over one index."""
    return replace(a, data=f(a.data, axis=a.rank + a.names.index(name)), names=tuple(n for n in a.names if n != name))


def mean(a: Value, weights: np.ndarray | None) -> Value:
    """The expectation: the sum over all outcomes, each times its probability. What is not random is its own mean."""
    if OUTCOME not in a.names:
        return a
    rest = tuple(name for name in a.names if name != OUTCOME)
    return replace(a, data=a.over((*rest, OUTCOME)) @ weights, names=rest)


def norm(a: Value, spectral: bool) -> Value:
    if spectral and a.rank == 2 and not a.names:
        return number(np.linalg.norm(a.data, 2))
    if a.rank != 1 or spectral:
        raise FormulaError(f"the norm of {a.kind} is written otherwise: a matrix has the index 2 there, a vector has none")
    return reduce(lambda value, f: f(value), [lambda v: dot(v, v), lambda s: entrywise(np.sqrt, s)], a)
