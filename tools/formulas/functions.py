"""The functions that a formula names: the chapter's own where it has them, means over the law, and values under conditions."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

import attention_core
from tools.formulas.scope import Scope
from tools.formulas.values import FormulaError, Value, add, entrywise, mean, number, product, scale, tensor, together, unfold


def modulo(a: Value, b: Value) -> Value:
    return entrywise(np.mod, a, b)


def select(condition: Value, a: Value, otherwise: float = np.nan) -> Value:
    """The value where the condition holds."""
    names, (mask, data) = together(condition, a)
    return replace(a, data=np.where(mask, data, otherwise), names=names)


def select_all(cases: list[tuple[Value, Value]]) -> Value:
    """The value of the case whose condition holds; exactly one must."""
    _, masks = together(*(condition for condition, _ in cases))
    if not np.all(sum(np.asarray(mask, int) for mask in masks) == 1):
        raise FormulaError("the conditions of the cases overlap or leave something out")
    return reduce(add, [select(condition, value, 0) for condition, value in cases])


def softmax(s: Scope, a: Value) -> Value:
    """The chapter's own function, along the last axis of the tensor."""
    return replace(a, data=attention_core.softmax(np.asarray(a.data, float), axis=a.rank - 1))


def diagonal(s: Scope, a: Value) -> Value:
    """The diagonal matrix of a vector, which may be given by its entries: diag(sqrt(lambda_i))."""
    if a.rank == 0 and len(a.names) == 1:
        a = unfold(a, a.names)
    if a.rank != 1 or a.names:
        raise FormulaError(f"diag of {a.kind}")
    return tensor(np.diag(a.data))


def trace(s: Scope, a: Value) -> Value:
    if a.rank != 2 or a.shape[0] != a.shape[1]:
        raise FormulaError(f"the trace of {a.kind} of shape {a.shape}")
    return Value(np.trace(a.data), 0, a.names)


def covariance(s: Scope, a: Value, b: Value) -> Value:
    law = s.names.get("law")
    return add(mean(product(a, b), law), scale(number(-1), product(mean(a, law), mean(b, law))))


def cosine(s: Scope, a: Value, b: Value) -> Value:
    return number(attention_core.cosine(a.data, b.data))


FUNCTIONS = {
    "softmax": softmax,
    "diag": diagonal,
    "tr": trace,
    "Cov": covariance,
    "Var": lambda s, a: covariance(s, a, a),
    "E": lambda s, a: mean(a, s.names.get("law")),
    "\\ln": lambda s, a: entrywise(np.log, a),
    "\\exp": lambda s, a: entrywise(np.exp, a),
    "\\cos": cosine,
}
COMPARE = {"=": np.equal, "!=": np.not_equal, "<": np.less, ">": np.greater, "<=": np.less_equal, ">=": np.greater_equal}
