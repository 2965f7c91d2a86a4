"""Notebook 00: the Jacobian in one line."""

from attention_core import softmax, softmax_jacobian
from tools.formulas.bindings import lookup
from tools.formulas.check import cell


def jacobian(rng):
    return lookup(rng) | {"z": rng.normal(size=4), "p": lambda z: softmax(z), "J": lambda p: softmax_jacobian(p)}


cell("00-13", bind=jacobian, settings=("i = j",))
