"""What the names of a formula stand for: the bindings of a cell, what is derived from them, and how far indices run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tools.formulas.values import OUTCOME, FormulaError, Value, tensor, unfold

Side = Callable[["Scope"], Value]


@dataclass(frozen=True)
class Function:
    """What a name is bound to that is called with arguments; used alone it takes them by name from the scope."""

    call: Callable


@dataclass(frozen=True)
class Row:
    """A vector, or a matrix whose rows are vectors, that the text multiplies from the left: x_j W."""

    array: np.ndarray


@dataclass(frozen=True)
class Random:
    """A random number or vector: its values, with the outcomes of a finite law along the last axis."""

    outcomes: np.ndarray


@dataclass(frozen=True)
class Defined:
    """A name that the chapter defines by a formula with these indices."""

    side: Side
    indices: tuple[str, ...]


class Scope:
    """What the names stand for, the ranges of indices, and the signs of the moment.

    Besides names, a binding may hold "ranges" (index: how many), "base" (where indices start, 1), "law" (the probabilities
    of the outcomes) and "prime" (the name by which a prime takes the derivative).
    """

    def __init__(self, names: dict, **more):
        self.names = {**names, **more}
        self.found: dict[str, Value] = {}
        self.used: set[str] = set()
        self.ranges: dict[str, np.ndarray] = {}

    def inner(self, **names) -> Scope:
        """The same scope with other values of some names; what is derived from them follows."""
        scope = Scope(self.names, **names)
        scope.ranges, scope.used = self.ranges, self.used
        return scope

    def within(self, index: str, values: np.ndarray) -> Scope:
        """The same scope where an index runs over these values."""
        scope = Scope(self.names)
        scope.found, scope.used, scope.ranges = self.found, self.used, {**self.ranges, index: values}
        return scope

    def ranging(self, sizes: dict[str, int]) -> Scope:
        """The same scope that knows how far these indices run, also where no array shows it."""
        scope = Scope(self.names, ranges={**self.names.get("ranges", {}), **sizes})
        scope.found, scope.used, scope.ranges = self.found, self.used, self.ranges
        return scope

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @property
    def base(self) -> int:
        return self.names.get("base", 1)

    def array(self, name: str):
        """What a name stands for as an array, for the functions of the bindings."""
        return self.value(name).data[()]

    def value(self, name: str) -> Value:
        self.used.add(name)
        if name not in self.found:
            if name not in self.names:
                raise FormulaError(f"nothing is bound to {name}")
            self.found[name] = self.compute(self.names[name])
        return self.found[name]

    def compute(self, bound) -> Value:
        if isinstance(bound, Defined):
            plain = Scope(self.names)  # whatever sum stands around the name
            plain.used = self.used
            return unfold(bound.side(plain), bound.indices)
        if isinstance(bound, Function) or inspect.isfunction(bound):
            call = bound.call if isinstance(bound, Function) else bound
            return tensor(call(*map(self.array, inspect.signature(call).parameters)))
        if isinstance(bound, Random):
            return Value(bound.outcomes, bound.outcomes.ndim - 1, (OUTCOME,))
        return tensor(bound.array, row=True) if isinstance(bound, Row) else tensor(bound)

    def fixed(self, name: str) -> bool:
        """Whether an index is bound to one number; a letter that stands for an array may still be an index."""
        return name not in self.ranges and isinstance(self.names.get(name), (int, np.integer))

    def index(self, name: str, size: int | None = None) -> Value:
        """The values of a free index: those of the sum around it, or all along the axis where it stands."""
        if name not in self.ranges:
            size = size or self.names.get("ranges", {}).get(name)
            if size is None:
                raise FormulaError(f"nothing is bound to {name}, and it is no index of an array here")
            return Value(np.arange(size) + self.base, 0, (name,))
        return Value(self.ranges[name], 0, (name,))
